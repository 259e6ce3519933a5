// The dealer's inputs that are always at hand: the rail at the right and the row at the bottom.

import { h, icon } from "./dom.js";
import { cap } from "./words.js";

const RAIL = ["acknowledge", "call_floor", "round_closed", "exposed", "undo", "menu"];
const RAIL_ICON = { acknowledge: "acknowledge", call_floor: "floor", round_closed: "round", exposed: "exposed", undo: "undo", menu: "menu" };

// Built once: these buttons never move and are never replaced.
export function buildRail(node, press) {
  const buttons = {};
  for (const name of RAIL) {
    const label = h("span", {});
    const symbol = h("i", {}, icon(RAIL_ICON[name]));
    buttons[name] = { button: h("button", { type: "button", "data-rail": name, onclick: () => press(name) }, symbol, label), label, symbol };
    node.append(buttons[name].button);
  }
  return buttons;
}

export function paintRail(buttons, { w, alarm, unacknowledged, roundOpen, sheet }) {
  for (const name of RAIL) {
    const { button, label, symbol } = buttons[name];
    const shut = name === "menu" && sheet;
    const word = shut ? w.rail.close : w.rail[name];
    if (label.textContent !== word) {
      label.textContent = word;
      symbol.replaceChildren(icon(shut ? "close" : RAIL_ICON[name]));
    }
    button.classList.toggle("hot", alarm && (name === "acknowledge" ? unacknowledged : name === "call_floor"));
    button.classList.toggle("due", name === "round_closed" && roundOpen);
  }
  buttons.acknowledge.button.disabled = !unacknowledged;
}

const DEALING = new Set(["burn", "deal", "replace", "redeal"]);
const STOPS = new Set(["misdeal", "void"]);

// The row's kind: what the dealer will most likely enter now. While an alarm waits for its remedy the row asks for
// no card; a tap on a seat still offers its actions, for a late entry may change the ruling.
export function rowKind(view, chosen, front) {
  const { phase, round_open: roundOpen } = view.hand;
  const byAction = view.table.betting === "actions" && ["betting", "deal"].includes(phase);
  if (chosen && byAction) return "actions";
  if (front && front.ruling?.verdict !== "play_on") {
    const step = front.ruling?.steps?.[front.step];
    const halts = !front.ruling || STOPS.has(front.ruling.verdict);
    if (step && DEALING.has(step.do)) return "next";
    if (halts || phase === "deal" || roundOpen !== true) return "halt";
  }
  if (phase === "idle" || phase === "over") return "setup";
  if (byAction && phase === "betting" && roundOpen !== false) return "actions";
  return "next";
}

const big = (small, large, id) => h("div", { class: "say", id }, h("small", {}, small), h("strong", {}, large));

function actions(node, view, ui, w, act) {
  const seat = ui.seat ?? view.hand.to_act;
  const state = seat ? big(ui.seat ? w.chosen : w.toAct, w.seat(seat), "turn") : big(w.action, w.pickSeat, "turn-none");
  const button = (name) => h("button", { type: "button", "data-action": name, disabled: !seat, onclick: () => act.action(seat, name) }, w.actions[name]);
  const allIn = h("button", { type: "button", class: "toggle", "data-action": "all_in", "aria-pressed": String(ui.allIn), disabled: !seat, onclick: act.allIn }, w.actions.all_in);
  node.append(state, ...["fold", "check", "call", "bet", "raise"].map(button), allIn);
}

function setup(node, view, w, act) {
  const button = (name, sub) => h("button", { type: "button", "data-setup": name, onclick: () => act.menu(name) }, w.menu[name], sub && h("small", {}, sub));
  const at = view.hand.button;
  const due = view.hand.phase === "idle" ? view.hand.next : null;
  node.append(due ? big(w.firstCard, cap(w.zone(due.zone)), "turn") : big(w.phase[view.hand.phase], view.hand.number ? w.handNo(view.hand.number) : "–", "turn"),
    button("shuffle_done"), button("cut_done"), button("button", at ? w.seat(at) : ""), button("seats"));
}

function next(node, view, w, act) {
  const { next: due, phase, street, round_open: roundOpen } = view.hand;
  if (phase === "showdown") {
    node.append(big(w.phase.showdown, w.handNo(view.hand.number), "turn"),
      h("button", { type: "button", class: "wide", "data-setup": "hand_end", onclick: () => act.menu("hand_end") }, w.menu.hand_end));
    return;
  }
  if (roundOpen && phase !== "deal") {
    node.append(big(w.street(street), cap(w.round.true), "turn"));
    return;
  }
  node.append(big(w.nextCard, due ? cap(w.zone(due.zone)) : w.phase[phase] ?? cap(w.round.false), "turn"));
  if (due) node.append(h("div", { class: "say side" }, h("small", {}, w.card), h("strong", {}, due.k)));
}

export function drawRow(node, kind, view, ui, w, act) {
  node.replaceChildren();
  node.className = kind;
  if (kind === "halt") node.append(big(w.halt[1], w.halt[0], "turn"));
  else if (kind === "actions") actions(node, view, ui, w, act);
  else if (kind === "setup") setup(node, view, w, act);
  else next(node, view, w, act);
}
