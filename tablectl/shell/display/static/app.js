// The dealer's display. Owns the page's state (which sheet is open, which seat was tapped) and who draws what.
// What is true comes from the table, whole, with every event; nothing is computed on from an older picture.

import { byId, h, icon, renew, shrink } from "./dom.js";
import { allWell, cover, drawFaults, present } from "./faults.js";
import { place } from "./geometry.js";
import { buildRail, drawRow, paintRail, rowKind } from "./inputs.js";
import { listenToKeys } from "./keys.js";
import { listen, send } from "./link.js";
import { marksOf, open } from "./marks.js";
import { inputOf, isDirect } from "./menu.js";
import { drawNotes, drawPanel, fit, governing } from "./panel.js";
import { basis, drawSheet } from "./sheets.js";
import { draw } from "./table.js";
import { tongue, wordsIn } from "./tongue.js";
import { forget } from "./typing.js";
import { words } from "./words.js";

const BOUNCE_MS = 150; // two touches of one finger are further apart; a finger that bounces must not act for the next seat too
const TOAST_MS = 3500;

const ui = { seat: null, allIn: false, sheet: null, said: {}, front: null };
let view = null, w = words(tongue("en")), alarms = new Set(), toastTimer = 0;
const held = new Map();

// Takes the words of a language; without them the last ones stay.
async function speak(language) {
  const found = await wordsIn(language, words);
  if (!found || (view && view.table.language !== language)) return; // it was changed again meanwhile
  w = found;
  document.documentElement.lang = w.language;
}

// Every word on the page depends on the language, so each part is drawn anew when that changes.
const fresh = (node, key, build) => renew(node, [w.language, key], build);

// The same button again is another press once the table has answered the first one. One that comes sooner is told, and it
// holds the button anew: of a burst of touches nobody knows which seat each was meant for.
async function submit(input) {
  const group = input.do === "action" ? input.action : JSON.stringify(input);
  const now = performance.now(), before = held.get(group);
  if (before && (before.waits || now - before.at < BOUNCE_MS)) {
    before.at = now;
    toast(w.tooQuick, "refused");
    return;
  }
  const press = { at: now, waits: true };
  held.set(group, press);
  const back = input.do === "undo" ? view.undo : null;
  const refused = await send(input, w);
  press.waits = false;
  if (!refused && now !== press.at) return; // what stands there says that only one of them was entered
  toast(refused ? w.refused(refused) : back ? w.takenBack(back) : w.taken(input), refused ? "refused" : "taken");
  return !refused;
}

function toast(text, kind) {
  const node = byId("toast");
  node.replaceChildren(icon(kind === "taken" ? "acknowledge" : "alarm"), h("span", {}, text));
  node.className = kind;
  node.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { node.hidden = true; }, kind === "taken" ? TOAST_MS : 2 * TOAST_MS);
}

// A push button has no words: the page says what the last press entered, or why it could not be.
let told = null;
function tellPress(press) {
  const number = press?.number ?? 0;
  if (told !== null && number && number !== told) toast(w.pressed(press), press.refused ? "refused" : "taken");
  told = number; // what was pressed before the page was opened is past
}

let kept = null; // the sheet that an alarm closed, and what was said on it

// Opens a sheet, with what was said on it already; null shows the table again. What is left by hand is forgotten.
function show(sheet, said) {
  if (ui.sheet && ui.sheet !== "menu" && ui.sheet !== sheet) forget();
  const again = kept?.sheet === sheet ? kept.said : {};
  if (sheet && sheet !== "menu") kept = null;
  ui.sheet = sheet;
  ui.said = said ?? again;
  render();
  // What is most likely pressed next: the line, Enter where everything is proposed, the proposed seat.
  const all = ["input", "[data-enter]:not(:disabled)", ".proposed:not(:disabled)", "button:not(:disabled)"];
  all.map((each) => byId("sheet").querySelector(each)).find(Boolean)?.focus({ preventScroll: true });
}

function choose(seat) {
  ui.seat = ui.seat === seat ? null : seat;
  render();
}

const act = {
  action(seat, action, allIn = ui.allIn) {
    const input = { do: "action", seat, action };
    // Proposed by the table: if another seat is next by the time this arrives, it is not entered.
    if (!ui.seat) input.in_turn = true;
    if (allIn && ["call", "bet", "raise"].includes(action)) input.all_in = true;
    ui.allIn = false;
    act.ofSeat(input);
  },
  ofSeat(input) {
    submit(input);
    ui.seat = null;
    render();
  },
  allIn() { ui.allIn = !ui.allIn; render(); },
  send(input) {
    const taken = submit(input);
    ui.seat = null;
    show(null);
    return taken;
  },
  open: show,
  menu(name) {
    if (name === "technician") location.assign("/technician#table");
    else if (isDirect(name)) act.send(inputOf(name, view));
    else show(name);
  },
};

// Another irregularity in front, on every display of the table: a push button answers what can be read there.
let turning = 0;
async function turn(id) {
  ui.front = id;
  turning += 1;
  render();
  const refused = await send({ do: "turn", irregularity: id }, w, "/front");
  turning -= 1;
  if (refused) toast(w.refused(refused), "refused");
}

function press(name) {
  if (name === "menu") show(ui.sheet ? null : "menu");
  else if (name === "exposed") show(ui.sheet === "exposed" ? null : "exposed");
  else submit({ do: name });
}

const rail = buildRail(byId("rail"), press);

function paintTop() {
  const { hand, table } = view;
  const unsure = view.irregularities.filter((i) => i.stage === "suspicion");
  const well = allWell(view) && hand.followed !== false;
  fresh(byId("top"), [hand, table, unsure, view.checks_off.length, well], (node) => {
    const round = hand.phase === "betting" ? w.round[hand.round_open] : null;
    node.replaceChildren(...[
      h("span", { class: "id" }, table.id),
      hand.number && h("span", { class: "hand-no" }, w.handNo(hand.number)),
      h("strong", {}, hand.followed !== false && hand.street && hand.phase === "betting" ? w.street(hand.street) : w.phase[hand.phase] ?? ""),
      round && h("span", { class: `round ${hand.round_open ? "is-open" : ""}` }, round),
      h("span", { class: "gap" }),
      unsure.length > 0 && h("span", { class: "unsure" }, icon("unsure"), w.checking(unsure[0])),
      well && !unsure.length && h("span", { class: "well" }, icon("watching"), w.watching),
      view.checks_off.length > 0 && h("span", { class: "small checks" }, w.checksOff(view.checks_off.length)),
      h("span", { class: "small book" }, table.rulebook.toUpperCase()),
      h("span", { class: table.mode === "open" ? "mode open" : "mode small" }, table.mode === "open" ? w.openMode : w.blind),
    ].filter(Boolean));
    shrink([node]);
    // What is the same all evening gives way to what is new.
    for (const least of [".checks", ".small.mode", ".book"]) {
      if (node.scrollWidth > node.clientWidth) node.querySelector(least)?.remove();
    }
  });
}

function paintTable(front) {
  const stage = byId("stage");
  const unit = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const [width, height] = [Math.round(stage.clientWidth / unit), Math.round(stage.clientHeight / unit)];
  if (width < 100 || height < 100) return;
  const geo = place(width, height, view.seats.length);
  const marks = marksOf(view, front, ui.seat);
  const { hand, seats, board, burn, muck, board_cards: faces, runs } = view;
  fresh(byId("table"), [width, height, hand, seats, board, burn, muck, faces, runs, marks, view.table.game], (svg) => draw(svg, geo, view, marks, w));
  paintSeats(stage, geo, unit, marks);
}

// Real buttons over the drawn seats: finger, mouse, keyboard and screen reader all reach them.
const seatButtons = new Map();
function paintSeats(stage, geo, unit, marks) {
  for (const seat of view.seats) {
    let button = seatButtons.get(seat.seat);
    if (!button) {
      button = h("button", { type: "button", class: "seat-button", "data-seat": seat.seat, onclick: () => choose(seat.seat) });
      seatButtons.set(seat.seat, button);
      stage.append(button);
    }
    const at = geo.spots[seat.seat], reach = geo.touch;
    button.style.left = `${(at.x - reach) * unit}px`;
    button.style.top = `${(at.y - reach) * unit}px`;
    button.style.width = button.style.height = `${2 * reach * unit}px`;
    const state = !seat.eligible ? w.out : seat.folded ? w.fold : seat.absent ? w.away : "";
    const turn = marks.seats[seat.seat]?.act ? w.toAct : "";
    button.setAttribute("aria-label", [w.seat(seat.seat), seat.name, w.cards(seat.cards), state, turn].filter(Boolean).join(", "));
    button.setAttribute("aria-pressed", String(ui.seat === seat.seat));
  }
  for (const [seat, button] of seatButtons) {
    if (!geo.spots[seat]) { button.remove(); seatButtons.delete(seat); }
  }
}

// What stands in front: the gravest that needs the dealer, unless he looks at another one; all that he can look at; and
// what is settled, which is a line above the table while nothing else is in the way.
function standing() {
  const told = view.irregularities.filter((i) => i.stage === "confirmed" || i.question);
  const gravest = told.find(open) ?? told.find((i) => i.stage === "suspicion") ?? null;
  const alarm = gravest !== null && open(gravest);
  const all = told.filter((i) => alarm || i.stage === "suspicion");
  const shown = all.find((i) => i.id === ui.front) ?? gravest;
  return { all, gravest, shown, settled: alarm ? [] : told.filter((i) => i.stage === "confirmed"), front: shown?.stage === "confirmed" ? shown : null };
}

function render() {
  if (!view) return;
  const { all, settled, shown, front, gravest } = standing();
  const alarm = Boolean(gravest && open(gravest));
  const unacknowledged = view.irregularities.some((i) => i.stage === "confirmed" && !i.acknowledged);
  document.body.dataset.alarm = alarm ? (unacknowledged ? "loud" : "calmed") : "none";
  const behind = ui.sheet !== null;
  for (const part of ["top", "faults", "notes", "middle", "row"]) byId(part).inert = behind;
  const home = alarm && !behind ? byId("stage") : byId("sheet").parentElement;
  if (byId("toast").parentElement !== home) home.append(byId("toast"));
  paintTop();
  drawFaults(byId("faults"), view, w);
  const look = { all, ahead: () => turn(all[(all.indexOf(shown) + 1) % all.length].id) };
  fresh(byId("panel"), [shown, shown && all], (node) => drawPanel(node, shown, look, w, submit));
  fresh(byId("notes"), !alarm && [settled, view.reminders, view.notices], (node) =>
    drawNotes(node, settled, alarm ? [] : view.reminders, alarm ? [] : view.notices, w));
  const kind = rowKind(view, ui.seat, alarm ? gravest : null);
  const { hand, seats, setup, table } = view;
  fresh(byId("row"), [kind, hand, setup, ui.seat && seats, ui.seat, ui.allIn, table.betting], (node) => {
    drawRow(node, kind, view, ui, w, act);
    shrink(node.querySelectorAll(".say > *, button"));
  });
  paintRail(rail, { view, w, alarm, unacknowledged, sheet: ui.sheet });
  fresh(byId("sheet"), ui.sheet && [ui.sheet, ui.said, basis(ui.sheet, view)], (node) => {
    drawSheet(node, ui.sheet, ui.said, view, w, act);
    shrink(node.querySelectorAll("h2, .tile"));
  });
  paintTable(front);
  byId("open").hidden = !alarm || table.mode !== "open"; // the top line has it otherwise
  byId("open").textContent = w.openMode;
  fresh(byId("say"), shown && [shown.id, shown.stage, shown.ruling?.verdict], (node) => {
    const told = (i) => (i.stage === "suspicion" ? w.question(i.question, i) : i.ruling ? w.verdict(governing(i, all) ?? i.ruling)[0] : w.rate.stop);
    node.textContent = shown ? [w.headline(shown), told(shown)].join(". ") : "";
  });
}

const paint = () => present(view, w, render);

await speak(document.documentElement.lang);
listen({
  onState(state) {
    view = { faults: [], reminders: [], notices: [], readers: [], degraded: [], weak: [], checks_off: [], board_cards: [], ...state };
    const now = new Set(state.irregularities.filter((i) => i.stage === "confirmed" && !i.acknowledged).map((i) => i.id));
    // A new alarm never waits behind an open sheet, nor behind another irregularity.
    if ([...now].some((id) => !alarms.has(id))) {
      if (ui.sheet && ui.sheet !== "menu") kept = { sheet: ui.sheet, said: ui.said };
      if (ui.sheet) keysStillCome();
      ui.sheet = ui.front = null;
    }
    alarms = now;
    if (state.front !== undefined && !turning) ui.front = state.front;
    paint();
    tellPress(view.press);
    // No alarm waits for its words: it is shown in the last language, and in the new one as soon as that is here.
    if (state.table.language !== w.language) speak(state.table.language).then(() => byId("cover").hidden && paint());
  },
  onDown: (seconds) => cover(w.link, w.silent(seconds), w),
});

new ResizeObserver(() => render()).observe(byId("stage"));
new ResizeObserver(() => fit(byId("panel"))).observe(byId("middle"));
new ResizeObserver(() => shrink([byId("top"), ...byId("row").querySelectorAll(".say > *")])).observe(byId("row"));
const keysStillCome = listenToKeys({
  page: () => ({ view, act, chosen: ui.seat }),
  close() {
    const open = Boolean(ui.sheet || ui.seat);
    if (ui.sheet) show(null); else if (ui.seat) choose(ui.seat);
    return open;
  },
  refuse: () => toast(w.refused(w.notNow), "refused"),
});
document.addEventListener("contextmenu", (event) => event.preventDefault());
