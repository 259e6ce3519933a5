// One language's catalogue, fetched and looked up. Owns plurals and placeholders; refuses wording (words.js) and reading
// catalogues (the table does, from tablectl/locale). Message ids are the English sentences themselves, so whatever a
// catalogue lacks is said in English.

export const LANGUAGES = { en: "English", nl: "Nederlands", it: "Italiano", ru: "Русский", pl: "Polski" };

export const cap = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
export const spaced = (text) => String(text).replaceAll("_", " ");

const FORMS = { one: 0, few: 1, many: 2 }; // the order of gettext's forms; "other" is a catalogue's last one

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

export function tongue(language, messages = {}) {
  const rule = new Intl.PluralRules(language);
  const find = (id) => (Object.hasOwn(messages, id) ? messages[id] : null);

  // A sentence: say("Seat {seat} was skipped", { seat: 3 }).
  const say = (id, values = {}) => fill(find(id) ?? id, values);

  // A part of a sentence, in the form that its place asks for: form("before", "the flop").
  const form = (context, id, values = {}) => fill(find(`${context}\u0004${id}`) ?? id, values);

  // A sentence that counts: many("{count} card", "{count} cards", 3).
  const many = (one, other, count, values = {}) => {
    const forms = find(one) ?? [one, other];
    return fill(forms[Math.min(FORMS[rule.select(count)] ?? 9, forms.length - 1)], { count, ...values });
  };

  // What the table says: [id, values] of a sentence with values (each again such a pair, or plain), or a plain text.
  const said = (given) => {
    if (!Array.isArray(given)) return say(String(given ?? ""));
    const values = Object.entries(given[1]).map(([name, value]) => [name, Array.isArray(value) ? said(value) : value]);
    return say(given[0], Object.fromEntries(values));
  };

  return { language, say, form, many, said };
}

// The words that `make` makes of a language, fetched once; null if they cannot be had now (the link has just died).
const spoken = new Map();
export async function wordsIn(language, make) {
  if (!spoken.has(language)) {
    try {
      const answer = await fetch(`/static/${language}.json`, { signal: AbortSignal.timeout(4000) });
      if (!answer.ok) return null;
      spoken.set(language, make(tongue(language, await answer.json())));
    } catch {
      return null;
    }
  }
  return spoken.get(language);
}
