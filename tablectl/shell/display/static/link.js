// The line to the table: states in, inputs out. Owns the watch over silence; refuses to show anything.
//
// What counts as a word from the table is a state, or a beat that names the very state that is shown: the table's core
// says so twice a second. A line that merely stands, or a server that merely answers, proves nothing.

const SILENT_MS = 2000; // four missed beats are a dead link
const LOOK_MS = 200;
const RETRY_MS = 1500;

// Calls onState(state) for every state, onDown(seconds of silence) while nothing is heard.
export function listen({ path = "/events", onState, onDown }) {
  let source = null, heard = performance.now(), tried = 0, page = null, shown = null;

  function open() {
    source?.close();
    tried = performance.now();
    source = new EventSource(path);
    source.addEventListener("hello", (event) => {
      const mine = JSON.parse(event.data).page;
      // The page's files have changed on the table: run the new ones.
      if (page !== null && page !== mine) location.reload();
      page = mine;
    });
    source.addEventListener("state", (event) => {
      heard = performance.now();
      shown = event.lastEventId;
      onState(JSON.parse(event.data));
    });
    source.addEventListener("beat", (event) => {
      // A beat for a state that never came: the picture is old although the line lives.
      if (event.data === shown) heard = performance.now();
    });
  }

  open();
  setInterval(() => {
    const now = performance.now();
    const silent = now - heard;
    if (silent > SILENT_MS) onDown(Math.round(silent / 1000));
    const refused = source.readyState === EventSource.CLOSED;
    if ((silent > SILENT_MS || refused) && now - tried > RETRY_MS) {
      open();
      if (refused) signIn();
    }
  }, LOOK_MS);
}

// Whose sign-in is over gets to the page where it begins. The table's own screen needs none.
async function signIn() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.assign("/sign-in");
}

// Sends one input. Resolves to null, or to the reason in words why the table did not take it.
export async function send(input, w, path = "/input") {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(4000),
    });
  } catch {
    return w.noLink;
  }
  if (answer.ok) return null;
  try {
    const { error, say } = await answer.json();
    return error ? w.said(error, say) : w.offline;
  } catch {
    return w.offline;
  }
}
