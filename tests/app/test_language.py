"""The table's language, from the command line to what the page needs to say a fault in it."""

from __future__ import annotations

import signal
from typing import Any


def test_the_language_is_chosen_at_the_start_and_changed_by_an_input(bench: Any) -> None:
    """`run --language it` serves an Italian page over a table configured in English; the input `language` makes
    it Russian; a language that there is not changes nothing; taking it back brings Italian."""
    bench.board()
    table = bench.run(bench.config(), "--language", "it")
    table.line("READY after")
    assert table.until(lambda now: True)["table"]["language"] == "it"
    assert '<html lang="it">' in table.get("").text
    assert table.post(do="language", code="ru").status_code == 200
    table.until(lambda now: now["table"]["language"] == "ru")
    assert '<html lang="ru">' in table.get("").text
    refused = table.post(do="language", code="xx")
    assert refused.status_code == 400
    assert "must be one of en, nl, it, ru, pl" in refused.json()["error"]
    assert table.post(do="undo").status_code == 200
    table.until(lambda now: now["table"]["language"] == "it")
    assert table.ends(signal.SIGTERM) == 0


def test_faults_and_refusals_can_be_said_in_any_language(bench: Any) -> None:
    """A missing board, the zones it leaves unwatched, a ruling's hint and a refused input come in English with
    their message and its values beside it."""
    table = bench.run(bench.config())
    table.line("READY after")
    state = table.until(lambda now: now["readers"][0]["state"] == "missing")
    port = {"port": str(bench.port)}
    message = "port {port} is not there: is the board plugged in and powered?"
    assert state["readers"][0]["say"] == [message, port]
    assert state["readers"][0]["text"] == message.format(**port)
    blind = next(each for each in state["degraded"] if each["zone"] == "seat:1")
    assert (blind["why"], blind["say"]) == ("reader 0 is lost", ["reader {reader} is lost", {"reader": "0"}])
    refused = table.post(do="answer", question="q1", value=True).json()
    values = {"given": "'q1'", "names": ["no question", {}]}
    assert refused["say"] == ["question {given} is not open; open now: {names}", values]
    assert refused["error"] == "question 'q1' is not open; open now: no question"
    board = bench.board()
    table.until(lambda now: not now["degraded"])
    assert table.post(do="button", seat=4).status_code == 200
    for uid, antenna in zip(bench.uids, (1, 2, 3, 1), strict=False):
        board.deal(uid, antenna)
    state = table.until(lambda now: any((i["ruling"] or {}).get("say") for i in now["irregularities"]))
    ruling = next(i["ruling"] for i in state["irregularities"] if (i["ruling"] or {}).get("say"))
    assert ruling["hint"].startswith("this rulebook has no rule for wrong seat: ")
    message, values = ruling["say"]
    assert message == "{one}: {other}"
    assert values["one"] == ["this rulebook has no rule for {what}", {"what": ["wrong seat", {}]}]
    assert values["other"] == ["if a seat ends with a wrong number of cards, PL-07.1.c-d apply", {}]
    assert table.ends(signal.SIGTERM) == 0
