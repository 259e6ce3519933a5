// The list of a table's antennas: how each stands, and what it reads. Owns the judgement of a row's colour; the figures
// come from the table.

import { h, icon, renew } from "./dom.js";

const STALE_MS = 2000; // no look for so long: nothing that is shown is of now
const ENOUGH = 20; // looks that a share must rest on before it is judged
const BESIDE = 0.4; // as the test of the antennas judges (tablectl/app/technician/antenna_test.py)
const POOR = 0.4; // less than there: two cards of a hand lie on one another and shade each other by half
const PILES = new Set(["muck", "shoe", "burn"]); // cards lie on top of one another there: read in part, as expected
const FLOOR = -70, TOP = -25; // where the bar of a strength begins and ends; most readers give dBm

// [colour, name of the state, sign]
export function standing(row, readers) {
  const reader = readers.find((each) => each.reader === row.reader);
  if (!reader || !["ok", "silent"].includes(reader.state)) return ["bad", "unread", "unseen"];
  if (["open", "shorted", "silent"].includes(row.health)) return ["bad", row.health, "close"];
  if (reader.state === "silent" || row.last_look === null || row.last_look > STALE_MS) return ["bad", "unseen", "unseen"];
  if (row.health === "weak") return ["warn", "weak", "unsure"];
  const poor = row.of >= ENOUGH && row.rate < POOR;
  if (poor && !PILES.has(row.zone)) return ["warn", "poor", "unsure"];
  if (row.of >= ENOUGH && row.beside[0]?.rate > BESIDE) return ["warn", "beside", "unsure"];
  if (poor) return ["idle", "piled", "watching"]; // no fault, and no proof of a good antenna
  if (row.rate === null) return ["idle", row.tags ? "heard" : "idle", "watching"];
  return ["fine", "good", "acknowledge"];
}

// A bar that is full at 1; `mark` is where the usual lies.
export function bar(share, mark = null) {
  const node = h("span", { class: "bar" }, h("i", {}), mark !== null && h("u", {}));
  node.firstChild.style.width = `${100 * Math.max(0, Math.min(1, share))}%`;
  if (mark !== null) node.lastChild.style.left = `${100 * Math.max(0, Math.min(1, mark))}%`;
  return node;
}

export const level = (strength) => (strength - FLOOR) / (TOP - FLOOR);

const PART = { up: "▴", down: "▾" }; // of a seat that has an antenna for each

// A seat by its number alone: there is no room for the word, and the column says what it is.
function neighbour({ zone, rate }, w) {
  const [, seat, part] = zone.match(/^seat:(\d+)(?:\/(\w+))?$/) ?? [];
  return h("span", { class: "neighbour", role: "img", "aria-label": `${w.place(zone)} ${w.share(rate)}` }, seat ? h("i", {}, `${seat}${PART[part] ?? ""}`) : w.place(zone), ` ${w.share(rate)}`);
}

function cells(row, [colour, name, sign], w) {
  const cell = (cls, ...kids) => h("td", { class: cls }, ...kids);
  const now = colour === "bad" ? { rate: null, strength: null, beside: [], tags: 0 } : row; // what was read before is not shown as what is
  return [
    h("th", { scope: "row", class: row.zone.includes("/") && "long" }, w.place(row.zone)),
    cell("no", `${row.reader}·${row.antenna}`),
    cell(`state ${colour}`, icon(sign), h("span", {}, w.states[name])),
    cell("figure", w.number(row.looks, 1)),
    cell("measure", now.rate === null ? "–" : [bar(now.rate), h("b", {}, w.share(now.rate))]),
    cell("measure", now.strength === null ? "–" : [bar(level(now.strength), row.usual === null ? null : level(row.usual)), h("b", {}, w.number(now.strength))]),
    cell("beside", now.beside.length ? now.beside.map((each) => neighbour(each, w)) : "–"),
    cell("figure", now.tags ? w.tags(now.tags) : row.last_tag === null ? w.never : w.ago(row.last_tag)),
  ];
}

const rows = new Map();

export function drawAntennas(node, view, w) {
  renew(node, [w.language, view.antennas.map((row) => [row.reader, row.antenna])], () => {
    rows.clear();
    const body = h("tbody", {});
    for (const row of view.antennas) {
      const line = h("tr", { "data-antenna": `${row.reader}.${row.antenna}` });
      rows.set(`${row.reader}.${row.antenna}`, line);
      body.append(line);
    }
    node.replaceChildren(h("table", {}, h("colgroup", {}, w.columns.map(() => h("col", {}))), h("thead", {}, h("tr", {}, w.columns.map((name) => h("th", { scope: "col" }, name)))), body));
  });
  for (const row of view.antennas) {
    const how = standing(row, view.readers);
    renew(rows.get(`${row.reader}.${row.antenna}`), [w.language, row, how], (line) => {
      line.dataset.state = how[1];
      line.replaceChildren(...cells(row, how, w));
    });
  }
}
