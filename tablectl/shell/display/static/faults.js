// What does not work, and what still does. Owns the strips above the table and the cover that takes the place of a
// picture which cannot be trusted; refuses wording, and the full list (the table's status has it).

import { byId, h, icon, renew } from "./dom.js";

const STRIPS = 2; // more would leave no room for the table

// Readers that do not look, without those whose zones say so already.
function silent(view) {
  const told = view.degraded.map((each) => each.why).join(" ");
  return view.readers.filter((r) => r.state !== "ok" && !told.includes(`reader ${r.reader} `));
}

// No zone is left that anybody looks at.
function blind(view) {
  const unseen = new Set(view.degraded.map((each) => each.zone));
  const zones = view.readers.flatMap((r) => r.zones ?? []);
  return zones.length > 0 && zones.every((zone) => unseen.has(zone));
}

const whys = (all, w) => [...byWhy(all)].map(([why, [first]]) => w.said(why, first.say)).join(", ");

const byWhy = (all) => all.reduce((found, each) => found.set(each.why, [...(found.get(each.why) ?? []), each]), new Map());

// [colour, what, what that means] of each; the gravest first.
function strips(view, w) {
  const red = view.faults.map((f) => {
    const [why, works] = [w.said(f.text, f.say), w.works(f.what)]; // what it means for the dealer goes first
    return ["red", `${w.what(f.what)}: ${works || why}`, works && why];
  });
  if (view.faults.some((f) => f.what === "test")) return red; // nothing is watched, and everybody knows why
  if (blind(view)) return [["red", `${w.blindTable}: ${w.works("core")}`, whys(view.degraded, w)], ...red];
  const unseen = [...byWhy(view.degraded)].map(([why, all]) => {
    const checks = [...new Set(all.flatMap((each) => each.suspends))];
    return ["amber", `${w.unwatched(all.map((each) => each.zone))}: ${w.said(why, all[0].say)}`, checks.length ? w.off(checks) : ""];
  });
  const away = silent(view).map((r) => ["amber", `${w.reader(r)}: ${w.said(r.text, r.say)}`, r.zones?.length ? w.doubtful(r.zones) : ""]);
  const weak = [...byWhy(view.weak)].map(([why, all]) => ["amber", `${w.weakly(all.map((each) => each.zone))}: ${w.said(why, all[0].say)}`, w.late]);
  return [...red, ...unseen, ...away, ...weak];
}

export const allWell = (view) => ![view.faults, view.degraded, view.weak].some((each) => each.length) && view.readers.every((r) => r.state === "ok");

export function drawFaults(node, view, w) {
  const all = strips(view, w);
  renew(node, [w.language, all], () => node.replaceChildren(
    ...all.slice(0, STRIPS).map(([kind, what, rest], n) =>
      h("div", { class: `strip ${kind}` }, icon(kind === "red" ? "alarm" : "unseen"),
        h("p", {}, h("b", {}, what), h("span", {}, n === STRIPS - 1 && all.length > STRIPS ? w.more(all.length - STRIPS) : rest))))));
}

// Over everything: [title, text] and, smaller, a detail; a way out that the page came with stays.
export function cover([title, text], detail, w) {
  byId("cover").hidden = false;
  renew(byId("cover"), [w.language, title, text, detail], (node) =>
    node.replaceChildren(h("h1", {}, title), h("p", {}, text), h("p", { class: "small" }, detail), ...node.querySelectorAll("a")));
}

function uncover() {
  byId("cover").hidden = true;
  byId("cover").classList.remove("first");
}

// Has `render` draw the view. A picture that may be old, or wrong, is never left to be taken for calm.
export function present(view, w, render) {
  if (view.stopped) {
    cover(w.stopped, w.dark, w);
    return;
  }
  try {
    render();
    uncover();
  } catch (wrong) {
    cover(w.broken, String(wrong), w);
    throw wrong;
  }
}
