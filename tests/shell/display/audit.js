// Measures the page as a person would judge it: nothing cut off, nothing covered, every target large enough, every text
// readable. Returns a list of complaints; an empty list is a good page. Evaluated in the real browser; test_audit.py
// proves that it complains.
(least) => {
  const bad = [];
  const name = (node) => `${node.tagName.toLowerCase()}${node.id ? "#" + node.id : ""}.${node.getAttribute("class") ?? ""} "${(node.textContent ?? "").trim().slice(0, 30)}"`;
  const visible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1;
  const drawn = (node) => node.namespaceURI.endsWith("svg") && !node.matches(".icon, .icon *, defs *");
  const sheet = document.querySelector("#sheet:not([hidden])"), cover = document.querySelector("#cover:not([hidden])");
  const hiddenBySheet = (node) => (sheet && document.querySelector("main").contains(node) && !sheet.contains(node) && !node.closest("#toast"))
    || (cover && !cover.contains(node));
  const inside = (inner, outer, slack = 1) =>
    inner.left >= outer.left - slack && inner.right <= outer.right + slack && inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;

  // Nothing leaves the screen, nothing is cut by its box; what scrolls may go on below. The drawing's own parts too.
  const scrolls = (node) => { for (let up = node.parentElement; up; up = up.parentElement) if (getComputedStyle(up).overflowY === "auto") return true; return false; };
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const node of document.querySelectorAll("body *")) {
    if (!visible(node) || hiddenBySheet(node) || node.matches("option, .unseen, defs *, .icon *, .cloth *")) continue;
    const rect = node.getBoundingClientRect();
    if (!inside(rect, screen) && !scrolls(node)) bad.push(`off the screen: ${name(node)}`);
    const frame = node.closest("#stage, svg.picture");
    if (drawn(node) && frame && node !== frame && !node.matches("g") && !inside(rect, frame.getBoundingClientRect(), 1.5)) bad.push(`leaves the drawing: ${name(node)}`);
    const style = getComputedStyle(node);
    const cuts = style.overflowX !== "visible" && style.overflowY !== "auto";
    if (cuts && !drawn(node) && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)) bad.push(`cut: ${name(node)}`);
  }

  // No text leaves its box, and none lies under the frame of a loud alarm.
  const framed = getComputedStyle(document.body, "::after");
  const width = framed.content === "none" || framed.content === "normal" || cover ? 0 : Number.parseFloat(framed.borderTopWidth);
  const within = { left: width, top: width, right: innerWidth - width, bottom: innerHeight - width };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !visible(parent) || hiddenBySheet(parent) || parent.closest(".unseen, defs")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const rects = [...range.getClientRects()];
    texts.push([parent, rects]);
    const box = parent.closest("button, .say, header, #top, .strip, .verdict, .steps li, .question, .others, #toast, #cover, #stage");
    for (const rect of rects) {
      if (box && !inside(rect, box.getBoundingClientRect(), 1.5)) bad.push(`text leaves its box: ${name(parent)} in ${name(box)}`);
      // The line's box is higher than its letters.
      const letters = { left: rect.left, right: rect.right, top: rect.top + rect.height * 0.2, bottom: rect.bottom - rect.height * 0.2 };
      if (width && inside(rect, screen) && !inside(letters, within, 0)) bad.push(`under the frame: ${name(parent)}`);
    }
  }

  // Every target is large enough for a thumb, and no two cover each other's centre.
  const targets = [...document.querySelectorAll("button, input, a")].filter((node) => visible(node) && !hiddenBySheet(node));
  for (const node of targets) {
    const rect = node.getBoundingClientRect();
    if (rect.width < least || rect.height < least) bad.push(`small target ${rect.width.toFixed(0)}×${rect.height.toFixed(0)}: ${name(node)}`);
    if (!(node.getAttribute("aria-label") ?? node.textContent).trim()) bad.push(`no name: ${name(node)}`);
    const top = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
    if (top && !node.contains(top) && !top.closest("#cover, #toast")) bad.push(`covered by ${name(top)}: ${name(node)}`);
  }

  const channel = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const parse = (text) => { const n = text.match(/[\d.]+/g)?.map(Number); return n && text.startsWith("rgb") ? [n[0], n[1], n[2], n[3] ?? 1] : null; };
  const GRADIENTS = { felt: [23, 98, 74, 1], rail: [58, 52, 49, 1], weave: [127, 160, 219, 1], "weave-red": [219, 127, 136, 1] }; // the lightest shade of each
  const paint = (text) => { const id = text.match(/#([\w-]+)/)?.[1]; return id ? GRADIENTS[id] : parse(text); };
  // How much of it comes through: its own opacity and that of everything it lies in.
  const strength = (node) => { let all = 1; for (let up = node; up; up = up.parentElement) all *= Number(getComputedStyle(up).opacity); return all; };
  // The colour and the strength with which a drawn shape covers what lies below it.
  const filled = (node) => {
    const style = getComputedStyle(node), line = node.matches(".arrow .line, .arrow .edge"); // they are hit where their stroke is
    const fill = line ? paint(style.stroke) : node.matches("rect, circle, path, ellipse") ? paint(style.fill) : null;
    return fill ? [fill, fill[3] * Number(style.fillOpacity) * strength(node)] : [null, 0];
  };
  const over = (ink, alpha, ground) => ink.slice(0, 3).map((v, n) => v * alpha + ground[n] * (1 - alpha));
  const at = (x, y) => document.elementsFromPoint(x, y);

  // Nothing covers what is drawn, except what belongs to it: a seat's sign on its plate, a count on its cards, the arrow
  // (which covers no text).
  const OWN = ".cloth, .seat, .hand, .pile, .board, .face, .back, .name, .pill, .badge";
  const belongs = (cover, node) => {
    if (cover === node || cover.contains(node) || node.contains(cover) || cover.matches(".count, .count-text, .dealer-letter")) return true;
    if (cover.matches(".arrow *") && !node.matches("text")) return true;
    const seat = cover.closest("[data-seat]")?.dataset.seat;
    if (seat && seat === node.closest("[data-seat]")?.dataset.seat) return true;
    const own = cover.closest(OWN)?.parentElement.closest(OWN) ?? cover.closest(OWN);
    return own !== null && own !== undefined && own.contains(node);
  };
  const covers = (x, y, node) => at(x, y).filter((each) => drawn(each) && node.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING)
    .find((each) => filled(each)[1] > 0.5 && !belongs(each, node));
  const look = (node, { left, top, width: wide, height }, most, inset) => {
    const hit = [];
    for (let column = 0; column < 7; column += 1) {
      for (let row = 0; row < 5; row += 1) {
        const x = left + wide * (inset + ((1 - 2 * inset) * column) / 6), y = top + height * (inset + ((1 - 2 * inset) * row) / 4);
        const found = covers(x, y, node);
        if (found) hit.push(found);
      }
    }
    if (hit.length > most * 35) bad.push(`covered by ${name(hit[0])}, ${hit.length} of 35: ${name(node)} ${node.closest("[data-seat]")?.dataset.seat ?? ""}`);
  };
  if (!sheet && !cover) {
    const THINGS = "#table :is(.plate, .board .paper, .board .slot, .pile .paper, .pile .slot, .hand .paper, .dealer-button, .straddle, .count, .tray), #table :is(.badge, .name, .pill) > :is(circle, rect)";
    for (const node of document.querySelectorAll(THINGS)) look(node, node.getBoundingClientRect(), 0.4, 0.15);
  }
  // Nor is a text covered: in the drawing by a shape, elsewhere by another part of the page.
  for (const [node, rects] of texts) {
    for (const rect of rects) {
      const letters = { left: rect.left, top: rect.top + rect.height * 0.25, width: rect.width, height: rect.height * 0.5 };
      if (drawn(node)) look(node, letters, 0.15, 0.05);
      else if (!scrolls(node)) {
        const top = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
        if (top && !top.contains(node) && !node.contains(top) && !top.closest("#toast, #cover")) bad.push(`covered by ${name(top)}: ${name(node)}`);
      }
    }
  }

  // WCAG AA contrast of every text against what is painted under it, in the strength in which both are seen.
  const under = (node) => {
    if (drawn(node)) {
      const r = node.getBoundingClientRect();
      const layers = [];
      for (const each of at(r.left + r.width / 2, r.top + r.height / 2)) {
        if (!drawn(each) || each === node || node.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) continue;
        const [fill, alpha] = filled(each);
        if (fill) layers.push([fill, alpha]);
        if (alpha > 0.99) break;
      }
      return layers.reverse().reduce((ground, [fill, alpha]) => over(fill, alpha, ground), plain(node.ownerSVGElement.parentElement));
    }
    return plain(node);
  };
  const plain = (node) => {
    const layers = [];
    for (let up = node; up; up = up.parentElement) {
      const style = getComputedStyle(up), colour = parse(style.backgroundColor);
      const shade = colour?.[3] > 0 ? colour : parse(style.backgroundImage.match(/rgb\([^)]*\)/)?.[0] ?? "");
      if (shade) layers.push(shade);
      if (shade?.[3] > 0.99) break;
    }
    return layers.reverse().reduce((ground, shade) => over(shade, shade[3], ground), [0, 0, 0]);
  };
  let measured = 0;
  for (const [node] of texts) {
    if (node.closest(":disabled")) continue;
    const style = getComputedStyle(node), ground = under(node);
    const colour = parse(drawn(node) ? style.fill : style.color);
    const ink = over(colour, colour[3] * strength(node) * (drawn(node) ? Number(style.fillOpacity) : 1), ground);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const got = ratio(ink, ground);
    measured += 1;
    if (got < (large ? 3 : 4.5)) bad.push(`contrast ${got.toFixed(2)}: ${name(node)} ${style.color}/${style.fill} on ${ground.map(Math.round)}`);
  }
  if (!measured) bad.push("no text was measured");
  return [...new Set(bad)];
}
