// Every word the technician reads, beside the dealer's. Owns wording only; the ids are English, as in words.js.

import { cap } from "./tongue.js";
import { words } from "./words.js";

const HALF_MINUTE = 30, MINUTE = 60, HOUR = 3600; // s

function page({ say, form, many, language }) {
  const share = new Intl.NumberFormat(language, { style: "percent" });
  const plain = new Intl.NumberFormat(language), tenth = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const number = (value, digits = 0) => (digits ? tenth : plain).format(value);
  return {
    number, share: (part) => share.format(part),
    rail: { antennas: say("Antennas"), readers: say("Readers"), test: say("Antenna test"), table: say("Back to the table") },
    title: { antennas: say("Antennas"), readers: say("Readers"), test: say("Antenna test") },
    live: say("live"), outOfPlay: say("Nothing is being checked."),
    missed: (part) => (part ? say("Looks that miss their card: {share}", { share: share.format(part) }) : ""),
    alarm: say("The table has raised an alarm."),
    columns: [
      form("column", "Place"), form("column", "ID"), form("column", "State"), form("column", "Looks/s"), form("column", "Read"),
      form("column", "Strength"), form("column", "Beside"), form("column", "Last card"),
    ],
    read: form("column", "Read"), strength: form("column", "Strength"), beside: form("column", "Also read by"),
    states: {
      good: form("antenna", "good"), idle: form("antenna", "no card"), heard: form("antenna", "reads"), piled: form("antenna", "piled cards"), weak: form("antenna", "weak"), poor: form("antenna", "poor"),
      beside: form("antenna", "read beside"), open: form("antenna", "open"), shorted: form("antenna", "shorted"), silent: form("antenna", "silent"),
      unseen: form("antenna", "not looked at"), unread: form("antenna", "no reader"),
    },
    tags: (count) => many("{count} card", "{count} cards", count),
    never: form("last card", "never"),
    ago: (ms) => {
      const seconds = Math.round(ms / 1000);
      if (seconds < 2) return form("last card", "now");
      if (seconds < MINUTE + HALF_MINUTE) return form("last card", "{count} s", { count: seconds });
      if (seconds < HOUR) return form("last card", "{count} min", { count: Math.round(seconds / MINUTE) });
      return form("last card", "{count} h", { count: Math.round(seconds / HOUR) });
    },
    reads: (place, part) => say("{place}: {share}", { place, share: share.format(part) }),
    ofLooks: (reads, looks) => say("{reads} of {looks}", { reads, looks }),
  };
}

function boards({ say }) {
  return {
    counters: {
      frames: say("Frames"), lost_frames: say("Lost frames"), bad_crc: say("Bad checksums"), reboots: say("Restarts"),
      // On the line.
      bytes: say("Bytes"), bad_cobs: say("Damaged frames"), too_long: say("Frames too long"), noise_bytes: say("Stray bytes"),
      bad_body: say("Frames without sense"), extra_bytes: say("Bytes to spare"), unknown_kind: say("Unknown frames"),
      unknown_values: say("Unknown values"), duplicates: say("Frames twice"), gaps: say("Gaps"), doubted_antennas: say("Looks in doubt"),
      before_hello: say("Frames before the greeting"), opened: say("Port opened"), reopened: say("Port opened again"),
      stolen_reads: say("Reads that another program took"), unsent_frames: say("Frames not sent"),
      // What it reads.
      looks: say("Looks"), cards: say("Cards read"), noise_uids: say("Damaged UIDs"), unmapped_antenna: say("Looks not configured"),
      failed_looks: say("Failed looks"), unread_looks: say("Unreadable looks"), slow_looks: say("Slow looks"),
      // What it is asked.
      hello_asked: say("Greetings asked for"), commands: say("Commands"), command_timeouts: say("Commands without an answer"),
      command_failures: say("Commands that failed"), stray_results: say("Answers to nothing"), refused: say("Greetings refused"),
      refusals: say("Commands refused"), async_events: say("Unasked messages"), log_lines: say("Log lines"), log_lines_dropped: say("Log lines left out"),
    },
    rising: (count) => say("+{count}/min", { count }),
    board: (id) => say("Board {id}", { id }),
    clean: say("Its line is clean."),
    wasBad: (seconds) => say("It lost frames before; none in the last {count} s.", { count: seconds }),
    cable: say("Its line loses frames: check cable and plug."),
    power: say("It has restarted: check its power."),
    leftOut: say("Left out as noise:"), nothing: say("nothing"),
    noise: {
      "unknown UID read once": say("tags of no deck, read once"), "malformed UID": say("damaged UIDs"),
      "antenna not in the configuration": say("antennas that are not configured"),
    },
  };
}

function test({ say, form, many }, place) {
  const told = {
    empty: () => say("Nothing is read here yet."),
    elsewhere: (t) => say("A card is read elsewhere: {place}. Are cables swapped?", { place: place(t.zone) }),
    reading: () => say("Hold still …"),
    good: () => say("Good."),
    weak: () => say("Weak: few looks read it. Lay it flat, or check the antenna."),
    beside: (t) => say("Another antenna reads it as well: {place}.", { place: place(t.zone) }),
    several: () => say("More than one card is read here. Leave one."),
    blind: () => say("Nobody looks here. Check the reader."),
  };
  const short = { weak: form("antenna", "weak"), beside: form("antenna", "read beside") };
  return {
    title: say("One card, one antenna after the other"),
    about: say("Lay a card where the lamp blinks. When it is read well, the next lamp follows by itself."),
    blind: say("Until the end of the test the table checks nothing, and every display says so."),
    wait: say("A hand is being played. Wait until it is over."),
    begin: say("Begin the test"), before: say("Back"), after: say("Next"), end: say("End the test"),
    lay: (number, count) => say("{number} of {count}: lay one card here", { number, count }),
    told: (t) => told[t.state](t),
    short: (t) => short[t?.state] ?? form("antenna", "not tested"),
    all: say("All antennas read well."),
    left: (count) => many("{count} antenna is left", "{count} antennas are left", count),
  };
}

// All of it in one language, with the dealer's words that both pages share.
export function workshop(tongue) {
  const dealer = words(tongue);
  const { form, say } = tongue;
  const short = { shoe: form("map", "Shoe"), board: form("map", "Board"), burn: form("pile", "Burn"), muck: form("pile", "Muck"), aside: form("map", "Aside") };
  const place = (zone) => short[zone] ?? cap(dealer.zone(zone));
  return { ...dealer, ...page(tongue), ...boards(tongue), place, map: say("The table from the dealer’s side"), test: test(tongue, place) };
}
