// Keys: a keyboard, or a numeric pad beside the table. Owns what a bound key does now (the table says which key means what)
// and how the arrows move from button to button. Refuses entering anything by itself: it presses what the page shows, so
// that nobody enters what he cannot see.

const FOCUSABLE = "button:not(:disabled), input, [tabindex='0']";
const ACTIONS = new Set(["fold", "check", "call", "bet", "raise"]);
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

// A digit on a sheet chooses its seat, or types itself.
function onSheet(seat) {
  const digit = `#sheet [data-digit='${seat % 10}']`;
  if (press(digit)) {
    document.querySelector("#sheet [data-enter]")?.focus();
    return true;
  }
  return press(`#sheet [data-seat='${seat}']`) || press(`#sheet [data-count='${seat % 10}']`);
}

function nextDeck({ table, hand }, act) {
  const { decks = [], deck } = table;
  if (decks.length < 2 || !["idle", "over"].includes(hand.phase)) return false;
  act.send({ do: "deck", id: decks[(decks.indexOf(deck) + 1) % decks.length] });
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
  next_deck: nextDeck, straddle,
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
function mean(name, view, act, chosen) {
  const seat = name.startsWith("seat_") ? Number(name.slice(5)) : 0, open = document.querySelector("#sheet:not([hidden])");
  if (seat) return open ? onSheet(seat) : press(`.seat-button[data-seat='${seat}']`);
  if (name.startsWith("open_")) {
    act.open(name.slice(5));
    return true;
  }
  return Object.hasOwn(DO, name) ? DO[name](view, act) : !open && action(name, view, act, chosen);
}

// `page` gives {view, act, chosen} of this moment; `refuse` says that a key means nothing now.
export function listenToKeys({ page, close, refuse }) {
  document.addEventListener("keydown", (event) => {
    const { view, act, chosen } = page();
    if (event.key === "Escape") return close();
    if (!view || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
    if (ARROWS[event.code]) {
      event.preventDefault();
      return move(ARROWS[event.code]);
    }
    const name = view.keys?.[event.code];
    // Whoever moves about with keys presses what he has reached.
    const reached = event.key === "Enter" && document.activeElement?.matches("button:focus-visible");
    if (!name || reached) return;
    event.preventDefault();
    if (!event.repeat && !mean(name, view, act, chosen)) refuse();
  });
}
