// Every word the dealer reads. Owns wording only; what is shown when is decided elsewhere. The ids are English; the
// other languages are in tablectl/locale, and `make messages` puts new ids there. A sentence is translated whole: what
// is put into it is a number, a name, or a part in the form that its place asks for.
// A headline has at most seven words: it is read in half a second.

import { entered, labels } from "./labels.js";
import { cap, spaced } from "./tongue.js";

const seatOf = (zone) => (zone?.startsWith("seat:") ? Number.parseInt(zone.slice(5), 10) : null);
const family = (zone) => (zone?.startsWith("board") ? "board" : zone);

// The places and streets of a table, in each form that a sentence needs.
function places({ say, form, many }) {
  const streets = {
    preflop: [form("street", "pre-flop"), form("where", "pre-flop"), form("before", "the first betting"), form("deal", "the hole cards")],
    flop: [form("street", "flop"), form("where", "on the flop"), form("before", "the flop"), form("deal", "the flop")],
    turn: [form("street", "turn"), form("where", "on the turn"), form("before", "the turn"), form("deal", "the turn")],
    river: [form("street", "river"), form("where", "on the river"), form("before", "the river"), form("deal", "the river")],
    second: [form("street", "second street"), form("where", "on second street"), form("before", "second street"), form("deal", "second street")],
    third: [form("street", "third street"), form("where", "on third street"), form("before", "third street"), form("deal", "third street")],
    fourth: [form("street", "fourth street"), form("where", "on fourth street"), form("before", "fourth street"), form("deal", "fourth street")],
    fifth: [form("street", "fifth street"), form("where", "on fifth street"), form("before", "fifth street"), form("deal", "fifth street")],
    sixth: [form("street", "sixth street"), form("where", "on sixth street"), form("before", "sixth street"), form("deal", "sixth street")],
    seventh: [form("street", "seventh street"), form("where", "on seventh street"), form("before", "seventh street"), form("deal", "seventh street")],
    board: [form("street", "board"), form("where", "on the board"), form("before", "the street"), form("deal", "the street")],
  };
  const inForm = (n) => (name) => (streets[name ?? "board"] ?? [name, name, name, name])[n];
  const spots = {
    board: form("where", "on the board"), burn: form("where", "in the burn pile"), muck: form("where", "in the muck"),
    shoe: form("where", "in the shoe"), aside: form("where", "set aside"), deck: form("where", "in the deck"),
  };
  const zones = {
    board: form("zone", "board"), "board:flop": form("street", "flop"), "board:turn": form("street", "turn"),
    "board:river": form("street", "river"), burn: form("zone", "burn pile"), muck: form("zone", "muck"),
    aside: form("zone", "set-aside card"), shoe: form("zone", "shoe"),
  };
  const zone = (name) => {
    const seat = seatOf(name);
    if (!seat) return zones[name] ?? name;
    if (name.endsWith("/up")) return form("zone", "seat {seat}, up", { seat });
    return name.endsWith("/down") ? form("zone", "seat {seat}, down", { seat }) : form("zone", "seat {seat}", { seat });
  };
  return {
    zone, street: inForm(0), on: inForm(1), before: inForm(2), deal: inForm(3),
    // Where the card of an irregularity lies; `rather` where nothing says it.
    where: (i, rather = null) => {
      const seat = i.seat ?? seatOf(i.zone);
      return seat ? form("where", "at seat {seat}", { seat }) : spots[family(i.zone)] ?? spots[rather] ?? "";
    },
    // "seats 4, 5, burn pile": seats together, then the rest.
    list: (names) => {
      const seats = [...new Set(names.map(seatOf).filter(Boolean))];
      const together = seats.length ? [many("seat {seats}", "seats {seats}", seats.length, { seats: seats.join(", ") })] : [];
      return [...together, ...names.filter((name) => !seatOf(name)).map(zone)].join(", ");
    },
    seat: (seat) => say("Seat {seat}", { seat }),
  };
}

function headlines({ say, many }, { where, street, on, before }) {
  const at = (text, i, rather) => text(where(i, rather)).trim();
  return {
    not_shuffled: (i) => (i.stage === "suspicion" ? say("Cards come in their old order") : say("Deck was not shuffled")),
    not_cut: () => say("Deck was not cut"),
    exposed_in_cut: (i) => many("{count} card exposed in the cut", "{count} cards exposed in the cut", i.count ?? 1),
    wrong_first_seat: (i) => (i.expected && i.seat ? say("First card to seat {seat}, not {expected}", i) : say("First card to the wrong seat")),
    wrong_seat: (i) => (i.expected ? say("Seat {seat} got seat {expected}’s card", i) : say("Wrong card order at seat {seat}", i)),
    ineligible_seat: (i) => say("Card at seat {seat}, not dealt in", i),
    seat_skipped: (i) => say("Seat {seat} was skipped", { seat: i.expected ?? i.seat }),
    too_few_cards: (i) => (i.count !== undefined && i.need ? say("Seat {seat} is short: {count} of {need}", i) : say("Seat {seat} has too few cards", i)),
    too_many_cards: (i) => {
      if (i.count === undefined) return say("Seat {seat} has too many cards", i);
      return i.need ? many("Seat {seat} has {count} card, not {need}", "Seat {seat} has {count} cards, not {need}", i.count, i)
        : many("Seat {seat} has {count} card", "Seat {seat} has {count} cards", i.count, i);
    },
    button_misplaced: (i) => (i.expected && i.seat ? say("Button at {seat}, belongs at {expected}", i) : i.expected ? say("Button belongs at seat {expected}", i) : say("Button at the wrong seat")),
    exposed_card: (i) => (i.by === "player" && i.seat ? say("Player exposed card at seat {seat}", i) : at((spot) => say("Card exposed {where}", { where: spot }), i)),
    boxed_card: (i) => at((spot) => say("Boxed card {where}", { where: spot }), i, "deck"),
    duplicate_card: (i) => at((spot) => say("Duplicate card {where}", { where: spot }), i),
    foreign_card: (i) => at((spot) => say("Foreign card {where}", { where: spot }), i),
    untagged_card: (i) => at((spot) => say("Untagged card {where}", { where: spot }), i),
    joker: (i) => at((spot) => say("Joker {where}", { where: spot }), i, "deck"),
    missing_card: (i) => (i.count > 1 ? many("{count} card missing from the deck", "{count} cards missing from the deck", i.count) : say("Card missing from the deck")),
    damaged_card: (i) => at((spot) => say("Damaged card {where}", { where: spot }), i, "deck"),
    premature_card: (i) => {
      if (i.seat) return say("Seat {seat}’s card came too early", i);
      if (i.street && i.street !== "preflop") return say("{street} before betting was closed", { street: cap(street(i.street)) });
      return say("Board card during the deal");
    },
    too_many_board_cards: (i) => (i.count === undefined ? say("Too many cards {where}", { where: on(i.street) })
      : many("{count} card {where}", "{count} cards {where}", i.count, { where: on(i.street) })),
    too_few_board_cards: (i) => {
      if (i.count === undefined) return say("Too few cards {where}", { where: on(i.street) });
      return i.need ? say("Only {count} {where}, not {need}", { ...i, where: on(i.street) }) : say("Only {count} {where}", { ...i, where: on(i.street) });
    },
    burn_missing: (i) => say("No burn before {street}", { street: before(i.street) }),
    burn_extra: (i) => (i.count > 1 ? many("{count} burn before {street}", "{count} burns before {street}", i.count, { street: before(i.street) })
      : say("Extra burn before {street}", { street: before(i.street) })),
    hand_mucked: (i) => say("Seat {seat}’s hand mucked, no fold", i),
    card_lost: (i) => (i.seat ? say("Seat {seat}’s card is off the table", i) : say("A card is off the table")),
    card_in_other_hand: (i) => (i.expected && i.seat ? say("Seat {expected}’s card lies with seat {seat}", i) : at((spot) => say("Another seat’s card {where}", { where: spot }), i)),
    dealt_after_end: () => say("Card dealt after the hand ended"),
    stub_short: () => say("Stub too short for the hand"),
    stub_disordered: () => say("Stub is out of order"),
    up_card_error: (i) => at((spot) => say("Wrong up-cards {where}", { where: spot }), i),
    remedy_not_followed: () => say("Remedy was not followed"),
  };
}

// The names of the checks, in a list of what is off; the table uses them too.
const checks = ({ say }) => ({
  not_shuffled: say("not shuffled"), not_cut: say("not cut"), exposed_in_cut: say("exposed in cut"),
  wrong_first_seat: say("wrong first seat"), wrong_seat: say("wrong seat"), ineligible_seat: say("ineligible seat"),
  seat_skipped: say("seat skipped"), too_few_cards: say("too few cards"), too_many_cards: say("too many cards"),
  button_misplaced: say("button misplaced"), exposed_card: say("exposed card"), boxed_card: say("boxed card"),
  duplicate_card: say("duplicate card"), foreign_card: say("foreign card"), untagged_card: say("untagged card"),
  joker: say("joker"), missing_card: say("missing card"), damaged_card: say("damaged card"),
  premature_card: say("premature card"), too_many_board_cards: say("too many board cards"),
  too_few_board_cards: say("too few board cards"), burn_missing: say("burn missing"), burn_extra: say("burn extra"),
  hand_mucked: say("hand mucked"), card_lost: say("card lost"), card_in_other_hand: say("card in other hand"),
  dealt_after_end: say("dealt after end"), stub_short: say("stub short"), stub_disordered: say("stub disordered"),
  up_card_error: say("up card error"), remedy_not_followed: say("remedy not followed"),
});

function rulings({ say, many }) {
  const verdict = {
    misdeal: () => [say("Misdeal"), say("redeal")],
    void: () => [say("Hand void"), say("fouled deck")],
    correct: () => [say("Correct it"), say("then play on")],
    dead: (r) => [r.seats?.length ? many("Dead hand: seat {seats}", "Dead hands: seats {seats}", r.seats.length, { seats: r.seats.join(", ") }) : say("Dead hand"), say("others play on")],
    play_on: () => [say("Play on"), say("nothing changes")],
    floor: (r) => [say("Call the floor"), r.rule ? "" : say("the book has no rule for this")],
  };
  const decides = { dealer: say("dealer decides"), floor: say("floor decides"), supervisor: say("supervisor decides"), director: say("tournament director decides") };
  const bets = { returned: say("all bets back"), pot: say("bets stay in the pot"), returned_seat: say("bets of the seat back"), uncalled_returned: say("uncalled bet back") };
  return {
    verdict: (r) => (verdict[r.verdict] ? verdict[r.verdict](r) : [cap(spaced(r.verdict)), ""]),
    law: (r) => `${r.rule ?? r.rulebook.toUpperCase()} · ${decides[r.decider] ?? r.decider}`,
    bets: (r) => bets[r.bets] ?? "",
    button: (r) => (r.button === "corrected" ? say("put the button right") : ""),
  };
}

// What a book says besides its ruling. That it has no rule for this stands beside the verdict: here only what it adds,
// and which game it does not know.
function hint({ say, said }, { games }, r) {
  const [message, values] = r.say ?? [];
  const silence = message === "{one}: {other}" ? values.one : r.say;
  const what = silence?.[0] === "this rulebook has no rule for {what}" ? silence[1].what[0] : null;
  if (r.rule || what === null) return said(r.say ?? r.hint);
  return [games[what] && say("this rulebook has no rule for {what}", { what: games[what] }), silence !== r.say && said(values.other)].filter(Boolean).join(": ");
}

// The steps of a remedy. Of a card a person at the table knows where it lies, not its place in the deal.
function steps({ say, form, many }, { zone, on, deal, where }) {
  const card = (k, i) => {
    if (k !== undefined && k !== i.k) return form("card", "card no. {k}", { k });
    return i.seat ? form("card", "the card at seat {seat}", i) : form("card", "that card");
  };
  const shuffle = {
    full: () => say("Shuffle full deck"), stub: () => say("Shuffle stub"), "stub+flop": () => say("Shuffle stub and flop"),
    "stub+turn": () => say("Shuffle stub and turn"), "stub+river": () => say("Shuffle stub and river"),
    "stub+aside": () => say("Shuffle stub and set-aside card"), "stub+muck": () => say("Shuffle stub and muck"),
  };
  const aside = {
    "board:flop": () => say("Set the flop aside"), "board:turn": () => say("Set the turn card aside"),
    "board:river": () => say("Set the river card aside"), board: () => say("Set the board card aside"),
  };
  const draws = { dealer: () => say("Dealer draws one"), floor: () => say("Floor draws one"), supervisor: () => say("Supervisor draws one"), director: () => say("Tournament director draws one") };
  const call = { dealer: () => say("Call the dealer"), floor: () => say("Call the floor"), supervisor: () => say("Call the supervisor"), director: () => say("Call the tournament director") };
  return {
    collect: () => say("Collect all cards"),
    return_bets: (t) => (t.to === "all" || t.to === undefined ? say("Return all bets") : say("Return bets of seat {seat}", { seat: t.to })),
    shuffle: (t) => (shuffle[t.what] ?? shuffle.stub)(),
    cut: () => say("Cut the deck"),
    redeal: (t) => (t.first ? say("Deal again from seat {seat}", { seat: t.first }) : say("Deal again")),
    remove: (t, i) => say("Take {card} out of play", { card: card(t.card, i) }),
    aside: (t) => aside[t.zone]?.() ?? say("Set aside: {zone}", { zone: zone(t.zone) }),
    to_top: (t, i) => say("Put {card} on top of the stub", { card: card(t.card, i) }),
    to_burn: (t, i) => say("Put {card} on the burn pile", { card: card(t.card, i) }),
    replace: (t) => say("Give seat {seat} the next card", t),
    burn: () => say("Burn one card"),
    no_burn: () => say("Do not burn"),
    deal: (t) => (t.count ? say("Deal {street} ({count})", { street: deal(t.street), count: t.count }) : say("Deal {street}", { street: deal(t.street) })),
    scramble: (t) => {
      if (t.count === undefined) return say("Mix the cards {where} face down", { where: where(t) });
      return family(t.zone) === "board" ? many("Mix {count} board card face down", "Mix {count} board cards face down", t.count)
        : many("Mix {count} card {where} face down", "Mix {count} cards {where} face down", t.count, { where: where(t) });
    },
    pick: (t) => (draws[t.by] ?? draws.floor)(),
    kill: (t) => say("Muck seat {seat}’s hand", t),
    change_deck: (t) => (t.when === "next" ? say("Change the deck after this hand") : say("Change the deck now")),
    finish_round: (t) => say("Finish the betting {where}", { where: on(t.street) }),
    restore_order: (t) => (t.street === "preflop" ? say("Move each hole card to its own seat") : say("Put the burn and {street} in order", { street: deal(t.street) })),
    swap: (t) => say("Swap the cards of seats {seats}", { seats: (t.seats ?? []).join("\u00a0↔\u00a0") }),
    call: (t) => (call[t.who] ?? call.floor)(),
  };
}

// A fact may end in the seat or the street that it is about: "seat_acted:4", "actions:turn".
function questions({ say, many, language }, { on }) {
  const ask = {
    shuffled: () => say("Was the deck shuffled?"),
    looked_at: () => say("Was the card looked at?"),
    flop_exposed: () => say("Was the flop seen?"),
    players_acted: (_, where) => (where ? say("How many players have acted {where}?", { where }) : say("How many players have acted?")),
    actions: (_, where) => (where ? say("How many actions {where} so far?", { where }) : say("How many actions so far?")),
    chips_in: () => say("How many put chips in?"),
    seat_acted: (seat) => (seat ? say("Has seat {seat} acted?", { seat }) : say("Has that seat acted?")),
    round_open: (_, where) => (where ? say("Is the betting {where} still open?", { where }) : say("Is the betting still open?")),
    retrievable: () => say("Can the hand be told apart?"),
    alike: () => say("Only folds, or only checks, so far?"),
    by: () => say("Who did it?"),
  };
  const most = { actions: 3, players_acted: 2, chips_in: 1 }; // the last choice of a count stands for that many or more
  const who = { dealer: say("Dealer"), player: say("Player") };
  const rounded = new Intl.NumberFormat(language, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 1 });
  return {
    // What a question rests on, where chance could have done the same.
    evidence: (i) => (i.p ? many("{count} pair of {need} cards lies as it was picked up; by chance once in {n}",
      "{count} pairs of {need} cards lie as they were picked up; by chance once in {n}", i.count, { need: i.need, n: rounded.format(1 / i.p) }) : ""),
    question: (q, i) => {
      const [fact, about] = q.fact.split(":");
      const seat = Number.parseInt(about, 10) || i.seat;
      return ask[fact] ? ask[fact](seat, about && on(about)) : `${cap(spaced(q.fact))}?`;
    },
    choice: (value, q = null) => {
      if (value === true) return say("Yes");
      if (value === false) return say("No");
      if (value === most[q?.fact.split(":")[0]]) return many("{count} or more", "{count} or more", value);
      return who[value] ?? cap(spaced(value));
    },
  };
}

// What does not work, in the strips above the table and in the table's status.
function troubles({ say, form, many, said }, { zone, list }, check) {
  const what = {
    journal: say("Journal"), panel: say("Panel"), floor: say("Floor"), core: say("Core"), recording: say("Recording"),
    display: say("Display"), alerts: say("Alarms"), metrics: say("Figures"), test: say("Antenna test"),
  };
  const works = {
    journal: say("Nothing is being recorded. Alarms go on."), panel: say("No lamps, no buzzer: watch this screen."),
    floor: say("The floor does not hear us. Call by hand."), core: say("Nothing is being checked. Call the floor."),
    test: say("Nothing is being checked."), recording: say("The recording has ended. Journal and alarms go on."),
  };
  const states = {
    connecting: form("reader", "connecting"), missing: form("reader", "missing"), busy: form("reader", "busy"),
    refused: form("reader", "refused"), lost: form("reader", "lost"), silent: form("reader", "silent"), ok: form("reader", "ok"),
  };
  return {
    said: (text, parts) => said(parts ?? text),
    what: (name) => what[name] ?? cap(name), works: (name) => works[name] ?? "",
    unwatched: (zones) => cap(say("{zones} not watched", { zones: list(zones) })),
    reader: (r) => say("Reader {reader} {state}", { reader: r.reader, state: states[r.state] ?? r.state }),
    off: (kinds) => say("Off: {checks}. The rest is watched.", { checks: kinds.map(check).join(", ") }),
    doubtful: (zones) => say("Perhaps not watched: {zones}. The rest is watched.", { zones: list(zones) }),
    weakly: (zones) => cap(many("{zones} reads weakly", "{zones} read weakly", zones.length, { zones: list(zones) })),
    blindTable: say("No antenna sees anything"),
    late: say("Everything is still checked; a card there may be noticed late."),
    more: (count) => many("{count} more: see Menu, Table status", "{count} more: see Menu, Table status", count),
    checksOff: (count) => many("{count} check off", "{count} checks off", count),
    // The hands of players who are away, dead by a rule of the book.
    reminder: (all) => [many("Player away: muck seat {seats}’s hand", "Players away: muck the hands of seats {seats}", all.length,
      { seats: all.map((each) => each.seat).join(", ") }), all[0].rule].join(" · "),
    checking: (i) => (i.seat ? say("Checking seat {seat}", i) : i.zone ? say("Checking: {zone}", { zone: zone(i.zone) }) : say("Checking")),
    link: [say("No link to the table"), say("This picture is old. Watch the cards yourself and call the floor.")],
    stopped: [say("The table has stopped"), say("Nothing is being checked. Watch the cards yourself and call the floor.")],
    dark: say("No lamp and no buzzer will warn. It tries again with every card."),
    broken: [say("Display fault"), say("This picture cannot be trusted. Watch the cards yourself and call the floor.")],
    silent: (seconds) => say("No word for {seconds} s. Trying again.", { seconds }),
  };
}

// All of it in one language.
export function words(tongue) {
  const at = places(tongue), named = checks(tongue);
  const headline = headlines(tongue, at), step = steps(tongue, at);
  const check = (kind) => named[kind] ?? spaced(kind);
  const all = {
    language: tongue.language,
    headline: (i) => (headline[i.kind] ? headline[i.kind](i) : cap(spaced(i.kind))),
    step: (t, i) => (step[t.do] ? step[t.do](t, i) : cap(spaced(t.do))),
    hint: (r) => hint(tongue, all, r),
    zone: at.zone, street: (name) => cap(at.street(name)), check: (kind) => cap(check(kind)),
    ...rulings(tongue), ...questions(tongue, at), ...troubles(tongue, at, check), ...labels(tongue, at),
  };
  return { ...all, ...entered(tongue, all) };
}
