// The sheets that open over the table: the menu and the questions behind its entries. The rail stays in reach.

import { h } from "./dom.js";
import { FORMS } from "./forms.js";
import { menu } from "./menu.js";

const MOST_CARDS = 54; // with both jokers
const MOST_UP = 7; // of a seat of stud

const sheet = (title, ...body) => [h("h2", {}, title), ...body];
const tile = (label, onclick, more = {}, sub = null) =>
  h("button", { type: "button", class: "tile", onclick, ...more }, h("span", {}, label), sub && h("small", {}, sub));
const seats = (...tiles) => h("div", { class: "grid seats" }, tiles);
const digits = (most, choose) => seats(Array.from({ length: most + 1 }, (_, count) => tile(count, () => choose(count), { "data-count": count })));

// A tile for each seat. `sub` is a line below the number of each.
const picks = (view, w) => (choose, subs = [], { proposed = null, only = () => true, pressed = null } = {}) =>
  seats(view.seats.map((seat, n) =>
    tile(seat.seat, () => choose(seat.seat), {
      "data-seat": seat.seat, "aria-label": [w.seat(seat.seat), subs[n]].filter(Boolean).join(", "), disabled: !only(seat), "aria-pressed": pressed?.(seat) ? "true" : null,
      class: seat.seat === proposed ? "tile proposed" : "tile",
    }, seat.seat === proposed ? w.proposed : subs[n] ?? null)));

// Which seats are dealt in: several are changed, then all are entered.
function dealIn(view, w, act) {
  const dealtIn = new Set(view.setup?.eligible ?? view.seats.filter((seat) => seat.eligible).map((seat) => seat.seat));
  const tiles = view.seats.map(({ seat }) => {
    const word = h("small", {});
    const button = tile(seat, () => flip(), { "data-seat": seat });
    const paint = () => {
      button.setAttribute("aria-pressed", String(dealtIn.has(seat)));
      word.textContent = dealtIn.has(seat) ? w.dealtIn : w.out;
    };
    const flip = () => { if (!dealtIn.delete(seat)) dealtIn.add(seat); paint(); };
    button.append(word);
    paint();
    return button;
  });
  const enter = () => act.send({ do: "seats", eligible: [...dealtIn].sort((a, b) => a - b) });
  return sheet(w.ask.seats, seats(tiles), h("button", { type: "button", class: "enter", "data-enter": "seats", onclick: enter }, w.enter));
}

function stubCount(view, w, act) {
  let typed = "";
  const read = h("output", { class: "typed" }), erase = h("button", { type: "button", class: "tile", "data-erase": "", onclick: () => type(typed.slice(0, -1)) }, w.erase);
  const enter = h("button", { type: "button", class: "enter", "data-enter": "stub_count", onclick: () => act.send({ do: "stub_count", count: Number(typed) }) }, w.enter);
  const type = (text) => {
    typed = Number(text) > MOST_CARDS ? typed : text;
    read.textContent = typed || "–";
    erase.disabled = enter.disabled = !typed;
  };
  type("");
  return sheet(view.hand.phase === "idle" ? w.ask.deck_count : w.ask.stub_count, seats([1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) =>
    tile(digit, () => type(typed === "0" ? String(digit) : typed + digit), { "data-digit": digit }))), h("div", { class: "line" }, read, erase, enter));
}

function exposed(view, w, act) {
  let by = "dealer";
  const who = ["dealer", "player"].map((name) => tile(w.by[name], () => { by = name; paint(); }, { "data-by": name }));
  const paint = () => who.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.by === by)));
  paint();
  return sheet(w.ask.exposed, h("div", { class: "split" }, who),
    picks(view, w)((seat) => act.send({ do: "exposed", seat, by }), [], { only: (seat) => seat.eligible || seat.cards > 0 }));
}

// What does not work, and what still does.
function status(view, w) {
  const lines = [
    ...view.faults.map((fault) => [w.what(fault.what), `${w.said(fault.text, fault.say)}. ${w.works(fault.what)}`]),
    ...view.readers.filter((r) => r.state !== "ok" || r.text).map((r) => [w.reader(r), [w.said(r.text, r.say), r.port].filter(Boolean).join(", ")]),
    ...view.degraded.map((d) => [w.unwatched([d.zone]), `${w.said(d.why, d.say)}. ${w.off(d.suspends)}`]),
    ...view.weak.map((each) => [w.weakly([each.zone]), `${w.said(each.why, each.say)}. ${w.late}`]),
    ...view.checks_off.map((kind) => [w.check(kind), w.never]),
  ];
  if (!lines.length) return sheet(w.ask.status, h("p", { class: "well" }, w.allWatched));
  return sheet(w.ask.status, h("dl", { class: "status", tabindex: 0 }, lines.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])));
}

const SHEETS = {
  menu: (view, w, act) => [menu(view, w, act)],
  button(view, w, act) {
    const pick = picks(view, w);
    return sheet(w.ask.button, pick((seat) => act.send({ do: "button", seat }), [], { proposed: view.setup?.button ?? view.hand.button }));
  },
  seats: dealIn,
  absent: (view, w, act) =>
    sheet(w.ask.absent, picks(view, w)((seat) => act.send({ do: "absent", seat, away: !view.seats[seat - 1].absent }), // one who is away is back
      view.seats.map((seat) => (seat.absent ? w.away : "")), { only: (seat) => seat.eligible })),
  straddle(view, w, act) {
    const { straddles = [], may_straddle: may = [] } = view.hand;
    const enter = (seat) => act.send(straddles.includes(seat) ? { do: "straddle", seat, posted: false } : { do: "straddle", seat });
    return sheet(w.ask.straddle, picks(view, w)(enter, [], {
      proposed: straddles.length ? null : may[0], only: ({ seat }) => may.includes(seat) || straddles.includes(seat), pressed: ({ seat }) => straddles.includes(seat),
    }));
  },
  run_twice: (view, w, act) =>
    sheet(w.ask.run_twice, h("div", { class: "grid three few" }, [1, 2, 3].map((times) =>
      tile(w.times[times], () => act.send({ do: "run_twice", times }), { "data-times": times, "aria-pressed": String(times === (view.runs?.times ?? 1)) })))),
  up_cards(view, w, act, { seat }) {
    if (!seat) return sheet(w.ask.up_cards, picks(view, w)((each) => act.open("up_cards", { seat: each }), [], { only: (each) => each.cards > 0 }));
    return sheet(w.ask.up_count(seat), digits(MOST_UP, (count) => act.send({ do: "up_cards", seat, count })));
  },
  game: (view, w, act) =>
    sheet(w.ask.game, h("div", { class: "grid three few" }, Object.entries(w.games).map(([name, text]) =>
      tile(text, () => act.send({ do: "game", name }), { "data-game": name, "aria-pressed": String(name === (view.table.next_game ?? view.table.game)) })))),
  exposed,
  cut_exposed: (view, w, act) =>
    sheet(w.ask.cut_exposed, h("div", { class: "grid seats few" }, [1, 2, 3, 4, 5].map((count) =>
      tile(count, () => act.send({ do: "cut_exposed", count }), { "data-count": count })))),
  stub_count: stubCount,
  deck: (view, w, act) =>
    sheet(w.ask.deck, h("div", { class: "grid three few" }, view.table.decks.map((deck) =>
      tile(deck, () => act.send({ do: "deck", id: deck }), { "data-deck": deck, "aria-pressed": String(deck === view.table.deck) })))),
  // Each language by its own name, so that nobody is lost in a foreign one.
  language: (view, w, act) =>
    sheet(w.ask.language, h("div", { class: "grid three few" }, Object.entries(w.languages).map(([code, name]) =>
      tile(name, () => act.send({ do: "language", code }), { "data-language": code, lang: code, "aria-pressed": String(code === view.table.language) })))),
  status,
  ...FORMS,
};

// What a sheet is drawn from: it is drawn anew when that changes, and never under a finger for anything else.
const BASIS = {
  menu: (view) => [view.hand.phase, view.hand.may_straddle, view.hand.may_run_twice, view.night, view.irregularities.some((i) => i.stage === "confirmed")],
  absent: ({ seats: all }) => all.map((seat) => [seat.eligible, seat.absent]),
  straddle: ({ hand }) => [hand.straddles, hand.may_straddle],
  status: ({ faults, readers, degraded, weak, checks_off: off }) => [faults, readers, degraded, weak, off],
};
export const basis = (name, view) => [view.seats.length, view.table, BASIS[name]?.(view) ?? null];

export function drawSheet(node, name, said, view, w, act) {
  node.hidden = !name;
  node.dataset.sheet = name ?? "";
  const parts = name ? SHEETS[name](view, w, act, { ...said, pick: picks(view, w) }) : [];
  node.replaceChildren(...parts.filter(Boolean));
}
