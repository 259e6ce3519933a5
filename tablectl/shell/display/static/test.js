// The test of the antennas: where the next card belongs, on a drawn table, and what the last one told.

import { bar, level } from "./antennas.js";
import { h, icon, renew, s, shrink } from "./dom.js";
import { outline, place, spot } from "./geometry.js";

const SIGN = { good: "✓", weak: "!", beside: "!" };
const MAP = { w: 420, h: 330 }; // the drawn table, in units of its own
const R = 23;
const LONG = 6; // letters of a name that needs smaller type

const seatOf = (zone) => (zone.startsWith("seat:") ? Number.parseInt(zone.slice(5), 10) : null);
const key = (reader, antenna) => `${reader}.${antenna}`;
const text = (x, y, content, cls) => s("text", { x, y, class: cls }, String(content));

// One mark for each zone; where a zone has several antennas, the worst of what they told.
function drawMap(view, w) {
  const geo = place(MAP.w, MAP.h, view.table.seats);
  const told = new Map((view.test?.results ?? []).map((each) => [key(each.reader, each.antenna), each.state]));
  const zones = new Map();
  for (const row of view.antennas) {
    const state = told.get(key(row.reader, row.antenna));
    const name = seatOf(row.zone) ? `seat:${seatOf(row.zone)}` : row.zone;
    const at = view.test?.at?.zone === row.zone;
    const before = zones.get(name) ?? { states: [], at: false };
    zones.set(name, { states: [...before.states, state], at: before.at || at });
  }
  const svg = s("svg", { viewBox: `0 0 ${MAP.w} ${MAP.h}`, class: "map", role: "img", "aria-label": w.map },
    s("path", { d: outline(MAP.w, MAP.h, 8), class: "rail" }), s("path", { d: outline(MAP.w, MAP.h, 40), class: "felt flat" }));
  for (const [zone, { states, at }] of zones) {
    const where = spot(geo, zone);
    if (!where) continue;
    const seen = states.filter(Boolean);
    const state = seen.find((each) => each !== "good") ?? (seen.length === states.length ? "good" : "");
    const group = s("g", { class: ["place", state, at && "at"].filter(Boolean).join(" "), "data-zone": zone });
    if (at) group.append(s("circle", { cx: where.x, cy: where.y, r: R + 7, class: "ring" }));
    group.append(s("circle", { cx: where.x, cy: where.y, r: R, class: "disc" }));
    const name = w.place(zone);
    group.append(seatOf(zone) ? text(where.x, where.y + 8, seatOf(zone), "number") : text(where.x, where.y + 4.5, name, name.length > LONG ? "name long" : "name"));
    if (state) group.append(s("circle", { cx: where.x + R * 0.8, cy: where.y - R * 0.8, r: 10, class: "badge-disc" }), text(where.x + R * 0.8, where.y - R * 0.8 + 5.5, SIGN[state], "sign"));
    svg.append(group);
  }
  return svg;
}

const push = (name, label, onclick, more = {}) => h("button", { type: "button", "data-test": name, class: "tile", onclick, ...more }, label);
const end = (w, enter) => push("end", w.test.end, () => enter({ do: "end" }));

// What is to be read, and what is to be pressed: apart, for a button under a finger is never replaced by its equal.
const BEFORE = {
  guide: (view, w) => [
    h("h2", {}, w.test.title), h("p", {}, w.test.about), h("p", { class: "warned" }, w.test.blind),
    !view.between_hands && h("p", { class: "warned" }, w.test.wait),
  ],
  keys: (view) => [view.between_hands],
  buttons: (view, w, enter) => [push("begin", w.test.begin, () => enter({ do: "begin" }), { class: "enter", disabled: !view.between_hands })],
};

function measured(told, w) {
  const line = (name, ...kids) => h("div", {}, h("small", {}, name), ...kids);
  if (!told.looks) return h("div", { class: "measures" });
  return h("div", { class: "measures" },
    line(w.read, bar(told.reads / told.looks), h("b", {}, w.ofLooks(told.reads, told.looks))),
    told.strength !== null && line(w.strength, bar(level(told.strength)), h("b", {}, w.number(told.strength))),
    line(w.beside, h("b", { class: "wide" }, told.rate ? w.reads(w.place(told.zone), told.rate) : "–")));
}

const signOf = ({ state }) => (state === "good" ? "acknowledge" : ["empty", "reading"].includes(state) ? "watching" : "unsure");
const same = (one, other) => one.reader === other.reader && one.antenna === other.antenna;
const turn = ({ order, at }) => order.findIndex(([reader, antenna]) => same(at, { reader, antenna }));

const RUNNING = {
  guide({ test }, w) {
    // Once the card is taken away, what it told stays.
    const last = test.results.find((each) => same(each, test.at));
    const told = last && !test.told.looks ? last : test.told;
    return [
      h("small", { class: "progress" }, w.test.lay(turn(test) + 1, test.order.length)),
      h("h2", { class: "where" }, w.place(test.at.zone)),
      h("p", { class: `told ${told.state}` }, icon(signOf(told)), h("span", {}, w.test.told(told))),
      measured(told, w),
    ];
  },
  keys: ({ test }) => [test.at, test.order],
  buttons({ test }, w, enter) {
    const to = (name, next) => push(name, w.test[name], next && (() => enter({ do: "point", reader: next[0], antenna: next[1] })), { disabled: !next });
    return [to("before", test.order[turn(test) - 1]), to("after", test.order[turn(test) + 1]), end(w, enter)];
  },
};

function left({ order, results }) {
  const found = new Map(results.map((each) => [key(each.reader, each.antenna), each]));
  return order.map(([reader, antenna]) => ({ reader, antenna, told: found.get(key(reader, antenna)) })).filter((each) => each.told?.state !== "good");
}

const OVER = {
  guide: ({ test }, w) => [h("h2", {}, left(test).length ? w.test.left(left(test).length) : w.test.all)],
  keys: ({ test }) => [test.results],
  buttons({ test, antennas }, w, enter) {
    const again = ({ reader, antenna, told }) => {
      const { zone } = antennas.find((row) => same(row, { reader, antenna }));
      return push("again", [h("span", {}, w.place(zone)), h("small", {}, w.test.short(told))], () => enter({ do: "point", reader, antenna }), { "data-antenna": key(reader, antenna) });
    };
    return [h("div", { class: "again" }, left(test).map(again)), end(w, enter)];
  },
};

export function drawTest(node, view, w, enter) {
  if (!node.children.length) node.append(h("div", { class: "map-box" }), h("div", { class: "guide" }), h("div", { class: "line" }));
  const [map, guide, line] = node.children;
  const { test, table } = view;
  const kind = !test ? BEFORE : test.at ? RUNNING : OVER;
  const name = !test ? "before" : test.at ? "running" : "over";
  renew(map, [w.language, table.seats, test?.at, test?.results, view.antennas.map((row) => row.zone)], () => map.replaceChildren(drawMap(view, w)));
  renew(guide, [w.language, name, test, view.between_hands], () => guide.replaceChildren(...kind.guide(view, w).filter(Boolean)));
  renew(line, [w.language, name, ...kind.keys(view)], () => {
    line.replaceChildren(...kind.buttons(view, w, enter));
    shrink(line.querySelectorAll("button"));
  });
}
