// What the drawing must mark for a state. Owns the choice; refuses drawing and wording.

const seatOf = (zone) => (zone?.startsWith("seat:") ? Number.parseInt(zone.slice(5), 10) : null);
const family = (zone) => (zone?.startsWith("board") ? "board" : zone);

const MOVES = 3; // more arrows would cross one another

// An irregularity stays in front until it is acknowledged and nothing of it is left to do.
export const open = (i) => i.stage === "confirmed" && (!i.acknowledged || i.question || (i.step !== null && i.step !== undefined));

const BOARD_KINDS = new Set(["too_many_board_cards", "too_few_board_cards", "premature_card"]);
const BURN_KINDS = new Set(["burn_missing", "burn_extra"]);

export function where(i) {
  if (i.seat) return { seat: i.seat };
  if (i.kind === "seat_skipped" && i.expected) return { seat: i.expected };
  if (i.zone) return seatOf(i.zone) ? { seat: seatOf(i.zone) } : { zone: family(i.zone) };
  if (BURN_KINDS.has(i.kind)) return { zone: "burn" };
  return BOARD_KINDS.has(i.kind) ? { zone: "board" } : {};
}

export function marksOf(view, front, chosen) {
  const seats = {}, zones = {}, arrows = [];
  const look = (n, more) => { seats[n] = { ...seats[n], ...more }; };
  const { hand } = view;
  const stopped = ["misdeal", "void"].includes(front?.ruling?.verdict);
  if (hand.to_act && hand.round_open !== false && !stopped) look(hand.to_act, { act: true });
  if (chosen) look(chosen, { chosen: true });
  const due = ["idle", "deal"].includes(hand.phase) || (hand.phase === "betting" && hand.round_open !== true);
  if (hand.next && due && !front) {
    if (seatOf(hand.next.zone)) look(seatOf(hand.next.zone), { next: true });
    else zones[family(hand.next.zone)] = "next";
  }
  // What a reader that has fallen silent watches is perhaps not seen, and is marked like what is not seen.
  const silent = view.readers.filter((reader) => reader.state !== "ok").flatMap((reader) => reader.zones ?? []);
  const watch = [...view.degraded.map((each) => [each.zone, "unseen"]), ...silent.map((zone) => [zone, "unseen"]), ...view.weak.map((each) => [each.zone, "weak"])];
  for (const [zone, how] of watch) {
    if (seatOf(zone)) look(seatOf(zone), { [how]: true });
    else zones[family(zone)] ??= how;
  }
  // The gravest last: its mark stands where two meet.
  for (const i of [...view.irregularities].reverse()) {
    if (i.stage === "confirmed" && i !== front && !open(i)) continue;
    const spot = where(i);
    const mark = i.stage === "confirmed" ? "wrong" : "unsure";
    if (spot.seat) look(spot.seat, { mark });
    else if (spot.zone) zones[spot.zone] = mark;
  }
  if (front) {
    const lies = where(front).seat;
    if (front.expected && front.expected !== lies) {
      if (seats[front.expected]?.mark !== "wrong") look(front.expected, { mark: "belongs" });
      if (lies && !front.moves) arrows.push([lies, front.expected]);
    }
  }
  // Where the table knows which cards must still go elsewhere, it is these; one that has arrived needs no arrow.
  for (const move of (front?.moves ?? []).slice(0, MOVES)) arrows.push([move.from, move.to]);
  return { seats, zones, arrows };
}
