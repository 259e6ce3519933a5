// The technician's page. Owns which pane is open and who draws what. What is true comes from the table, whole, twice a
// second; nothing is remembered here but the last minute's counts of each reader.

import { drawAntennas } from "./antennas.js";
import { byId, h, icon, renew, shrink } from "./dom.js";
import { cover, present } from "./faults.js";
import { listen, send } from "./link.js";
import { drawReaders, Minute } from "./readers.js";
import { drawTest } from "./test.js";
import { tongue, wordsIn } from "./tongue.js";
import { workshop } from "./workshop.js";

const TOAST_MS = 6000;
const PANES = { antennas: "antenna", readers: "cable", test: "card", table: "back" };
// The dealer's own screen, from its menu: an alarm calls it back to the table, and so does a core that has stopped. A
// laptop stays where it is.
const ON_THE_TABLE = location.hash === "#table";

let view = null, w = workshop(tongue("en")), toastTimer = 0;
const minute = new Minute();

async function speak(language) {
  const found = await wordsIn(language, workshop);
  if (!found || (view && view.table.language !== language)) return;
  w = found;
  document.documentElement.lang = w.language;
  wayOut.textContent = w.rail.table;
}

// Back to the dealer's page, if there is one to go to: a browser's own error page would be worse than this one.
async function leave() {
  if ((await fetch("/").catch(() => null))?.ok) location.href = "/";
}
const wayOut = byId("cover").querySelector("a");
wayOut.addEventListener("click", (event) => { event.preventDefault(); leave(); });

const fresh = (node, key, build) => renew(node, [w.language, key], build);

async function enter(command) {
  const refused = await send(command, w, "/technician/test");
  if (!refused) return;
  const node = byId("toast");
  node.replaceChildren(icon("alarm"), h("span", {}, refused));
  node.className = "refused";
  node.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { node.hidden = true; }, TOAST_MS);
}

function open(pane) {
  if (pane === "table") return void leave();
  document.body.dataset.pane = pane;
  render();
}

const rail = Object.fromEntries(Object.entries(PANES).map(([name, sign]) => {
  const label = h("span", {});
  const button = h("button", { type: "button", "data-rail": name, onclick: () => open(name) }, icon(sign), label);
  byId("rail").append(button);
  return [name, { button, label }];
}));

function paintRail() {
  for (const [name, { button, label }] of Object.entries(rail)) {
    fresh(label, w.rail[name], () => { label.textContent = w.rail[name]; shrink([label]); });
    const here = name === document.body.dataset.pane;
    if (name !== "table") button.setAttribute("aria-pressed", String(here));
    button.classList.toggle("due", name === "test" && !here && Boolean(view.test));
  }
}

function paintTop() {
  const [notice] = view.notices ?? [];
  fresh(byId("top"), [view.table.id, view.table.mode, document.body.dataset.pane, view.missed, Boolean(view.test), notice], (node) => {
    node.replaceChildren(
      h("span", { class: "id" }, view.table.id),
      ...(view.table.mode === "open" ? [h("span", { class: "mode open" }, w.openMode)] : []),
      h("strong", {}, w.title[document.body.dataset.pane]),
      h("span", { class: "gap" }),
      view.test ? h("span", { class: "unsure" }, icon("alarm"), w.outOfPlay)
        : h("span", { class: "small" }, notice ? w.said(notice.text, notice.say) : w.missed(view.missed)),
      h("span", { class: "well" }, h("i", { class: "pulse" }), w.live));
    shrink([node]);
  });
}

function paintAlarm() {
  fresh(byId("alarm"), view.alarm.length > 0, (node) => {
    node.hidden = !view.alarm.length;
    node.replaceChildren(icon("alarm"), h("b", {}, w.alarm));
  });
}

function render() {
  if (!view) return;
  document.body.dataset.alarm = view.alarm.length ? "loud" : "none";
  paintRail();
  paintTop();
  paintAlarm();
  drawAntennas(byId("antennas"), view, w);
  drawReaders(byId("readers"), view, minute, w);
  drawTest(byId("test"), view, w, enter);
}

function paint() {
  if (ON_THE_TABLE && (view.alarm.length || view.stopped)) location.href = "/";
  present(view, w, render);
}

await speak(document.documentElement.lang);
listen({
  path: "/technician/events",
  onState(state) {
    const begins = !view && state.test; // a test goes on where it was: the page shows it
    view = state;
    minute.took(state.readers);
    if (begins) document.body.dataset.pane = "test";
    paint();
    if (state.table.language !== w.language) speak(state.table.language).then(() => byId("cover").hidden && paint());
  },
  onDown: (seconds) => cover(w.link, w.silent(seconds), w),
});

new ResizeObserver(() => render()).observe(byId("panes"));
document.addEventListener("contextmenu", (event) => event.preventDefault());
