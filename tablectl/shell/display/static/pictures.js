// The picture of a step: which card goes where, in the order in which the hands move. Owns a picture for every `do` of the
// contract; refuses words, except the names of the two piles, which look alike.

import { s } from "./dom.js";
import { back } from "./table.js";

const H = 56, MIDDLE = 26; // of a picture, and the line on which everything lies; units as in the table's drawing
const CARD = { w: 22, h: 31 };
const SLOTS = { "board:flop": [0, 1, 2], "board:turn": [3], "board:river": [4], flop: [0, 1, 2], turn: [3], river: [4] };

const seatOf = (zone) => (zone?.startsWith("seat:") ? Number.parseInt(zone.slice(5), 10) : null);
const label = (x, y, content, cls) => s("text", { x, y, class: cls }, String(content));
const stroke = (d, cls = "stroke") => s("path", { d, class: cls });

// Each part has its width and draws itself from an x on.
const card = (turn = 0) => ({ width: CARD.w, draw: (x) => [back(x + CARD.w / 2, MIDDLE, CARD.w, CARD.h, turn)] });
const deck = (cls = "") => ({
  width: 34,
  draw: (x) => [s("g", { class: `deck ${cls}` }, [6, 4, 2, 0].map((n) => back(x + 14 + n, MIDDLE + 3 - n, CARD.w + 3, CARD.h + 4)))],
});
const plate = (seat) => ({
  width: 34,
  draw: (x) => [s("circle", { cx: x + 17, cy: MIDDLE, r: 15.5, class: "disc" }), seat && label(x + 17, MIDDLE + 7, seat, "disc-number")],
});
const holds = (seat, cards = 1) => {
  const width = 34 + cards * 14;
  return { width: width + 8, draw: (x) => [...Array.from({ length: cards }, (_, n) => back(x + 40 + n * 14, MIDDLE, CARD.w, CARD.h, n * 6 - 2)), ...plate(seat).draw(x)] };
};
const pile = (name, turns) => {
  const width = Math.max(40, name.length * 7.6);
  return { width, draw: (x) => [...turns.map((turn, n) => back(x + width / 2 + n * 2 - 2, 18 - n, CARD.w, CARD.h - 3, turn)), label(x + width / 2, 51, name, "pile-name")] };
};
// The board with the cards of a street on it, or due there (dashed).
const board = (street, due = false) => {
  const marked = SLOTS[street] ?? [0, 1, 2, 3, 4], [w, h, gap] = [13, 20, 2];
  const at = (x, n) => x + n * (w + gap);
  return {
    width: 5 * (w + gap),
    draw: (x) => [0, 1, 2, 3, 4].map((n) => {
      if (!marked.includes(n)) return s("rect", { x: at(x, n), y: MIDDLE - h / 2, width: w, height: h, rx: 2, class: "place" });
      return due ? s("rect", { x: at(x, n), y: MIDDLE - h / 2, width: w, height: h, rx: 2, class: "place due" }) : back(at(x, n) + w / 2, MIDDLE, w, h);
    }),
  };
};
const chips = {
  width: 30,
  draw: (x) => [[15, 38], [15, 31], [15, 24]].map(([cx, cy], n) => s("ellipse", { cx: x + cx, cy: cy - 2, rx: 13, ry: 7, class: `chip chip-${n}` })),
};
const plates = { width: 76, draw: (x) => [0, 1, 2].map((n) => s("circle", { cx: x + 12 + n * 25, cy: MIDDLE, r: 10.5, class: "disc" })) };
const person = { width: 42, draw: (x) => [s("circle", { cx: x + 21, cy: 15, r: 8.5, class: "disc" }), stroke(`M${x + 4} 46c0-12 7-19 17-19s17 7 17 19z`, "disc")] };
const waves = { width: 26, draw: (x) => [10, 18].map((r) => stroke(`M${x + r * 0.5} ${MIDDLE - r}a${r * 1.2} ${r * 1.2} 0 0 1 0 ${2 * r}`)) };
const arrow = { width: 36, draw: (x) => [stroke(`M${x} ${MIDDLE}h26`), s("path", { d: `M${x + 36} ${MIDDLE}l-14-10v20z`, class: "tip" })] };
const both = {
  width: 44,
  draw: (x) => [
    stroke(`M${x + 2} ${MIDDLE - 8}h28`), s("path", { d: `M${x + 42} ${MIDDLE - 8}l-12-8v16z`, class: "tip" }),
    stroke(`M${x + 42} ${MIDDLE + 10}h-28`), s("path", { d: `M${x + 2} ${MIDDLE + 10}l12-8v16z`, class: "tip" })],
};
const tick = { width: 34, draw: (x) => [stroke(`M${x + 3} ${MIDDLE + 2}l10 11 18-24`, "stroke good")] };
const messy = (raised = false) => ({
  width: 84,
  draw: (x) => [
    back(x + 16, MIDDLE + 4, CARD.w, CARD.h, -24), back(x + 36, MIDDLE + 7, CARD.w, CARD.h, 12), back(x + 68, MIDDLE + 5, CARD.w, CARD.h, 28),
    back(x + 52, raised ? 15 : MIDDLE, CARD.w, CARD.h, raised ? 0 : -8)],
});
const turning = { width: 44, draw: (x) => [stroke(`M${x + 34} ${MIDDLE - 6}a15 15 0 1 0 2 12`), s("path", { d: `M${x + 42} ${MIDDLE - 2}l-17-1 9-12z`, class: "tip" })] };
// Two halves of a deck, pushed into each other.
const riffle = {
  width: 72,
  draw: (x) => [
    ...[0, 1, 2].map((n) => back(x + 20 + n * 3, MIDDLE + 6 - n * 4, CARD.h - 4, CARD.w - 5, 14)), ...[0, 1, 2].map((n) => back(x + 50 - n * 3, MIDDLE + 8 - n * 4, CARD.h - 4, CARD.w - 5, -14))],
};
const halves = {
  width: 92,
  draw: (x) => [
    ...[2, 0].map((n) => back(x + 16 + n, MIDDLE + 6 - n, CARD.w + 3, CARD.h)), ...[2, 0].map((n) => back(x + 74 + n, MIDDLE + 6 - n, CARD.w + 3, CARD.h)),
    stroke(`M${x + 18} 9c12-8 36-8 48-1`), s("path", { d: `M${x + 77} 16l-17-4 11-11z`, class: "tip" })],
};
const crossed = (part) => ({ width: part.width + 8, draw: (x) => [...part.draw(x + 4), stroke(`M${x + 2} 5L${x + part.width + 6} ${H - 14}M${x + part.width + 6} 5L${x + 2} ${H - 14}`, "stroke never")] });
const apart = { width: 40, draw: (x) => [s("rect", { x: x + 1, y: MIDDLE - 22, width: 38, height: 44, rx: 5, class: "place due" }), back(x + 20, MIDDLE, CARD.w, CARD.h)] };

// Where the card lies that a step is about.
function lying(step, i) {
  if (step.card !== undefined && step.card !== i.k) return card();
  const seat = i.seat ?? seatOf(i.zone);
  if (seat) return holds(seat);
  return i.zone?.startsWith("board") || i.street ? board(i.zone in SLOTS ? i.zone : i.street) : card();
}

const fan = { width: 62, draw: (x) => [-16, 0, 16].map((turn, n) => back(x + 15 + n * 16, MIDDLE + Math.abs(turn) / 6, CARD.w, CARD.h, turn)) };

// Hole cards go from seat to seat; of a whole round that is out of order the first two say what is meant.
const ways = (i) => (i.moves?.length ? i.moves.slice(0, 2).flatMap(({ from, to }) => [holds(from), arrow, plate(to)]) : [plates, both, plates]);

function parts(step, i, w) {
  const burn = pile(w.burn, [4, -3]), muck = pile(w.muck, [-24, 18, -6]);
  const dealt = step.street in SLOTS ? board(step.street, true) : fan;
  const [more] = Object.keys({ flop: 0, turn: 0, river: 0 }).filter((street) => step.what?.endsWith(street));
  return {
    collect: () => [fan, arrow, deck()],
    return_bets: () => [chips, arrow, step.to > 0 ? plate(step.to) : plates],
    shuffle: () => (more ? [board(more), arrow, riffle] : step.what?.endsWith("muck") ? [muck, arrow, riffle] : step.what?.endsWith("aside") ? [apart, arrow, riffle] : [deck(), riffle]),
    cut: () => [halves],
    redeal: () => [deck(), arrow, step.first ? holds(step.first) : plates],
    remove: () => [lying(step, i), arrow, crossed(card())],
    aside: () => [board(step.zone), arrow, apart],
    to_top: () => [lying(step, i), arrow, deck()],
    to_burn: () => [lying(step, i), arrow, burn],
    replace: () => [deck(), arrow, holds(step.seat)],
    burn: () => [deck(), arrow, burn],
    no_burn: () => [crossed(burn)],
    deal: () => [deck(), arrow, dealt],
    scramble: () => [messy(), turning],
    pick: () => [messy(true), { ...arrow, draw: (x) => [stroke(`M${x + 14} 40v-16`), s("path", { d: `M${x + 14} 8l-10 16h20z`, class: "tip" })] }],
    kill: () => [holds(step.seat, 2), arrow, muck],
    change_deck: () => [deck(), both, deck("other")],
    finish_round: () => [plates, chips, tick],
    restore_order: () => (i.moves || step.street === "preflop" ? ways(i) : [burn, both, board(step.street)]),
    swap: () => [holds(step.seats?.[0]), both, holds(step.seats?.[1])],
    call: () => [person, waves],
  }[step.do]?.() ?? [];
}

const GAP = 7;

export function picture(step, i, w) {
  const all = parts(step, i, w);
  if (!all.length) return null;
  let x = 3;
  const nodes = all.map((part) => {
    const drawn = part.draw(x);
    x += part.width + GAP;
    return drawn;
  });
  return s("svg", { class: "picture", viewBox: `0 0 ${Math.round(x - GAP + 3)} ${H}`, "data-do": step.do, "aria-hidden": "true" }, nodes);
}
