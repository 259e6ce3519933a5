// A keyboard on the screen, for a table that has no other: letters of the dealer's language, each key as large as a
// thumb. Owns the keys and the line that is typed; a real keyboard types into the same line. Refuses what is done with it.

import { h } from "./dom.js";

const LATIN = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const LETTERS = {
  en: LATIN, nl: ["qwertyuiopé", "asdfghjklëï", "zxcvbnmóöü"], it: ["qwertyuiopè", "asdfghjklòà", "zxcvbnmùìé"],
  pl: ["qwertyuiopó", "asdfghjkląś", "zxcvbnmłęćń"], ru: ["йцукенгшщзх", "фывапролджэ", "ячсмитьбюъё"],
};
const LAST = { pl: "źż-", ru: "-.’", it: "-.’", nl: "-.’", en: "-.’" };
const DIGITS = ["1234567890", "+-–/:;()&#", ".,?!’”%=_@"];

// A name has capitals where its words begin, a sentence where it begins.
const STARTS = { name: /(^|[\s\-’.])$/u, text: /(^|[.?!]\s)$/u };

// What stands in a line that is not entered yet, by its label. A sheet that an alarm closes, or that is drawn anew while it
// is written in, has it again, and so has one whose text the table did not take; whoever leaves the sheet himself wants
// it no more.
const drafts = new Map();
export const forget = () => drafts.clear();

// `kind`: name or text; `enter` gets the line, without spaces around it, and may promise whether it was taken.
export function typing({ w, kind, label, value = "", most, hint = "", empty = false, enter }) {
  const line = h("input", { type: "text", maxlength: most, inputmode: "none", autocomplete: "off", spellcheck: "false", placeholder: hint, "aria-label": label });
  line.value = drafts.get(label) ?? value;
  let digits = kind === "digits";
  const rows = h("div", { class: "keys" });
  const done = h("button", { type: "button", class: "enter", "data-enter": "", onclick: () => take() }, w.enter);
  const take = () => {
    if (done.disabled) return;
    const text = line.value;
    drafts.delete(label);
    Promise.resolve(enter(text.trim())).then((taken) => { if (taken === false) drafts.set(label, text); });
  };
  const paint = () => { done.disabled = !empty && !line.value.trim(); };
  const keep = () => {
    drafts.set(label, line.value);
    paint();
  };
  const put = (text) => {
    line.value = text.slice(0, most);
    line.scrollLeft = line.scrollWidth;
    keep();
  };
  const type = (letter) => put(line.value + (STARTS[kind]?.test(line.value) ? letter.toLocaleUpperCase(w.language) : letter));
  const key = (text, press, more = {}) => h("button", { type: "button", class: "key", onclick: press, ...more }, text);
  const draw = () => rows.replaceChildren(
    ...(digits ? DIGITS : LETTERS[w.language] ?? LATIN).map((row) =>
      h("div", { class: "keys-row" }, [...row].map((letter) => key(letter.toLocaleUpperCase(w.language), () => type(letter), { "data-key": letter })))),
    h("div", { class: "keys-row" },
      key(digits ? w.abc : w.digits, () => { digits = !digits; draw(); }, { class: "key wide", "data-key": "other" }),
      [...(LAST[w.language] ?? LAST.en)].map((sign) => key(sign.toLocaleUpperCase(w.language), () => type(sign), { "data-key": sign })),
      key(w.space, () => put(`${line.value} `), { class: "key space", "data-key": " " }),
      key(w.erase, () => put(line.value.slice(0, -1)), { class: "key wide", "data-key": "erase" })));
  rows.addEventListener("mousedown", (event) => event.preventDefault()); // the line keeps the focus, for a real keyboard beside it
  line.addEventListener("input", keep);
  line.addEventListener("keydown", (event) => { if (event.key === "Enter") take(); });
  draw();
  paint();
  return h("div", { class: "typing" }, h("div", { class: "line" }, line, done), rows);
}
