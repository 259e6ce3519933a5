// What the dealer enters, in words: rail, row, menu, sheets, and what was entered. Owns that wording; the ids are English,
// as in words.js, and what happens at the table is worded there.

import { LANGUAGES, cap, spaced } from "./tongue.js";

// In the order of the menu.
export const GAMES = ["holdem", "omaha", "omaha5", "stud5", "stud7"];

// The names of the inputs, on their buttons.
function names({ say, form }) {
  return {
    actions: { fold: say("Fold"), check: say("Check"), call: say("Call"), bet: say("Bet"), raise: say("Raise"), all_in: say("All-in") },
    rail: {
      acknowledge: say("Seen"), call_floor: form("rail", "Call floor"), round_closed: say("Round closed"),
      exposed: say("Exposed card"), undo: say("Undo"), menu: say("Menu"), close: say("Close"),
    },
    groups: { start: say("Before the hand"), hand: say("In the hand"), floor: say("Floor"), table: say("Table") },
    menu: {
      shuffle_done: say("Shuffle done"), cut_done: say("Cut done"), cut_exposed: say("Exposed in the cut"), button: say("Button"),
      seats: say("Seats in / out"), absent: say("Player away"), straddle: say("Straddle"), deck: say("New deck"),
      dealer: say("Dealer change"), game: say("Game"), showdown: say("Showdown"), hand_end: say("Hand end"),
      run_twice: say("Run it twice"), up_cards: say("Up cards"), damaged: say("Damaged card"),
      stub_disordered: say("Stub in disorder"), stub_count: say("Cards counted"), override: say("Floor’s ruling"),
      note: say("Note"), name: say("Player’s name"), language: say("Language"), night: say("Night setting"),
      status: say("Table status"), technician: say("Antennas and readers"), step_done: say("Step done"),
    },
    games: {
      holdem: say("Hold’em"), omaha: say("Omaha"), omaha5: say("Five-card Omaha"), stud5: say("Five-card stud"),
      stud7: say("Seven-card stud"),
    },
    times: { 1: say("Once"), 2: say("Twice"), 3: say("Three times") },
    by: { dealer: say("By the dealer"), player: say("By a player") },
    whys: [say("Substantial action"), say("All players agree"), say("The camera shows it"), say("The action stands")],
    deciders: [form("who", "Floor"), form("who", "Supervisor"), form("who", "Tournament director")],
    notes: [say("Late fold entry"), say("False alarm"), say("Player dispute"), say("Please check the camera"), say("Card fell off the table")],
    settles: say("The floor settles it"), nothingRuled: say("There is nothing to overrule."),
    enter: say("Enter"), erase: say("Erase"), space: say("Space"), abc: say("ABC"), digits: "123", noteHint: say("Or type here"),
    languages: LANGUAGES, onOff: { true: form("night", "on"), false: form("night", "off") },
  };
}

// What the sheets ask.
function questions({ say }, menu) {
  return {
    menu: say("Menu"), button: say("The button is at seat …"), seats: say("Which seats are dealt in?"),
    absent: say("Which player is away, or back?"), exposed: say("Whose card was exposed?"),
    cut_exposed: say("How many cards were seen?"), stub_count: say("How many cards are in the stub?"),
    deck_count: say("How many cards are in the whole deck?"), deck: say("Which deck is in play now?"),
    straddle: say("Who straddles?"), run_twice: say("How often is the rest of the board run?"),
    up_cards: say("Whose up cards?"), up_count: (seat) => say("Seat {seat}: how many cards are up?", { seat }),
    game: say("Which game from the next hand on?"), dealer: say("Who deals now?"), name: say("Whose name?"),
    name_of: (seat) => say("Name at seat {seat}", { seat }), override: say("Which ruling is overruled?"), dead: say("Whose hand is dead?"),
    verdict: say("What does the floor rule?"), why: say("Why?"), who: say("Who has decided?"),
    note: say("Note for the record"), language: menu.language, status: menu.status,
  };
}

// The state of the table in the row and at the seats.
function standing({ say, form, many }, { zone, street, before }) {
  return {
    rate: { provisional: say("Provisional: answer below"), stop: say("Stop"), follows: say("the ruling follows"), governs: say("decides this one, too"), also: say("Also"), done: say("Done") },
    others: (shown, count) => say("Shown: {shown} of {count}. Show the next one.", { shown, count }),
    phase: { idle: say("Waiting for the deal"), deal: say("Dealing"), showdown: say("Showdown"), over: say("Hand over") },
    round: { true: say("betting open"), false: say("betting closed") },
    burn: form("pile", "Burn"), muck: form("pile", "Muck"), out: form("seat", "out"), away: form("seat", "away"), fold: form("seat", "fold"),
    acts: form("seat", "acts"), dealtIn: form("seat", "dealt in"), proposed: form("seat", "proposed"), toAct: form("seat", "to act"), chosen: form("seat", "chosen"),
    here: form("seat", "Button here"), dealIn: form("seat", "Deal in"), leaveOut: form("seat", "Leave out"), isAway: form("seat", "Is away"), isBack: form("seat", "Is back"),
    noStraddle: form("seat", "No straddle"), called: form("rail", "Floor called"),
    cards: (count) => many("{count} card", "{count} cards", count),
    handNo: (number) => say("Hand {number}", { number }), seat: (seat) => say("Seat {seat}", { seat }),
    card: form("row", "card"), nextCard: say("Next card"), firstCard: say("First card"), action: say("Action"),
    // [small, large] of the card that comes next.
    due: (next) => {
      if (!next.street) return [say("Next card"), cap(zone(next.zone))];
      if (next.zone === "burn") return [say("Next card, before {street}", { street: before(next.street) }), cap(zone("burn"))];
      return [next.run > 1 ? say("Next card, run {run}", { run: next.run }) : say("Next card"), cap(street(next.street))];
    },
    unfollowed: [say("This hand is not followed"), say("Its start was not seen. The next one is watched.")],
    halt: [say("No card now"), say("Until this is settled")], pickSeat: say("Tap a seat"),
    watching: say("watching"), blind: form("mode", "blind"), openMode: form("mode", "Open"),
    allWatched: say("Everything is watched. All readers are well."), never: say("Off at this table."),
  };
}

export function labels(tongue, places) {
  const named = names(tongue);
  return { ...named, ask: questions(tongue, named.menu), ...standing(tongue, places) };
}

// What an input says, in a few words; then how it went.
export function entered({ say, many }, w) {
  const action = ({ seat, action: name, all_in: allIn }) => {
    const what = { seat, action: w.actions[name].toLocaleLowerCase() };
    return allIn ? say("Seat {seat}: {action}, all-in", what) : say("Seat {seat}: {action}", what);
  };
  const of = {
    action, button: (t) => say("Button at seat {seat}", t),
    absent: (t) => (t.away === false ? say("Player back at seat {seat}", t) : say("Player away at seat {seat}", t)),
    exposed: (t) => say("Exposed card at seat {seat}", t),
    cut_exposed: ({ count }) => many("{count} card exposed in the cut", "{count} cards exposed in the cut", count),
    stub_count: ({ count }) => many("{count} card counted", "{count} cards counted", count),
    up_cards: ({ seat, count }) => many("Seat {seat}: {count} card up", "Seat {seat}: {count} cards up", count, { seat }),
    deck: ({ id }) => say("New deck {deck}", { deck: id }), dealer: ({ id }) => say("Dealer {name}", { name: id }),
    game: ({ name }) => w.games[name] ?? name, language: ({ code }) => LANGUAGES[code] ?? code,
    straddle: (t) => (t.posted === false ? say("No straddle at seat {seat}", t) : say("Straddle at seat {seat}", t)),
    run_twice: ({ times }) => say("Board run: {times}", { times: w.times[times].toLocaleLowerCase() }),
    name: ({ seat, text }) => (text ? say("{name} at seat {seat}", { seat, name: text }) : say("No name at seat {seat}", { seat })),
    night: ({ on }) => (on ? say("Night: lamps and buzzer softer") : say("Day: lamps and buzzer in full")),
    answer: ({ value }) => w.choice(value), override: ({ verdict }) => ruled(verdict),
  };
  const ruled = (verdict) => (verdict === "floor" ? w.settles : w.verdict({ verdict })[0]);
  const entry = (input) => of[input.do]?.(input) ?? w.rail[input.do] ?? w.menu[input.do] ?? cap(spaced(input.do));
  const done = { call_floor: say("The floor is called"), acknowledge: w.rail.acknowledge, undo: say("Last input undone") };
  const plain = new Set(["action", "night", "language"]); // the name of a language needs no words of another one
  const taken = (input) => done[input.do] ?? (plain.has(input.do) ? entry(input) : input.do === "answer" ? say("Answered: {what}", { what: entry(input) }) : say("Entered: {what}", { what: entry(input) }));
  const refused = (why) => say("Not entered: {why}", { why });
  return {
    entry, taken, refused, takenBack: (input) => say("Taken back: {what}", { what: entry(input) }),
    ruled,
    pressed: (press) => (press.refused ? refused(w.said(press.refused, press.say)) : taken(press.input)),
    tooQuick: say("Too quick: entered only once"),
    notNow: say("this key means nothing now"), noLink: say("no link to the table"), offline: say("the table did not take it"),
  };
}
