// The line to the table: states in, inputs out. Owns the watch over silence; refuses to show anything.

const SILENT_MS = 3000; // the table beats once a second: three missed beats are a dead link
const RETRY_MS = 1500;

// Calls onState(state) for every state, onDown(seconds of silence) while nothing is heard.
export function listen({ onState, onDown }) {
  let source = null, heard = performance.now(), tried = 0, page = null, shown = -1, late = 0;

  const alive = () => { heard = performance.now(); };

  function open() {
    source?.close();
    tried = performance.now();
    source = new EventSource("/events");
    source.addEventListener("hello", (event) => {
      const mine = JSON.parse(event.data).page;
      // The page's files have changed on the table: run the new ones.
      if (page !== null && page !== mine) location.reload();
      page = mine;
      alive();
    });
    source.addEventListener("state", (event) => {
      alive();
      shown = Number(event.lastEventId);
      late = 0;
      onState(JSON.parse(event.data));
    });
    source.addEventListener("beat", (event) => {
      alive();
      // A beat that names a state we never got: the picture is old although the line lives.
      late = Number(event.data) === shown ? 0 : late + 1;
      if (late > 1) open();
    });
  }

  open();
  setInterval(() => {
    const now = performance.now();
    const silent = now - heard;
    if (silent > SILENT_MS) onDown(Math.round(silent / 1000));
    const waits = silent > SILENT_MS || source.readyState === EventSource.CLOSED;
    if (waits && now - tried > RETRY_MS) open();
  }, 250);
}

// Sends one input. Resolves to null, or to the reason in words why the table did not take it.
export async function send(input, w) {
  let answer;
  try {
    answer = await fetch("/input", {
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
