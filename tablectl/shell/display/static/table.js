// The drawing of the table. Owns the SVG; refuses touch (real buttons lie over the seats) and wording of rulings.
// Nothing is told by colour alone: every mark also has a shape or a word of its own.

import { s } from "./dom.js";
import { outline } from "./geometry.js";
import { nameSide, nameplates, rim } from "./names.js";

const SUITS = {
  h: "M50 90C20 63 6 47 6 30 6 16 17 7 29 7c9 0 17 5 21 14 4-9 12-14 21-14 12 0 23 9 23 23 0 17-14 33-44 60z",
  d: "M50 5l37 45-37 45-37-45z",
  s: "M50 6c10 19 43 35 43 57 0 14-10 20-20 20-8 0-15-4-19-10 1 10 4 16 11 20H35c7-4 10-10 11-20-4 6-11 10-19 10-10 0-20-6-20-20C7 41 40 25 50 6z",
  c: "M50 6a21 21 0 0 1 17 33 21 21 0 1 1-12 35c1 10 4 15 10 19H35c6-4 9-9 10-19a21 21 0 1 1-12-35A21 21 0 0 1 50 6z",
};

const text = (x, y, content, cls) => s("text", { x, y, class: cls }, String(content));

export function back(x, y, w, h, turn = 0) {
  const at = { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})` };
  return s("g", { class: "back", ...at },
    s("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: w / 8, class: "paper" }),
    s("rect", { x: -w / 2 + w / 9, y: -h / 2 + w / 9, width: w - (2 * w) / 9, height: h - (2 * w) / 9, rx: w / 14, class: "weave" }));
}

function face(x, y, w, h, name) {
  const rank = name[0] === "T" ? "10" : name[0];
  const red = "hd".includes(name[1]);
  if (h < 56) {
    // Too low for one below the other: the suit stands beside the rank.
    return s("g", { class: red ? "face low red" : "face low", transform: `translate(${x} ${y})` },
      s("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 3, class: "paper" }), text(-w * 0.2, 6, rank, "rank"),
      s("path", { d: SUITS[name[1]], transform: `translate(${w * 0.1} -8) scale(0.16)` }));
  }
  return s("g", { class: red ? "face red" : "face", transform: `translate(${x} ${y})` },
    s("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: w / 9, class: "paper" }),
    text(0, -h * 0.04, rank, "rank"),
    s("path", { d: SUITS[name[1]], transform: `translate(${-w * 0.21} ${h * 0.05}) scale(${(w * 0.42) / 100})` }));
}

// A card that lies face up: its face is not told, only that it is open.
function faceUp(x, y, w, h, turn = 0) {
  return s("g", { class: "face up", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})` },
    s("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: w / 8, class: "paper" }),
    s("circle", { cx: 0, cy: 0, r: w / 7, class: "pip" }));
}

// A few cards side by side, up cards last and a little towards the middle; beyond five, and beside an alarm beyond two,
// the number says the rest.
function hand(geo, at, seat, over) {
  const { w, h } = geo.cards;
  const count = seat.cards, faded = seat.folded;
  const shown = Math.min(count, geo.small ? 2 : 5);
  const up = Math.min(seat.up ?? 0, shown);
  const gap = shown > 2 ? w * 0.5 : w * 0.66;
  const group = s("g", { class: faded ? "hand faded" : "hand", "data-seat": seat.seat });
  for (let n = 0; n < shown; n += 1) {
    const from = n - (shown - 1) / 2;
    const raised = n >= shown - up;
    const [x, y] = [at.x + from * gap + (raised ? at.nx * h * 0.3 : 0), at.y + Math.abs(from) * 1.5 + (raised ? at.ny * h * 0.3 : 0)];
    group.append((raised ? faceUp : back)(x, y, w, h, from * 7));
  }
  const y = at.y + (geo.small ? 0 : h / 2);
  if (count > 2) over.push(s("circle", { cx: at.x, cy: y, r: 10.5, class: "count" }), text(at.x, y + 5.4, count, "count-text"));
  return group;
}

function pile(geo, at, count, label, marked, over) {
  const { w, h } = geo.cards;
  const group = s("g", { class: "pile" });
  const shown = Math.min(count, 3);
  if (!shown) group.append(s("rect", { x: at.x - w / 2, y: at.y - h / 2, width: w, height: h, rx: 3, class: "slot" }));
  for (let n = 0; n < shown; n += 1) group.append(back(at.x + n * 2.5 - 2, at.y - n * 2, w, h, n * 4 - 4));
  const side = at.x + w / 2 + (geo.small ? 5 : 11);
  const left = at.x - w / 2 - 1, under = at.y + h / 2 + 14;
  if (geo.small) over.push(s("rect", { x: left - 3, y: under - 13, width: label.length * 7 + 4, height: 17, rx: 4, class: "shade" }), text(side, at.y + 7, count, "pile-count"), text(left, under, label, "pile-label"));
  else over.push(text(side, at.y - 1, count, "pile-count"), text(side, at.y + 16, label, "pile-label"));
  if (marked) group.append(s("rect", { x: at.x - w / 2 - 6, y: at.y - h / 2 - 6, width: w + 12, height: h + 12, rx: 7, class: marked }));
  return group;
}

// The board, a row for each run of it: mostly one. `known` are the faces of its cards, told in an open game only.
function boardRow(geo, { w, h, slots }, count, known, name) {
  const group = s("g", { class: "board" });
  slots.forEach((slot, n) => {
    const [x, y] = [slot.x + w / 2, slot.y + h / 2];
    if (known[n]) group.append(face(x, y, w, h, known[n]));
    else if (n < count) group.append(back(x, y, w, h));
    else group.append(s("rect", { x: slot.x, y: slot.y, width: w, height: h, rx: w / 9, class: "slot" }));
  });
  if (name) group.append(text(slots[0].x - 15, slots[0].y + h / 2 + 6.5, name, "run"));
  if (count > 5) group.append(text(slots[4].x + w + 8, slots[4].y + h / 2 + 7, `+${count - 5}`, "pile-count"));
  return group;
}

function board(geo, view, marks) {
  const runs = view.runs?.boards?.length > 1 ? view.runs : null;
  const rows = runs ? geo.board.rows(runs.boards.length) : [geo.board];
  const group = s("g", {}, rows.map((row, n) =>
    (runs ? boardRow(geo, row, runs.boards[n], runs.board_cards?.[n] ?? [], n + 1) : boardRow(geo, row, view.board, view.board_cards))));
  if (!marks) return group;
  const [first, last] = marks === "next" && runs && rows[runs.run - 1] ? [rows[runs.run - 1], rows[runs.run - 1]] : [rows[0], rows[rows.length - 1]];
  const pad = runs ? 3 : 7, { x, y } = first.slots[0];
  group.append(s("rect", { x: x - pad, y: y - pad, width: first.slots[4].x + first.w - x + 2 * pad, height: last.slots[0].y + last.h - y + 2 * pad, rx: pad + 2, class: marks }));
  return group;
}

function pill(x, y, word, cls) {
  const width = word.length * 8.6 + 12;
  return s("g", { class: `pill ${cls}` },
    s("rect", { x: x - width / 2, y: y - 10, width, height: 20, rx: 10 }),
    text(x, y + 5.4, word, ""));
}

const EYE_SHUT = "M-6-6L6 6M-7 0S-4.5-4.5 0-4.5 7 0 7 0 4.5 4.5 0 4.5-7 0-7 0z";

// At the upper right of a plate; beside it, to the middle of the table, where words stand above and below the number.
function badge(at, geo, kind, named) {
  const [x, y] = named ? [at.x + geo.r * (at.x > geo.w / 2 ? -1 : 1), at.y] : [at.x + geo.r * 0.78, at.y - geo.r * 0.78];
  const sign = kind === "unseen"
    ? s("path", { d: EYE_SHUT, transform: `translate(${x} ${y})`, class: "eye" })
    : kind === "weak" ? [0, 1, 2].map((n) => s("rect", { x: x - 6.5 + n * 4.7, y: y + 1 - n * 3, width: 3.6, height: 4 + n * 3, class: n ? "none" : "bars" }))
    : text(x, y + 6, kind === "wrong" ? "!" : "?", "badge-text");
  return s("g", { class: `badge ${kind}` }, s("circle", { cx: x, cy: y, r: 11.5 }), sign);
}

// The plate of one seat: shape and word tell its state, colour only repeats it.
function plate(geo, seat, looks, w) {
  const at = geo.spots[seat.seat];
  const state = !seat.eligible ? "out" : seat.folded ? "fold" : seat.absent ? "away" : "";
  const names = ["seat", state, looks.mark, looks.act && "act", looks.chosen && "chosen", looks.unseen && "blind", looks.weak && "weak"];
  const group = s("g", { class: names.filter(Boolean).join(" "), "data-seat": seat.seat });
  const disc = (r, cls) => s("circle", { cx: at.x, cy: at.y, r, class: cls });
  if (looks.mark) group.append(disc(geo.r + 4, "halo"));
  if (looks.act || looks.chosen) group.append(disc(geo.r + 4, "ring"));
  group.append(disc(geo.r, "plate"), text(at.x, at.y + geo.r * (looks.act || looks.mark === "wrong" ? 0.46 : 0.36), seat.seat, "number"));
  const sign = { wrong: "wrong", unsure: "unsure" }[looks.mark] ?? (looks.unseen ? "unseen" : looks.weak && "weak");
  const named = Boolean(seat.name) && !geo.small;
  if (sign) group.append(badge(at, geo, sign, named));
  const label = state ? w[state] : looks.act && !looks.mark ? w.acts : null;
  if (label) group.append(pill(at.x, rim(geo, at, named ? -nameSide(at) : 1), label, state || "act"));
  return group;
}

// From where a card lies to where it belongs, along a bow towards the middle of the table. It ends beside the cards that
// lie there, so that their number stays in sight.
function arrow(geo, from, end) {
  const whole = Math.hypot(end.x - from.x, end.y - from.y) || 1;
  const [ux, uy] = [(end.x - from.x) / whole, (end.y - from.y) / whole];
  const length = whole - Math.min(geo.cards.h * 0.55, whole * 0.25), to = { x: from.x + ux * length, y: from.y + uy * length };
  const mid = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const bow = Math.min(length * 0.28, 46);
  const inward = (geo.board.x - mid.x) * -uy + (geo.h / 2 - mid.y) * ux;
  const side = Math.sign(inward) || 1;
  const via = { x: mid.x - uy * bow * side, y: mid.y + ux * bow * side };
  const angle = Math.atan2(to.y - via.y, to.x - via.x);
  const thick = Math.max(0.75, Math.min(1, length / 130));
  const base = { x: to.x - Math.cos(angle) * 19 * thick, y: to.y - Math.sin(angle) * 19 * thick };
  const [ox, oy] = [-Math.sin(angle) * 13 * thick, Math.cos(angle) * 13 * thick];
  const line = `M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${via.x.toFixed(1)} ${via.y.toFixed(1)} ${base.x.toFixed(1)} ${base.y.toFixed(1)}`;
  return s("g", { class: "arrow" },
    s("path", { d: line, class: "edge", "stroke-width": 13 * thick }), s("path", { d: line, class: "line", "stroke-width": 7 * thick }),
    s("path", { d: `M${to.x} ${to.y}L${base.x + ox} ${base.y + oy}L${base.x - ox} ${base.y - oy}Z`, class: "tip" }));
}

function cloth(geo) {
  const { w, h } = geo;
  const tray = { x: w / 2 - 62, y: h - 46, width: 124, height: 24 };
  const chips = ["#c9a24b", "#8f2d2d", "#2f6b52", "#30518f", "#d9d4c4", "#262b30"].map((fill, n) =>
    s("rect", { x: tray.x + 7 + n * 18.5, y: tray.y + 5, width: 15.5, height: 14, rx: 3, fill }));
  return s("g", { class: "cloth" },
    s("path", { d: outline(w, h, 13), class: "rail" }),
    s("path", { d: outline(w, h, 15), class: "seam" }),
    s("path", { d: outline(w, h, geo.edge + 16), class: "felt" }),
    s("path", { d: outline(w, h, geo.small ? 88 : 102), class: "bet-line" }),
    !geo.small && [s("rect", { ...tray, rx: 6, class: "tray" }), chips]);
}

const DEFS = `
<radialGradient id="felt" cx=".5" cy=".42" r=".72"><stop offset="0" stop-color="#17624a"/><stop offset="1" stop-color="#0a3526"/></radialGradient>
<linearGradient id="rail" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#3a3431"/><stop offset=".5" stop-color="#26211f"/><stop offset="1" stop-color="#161312"/></linearGradient>
<pattern id="weave-red" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#8e2d36"/><path d="M0 0h5M0 0v5" stroke="#db7f88" stroke-width="1.3"/></pattern>
<pattern id="weave" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#2d4f8e"/><path d="M0 0h5M0 0v5" stroke="#7fa0db" stroke-width="1.3"/></pattern>`;

function defs() {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg"><defs>${DEFS}</defs></svg>`, "image/svg+xml");
  return document.importNode(parsed.documentElement.firstElementChild, true);
}

// Draws the whole table into `svg`. `marks`: {seats: {n: {mark, act, chosen, unseen, weak}}, zones: {zone: class}, arrows: [[seat, seat]]}.
export function draw(svg, geo, view, marks, w) {
  svg.setAttribute("class", geo.small ? "small" : "");
  svg.setAttribute("viewBox", `0 0 ${geo.w} ${geo.h}`);
  const stud = view.table.game.startsWith("stud"); // no board, no button
  const parts = [defs(), cloth(geo)];
  if (!stud || view.board) parts.push(board(geo, view, marks.zones.board));
  const over = []; // counts, and what a pile is called: nothing may cover them, not even an arrow
  parts.push(pile(geo, geo.burn, view.burn, w.burn, marks.zones.burn, over), pile(geo, geo.muck, view.muck, w.muck, marks.zones.muck, over));
  for (const seat of view.seats) {
    const at = geo.spots[seat.seat];
    const looks = marks.seats[seat.seat] ?? {};
    if (looks.next || looks.mark === "belongs") {
      const [cw, ch] = [geo.cards.w + (seat.cards ? 26 : 10), geo.cards.h + 10];
      parts.push(s("rect", { x: at.cards.x - cw / 2, y: at.cards.y - ch / 2, width: cw, height: ch, rx: 6, class: looks.next ? "next" : "ghost" }));
    }
    if (seat.cards) parts.push(hand(geo, { ...at.cards, nx: at.nx, ny: at.ny }, seat, over));
    parts.push(plate(geo, seat, looks, w));
    if (view.hand.button === seat.seat && view.table.has_button) {
      const b = at.button;
      parts.push(s("circle", { cx: b.x, cy: b.y, r: geo.small ? 11 : 13, class: "dealer-button" }), text(b.x, b.y + 5.5, "D", "dealer-letter"));
    }
    if (view.hand.straddles?.includes(seat.seat)) {
      const b = at.straddle;
      parts.push(s("circle", { cx: b.x, cy: b.y, r: geo.small ? 11 : 13, class: "straddle" }), text(b.x, b.y + 5.5, "S", "dealer-letter"));
    }
  }
  for (const [from, to] of marks.arrows) {
    const ends = [geo.spots[from]?.cards, geo.spots[to]?.cards];
    if (ends.every(Boolean)) parts.push(arrow(geo, ...ends)); // no seat that the table does not have costs the picture
  }
  if (!geo.small) over.push(...nameplates(geo, view)); // beside the alarm panel there is room for the numbers only
  svg.replaceChildren(...parts, ...over);
}
