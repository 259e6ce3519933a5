// Keys: a keyboard, or a numeric pad beside the table. Owns what a bound key does now (the table says which key means what)
// and how the arrows move from button to button. Refuses entering anything by itself: it presses what the page shows, so
// that nobody enters what he cannot see.

import { GAMES } from "./labels.js";
import { LANGUAGES } from "./tongue.js";

const FOCUSABLE = "button:not(:disabled), input, [tabindex='0']";
const ACTIONS = new Set(["fold", "check", "call", "bet", "raise"]);
// On an open sheet, and in the row of a chosen seat, nothing is raised or folded: there the large keys of a pad lead on and back.
const STEPS = { NumpadAdd: 1, NumpadSubtract: -1 };
const BACK = new Set(["NumpadDecimal", "NumpadComma", "NumpadBackspace", "Backspace"]);
// What a key still enters while a sheet lies over the table; everything else would be entered unseen.
const BEHIND = new Set(["menu", "next", "back", "close", "call_floor"]);
const SHEET = "#sheet:not([hidden])";
const PAUSE_MS = 1000; // who types looks at the keys; after so long without one he has seen that his sheet is gone
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const visible = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest("[inert]");
const middle = (node) => {
  const box = node.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

// The nearest button in that direction; what lies aside of the way counts double.
function move([dx, dy]) {
  const from = document.activeElement?.matches(FOCUSABLE) ? document.activeElement : null;
  const all = [...document.querySelectorAll(FOCUSABLE)].filter(visible);
  if (!from) return (all.find((node) => node.closest("#panel, #sheet")) ?? all.find((node) => node.closest("#row")) ?? all[0])?.focus();
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const node of all) {
    const [nx, ny] = middle(node);
    const ahead = (nx - x) * dx + (ny - y) * dy, aside = Math.abs((nx - x) * dy) + Math.abs((ny - y) * dx);
    const cost = ahead + 2 * aside;
    if (node !== from && ahead > 4 && cost < least) [best, least] = [node, cost];
  }
  best?.focus();
}

// Presses what is there; false if it is not there now.
function press(selector) {
  const node = [...document.querySelectorAll(selector)].find((each) => !each.disabled && visible(each));
  node?.click();
  return Boolean(node);
}

// The next button, or the one before, of what is in front: a sheet, the row of a chosen seat, else everything but the seats.
function step(by) {
  const inFront = [SHEET, "#row.seat"].find((each) => document.querySelector(each));
  const all = (inFront ? [inFront] : ["#panel", "#row", "#rail"])
    .flatMap((each) => [...document.querySelectorAll(`${each} :is(${FOCUSABLE})`)]).filter(visible);
  const at = all.indexOf(document.activeElement);
  all.at(at < 0 ? Math.min(by, 0) : (at + by) % all.length)?.focus();
  return all.length > 0;
}

// A digit on a sheet chooses its seat, or types itself; then Enter enters.
function onSheet(seat) {
  const found = [`[data-digit='${seat % 10}']`, `[data-seat='${seat}']`, `[data-count='${seat % 10}']`].some((each) => press(`#sheet ${each}`));
  document.querySelector(`${SHEET} [data-enter]:not(:disabled)`)?.focus();
  return found;
}

// A seat of the table; what can be entered of it in the row has the focus then.
function chooseSeat(seat) {
  const found = press(`.seat-button[data-seat='${seat}']`);
  document.querySelector("#row [data-seat-do]:not(:disabled)")?.focus();
  return found;
}

function nextDeck({ table }, act) {
  const { decks = [], deck } = table;
  if (decks.length < 2) return false;
  act.send({ do: "deck", id: after(decks, deck) });
  return true;
}

// The one after the present one; after the last the first again.
const after = (all, now) => all[(all.indexOf(now) + 1) % all.length];

function nextButton({ setup, table }, act) {
  const seats = setup?.eligible ?? [];
  if (!table.has_button || !seats.length) return false;
  act.send({ do: "button", seat: seats.find((seat) => seat > (setup.button ?? 0)) ?? seats[0] });
  return true;
}

function exposed({ hand }, by, act) {
  if (!hand.last) return false;
  act.send({ do: "exposed", ...hand.last, ...(by && { by }) });
  return true;
}

function straddle({ hand }, act) {
  const [seat] = hand.may_straddle ?? [];
  if (seat) act.send({ do: "straddle", seat });
  return Boolean(seat);
}

const direct = (name) => (view, act) => { act.menu(name); return true; };
const rail = (name) => () => press(`#rail [data-rail=${name}]`);
const choice = (which) => () => press(`#panel [data-do=answer]${which}`);

const DO = {
  acknowledge: rail("acknowledge"), call_floor: rail("call_floor"), round_closed: rail("round_closed"), undo: rail("undo"), menu: rail("menu"),
  step_done: () => press("#panel [data-do=step_done]"), ahead: () => press("#panel [data-do=ahead]"),
  yes: choice("[data-value='true']"), no: choice("[data-value='false']"), all_in: () => press("#row [data-action=all_in]"),
  answer_1: choice(":nth-of-type(1)"), answer_2: choice(":nth-of-type(2)"), answer_3: choice(":nth-of-type(3)"),
  exposed: (view, act) => exposed(view, null, act), exposed_by_dealer: (view, act) => exposed(view, "dealer", act), exposed_by_player: (view, act) => exposed(view, "player", act),
  cut_exposed: (view, act) => { act.send({ do: "cut_exposed", count: 1 }); return true; },
  next_deck: nextDeck, next_button: nextButton, straddle, next: () => step(1), back: () => step(-1),
  next_game: ({ table }, act) => { act.send({ do: "game", name: after(GAMES, table.next_game ?? table.game) }); return true; },
  next_language: ({ table }, act) => { act.send({ do: "language", code: after(Object.keys(LANGUAGES), table.language) }); return true; },
  run_twice: (view, act) => { act.send({ do: "run_twice", times: 2 }); return true; },
};
for (const name of ["shuffle_done", "cut_done", "showdown", "hand_end", "damaged", "stub_disordered", "night"]) DO[name] = direct(name);

function action(name, view, act, chosen) {
  const [what, allIn] = [name.replace(/_all_in$/, ""), name.endsWith("_all_in")];
  const seat = chosen ?? view.hand.to_act;
  if (!seat || !ACTIONS.has(what)) return false;
  act.action(seat, what, allIn || undefined);
  return true;
}

// True if the key meant something now.
function mean(name, { view, act, chosen }, close) {
  const seat = name.startsWith("seat_") ? Number(name.slice(5)) : 0, open = document.querySelector(SHEET);
  if (seat) return open ? onSheet(seat) : chooseSeat(seat);
  if (name.startsWith("open_")) {
    act.open(name.slice(5));
    return true;
  }
  if (open && !BEHIND.has(name)) return false;
  if (name === "close") return close();
  return Object.hasOwn(DO, name) ? DO[name](view, act) : action(name, view, act, chosen);
}

// A sheet in which something is written: whatever is typed goes into its line, wherever the focus is.
function write(event, line, reached) {
  if (event.key === "Enter" && !reached) {
    event.preventDefault();
    press("#sheet [data-enter]");
  } else if ((event.key.length === 1 && !(reached && event.key === " ")) || event.key === "Backspace") line.focus();
}

// What a large key of a pad does for whoever moves about on a sheet, or in a chosen seat's row; null elsewhere.
function walk(code, close) {
  if (!document.querySelector(SHEET) && !document.activeElement?.closest("#row.seat")) return null;
  if (STEPS[code]) return () => step(STEPS[code]);
  return BACK.has(code) ? () => press("#sheet [data-erase]") || close() : null;
}

// `page` gives {view, act, chosen} of this moment; `close` shuts what is open, if anything is; `refuse` says that a key means nothing now.
// Returns what is called when the table has closed a sheet: the keys that are still meant for it are nothing to the table,
// until they stop for a while or the screen is touched.
export function listenToKeys({ page, close, refuse }) {
  let meantAt = -Infinity; // when the last key was pressed that was meant for the closed sheet
  document.addEventListener("pointerdown", () => { meantAt = -Infinity; }, true);
  document.addEventListener("keydown", (event) => {
    if (performance.now() - meantAt < PAUSE_MS && !document.querySelector(SHEET)) {
      meantAt = performance.now();
      event.preventDefault();
      return refuse();
    }
    const now = page(), { view } = now;
    if (event.key === "Escape") return close();
    if (!view || event.ctrlKey || event.altKey || event.metaKey) return;
    const name = view.keys?.[event.code], line = document.querySelector(`${SHEET} input`);
    // Whoever moves about with keys presses what he has reached.
    const reached = document.activeElement?.matches("button:focus-visible") === true;
    const moves = ["next", "back", "close"].includes(name);
    if (ARROWS[event.code] && event.target !== line) {
      event.preventDefault();
      return move(ARROWS[event.code]);
    }
    if (line && !moves) return event.target === line ? undefined : write(event, line, reached);
    if (event.key === "Enter" && reached) return;
    const digit = document.querySelector(SHEET) && /^(?:Numpad|Digit)(\d)$/.exec(event.code);
    const does = digit ? () => onSheet(Number(digit[1]) || 10) : walk(event.code, close) ?? (name && (() => mean(name, now, close)));
    if (!does) return;
    event.preventDefault();
    if (!event.repeat && !does()) refuse();
  });
  return () => { meantAt = performance.now(); };
}
