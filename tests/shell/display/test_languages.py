"""The page in every language, in a real Chromium at 800 by 480: nothing left in English, nothing cut off."""

from __future__ import annotations

import gettext
import io
import re
import runpy
import tomllib
from itertools import count, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest
from babel.messages.mofile import write_mo
from marked import MESSAGES, PLAIN, TEXTS, outside, speak_marked
from playwright.sync_api import Page, expect
from sizes import too_small

from tablectl.core.case import ASKABLE, FLOP_STREETS, STUD_STREETS
from tablectl.core.decisions import KINDS, Bets, Decider, Verdict
from tablectl.core.entries import LANGUAGES
from tablectl.core.finding import Doubt
from tablectl.core.steps import SETS
from tablectl.core.steps import STEPS as DOS
from tablectl.errors import UsageError
from tablectl.said import Said

if TYPE_CHECKING:
    from serving import Served

HERE = Path(__file__).parent
STATES = runpy.run_path(str(HERE / "states.py"))
ALL = STATES["ALL"]
SHEETS, STEPS, TARGET_PX = STATES["SHEETS"], STATES["STEPS"], STATES["TARGET_PX"]
PLAYERS, DEALERS = STATES["PLAYERS"], STATES["DEALERS"]
AUDIT = (HERE / "audit.js").read_text()

NUMBERS = count(1000)
"""Each state that is shown is another hand, so that a test does not look at the one before."""
WORDS = """async (language) => {
  const { tongue } = await import("/static/tongue.js");
  const { words } = await import("/static/words.js");
  return words(tongue(language, await (await fetch(`/static/${language}.json`)).json()));
}"""


# --- a language made of marks: what is not between them did not come from a catalogue ------------------------


@pytest.fixture
def marks(page: Page) -> None:
    """Polish is the marked language in this test."""
    speak_marked(page)


def in_language(state: dict[str, Any], language: str) -> dict[str, Any]:
    """The state of a table with that language."""
    state["table"]["language"] = language
    return state


def look(page: Page, served: Served, state: dict[str, Any]) -> None:
    """Shows a state, and waits until the page shows it, which its hand number tells, in its language."""
    state["hand"]["number"] = next(NUMBERS)
    served.show(state)
    if page.url == "about:blank":
        page.goto(served.display.url)
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("lang", state["table"]["language"])
    expect(page.locator("#top .hand-no")).to_contain_text(str(state["hand"]["number"]))


def open_sheet(page: Page, sheet: str) -> None:
    """Opens one of the sheets with touches."""
    if sheet == "exposed":
        page.locator("#rail [data-rail=exposed]").tap()
        return
    page.locator("#rail [data-rail=menu]").tap()
    if sheet != "menu":
        page.locator(f"#sheet [data-menu={sheet}]").tap()
    expect(page.locator("#sheet")).to_have_attribute("data-sheet", sheet)


def close_sheet(page: Page) -> None:
    """Closes it again."""
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()


DUE = """() => {
  const shown = (node) => Boolean(node?.checkVisibility());
  const wrong = [];
  for (const step of document.querySelectorAll("#panel [aria-current=step]")) {
    for (const part of [".do", ".picture", ".done"]) {
      if (!shown(step.querySelector(part))) wrong.push(`the step that is due has no ${part}`);
    }
  }
  return wrong;
}"""
"""The step that is due never gives way, nor its picture, nor its button."""


def complaints(page: Page) -> list[str]:
    """What a person would find wrong with the page as it stands."""
    found: list[str] = page.evaluate(f"({AUDIT})({TARGET_PX})")
    due: list[str] = page.evaluate(DUE)
    return found + due + too_small(page)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_state_and_sheet_fits_in_each_language(
    page: Page, served: Served, shots: Path | None, language: str
) -> None:
    """In every language nothing leaves the screen or its box, in every state and on every sheet; the type is
    as large as the place asks from which it is read, and the step that is due keeps its picture."""
    wrong = {}
    for name, make in ALL.items():
        look(page, served, in_language(make(), language))
        wrong[name] = complaints(page)
        if shots is not None:
            page.screenshot(path=shots / f"{language}-{name}.png", animations="disabled")
    for sheet in SHEETS:
        look(page, served, in_language(ALL["degraded" if sheet == "status" else "full_ring"](), language))
        open_sheet(page, sheet)
        wrong[sheet] = complaints(page)
        if shots is not None:
            page.screenshot(path=shots / f"{language}-sheet-{sheet}.png", animations="disabled")
        close_sheet(page)
    assert [f"{name}: {each}" for name, found in wrong.items() for each in found] == []


OF_PEOPLE = re.compile("|".join(f", {re.escape(name)}(?=,)" for name in PLAYERS))
"""A player's name where a seat is read aloud."""


@pytest.mark.usefixtures("marks")
def test_every_text_comes_from_a_catalogue(page: Page, served: Served) -> None:
    """In every state, on every sheet, in toasts and on the cover: no word is written past the catalogue."""
    seen: dict[str, list[str]] = {}

    def collect(where: str) -> None:
        texts = page.evaluate(TEXTS)
        assert texts
        seen[where] = [
            text
            for text in texts
            if text not in {*PLAYERS, *DEALERS}
            and not PLAIN.fullmatch(OF_PEOPLE.sub("", outside(text)).strip())
        ]

    for name, make in ALL.items():
        look(page, served, in_language(make(), "pl"))
        collect(name)
    for sheet in SHEETS:
        look(page, served, in_language(ALL["degraded" if sheet == "status" else "full_ring"](), "pl"))
        open_sheet(page, sheet)
        if sheet != "language":
            collect(sheet)
        close_sheet(page)
    look(page, served, in_language(ALL["calm"](), "pl"))
    page.locator("#row [data-action=call]").tap()
    expect(page.locator("#toast.taken")).to_be_visible()
    collect("taken")

    def refuse(_: object) -> None:
        raise UsageError(
            Said("question {given} is not open; open now: {names}", given=3, names=Said("no question"))
        )

    served.submit = refuse
    page.locator("#rail [data-rail=undo]").tap()
    expect(page.locator("#toast.refused")).to_be_visible()
    collect("refused")
    served.stop()
    expect(page.locator("#cover")).to_be_visible()
    collect("cover")
    assert {where: texts for where, texts in seen.items() if texts} == {}


@pytest.mark.usefixtures("marks")
def test_everything_the_core_can_say_has_words(page: Page, served: Served) -> None:
    """Each kind, check, verdict, step, fact, street and decider of the contract has words of its own."""
    look(page, served, in_language(ALL["calm"](), "pl"))
    seats = {"seat": 4, "expected": 3, "k": 5, "count": 3, "need": 2}
    streets = [*FLOP_STREETS, *STUD_STREETS]
    slips = [{"kind": kind, **seats, "street": "flop"} for kind in KINDS]
    slips += [{"kind": "burn_missing", "street": street} for street in streets]
    steps = [
        {"do": do, "seat": 4, "seats": [1, 2], "card": 7, "zone": "board:turn", "count": 2} for do in DOS
    ]
    steps += [{"do": "shuffle", "what": what} for what in SETS["shuffle"]]
    steps += [
        {"do": do, key: who} for do, key in (("call", "who"), ("pick", "by")) for who in SETS["decider"]
    ]
    steps += [{"do": "deal", "street": street} for street in streets]
    rulings = [{"verdict": verdict, "rulebook": "pl", "rule": None} for verdict in get_args(Verdict)]
    facts = [*dict.fromkeys(name for name, _ in ASKABLE.values()), *get_args(Doubt)]
    facts += ["seat_acted:4", "actions:turn"]
    said = page.evaluate(
        f"""async ([slips, steps, rulings, facts, deciders, bets]) => {{
          const w = await ({WORDS})("pl");
          return [
            ...slips.flatMap((i) => [w.headline(i), w.checking(i), w.check(i.kind)]),
            ...steps.map((step) => w.step(step, {{}})), ...rulings.map((r) => w.verdict(r)[0]),
            ...facts.map((fact) => w.question({{ fact }}, {{ seat: 4 }})),
            ...deciders.map((decider) => w.law({{ rule: "PL-1", decider }})),
            ...bets.map((bet) => w.bets({{ bets: bet }})),
            ...[true, false, "dealer", "player"].map((value) => w.choice(value)),
            w.choice(3, {{ fact: "actions:turn" }}),
          ];
        }}""",
        [
            slips,
            steps,
            rulings,
            facts,
            get_args(Decider),
            [bet for bet in get_args(Bets) if bet != "unchanged"],
        ],
    )
    assert [text for text in said if not text or not PLAIN.fullmatch(outside(text).strip())] == [], (
        "words.js has no words for these: give them some there, then run `make messages` and translate them"
    )


# --- numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_counts_are_said_as_gettext_says_them(page: Page, served: Served, language: str) -> None:
    """For every count up to 120 the page takes the same plural form as gettext does by the catalogue's own rule."""
    look(page, served, in_language(ALL["calm"](), language))
    compiled = io.BytesIO()
    write_mo(compiled, MESSAGES["read"](language))
    compiled.seek(0)
    gettexts = gettext.GNUTranslations(compiled)
    right = [gettexts.ngettext("{count} card", "{count} cards", n).format(count=n) for n in range(121)]
    said = page.evaluate(
        f"async (language) => {{ const w = await ({WORDS})(language);"
        " return Array.from({ length: 121 }, (_, n) => w.cards(n)); }",
        language,
    )
    assert said == right


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1 card", "2 cards", "5 cards", "21 cards", "22 cards"]),
        ("nl", ["1 kaart", "2 kaarten", "5 kaarten", "21 kaarten", "22 kaarten"]),
        ("it", ["1 carta", "2 carte", "5 carte", "21 carte", "22 carte"]),
        ("ru", ["1 карта", "2 карты", "5 карт", "21 карта", "22 карты"]),
        ("pl", ["1 karta", "2 karty", "5 kart", "21 kart", "22 karty"]),
    ],
)
def test_cards_are_counted_as_people_do(page: Page, served: Served, language: str, said: list[str]) -> None:
    """Russian and Polish have three forms, and do not agree on 21."""
    look(page, served, in_language(ALL["calm"](), language))
    counts = f"async (language) => {{ const w = await ({WORDS})(language); return [1, 2, 5, 21, 22].map(w.cards); }}"
    assert page.evaluate(counts, language) == said


# --- the longest texts --------------------------------------------------------------------------------------


def longest_rulings() -> list[Any]:
    """What the books may say besides a ruling, as the table sends it: two hints where both are always said, and the
    hint of a silence after the words that there is no rule."""
    found: list[Any] = []
    for path in (MESSAGES["PACKAGE"] / "rulebooks").glob("*.toml"):
        book = tomllib.loads(path.read_text(encoding="utf-8"))
        found += [[text, {}] for text in MESSAGES["hints"](book)]
        for row in book.get("rule", []):
            hints = row["hint"] if isinstance(row.get("hint"), list) else []
            always = [[hint["say"], {}] for hint in hints if hint.get("if", "True") == "True"]
            found += [["{one}; {other}", {"one": always[0], "other": always[1]}]] if len(always) > 1 else []
        for row in book.get("silent", []):
            for kind, text in product(row["kinds"], MESSAGES["hints"]({"silent": [row]})):
                silence = ["this rulebook has no rule for {what}", {"what": [kind.replace("_", " "), {}]}]
                found.append(["{one}: {other}", {"one": silence, "other": [text, {}]}])
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_texts_fit(page: Page, served: Served, shots: Path | None, language: str) -> None:
    """The longest headlines, rulings, hints, steps and questions of a language fit their panel together."""
    look(page, served, in_language(ALL["calm"](), language))
    places: list[dict[str, Any]] = [{"seat": 10, "expected": 9}, {"zone": "burn"}, {"zone": "board"}]
    slips = [{"kind": kind, "k": 5, "count": 4, "need": 3, "street": street} | place
             for kind in KINDS for street in ("flop", "river") for place in places]  # fmt: skip
    steps = [{"do": do, "seat": 10, "to": 10, "seats": [9, 10], "card": 24, "zone": "board:turn", "count": 4,
              "street": "river", "by": "director", "who": "director", "what": what, "first": 10}
             for do in DOS for what in ("stub+aside", "stub+flop")]  # fmt: skip
    hints = longest_rulings()
    facts = [
        "looked_at",
        "players_acted:river",
        "actions:river",
        "alike",
        "round_open:river",
        "seat_acted:10",
    ]
    longest = page.evaluate(
        f"""async ([language, slips, steps, hints, facts]) => {{
          const w = await ({WORDS})(language);
          const most = (all, say) => all.sort((a, b) => say(b).length - say(a).length).slice(0, 6);
          return [most(slips, w.headline), most(steps, (step) => w.step(step, {{ seat: 10 }})),
                  most(hints, (hint) => w.said(hint)), most(facts, (fact) => w.question({{ fact }}, {{}}))];
        }}""",
        [language, slips, steps, hints, facts],
    )
    wrong = []
    for n, (slip, _, hint, fact) in enumerate(zip(*longest, strict=True)):
        for asked in (None, {"id": "q1", "fact": fact, "choices": [0, 1, 2]}):
            state = in_language(ALL["wrong_first_seat"](), language)
            state["seats"] = ALL["full_ring"]()["seats"]
            one = state["irregularities"][0]
            state["irregularities"] = [one | slip | {"step": 0, "question": asked}]
            ruling = {
                "verdict": "dead",
                "seats": [8, 9, 10],
                "steps": longest[1][n:] + longest[1][:n],
                "hint": "…",
            }
            state["irregularities"][0]["ruling"] |= ruling | {"bets": "uncalled_returned", "say": hint}
            look(page, served, state)
            wrong += complaints(page)
            if shots is not None and n < 2:
                page.screenshot(
                    path=shots / f"{language}-longest-{n}-{bool(asked)}.png", animations="disabled"
                )
    assert wrong == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_fits_with_its_picture(page: Page, served: Served, language: str) -> None:
    """Each step as the current one of several, while a question is open and while none is: its words, its picture and
    its button are there, and nothing is cut."""
    wrong = {}
    asked = {"id": "q1", "fact": "players_acted:river", "choices": [0, 1, 2]}
    look(page, served, in_language(ALL["question"](), language))
    for number, step in enumerate(STEPS):
        for question in (None, asked):
            state = in_language(ALL["question"](), language)
            ruling = state["irregularities"][0]["ruling"] | {
                "steps": [{"do": "call", "who": "director"}, step, *STEPS[:3]]
            }
            state["irregularities"][0] |= {
                "question": question,
                "ruling": ruling,
                "step": 1,
                "steps_done": [0],
            }
            look(page, served, state)
            assert page.locator("#panel [aria-current=step] .picture").get_attribute("data-do") == step["do"]
            wrong[f"{number} {step['do']} {bool(question)}"] = complaints(page)
    assert {name: found for name, found in wrong.items() if found} == {}


# --- choosing a language ------------------------------------------------------------------------------------


def obeying(served: Served) -> None:
    """The table takes a language as the real one does: it is part of the next state."""

    def take(entry: dict[str, Any]) -> None:
        served.inputs.append(entry)
        if entry["do"] == "language":
            served.state = in_language({**served.state, "table": {**served.state["table"]}}, entry["code"])
            served.display.publish()

    served.submit = take


def test_a_touch_changes_the_language_of_the_whole_page(page: Page, served: Served) -> None:
    """Menu, Language, Polski: every text is Polish from then on, after a reload and on another display too."""
    obeying(served)
    look(page, served, ALL["wrong_first_seat"]())
    expect(page.locator("#panel h1")).to_have_text("First card to seat 9, not 8")
    page.locator("#rail [data-rail=menu]").tap()
    page.locator("#sheet [data-menu=language]").tap()
    expect(page.locator("#sheet .tile")).to_have_text(
        ["English", "Nederlands", "Italiano", "Русский", "Polski"]
    )
    expect(page.locator("#sheet [data-language=en]")).to_have_attribute("aria-pressed", "true")
    page.locator("#sheet [data-language=pl]").tap()
    assert_polish(page)
    assert served.inputs == [{"do": "language", "code": "pl"}]
    page.reload()
    assert_polish(page)
    second = page.context.new_page()
    second.goto(served.display.url)
    assert_polish(second)


def assert_polish(page: Page) -> None:
    """Panel, row, rail, top line and what is read aloud are in Polish."""
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.locator("#panel h1")).to_have_text("Pierwsza karta na miejsce 9, nie 8")
    expect(page.locator("#panel .law").first).to_have_text("PL-07.1.a · decyduje TD")
    expect(page.locator("#panel .steps .do").last).to_have_text("Rozdaj od nowa od miejsca 8")
    expect(page.locator("#row")).to_contain_text("Teraz bez kart")
    expect(page.locator("#rail [data-rail=call_floor]")).to_have_text("Wezwij floora")
    expect(page.locator("#top")).to_contain_text("Rozdawanie")
    expect(page.locator("#say")).to_have_text("Pierwsza karta na miejsce 9, nie 8. Misdeal")
    expect(page.get_by_role("button", name="Miejsce 9, 1 karta")).to_be_attached()


def test_an_alarm_does_not_wait_for_its_words(page: Page, served: Served) -> None:
    """While a language cannot be had the alarm stands in the last one; the next state brings the new one."""
    look(page, served, ALL["calm"]())
    page.route("**/static/ru.json", lambda route: route.abort())
    served.show(in_language(STATES["wrong_first_seat"](), "ru"))
    expect(page.locator("#panel h1")).to_have_text("First card to seat 9, not 8")
    page.unroute("**/static/ru.json")
    served.show(in_language(STATES["wrong_first_seat"](), "ru") | {"t": 200_000})
    expect(page.locator("#panel h1")).to_have_text("Первая карта на место 9, а не 8")  # noqa: RUF001 - Russian


def test_a_text_that_no_catalogue_knows_is_shown_as_it_is(page: Page, served: Served) -> None:
    """A house writes hints of its own; they appear in its own words in every language."""
    state = in_language(STATES["wrong_first_seat"](), "it")
    own = "Club rule 4: ask Anna {first}"
    state["irregularities"][0]["ruling"] |= {"hint": own, "say": [own, {}]}
    look(page, served, state)
    expect(page.locator("#panel .verdict")).to_contain_text(own)
    expect(page.locator("#panel h1")).to_have_text("Prima carta al posto 9, non al 8")
