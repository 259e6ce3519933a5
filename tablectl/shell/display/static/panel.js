// The alarm panel: what, the verdict, the steps or the question, and what else waits. Owns that part of the page. A doubt
// that the dealer is asked about stands there too, and is none: no red, no verdict.

import { h, icon } from "./dom.js";
import { picture } from "./pictures.js";

const SHOWN_STEPS = 5;

const GOVERNS = new Set(["void", "misdeal"]);

// The ruling of another irregularity that decides this one, too: a misdeal or void, unless this one's own ruling goes on,
// is asked about, or is the floor's. What was ruled before, provisionally or not, is no longer what is done.
export function governing(i, all) {
  const own = i.ruling && (GOVERNS.has(i.ruling.verdict) || i.question || i.ruling.rulebook === "" || Number.isInteger(i.step) || i.steps_done?.length);
  return own || i.stage !== "confirmed" ? null : all.find((each) => each !== i && GOVERNS.has(each.ruling?.verdict))?.ruling ?? null;
}

function verdictOf(i, governs, w) {
  const r = i.ruling;
  if (governs) return h("div", { class: `verdict ${governs.verdict}` }, h("strong", {}, w.verdict(governs)[0]), h("span", { class: "sub" }, w.rate.governs));
  if (!r) return h("div", { class: "verdict stop" }, h("strong", {}, w.rate.stop), h("span", { class: "sub" }, w.rate.follows));
  const [name, sub] = w.verdict(r);
  const rest = [sub, w.bets(r), w.button(r)].filter(Boolean).join(" · ");
  return h("div", { class: `verdict ${r.verdict}` },
    h("strong", {}, name),
    rest && h("span", { class: "sub" }, rest),
    h("span", { class: "law" }, w.law(r)),
    r.hint && w.hint(r) && h("span", { class: "law hint" }, w.hint(r)),
    r.provisional && i.question && h("span", { class: "provisional" }, w.rate.provisional));
}

function stepsOf(i, w, submit, brief) {
  const all = i.ruling?.steps ?? [];
  if (!all.length) return null;
  const done = new Set(i.steps_done ?? []);
  const now = i.step ?? -1;
  let from = Math.max(0, Math.min(now - 1, all.length - SHOWN_STEPS));
  let to = from + SHOWN_STEPS;
  if (brief) [from, to] = [Math.max(now, 0), Math.max(now, 0) + 1];
  const rows = all.slice(from, to).map((step, n) => {
    const index = from + n;
    const words = w.step(step, i);
    if (index === now) {
      // Named, so that a step which the antennas have just seen is not ticked for the one after it.
      const press = () => submit({ do: "step_done", irregularity: i.id, step: index });
      return h("li", { class: "now", "aria-current": "step" },
        h("span", { class: "no" }, index + 1), h("div", { class: "what" }, h("span", { class: "do" }, words), picture(step, i, w)),
        h("button", { class: "done", type: "button", "data-do": "step_done", "aria-label": `${w.rate.done}: ${words}`, onclick: press },
          icon("acknowledge"), w.rate.done));
    }
    const ticked = done.has(index);
    return h("li", { class: ticked ? "past" : "later" }, h("span", { class: "no" }, ticked ? icon("acknowledge") : index + 1), h("span", { class: "do" }, words));
  });
  const left = Math.max(0, all.length - to);
  return h("ol", { class: "steps" }, rows, !brief && h("li", { class: "left", "data-left": left, hidden: !left }, `+ ${left}`));
}

function questionOf(i, w, submit) {
  const q = i.question;
  if (!q) return null;
  const words = w.question(q, i), evidence = i.stage === "suspicion" && w.evidence(i);
  return h("div", { class: "question", role: "group", "aria-label": words },
    h("p", {}, words),
    evidence && h("small", {}, evidence),
    h("div", { class: "choices" }, q.choices.map((value) =>
      h("button", { type: "button", "data-do": "answer", "data-value": String(value), onclick: () => submit({ do: "answer", question: q.id, value }) }, w.choice(value, q)))));
}

function othersOf(rest, all, w) {
  if (!rest.length) return null;
  const line = (i) => h("li", {}, icon(i.stage === "confirmed" ? "alarm" : "unsure"), h("span", {}, said(i, all, w)));
  return h("ul", { class: "others", "aria-label": w.rate.also }, rest.slice(0, 2).map(line),
    rest.length > 2 && h("li", { class: "left" }, `+ ${rest.length - 2}`));
}

const said = (i, all, w) => (i.ruling && !governing(i, all) ? `${w.headline(i)}: ${w.verdict(i.ruling)[0].toLocaleLowerCase()}` : w.headline(i));

// `all` that can be looked at, the gravest first; `ahead` shows the one after `front`.
export function drawPanel(node, front, { all, ahead }, w, submit) {
  node.hidden = !front;
  if (!front) return node.replaceChildren();
  const doubt = front.stage === "suspicion", at = all.indexOf(front);
  node.className = doubt ? "doubt" : front.acknowledged ? "calmed" : "loud";
  const more = all.length > 1 && h("button", { type: "button", class: "more", "data-do": "ahead", "aria-label": w.others(at + 1, all.length), onclick: ahead }, `${at + 1}/${all.length}`, icon("ahead"));
  const rest = all.filter((i) => i !== front), governs = governing(front, all);
  node.replaceChildren(
    h("header", {}, icon(doubt ? "unsure" : "alarm"), h("h1", {}, w.headline(front).replace(/ (?=\d)/g, "\u00a0")), more),
    h("div", { class: "body" }, !doubt && verdictOf(front, governs, w), questionOf(front, w, submit), !governs && stepsOf(front, w, submit, Boolean(front.question)), othersOf(rest, all, w)));
  fit(node);
}

// What gives way when the words are long, one after the other, each with the type sizes that are tried: nothing is cut,
// and what is due now stays longest. How many others there are stands in the head, how many steps are left below the
// last one that is seen. An open question goes before a hint and, at the very last, before the step: the ruling that
// follows the answer brings its own.
const LARGE = [1, 0.94, 0.88], SMALLER = [0.94, 0.88, 0.82, 0.76];
const GIVE_WAY = [
  ["later", LARGE], ["others", SMALLER], ["hint", SMALLER], ["spare", SMALLER], ["past", SMALLER], ["low", SMALLER], ["sub", SMALLER],
  ["number", SMALLER], ["law", SMALLER], ["words", SMALLER], ["picture", SMALLER], ["verdict", [0.82, 0.7]], ["steps", [0.88, 0.7]],
];

// The ways in which a panel can be laid out, the best first: [size, how many of the later steps are away, what gave way].
function* layouts(later) {
  for (const size of LARGE) yield [size, 0, []];
  for (let away = 1; away <= later; away += 1) for (const size of LARGE) yield [size, away, []];
  for (let n = 2; n <= GIVE_WAY.length; n += 1) {
    for (const size of GIVE_WAY[n - 1][1]) yield [size, later, GIVE_WAY.slice(1, n).map(([what]) => what)];
  }
}

export function fit(panel) {
  if (panel.hidden) return;
  const node = panel.querySelector(".body"), asks = node.querySelector(".question"), left = node.querySelector(".steps .left");
  const all = (selector) => [...node.querySelectorAll(selector)];
  const later = all(".later");
  const parts = {
    others: all(".others"), hint: asks ? all(".hint") : [], past: all(".past"), sub: asks ? all(".sub") : [], number: all(".now .no"),
    law: asks ? all(".law:not(.hint)") : [], words: asks ? [] : all(".hint"), picture: all(".picture"), steps: asks ? all(".steps") : [],
  };
  const wide = () => all(".verdict strong, .do, .choices button").some((each) => each.scrollWidth > each.clientWidth + 1);
  for (const [size, away, gone] of layouts(later.length)) {
    node.style.fontSize = `${size}rem`;
    for (const [name, nodes] of Object.entries(parts)) for (const each of nodes) each.toggleAttribute("hidden", gone.includes(name));
    for (const name of ["spare", "low", "verdict"]) panel.classList.toggle(name, gone.includes(name));
    later.forEach((row, n) => { row.hidden = n >= later.length - away; });
    if (left) {
      const unseen = Number(left.dataset.left) + away;
      left.hidden = !unseen;
      left.textContent = `+ ${unseen}`;
    }
    if (node.scrollHeight <= node.clientHeight && !wide()) return;
  }
}

// What has been acknowledged and needs nothing more stays in sight as one line; so does what a rule asks for although
// nothing went wrong. A notice can wait for weeks: it comes last, and only where there is nothing else to read.
export function drawNotes(node, rest, reminders, notices, w) {
  const calm = rest.length || reminders.length ? [] : notices.slice(0, 1);
  node.hidden = ![rest, reminders, calm].some((each) => each.length);
  node.className = rest.length ? "" : calm.length ? "calm" : "due";
  node.replaceChildren(
    ...(reminders.length ? [h("li", { class: "due" }, icon("acknowledge"), h("span", {}, w.reminder(reminders)))] : []),
    ...rest.slice(0, 2).map((i) =>
      h("li", {}, icon("alarm"), h("span", {}, said(i, [], w)))),
    ...calm.map((each) => h("li", { class: "calm" }, icon("card"), h("span", {}, w.said(each.text, each.say)))));
}
