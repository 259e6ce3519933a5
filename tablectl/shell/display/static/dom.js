// Building elements. Owns nothing else; every text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, kids) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "onclick") node.addEventListener("click", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const kid of kids.flat(Infinity)) {
    if (kid !== null && kid !== undefined && kid !== false) node.append(kid);
  }
  return node;
}

export const h = (tag, props = {}, ...kids) => fill(document.createElement(tag), props, kids);

export const s = (tag, props = {}, ...kids) => fill(document.createElementNS(SVG, tag), props, kids);

export const byId = (id) => document.getElementById(id);

// Calls build only when `key` differs from the last one: a button under a finger is never replaced by its equal. What
// could not be built is tried again, and fails again: an old picture is not taken for the new one.
const seen = new WeakMap();
export function renew(node, key, build) {
  const text = JSON.stringify(key);
  if (seen.get(node) === text) return false;
  build(node);
  seen.set(node, text);
  return true;
}

// Long words in another language: the type shrinks, down to two thirds but no further than --least, until they fit
// their box.
export function shrink(nodes) {
  const root = getComputedStyle(document.documentElement);
  const floor = Number.parseFloat(root.getPropertyValue("--least")) * Number.parseFloat(root.fontSize) - 0.01; // sizes come rounded
  for (const node of nodes) {
    node.style.fontSize = "";
    const full = Number.parseFloat(getComputedStyle(node).fontSize);
    const least = Math.max(full * 0.65, floor);
    for (let size = full - 1; node.scrollWidth > node.clientWidth && size >= least; size -= 1) node.style.fontSize = `${size}px`;
  }
}

const ICONS = {
  ahead: "M8 4l8 8-8 8",
  antenna: "M12 12v9M8.500 8.5a5 5 0 0 1 7 0M5.5 5.5a9.2 9.2 0 0 1 13 0M12 12v.1",
  back: "M11 5l-7 7 7 7M4 12h16",
  cable: "M8 3v5M16 3v5M5 8h14v4a7 7 0 0 1-14 0zM12 19v3",
  card: "M6 3h12v18H6zM10 8.5l4 7M14 8.5l-4 7",
  acknowledge: "M5 12.5l4.5 4.5L19 7.5",
  floor: "M12 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-4.4 3.6-7 8-7s8 2.6 8 7",
  round: "M12 4a8 8 0 1 1-7.4 5M4 4v5h5M8.5 12.5l2.5 2.5 4.5-5",
  exposed: "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  undo: "M9 5L4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
  menu: "M4 6h16M4 12h16M4 18h16",
  watching: "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  close: "M5 5l14 14M19 5L5 19",
  alarm: "M12 2.5L23 21.5H1zM12 9.5v6M12 18v.6",
  unsure: "M8 8.5a4 4 0 1 1 5.6 3.7c-1 .5-1.6 1.2-1.6 2.3v.5M12 19v.6",
  unseen: "M3 3l18 18M6 7.5C3.5 9.2 2 12 2 12s3.6 6.5 10 6.500c1.5 0 2.8-.3 4-.8M10 5.700c.6-.1 1.3-.2 2-.2 6.4 0 10 6.5 10 6.500s-.8 1.4-2.3 3",
};

export const icon = (name) =>
  s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
