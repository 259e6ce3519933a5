// Where the players' names stand: on the rail beside their plates, as long as there is room, cut where there is none.
// Owns the places of the names; refuses everything else that is drawn (table.js), on which no name may lie.

import { s } from "./dom.js";

const SIZE = 15, HIGH = 9; // px: the smallest print there is, and half its line
const LEAST = 3; // letters that still tell something
const LONGEST = 100; // px: a longer one would lie nearer to another plate
const pen = document.createElement("canvas").getContext("2d");
pen.font = `700 ${SIZE}px ${getComputedStyle(document.body).fontFamily}`;

const boxAt = (x, y, wide, high) => [x - wide, y - high, x + wide, y + high];
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// What a name may not cover. Cards and the word below a plate have their place kept: no name moves when they come or go.
function kept(geo, view) {
  const { r, cards, spots, w, h } = geo;
  const boxes = [boxAt(w / 2, h - 34, 66, 16)]; // the tray
  for (const { seat } of view.seats) {
    const at = spots[seat];
    boxes.push(boxAt(at.x, at.y, r, r), boxAt(at.x, at.y + r + 1, r, 11), boxAt(at.cards.x, at.cards.y, cards.w, cards.h * 0.62));
    if (seat === view.hand.button) boxes.push(boxAt(at.button.x, at.button.y, 14, 14));
    if (view.hand.straddles?.includes(seat)) boxes.push(boxAt(at.straddle.x, at.straddle.y, 14, 14));
  }
  return boxes;
}

// The name, then with fewer and fewer letters.
function* shorter(name) {
  yield name;
  for (let letters = name.length - 1; letters >= LEAST; letters -= 1) yield `${name.slice(0, letters).trimEnd()}…`;
}

function fitted(geo, seat, name, taken, way, far) {
  for (const shown of shorter(name)) {
    const half = pen.measureText(shown).width / 2 + 1;
    if (2 * half > LONGEST) continue;
    const start = geo.spots[seat];
    const clear = geo.r + 4 + far + Math.abs(start.tx) * half + Math.abs(start.ty) * HIGH;
    const at = geo.along(seat, way * clear);
    const x = Math.min(Math.max(at.x, half + 3), geo.w - half - 3), y = Math.min(Math.max(at.y, HIGH + 2), geo.h - HIGH - 2);
    const box = boxAt(x, y, half, HIGH);
    if (!taken.some((each) => meet(box, each))) return { x, y, shown, box, score: shown.length - far / 3 - (way < 0 ? 0.5 : 0) };
  }
  return null;
}

export function nameplates(geo, view) {
  const taken = kept(geo, view), plates = [];
  for (const { seat, name } of view.seats) {
    if (!name) continue;
    const places = [1, -1].flatMap((way) => [0, 6, 12].map((far) => fitted(geo, seat, name, taken, way, far))).filter(Boolean);
    const best = places.reduce((one, other) => (one && one.score >= other.score ? one : other), null);
    if (!best) continue;
    taken.push(best.box);
    plates.push(s("text", { x: best.x.toFixed(1), y: (best.y + 5.4).toFixed(1), class: "name", "data-seat": seat }, best.shown));
  }
  return plates;
}
