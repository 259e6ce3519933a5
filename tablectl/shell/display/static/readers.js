// The reader boards: which they are, how their lines do, what they said last. Owns the last minute's counts.

import { h, icon, renew } from "./dom.js";

const MINUTE_MS = 60_000;
const SHOWN = ["frames", "lost_frames", "bad_crc", "reboots"];
const LINE = ["lost_frames", "bad_crc", "bad_cobs", "too_long", "noise_bytes"]; // what a bad cable does
// What counts up while all is well, or has a place of its own.
const USUAL = new Set([...SHOWN, "bytes", "hello_asked", "commands", "opened", "log_lines", "looks", "cards"]);
const SIGN = { fine: "acknowledge", past: "watching", warn: "unsure", bad: "unseen" };

// What each counter was a minute ago, or when the page was opened.
export class Minute {
  constructor() { this.kept = []; }

  took(readers) {
    const now = performance.now();
    this.kept.push([now, new Map(readers.map((r) => [r.reader, r.counters]))]);
    while (this.kept[0][0] < now - MINUTE_MS) this.kept.shift();
  }

  // How far back it reaches.
  get seconds() { return Math.max(1, Math.round((performance.now() - this.kept[0][0]) / 1000)); }

  more(reader, name) {
    const [[, then]] = this.kept;
    return Math.max(0, (reader.counters[name] ?? 0) - (then.get(reader.reader)?.[name] ?? 0));
  }
}

const lost = (reader) => LINE.reduce((sum, name) => sum + (reader.counters[name] ?? 0), 0);

// What a technician should look at first: [colour, text].
function verdict(reader, minute, w) {
  if (!["ok", "silent"].includes(reader.state)) return ["bad", w.said(reader.text, reader.say)];
  if (reader.state === "silent") return ["bad", w.said(reader.text, reader.say)];
  if (minute.more(reader, "reboots") > 0) return ["warn", w.power];
  if (LINE.some((name) => minute.more(reader, name) > 0)) return ["warn", w.cable];
  if (reader.text) return ["warn", w.said(reader.text, reader.say)];
  return lost(reader) ? ["past", w.wasBad(minute.seconds)] : ["fine", w.clean];
}

function counter(reader, name, minute, w) {
  const more = name === "frames" ? 0 : minute.more(reader, name);
  return h("div", { class: more ? "count rising" : "count" }, h("dt", {}, w.counters[name] ?? name),
    h("dd", {}, w.number(reader.counters[name] ?? 0), more > 0 && h("small", {}, ` ${w.rising(more)}`)));
}

function drawReader(reader, minute, w) {
  const [colour, text] = verdict(reader, minute, w);
  const odd = Object.entries(reader.counters).filter(([name, count]) => count && !USUAL.has(name));
  return h("article", { "data-reader": reader.reader },
    h("h2", {}, w.reader(reader)),
    h("p", { class: `verdict-line ${colour}` }, icon(SIGN[colour]), h("span", {}, text)),
    (reader.board_id || reader.firmware) && h("p", { class: "who" }, [reader.board_id && w.board(reader.board_id), reader.firmware].filter(Boolean).join(" · ")),
    h("p", { class: "port" }, reader.port),
    h("dl", { class: "counts" }, SHOWN.filter((name) => name in reader.counters).map((name) => counter(reader, name, minute, w))),
    odd.length > 0 && h("p", { class: "odd" }, odd.map(([name, count]) => `${w.counters[name] ?? name}: ${w.number(count)}`).join(" · ")),
    reader.log.length > 0 && h("pre", { class: "log" }, reader.log.join("\n")));
}

export function drawReaders(node, view, minute, w) {
  const rising = view.readers.map((r) => Object.keys(r.counters).map((name) => (name === "frames" || name === "bytes" ? 0 : minute.more(r, name))));
  renew(node, [w.language, view.readers, rising, view.noise, minute.seconds], () => {
    const noise = Object.entries(view.noise).map(([why, count]) => `${w.noise[why] ?? why}: ${w.number(count)}`);
    node.replaceChildren(...view.readers.map((reader) => drawReader(reader, minute, w)),
      h("p", { class: "noise" }, h("b", {}, w.leftOut), " ", noise.join(", ") || w.nothing));
  });
}
