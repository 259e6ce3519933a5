// Every word the dealer reads, by language. Owns wording only; what is shown when is decided elsewhere.
// A headline has at most seven words: it is read in half a second.

const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const street = (name) => ({ preflop: "pre-flop", third: "third street", fourth: "fourth street", fifth: "fifth street", sixth: "sixth street", seventh: "seventh street", second: "second street" })[name] ?? name ?? "street";
const seatOf = (zone) => (zone?.startsWith("seat:") ? Number.parseInt(zone.slice(5), 10) : null);

function at(i) {
  const seat = i.seat ?? seatOf(i.zone);
  if (seat) return ` at seat ${seat}`;
  if (i.zone?.startsWith("board")) return " on the board";
  return { burn: " in the burn pile", muck: " in the muck", shoe: " in the shoe" }[i.zone] ?? "";
}

function zone(name) {
  const seat = seatOf(name);
  if (seat) return `seat ${seat}`;
  if (name?.startsWith("board:")) return name.slice(6);
  return { board: "board", burn: "burn pile", muck: "muck", aside: "set-aside card", shoe: "shoe" }[name] ?? name;
}

// "seats 4, 5, burn pile": seats together, then the rest.
function list(zones) {
  const seats = zones.map(seatOf).filter(Boolean);
  const head = seats.length > 1 ? [`seats ${seats.join(", ")}`] : seats.map((seat) => `seat ${seat}`);
  return [...head, ...zones.filter((name) => !seatOf(name)).map(zone)].join(", ");
}

// The card of a step: a person at the table knows where it lies, not its place in the deal.
function card(k, i) {
  if (k !== undefined && k !== i.k) return `card no. ${k}`;
  return i.seat ? `the card at seat ${i.seat}` : "that card";
}

const headline = {
  not_shuffled: () => "Deck was not shuffled",
  not_cut: () => "Deck was not cut",
  exposed_in_cut: (i) => (i.count > 1 ? `${i.count} cards exposed in the cut` : "Card exposed in the cut"),
  wrong_first_seat: (i) => (i.expected && i.seat ? `First card to seat ${i.seat}, not ${i.expected}` : "First card to the wrong seat"),
  wrong_seat: (i) => (i.expected ? `Seat ${i.seat} got seat ${i.expected}’s card` : `Wrong card order at seat ${i.seat}`),
  ineligible_seat: (i) => `Card at seat ${i.seat}, not dealt in`,
  seat_skipped: (i) => `Seat ${i.expected ?? i.seat} was skipped`,
  too_few_cards: (i) => (i.count !== undefined && i.need ? `Seat ${i.seat} is short: ${i.count} of ${i.need}` : `Seat ${i.seat} has too few cards`),
  too_many_cards: (i) => `Seat ${i.seat} has ${i.count ?? "too many"} cards${i.need ? `, not ${i.need}` : ""}`,
  button_misplaced: (i) => (i.expected ? `Button at ${i.seat ?? "wrong seat"}, belongs at ${i.expected}` : "Button at the wrong seat"),
  exposed_card: (i) => (i.by === "player" ? `Player exposed card at seat ${i.seat}` : `Card exposed${at(i)}`),
  boxed_card: (i) => `Boxed card${at(i) || " in the deck"}`,
  duplicate_card: (i) => `Duplicate card${at(i)}`,
  foreign_card: (i) => `Foreign card${at(i)}`,
  untagged_card: (i) => `Untagged card${at(i)}`,
  joker: (i) => `Joker${at(i) || " in the deck"}`,
  missing_card: (i) => (i.count > 1 ? `${i.count} cards missing from the deck` : "Card missing from the deck"),
  damaged_card: (i) => `Damaged card${at(i) || " in the deck"}`,
  premature_card: (i) => premature(i),
  too_many_board_cards: (i) => `${i.count ?? "Too many"} cards on the ${street(i.street ?? "board")}`,
  too_few_board_cards: (i) => `Only ${i.count ?? "too few"} on the ${street(i.street ?? "board")}${i.need ? `, not ${i.need}` : ""}`,
  burn_missing: (i) => `No burn before the ${street(i.street)}`,
  burn_extra: (i) => (i.count > 1 ? `${i.count} burns before the ${street(i.street)}` : `Extra burn before the ${street(i.street)}`),
  hand_mucked: (i) => `Seat ${i.seat}’s hand mucked, no fold`,
  card_lost: (i) => (i.seat ? `Seat ${i.seat}’s card is off the table` : "A card is off the table"),
  card_in_other_hand: (i) => (i.expected ? `Seat ${i.expected}’s card lies with seat ${i.seat}` : `Another seat’s card${at(i)}`),
  dealt_after_end: () => "Card dealt after the hand ended",
  stub_short: () => "Stub too short for the hand",
  stub_disordered: () => "Stub is out of order",
  up_card_error: (i) => `Wrong up-cards${at(i)}`,
  remedy_not_followed: () => "Remedy was not followed",
};

function premature(i) {
  if (i.seat) return `Seat ${i.seat}’s card came too early`;
  if (i.street && i.street !== "preflop") return `${cap(i.street)} before betting was closed`;
  return "Board card during the deal";
}

const verdict = {
  misdeal: () => ["Misdeal", "redeal"],
  void: () => ["Hand void", "fouled deck"],
  correct: () => ["Correct it", "then play on"],
  dead: (r) => [r.seats?.length ? `Dead hand: seat ${r.seats.join(", ")}` : "Dead hand", "others play on"],
  play_on: () => ["Play on", "nothing changes"],
  floor: (r) => ["Call the floor", r.rule ? "" : "the book has no rule for this"],
};

const WHO = { dealer: "dealer", floor: "floor", supervisor: "supervisor", director: "tournament director" };
const SHUFFLE = { full: "full deck", stub: "stub" };

const step = {
  collect: () => "Collect all cards",
  return_bets: (t) => (t.to === "all" || t.to === undefined ? "Return all bets" : `Return bets of seat ${t.to}`),
  shuffle: (t) => `Shuffle ${SHUFFLE[t.what] ?? (t.what ?? "").replace("+", " and ")}`,
  cut: () => "Cut the deck",
  redeal: (t) => (t.first ? `Deal again from seat ${t.first}` : "Deal again"),
  remove: (t, i) => `Take ${card(t.card, i)} out of play`,
  aside: (t) => `Set ${zone(t.zone)} aside`,
  to_top: (t, i) => `Put ${card(t.card, i)} on top of the stub`,
  to_burn: (t, i) => `Put ${card(t.card, i)} on the burn pile`,
  replace: (t) => `Give seat ${t.seat} the next card`,
  burn: () => "Burn one card",
  no_burn: () => "Do not burn",
  deal: (t) => `Deal the ${street(t.street)}${t.count ? ` (${t.count})` : ""}`,
  scramble: (t) => `Mix ${t.count ?? "the"} ${zone(t.zone)} cards face down`,
  pick: (t) => `${cap(WHO[t.by] ?? t.by ?? "floor")} draws one`,
  kill: (t) => `Muck seat ${t.seat}’s hand`,
  change_deck: (t) => (t.when === "next" ? "Change the deck after this hand" : "Change the deck now"),
  finish_round: (t) => `Finish the ${street(t.street)} betting`,
  restore_order: (t) => `Put burn and ${street(t.street)} in order`,
  swap: (t) => `Swap the cards of seats ${(t.seats ?? []).join(" and ")}`,
  call: (t) => `Call the ${WHO[t.who] ?? t.who ?? "floor"}`,
};

const question = {
  looked_at: () => "Was the card looked at?",
  flop_exposed: () => "Was the flop seen?",
  players_acted: () => "How many players have acted?",
  actions: () => "How many actions so far?",
  chips_in: () => "How many put chips in?",
  seat_acted: (i) => (i.seat ? `Has seat ${i.seat} acted?` : "Has that seat acted?"),
  round_open: () => "Is the betting still open?",
  retrievable: () => "Can the hand be told apart?",
  alike: () => "Only folds, or only checks, so far?",
  by: () => "Who did it?",
};

const FAULTS = {
  journal: "Nothing is being recorded. Alarms go on.",
  panel: "No lamps, no buzzer: watch this screen.",
  floor: "The floor does not hear us. Call by hand.",
  core: "Nothing is being checked. Call the floor.",
};

const other = (text) => cap(String(text).replaceAll("_", " "));

const en = {
  headline: (i) => (headline[i.kind] ? headline[i.kind](i) : other(i.kind)),
  verdict: (r) => (verdict[r.verdict] ? verdict[r.verdict](r) : [other(r.verdict), ""]),
  step: (t, i) => (step[t.do] ? step[t.do](t, i) : other(t.do)),
  question: (q, i) => (question[q.fact] ? question[q.fact](i) : `${other(q.fact)}?`),
  choice: (value) => (value === true ? "Yes" : value === false ? "No" : other(value)),
  law: (r) => `${r.rule ?? r.rulebook.toUpperCase()} · ${WHO[r.decider] ?? r.decider} decides`,
  bets: (r) => ({ returned: "all bets back", pot: "bets stay in the pot", returned_seat: "bets of the seat back", uncalled_returned: "uncalled bet back" })[r.bets] ?? "",
  button: (r) => (r.button === "corrected" ? "put the button right" : ""),
  zone, street: (name) => cap(street(name)), check: (kind) => cap(kind.replaceAll("_", " ")),
  checking: (i) => (i.seat ? `Checking seat ${i.seat}` : i.zone ? `Checking ${zone(i.zone)}` : "Checking"),
  what: (name) => cap(name), works: (name) => FAULTS[name] ?? "",
  unwatched: (zones) => `${cap(list(zones))} not watched`,
  reader: (r) => `Reader ${r.reader} ${r.state}`,
  off: (checks) => `Off: ${checks.map((kind) => kind.replaceAll("_", " ")).join(", ")}. The rest is watched.`,
  more: (n) => `${n} more: see Menu, Table status`,
  checksOff: (n) => (n === 1 ? "1 check off" : `${n} checks off`),
  rate: { provisional: "Provisional: answer below", stop: "Stop", follows: "the ruling follows", also: "Also", done: "Done" },
  phase: { idle: "Waiting for the deal", deal: "Dealing", showdown: "Showdown", over: "Hand over" },
  round: { true: "betting open", false: "betting closed" },
  burn: "Burn", muck: "Muck", out: "out", away: "away", back: "Player back",
  remind: (r) => `Seat ${r.seat} is away: its hand is dead (${r.rule}), take the cards`, fold: "fold",
  acts: "acts", cards: "cards", dealtIn: "dealt in", hand: "Hand", seat: "Seat", card: "card", nextCard: "Next card", firstCard: "First card", action: "Action", halt: ["No card now", "Until this is settled"], pickSeat: "Tap a seat", watching: "watching",
  toAct: "to act", chosen: "chosen", blind: "blind", openMode: "Open",
  actions: { fold: "Fold", check: "Check", call: "Call", bet: "Bet", raise: "Raise", all_in: "All-in" },
  rail: { acknowledge: "Acknowledge", call_floor: "Call floor", round_closed: "Round closed", exposed: "Exposed card", undo: "Undo", menu: "Menu", close: "Close" },
  menu: {
    button: "Button", seats: "Seats in / out", absent: "Player away", shuffle_done: "Shuffle done",
    cut_done: "Cut done", cut_exposed: "Exposed in the cut", showdown: "Showdown", hand_end: "Hand end",
    deck: "New deck", step_done: "Step done", damaged: "Damaged card", stub_disordered: "Stub in disorder",
    note: "Note", status: "Table status",
  },
  ask: {
    button: "The button is at seat …", seats: "Which seats are dealt in?", absent: "Which player is away, or back?",
    exposed: "Whose card was exposed?", cut_exposed: "How many cards were seen?", deck: "Which deck is in play now?",
    note: "Note for the record", status: "Table status", menu: "Menu",
  },
  by: { dealer: "By the dealer", player: "By a player" }, enter: "Enter", proposed: "proposed",
  notes: ["Late fold entry", "False alarm", "Player dispute", "Please check the camera", "Card fell off the table", "Dealer change"],
  noteHint: "Or type here", allWatched: "Everything is watched. All readers are well.", never: "Off at this table.",
  entered: { undo: "Last input undone", call_floor: "The floor is called", acknowledge: "Acknowledged" },
  sent: (text) => `${text}: entered`, refused: (text) => `Not entered: ${text}`, noLink: "no link to the table",
  link: ["No link to the table", "This picture is old. Watch the cards yourself and call the floor."],
  broken: ["Display fault", "This picture cannot be trusted. Watch the cards yourself and call the floor."],
  silent: (sec) => `No word for ${sec} s. Trying again.`,
};

const LANGUAGES = { en };

export const words = (language) => LANGUAGES[language] ?? en;
