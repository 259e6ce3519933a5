// The sheets in which something is written, or more than one thing is said: a note, a dealer, a name, the floor's ruling.

import { h } from "./dom.js";
import { typing } from "./typing.js";

const MOST_NOTE = 200, MOST_ID = 40, MOST_NAME = 20; // characters; a name stands beside its seat
const VERDICTS = ["misdeal", "void", "correct", "dead", "play_on", "floor"];

const sheet = (title, ...body) => [h("h2", {}, title), ...body];
const tile = (label, onclick, more = {}) => h("button", { type: "button", class: "tile", onclick, ...more }, h("span", {}, label));
const line = (...tiles) => h("div", { class: "choose" }, tiles);

function note(view, w, act) {
  const write = (text) => act.send({ do: "note", text });
  return sheet(w.ask.note, line(w.notes.map((text) => tile(text, () => write(text), { "data-note": text }))),
    typing({ w, kind: "text", label: w.ask.note, most: MOST_NOTE, hint: w.noteHint, enter: write }));
}

function dealer(view, w, act) {
  const change = (id) => act.send({ do: "dealer", id });
  const others = (view.table.dealers ?? []).filter((id) => id !== view.table.dealer).slice(0, 5);
  return sheet(w.ask.dealer, others.length > 0 && line(others.map((id) => tile(id, () => change(id), { "data-dealer": id }))),
    typing({ w, kind: "name", label: w.ask.dealer, most: MOST_ID, enter: change }));
}

// Whose name: the seat that was tapped, else one is picked first.
function name(view, w, act, { seat, pick }) {
  if (!seat) return sheet(w.ask.name, pick((each) => act.open("name", { seat: each }), view.seats.map((each) => each.name ?? "")));
  const before = view.seats[seat - 1].name ?? "";
  const enter = (text) => act.send(text ? { do: "name", seat, text } : { do: "name", seat });
  return sheet(w.ask.name_of(seat), typing({ w, kind: "name", label: w.ask.name_of(seat), value: before, most: MOST_NAME, empty: before !== "", enter }));
}

// Which ruling, what instead, why, and whose word it is; each answer leads to the next question.
function override(view, w, act, { pick, ...said }) {
  const ruled = view.irregularities.filter((i) => i.stage === "confirmed");
  if (!ruled.length) return sheet(w.ask.override, h("p", { class: "well" }, w.nothingRuled));
  const irregularity = said.irregularity ?? (ruled.length === 1 ? ruled[0].id : null);
  const next = (more) => act.open("override", { ...said, irregularity, ...more });
  if (!irregularity) {
    return sheet(w.ask.override, h("div", { class: "grid ones" }, ruled.map((i) => tile(w.headline(i), () => next({ irregularity: i.id }), { "data-irregularity": i.id }))));
  }
  const about = ruled.find((i) => i.id === irregularity);
  const head = about && h("p", { class: "about" }, w.headline(about));
  if (!said.verdict) {
    return sheet(w.ask.verdict, head, h("div", { class: "grid three" }, VERDICTS.map((verdict) => tile(w.ruled(verdict), () => next({ verdict }), { "data-verdict": verdict }))));
  }
  if (said.verdict === "dead" && !said.seat) {
    const hands = new Set(view.seats.filter((each) => each.eligible || each.cards > 0).map((each) => each.seat));
    const [proposed] = [...(about?.ruling?.seats ?? []), about?.seat].filter((seat) => hands.has(seat));
    return sheet(w.ask.dead, head, pick((seat) => next({ seat }), [], { proposed, only: ({ seat }) => hands.has(seat) }));
  }
  if (!said.why) {
    return sheet(w.ask.why, line(w.whys.map((why) => tile(why, () => next({ why }), { "data-why": why }))),
      typing({ w, kind: "text", label: w.ask.why, most: MOST_NOTE, hint: w.noteHint, enter: (why) => next({ why }) }));
  }
  const enter = (who) => act.send({ do: "override", irregularity, verdict: said.verdict, ...(said.seat && { seat: said.seat }), why: said.why, who });
  return sheet(w.ask.who, line(w.deciders.map((who) => tile(who, () => enter(who), { "data-who": who }))),
    typing({ w, kind: "name", label: w.ask.who, most: MOST_ID, hint: w.noteHint, enter }));
}

export const FORMS = { note, dealer, name, override };
