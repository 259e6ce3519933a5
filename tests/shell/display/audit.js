// Measures the page as a person would judge it: nothing cut off, every target large enough, every text readable.
// Returns a list of complaints; an empty list is a good page. Evaluated by test_page.py in the real browser.
(least) => {
  const bad = [];
  const name = (node) => `${node.tagName.toLowerCase()}${node.id ? "#" + node.id : ""}.${node.getAttribute("class") ?? ""} "${(node.textContent ?? "").trim().slice(0, 30)}"`;
  const visible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1;
  const sheet = document.querySelector("#sheet:not([hidden])");
  const hiddenBySheet = (node) => sheet && document.querySelector("main").contains(node) && !sheet.contains(node);
  const inside = (inner, outer, slack = 1) =>
    inner.left >= outer.left - slack && inner.right <= outer.right + slack && inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;

  // Nothing leaves the screen, nothing is cut by its box; what scrolls may go on below.
  const scrolls = (node) => { for (let up = node.parentElement; up; up = up.parentElement) if (getComputedStyle(up).overflowY === "auto") return true; return false; };
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const node of document.querySelectorAll("body *")) {
    if (!visible(node) || hiddenBySheet(node) || node.matches("svg *, option, .unseen")) continue;
    if (!inside(node.getBoundingClientRect(), screen) && !scrolls(node)) bad.push(`off the screen: ${name(node)}`);
    const style = getComputedStyle(node);
    const cuts = style.overflowX !== "visible" && style.overflowY !== "auto";
    if (cuts && node.matches(":not(svg)") && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)) bad.push(`cut: ${name(node)}`);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !visible(parent) || hiddenBySheet(parent) || parent.closest(".unseen")) continue;
    texts.push([walker.currentNode, parent]);
    const box = parent.closest("button, .say, header, #top, .strip, .verdict, .steps li, .question, .others, #toast, #cover, #stage");
    if (!box) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const rect of range.getClientRects()) {
      if (!inside(rect, box.getBoundingClientRect(), 1.5)) bad.push(`text leaves its box: ${name(parent)} in ${name(box)}`);
    }
  }

  // Every target is large enough for a thumb, and no two cover each other's centre.
  const targets = [...document.querySelectorAll("button, input")].filter((node) => visible(node) && !hiddenBySheet(node));
  for (const node of targets) {
    const rect = node.getBoundingClientRect();
    if (rect.width < least || rect.height < least) bad.push(`small target ${rect.width.toFixed(0)}×${rect.height.toFixed(0)}: ${name(node)}`);
    if (!(node.getAttribute("aria-label") ?? node.textContent).trim()) bad.push(`no name: ${name(node)}`);
    const top = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
    if (top && !node.contains(top) && !top.closest("#cover, #toast")) bad.push(`covered by ${name(top)}: ${name(node)}`);
  }

  // WCAG AA contrast of every text against what is painted under it.
  const channel = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const parse = (text) => { const n = text.match(/[\d.]+/g)?.map(Number); return n && text.startsWith("rgb") ? [n[0], n[1], n[2], n[3] ?? 1] : null; };
  const GRADIENTS = { felt: [23, 98, 74, 1], rail: [58, 52, 49, 1], weave: [127, 160, 219, 1] }; // the lightest shade of each
  const paint = (text) => { const id = text.match(/#(\w+)/)?.[1]; return id ? GRADIENTS[id] : parse(text); };
  const under = (node) => {
    if (node.namespaceURI.endsWith("svg")) {
      const r = node.getBoundingClientRect();
      const pile = document.elementsFromPoint(r.left + r.width / 2, r.top + r.height / 2);
      for (const each of pile) {
        if (each === node || !each.matches("svg rect, svg circle, svg path")) continue;
        const fill = paint(getComputedStyle(each).fill);
        if (fill && fill[3] === 1) return fill;
      }
      return [27, 29, 31, 1];
    }
    for (let up = node; up; up = up.parentElement) {
      const colour = parse(getComputedStyle(up).backgroundColor);
      if (colour && colour[3] > 0.99) return colour;
    }
    return [0, 0, 0, 1];
  };
  let measured = 0;
  for (const [, node] of texts) {
    if (node.closest(":disabled, .faded")) continue;
    const style = getComputedStyle(node);
    const ink = parse(node.namespaceURI.endsWith("svg") ? style.fill : style.color);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const got = ratio(ink, under(node));
    measured += 1;
    if (got < (large ? 3 : 4.5)) bad.push(`contrast ${got.toFixed(2)}: ${name(node)} ${style.color}/${style.fill} on ${under(node)}`);
  }
  if (!measured) bad.push("no text was measured");
  return [...new Set(bad)];
}
