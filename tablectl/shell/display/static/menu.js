// The menu: every input in two touches, each always in the same place, in groups by the moment in which it is needed.
// Owns which entries a table has, which make sense now (they are bright), and which post at once. Refuses the sheets
// behind the others (sheets.js, forms.js).

import { h } from "./dom.js";

const between = ({ hand }) => hand.phase === "idle" || hand.phase === "over";
const playing = (view) => !between(view);
const dealing = (view) => between(view) || view.hand.phase === "deal";
const open = ({ irregularities }) => irregularities.some((i) => i.stage === "confirmed");
const always = () => true;
const isStud = ({ table }) => table.game.startsWith("stud");

// name, [when it makes sense, the table has it, posts at once]
const entry = (name, { now = always, has = always, direct = false } = {}) => ({ name, now, has, direct });

const GROUPS = [
  ["start", [
    entry("shuffle_done", { now: between, direct: true }),
    entry("cut_done", { now: between, direct: true }),
    entry("button", { now: dealing, has: (view) => view.table.has_button }),
    entry("seats", { now: dealing }),
    entry("straddle", { now: ({ hand }) => (hand.may_straddle ?? []).length + (hand.straddles ?? []).length > 0, has: (view) => !isStud(view) }),
    entry("cut_exposed", { now: between }),
    entry("absent", { now: dealing }),
    entry("deck", { now: between, has: (view) => view.table.decks?.length > 0 }),
    entry("dealer"),
    entry("game"),
  ]],
  ["hand", [
    entry("showdown", { now: playing, direct: true }),
    entry("hand_end", { now: playing, direct: true }),
    entry("run_twice", { now: ({ hand }) => hand.may_run_twice === true, has: (view) => !isStud(view) }),
    entry("up_cards", { now: playing, has: isStud }),
    entry("stub_count"),
    entry("damaged", { now: playing, direct: true }),
    entry("stub_disordered", { now: playing, direct: true }),
  ]],
  ["floor", [entry("override", { now: open }), entry("note")]],
  ["table", [
    entry("name"),
    entry("language"),
    entry("night", { direct: true }),
    entry("status"),
    entry("technician", { direct: true }),
  ]],
];

const all = new Map(GROUPS.flatMap(([, entries]) => entries).map((each) => [each.name, each]));

export const isDirect = (name) => all.get(name)?.direct === true;

// What an entry posts at once.
export const inputOf = (name, view) => (name === "night" ? { do: name, on: !view.night } : { do: name });

// A floor that has nothing to overrule is told so by a button that cannot be pressed; everything else can be entered late.
const isOff = (name, view) => name === "override" && !open(view);

export function menu(view, w, act) {
  const subs = { language: w.languages[w.language], game: w.games[view.table.next_game ?? view.table.game], night: w.onOff[view.night === true], dealer: view.table.dealer, deck: view.table.deck };
  const tile = ({ name, now }) =>
    h("button", { type: "button", class: now(view) ? "tile" : "tile quiet", "data-menu": name, disabled: isOff(name, view), onclick: () => act.menu(name) },
      h("span", {}, w.menu[name]), subs[name] && h("small", {}, subs[name]));
  return h("div", { class: "menu" }, GROUPS.map(([group, entries]) =>
    h("section", { class: group, "aria-label": w.groups[group] }, h("h2", {}, w.groups[group]),
      h("div", { class: "tiles" }, entries.filter(({ has }) => has(view)).map(tile)))));
}
