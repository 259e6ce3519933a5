// The dealer's inputs that are always at hand: the rail at the right and the row at the bottom.

import { h, icon } from "./dom.js";
import { cap } from "./tongue.js";

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

export function paintRail(buttons, { view, w, alarm, unacknowledged, sheet }) {
  const called = view.floor_called === true;
  for (const name of RAIL) {
    const { button, label, symbol } = buttons[name];
    const shut = name === "menu" && sheet, done = name === "call_floor" && called;
    const word = shut ? w.rail.close : done ? w.called : w.rail[name];
    if (label.textContent !== word) {
      label.textContent = word;
      symbol.replaceChildren(icon(shut ? "close" : done ? "acknowledge" : RAIL_ICON[name]));
    }
    button.classList.toggle("hot", alarm && (name === "acknowledge" ? unacknowledged : name === "call_floor" && !called));
    button.classList.toggle("called", done);
    button.classList.toggle("due", name === "round_closed" && view.hand.round_open === true && view.hand.phase === "betting" && view.table.betting === "rounds");
  }
  buttons.round_closed.button.disabled = !view.hand.may_close_round;
  buttons.exposed.button.disabled = view.hand.phase === "idle";
  buttons.acknowledge.button.disabled = !unacknowledged;
  buttons.undo.button.disabled = view.undo === null;
  buttons.undo.button.setAttribute("aria-label", view.undo ? `${w.rail.undo}: ${w.entry(view.undo)}` : w.rail.undo);
}

const DEALING = new Set(["burn", "deal", "replace", "redeal"]);
const STOPS = new Set(["misdeal", "void"]);

// The row's kind: what the dealer will most likely enter now. While an alarm waits for its remedy the row asks for
// no card; a tap on a seat still offers its actions, for a late entry may change the ruling.
export function rowKind(view, chosen, front) {
  const { phase, round_open: roundOpen, to_act: toAct } = view.hand;
  const byAction = view.table.betting === "actions" && ["betting", "deal"].includes(phase);
  if (chosen) return byAction && view.hand.followed !== false ? "actions" : "seat";
  if (front && front.ruling?.verdict !== "play_on") {
    const step = front.ruling?.steps?.[front.step];
    const halts = !front.ruling || STOPS.has(front.ruling.verdict);
    if (step && DEALING.has(step.do)) return "next";
    if (halts || phase === "deal" || roundOpen !== true || (byAction && !toAct)) return "halt";
  }
  if (view.hand.followed === false && phase !== "over") return "unfollowed";
  if (phase === "idle" || phase === "over") return "setup";
  if (byAction && phase === "betting" && roundOpen !== false) return "actions";
  return "next";
}

const big = (small, large, id) => h("div", { class: "say", id }, h("small", {}, small), h("strong", {}, large));

function actions(node, view, ui, w, act) {
  const seat = ui.seat ?? view.hand.to_act;
  if (!seat) {
    // Nobody is next to act: whoever does is tapped first. Buttons that cannot be pressed would only stand in the way.
    node.className = "next";
    node.append(big(w.action, w.pickSeat, "turn-none"));
    return;
  }
  const button = (name) => h("button", { type: "button", "data-action": name, onclick: () => act.action(seat, name) }, w.actions[name]);
  const allIn = h("button", { type: "button", class: "toggle", "data-action": "all_in", "aria-pressed": String(ui.allIn), onclick: act.allIn }, w.actions.all_in);
  node.append(big(ui.seat ? w.chosen : w.toAct, w.seat(seat), "turn"), ...["fold", "check", "call", "bet", "raise"].map(button), allIn);
}

// Between two hands: what is confirmed already has its tick; the button and the seats are those proposed for the next hand.
function setup(node, view, w, act) {
  const { hand, setup: coming = {} } = view;
  const button = (name, sub, done = false) =>
    h("button", { type: "button", "data-setup": name, class: done && "ticked", onclick: () => act.menu(name) }, done && icon("acknowledge"), h("span", {}, w.menu[name]), sub && h("small", {}, sub));
  // Before the first hand nobody knows yet where its first card goes.
  const [small, large] = hand.next ? [w.firstCard, w.due(hand.next)[1]] : hand.number ? [w.phase[hand.phase], w.handNo(hand.number)] : ["", w.phase[hand.phase]];
  const at = coming.button ?? hand.button;
  node.append(big(small, large, "turn"), button("shuffle_done", null, coming.shuffled), button("cut_done", null, coming.cut),
    ...(view.table.has_button ? [button("button", at ? w.seat(at) : "–")] : []), button("seats", coming.eligible ? `${coming.eligible.length} / ${view.seats.length}` : ""));
}

// A seat was tapped while nobody acts in turn: what can be entered of it.
function ofSeat(node, view, ui, w, act) {
  const seat = view.seats[ui.seat - 1], { hand, setup: coming = {}, table } = view;
  const between = hand.phase === "idle" || hand.phase === "over";
  const button = (name, label, input) => h("button", { type: "button", "data-seat-do": name, onclick: () => (input ? act.ofSeat(input) : act.open(name, { seat: seat.seat })) }, label);
  const eligible = new Set(coming.eligible ?? view.seats.filter((each) => each.eligible).map((each) => each.seat));
  const isIn = eligible.has(seat.seat), straddles = hand.straddles?.includes(seat.seat);
  const others = () => [...eligible].filter((each) => each !== seat.seat);
  const buttons = between
    ? [
      table.has_button && button("button", w.here, { do: "button", seat: seat.seat }),
      button("seats", isIn ? w.leaveOut : w.dealIn, { do: "seats", eligible: (isIn ? others() : [...others(), seat.seat]).sort((a, b) => a - b) }),
      isIn && button("absent", seat.absent ? w.isBack : w.isAway, { do: "absent", seat: seat.seat, away: !seat.absent }),
      (straddles || hand.may_straddle?.includes(seat.seat)) && button("straddle", straddles ? w.noStraddle : w.menu.straddle, { do: "straddle", seat: seat.seat, ...(straddles && { posted: false }) }),
      button("name", w.menu.name),
    ]
    : [
      ...["dealer", "player"].map((by) => button("exposed", [w.rail.exposed, h("small", {}, w.by[by])], { do: "exposed", seat: seat.seat, by })),
      table.game.startsWith("stud") && button("up_cards", w.menu.up_cards),
      button("name", w.menu.name),
    ];
  node.append(big(w.chosen, w.seat(seat.seat), "turn"), ...buttons.filter(Boolean));
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
  if (!due) {
    node.append(big(w.nextCard, w.phase[phase] ?? cap(w.round.false), "turn"));
    return;
  }
  const [small, large] = w.due(due);
  node.append(big(small, large, "turn"), h("div", { class: "say side" }, h("small", {}, w.card), h("strong", {}, due.k)));
}

export function drawRow(node, kind, view, ui, w, act) {
  node.replaceChildren();
  node.className = kind;
  if (kind === "halt") node.append(big(w.halt[1], w.halt[0], "turn"));
  else if (kind === "unfollowed") node.append(big(w.unfollowed[1], w.unfollowed[0], "turn"));
  else if (kind === "actions") actions(node, view, ui, w, act);
  else if (kind === "setup") setup(node, view, w, act);
  else if (kind === "seat") ofSeat(node, view, ui, w, act);
  else next(node, view, w, act);
}
