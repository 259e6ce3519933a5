// The sheets that open over the table: the menu and the questions behind its entries. The rail stays in reach.

import { h } from "./dom.js";
import { LANGUAGES } from "./words.js";

const DIRECT = new Set(["shuffle_done", "cut_done", "showdown", "hand_end", "step_done", "damaged", "stub_disordered"]);
const MENU = [
  "button", "seats", "absent", "deck", "shuffle_done", "cut_done", "cut_exposed", "showdown", "hand_end",
  "step_done", "damaged", "stub_disordered", "stub_count", "note", "language", "status",
];

const MOST_CARDS = 54; // with both jokers

const sheet = (title, ...body) => [h("h2", {}, title), ...body];
const tile = (label, onclick, more = {}, sub = null) =>
  h("button", { type: "button", class: "tile", onclick, ...more }, h("span", {}, label), sub && h("small", {}, sub));

// The next seat clockwise that is dealt in: where the button goes for the next hand.
export function nextButton(view) {
  const { button } = view.hand;
  const inHand = view.seats.filter((seat) => seat.eligible).map((seat) => seat.seat);
  return inHand.find((seat) => seat > (button ?? 0)) ?? inHand[0] ?? null;
}

function pick(view, w, choose, { proposed = null, only = () => true } = {}) {
  return h("div", { class: "grid seats" }, view.seats.map((seat) =>
    tile(seat.seat, () => choose(seat.seat), {
      "data-seat": seat.seat, "aria-label": w.seat(seat.seat), disabled: !only(seat), class: seat.seat === proposed ? "tile proposed" : "tile",
    }, seat.seat === proposed ? w.proposed : null)));
}

const SHEETS = {
  menu(view, w, act) {
    const known = view.table.decks?.length ? MENU : MENU.filter((name) => name !== "deck");
    return sheet(w.ask.menu, h("div", { class: "grid menu" }, known.map((name) =>
      tile(w.menu[name], () => act.menu(name), { "data-menu": name }, name === "language" ? LANGUAGES[w.language] : null))));
  },
  button(view, w, act) {
    const between = view.hand.phase === "idle" || view.hand.phase === "over";
    const proposed = between ? nextButton(view) : view.hand.button;
    return sheet(w.ask.button, pick(view, w, (seat) => act.send({ do: "button", seat }, w.buttonAt(seat)), { proposed }));
  },
  seats(view, w, act) {
    const dealtIn = new Set(view.seats.filter((seat) => seat.eligible).map((seat) => seat.seat));
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
    const enter = () => act.send({ do: "seats", eligible: [...dealtIn].sort((a, b) => a - b) }, w.menu.seats);
    return sheet(w.ask.seats, h("div", { class: "grid seats" }, tiles), h("button", { type: "button", class: "enter", "data-enter": "seats", onclick: enter }, w.enter));
  },
  absent: (view, w, act) =>
    sheet(w.ask.absent, pick(view, w, (seat) => {
      const away = !view.seats[seat - 1].absent; // one who is away is back
      return act.send({ do: "absent", seat, away }, away ? w.awayAt(seat) : w.backAt(seat));
    }, { only: (seat) => seat.eligible })),
  exposed(view, w, act) {
    let by = "dealer";
    const who = ["dealer", "player"].map((name) => h("button", { type: "button", class: "tile", "data-by": name, onclick: () => { by = name; paint(); } }, w.by[name]));
    const paint = () => who.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.by === by)));
    paint();
    return sheet(w.ask.exposed, h("div", { class: "split" }, who),
      pick(view, w, (seat) => act.send({ do: "exposed", seat, by }, w.exposedAt(seat)), { only: (seat) => seat.eligible || seat.cards > 0 }));
  },
  cut_exposed: (view, w, act) =>
    sheet(w.ask.cut_exposed, h("div", { class: "grid seats few" }, [1, 2, 3, 4, 5].map((count) =>
      tile(count, () => act.send({ do: "cut_exposed", count }, w.exposedInCut(count)), { "data-count": count })))),
  stub_count(view, w, act) {
    let typed = "";
    const read = h("output", { class: "typed" }), erase = h("button", { type: "button", class: "tile", "data-erase": "", onclick: () => type(typed.slice(0, -1)) }, w.erase);
    const enter = h("button", { type: "button", class: "enter", "data-enter": "stub_count", onclick: () => act.send({ do: "stub_count", count: Number(typed) }, w.counted(Number(typed))) }, w.enter);
    const type = (text) => {
      typed = Number(text) > MOST_CARDS ? typed : text;
      read.textContent = typed || "–";
      erase.disabled = enter.disabled = !typed;
    };
    type("");
    return sheet(view.hand.phase === "idle" ? w.ask.deck_count : w.ask.stub_count, h("div", { class: "grid seats" }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) =>
      tile(digit, () => type(typed === "0" ? String(digit) : typed + digit), { "data-digit": digit }))), h("div", { class: "line" }, read, erase, enter));
  },
  deck: (view, w, act) =>
    sheet(w.ask.deck, h("div", { class: "grid menu few" }, view.table.decks.map((deck) => {
      const id = deck.id ?? deck;
      return tile(id, () => act.send({ do: "deck", id }, w.newDeck(id)), { "data-deck": id });
    }))),
  note(view, w, act) {
    const write = (text) => text && act.send({ do: "note", text }, w.menu.note);
    const field = h("input", { type: "text", maxlength: 200, placeholder: w.noteHint, "aria-label": w.ask.note });
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") write(field.value.trim()); });
    return sheet(w.ask.note, h("div", { class: "grid notes" }, w.notes.map((text) => tile(text, () => write(text), { "data-note": text }))),
      h("div", { class: "line" }, field, h("button", { type: "button", class: "enter", onclick: () => write(field.value.trim()) }, w.enter)));
  },
  // Each language by its own name, so that nobody is lost in a foreign one.
  language: (view, w, act) =>
    sheet(w.ask.language, h("div", { class: "grid menu few" }, Object.entries(LANGUAGES).map(([code, name]) =>
      tile(name, () => act.send({ do: "language", code }, name), { "data-language": code, lang: code, "aria-pressed": String(code === view.table.language) })))),
  status(view, w, act) {
    const technician = h("button", { type: "button", class: "enter", "data-menu": "technician", onclick: act.technician }, w.menu.technician);
    const lines = [
      ...view.faults.map((fault) => [w.what(fault.what), `${w.said(fault.text, fault.say)}. ${w.works(fault.what)}`]),
      ...view.readers.filter((r) => r.state !== "ok" || r.text).map((r) => [w.reader(r), [w.said(r.text, r.say), r.port].filter(Boolean).join(", ")]),
      ...view.degraded.map((d) => [w.unwatched([d.zone]), `${w.said(d.why, d.say)}. ${w.off(d.suspends)}`]),
      ...view.weak.map((each) => [w.weakly([each.zone]), `${w.said(each.why, each.say)}. ${w.late}`]),
      ...view.checks_off.map((kind) => [w.check(kind), w.never]),
    ];
    const told = lines.length ? h("dl", { class: "status", tabindex: 0 }, lines.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]))
      : h("p", { class: "status well" }, w.allWatched);
    return sheet(w.ask.status, told, technician);
  },
};

export const isDirect = (name) => DIRECT.has(name);

export function drawSheet(node, name, view, w, act) {
  node.hidden = !name;
  node.dataset.sheet = name ?? "";
  node.replaceChildren(...(name ? SHEETS[name](view, w, act) : []));
}
