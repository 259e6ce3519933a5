// Where the players' names stand: on the rim of their own plate, on the side of the rail, so that nobody takes one for
// the neighbour's; cut where there is no room. Owns the places of the names; refuses everything else that is drawn
// (table.js), on which no name may lie.

import { s } from "./dom.js";

const SIZE = 15, HIGH = 10; // px: the smallest print there is, and half a plate's height
const PAD = 6, EDGE = 2; // px: beside the letters, and to the edge of the drawing
const LEAST = 3; // letters that still tell something
const LONGEST = 124; // px: a longer plate would come near another seat
const pen = document.createElement("canvas").getContext("2d");
pen.font = `700 ${SIZE}px ${getComputedStyle(document.body).fontFamily}`;

const boxAt = (x, y, wide, high) => [x - wide, y - high, x + wide, y + high];
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// Above the number at the far side of the table, below it at the dealer's. A word on the plate stands opposite.
export const nameSide = (at) => (at.ny > 0 ? -1 : 1);
// The line on which a word stands at the rim of a plate: it covers no number, and leaves no drawing.
export const rim = (geo, at, side) => at.y + side * (geo.r - 4);

// What a name may not cover. The cards have their place kept: no name moves when they come or go.
function kept(geo, view) {
  const { r, cards, spots, w, h } = geo;
  return view.seats.flatMap(({ seat }) => {
    const at = spots[seat], own = [boxAt(at.cards.x, at.cards.y, cards.w, cards.h * 0.62)];
    if (seat === view.hand.button) own.push(boxAt(at.button.x, at.button.y, 14, 14));
    if (view.hand.straddles?.includes(seat)) own.push(boxAt(at.straddle.x, at.straddle.y, 14, 14));
    return [{ seat, box: boxAt(at.x, at.y, r, r) }, ...own.map((box) => ({ box }))];
  }).concat({ box: boxAt(w / 2, h - 34, 66, 16) }); // the tray
}

// The name, then with fewer and fewer letters.
function* shorter(name) {
  yield name;
  for (let letters = name.length - 1; letters >= LEAST; letters -= 1) yield `${name.slice(0, letters).trimEnd()}…`;
}

function fitted(geo, seat, name, taken) {
  const at = geo.spots[seat], y = rim(geo, at, nameSide(at));
  for (const shown of shorter(name)) {
    const half = pen.measureText(shown).width / 2 + PAD;
    const x = Math.min(Math.max(at.x, half + EDGE), geo.w - half - EDGE);
    const box = boxAt(x, y, half, HIGH);
    if (2 * half <= LONGEST && !taken.some((each) => each.seat !== seat && meet(box, each.box))) return { x, y, half, shown, box };
  }
  return null;
}

export function nameplates(geo, view) {
  const taken = kept(geo, view), plates = [];
  for (const { seat, name, folded, eligible } of view.seats) {
    const best = name ? fitted(geo, seat, name, taken) : null;
    if (!best) continue;
    taken.push({ box: best.box });
    plates.push(s("g", { class: folded || !eligible ? "name quiet" : "name", "data-seat": seat },
      s("rect", { x: best.x - best.half, y: best.y - HIGH, width: 2 * best.half, height: 2 * HIGH, rx: HIGH }),
      s("text", { x: best.x.toFixed(1), y: (best.y + 5.4).toFixed(1) }, best.shown)));
  }
  return plates;
}
