"""The display's web server, over real sockets."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tablectl.core.entries import LANGUAGES
from tablectl.errors import LinkError, RecordingError, UsageError
from tablectl.said import Said
from tablectl.shell.display import Display
from tablectl.shell.display.bounds import BODY_BYTES, OWN

if TYPE_CHECKING:
    from serving import Served

DEADLINE_S = 20
"""How long a test waits for something that must happen, in seconds; nothing is asserted about how soon."""


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    """An HTTP client of the running display."""
    with httpx.Client(base_url=served.display.url, timeout=DEADLINE_S) as one:
        yield one


@contextmanager
def events(served: Served, path: str = "events") -> Iterator[Iterator[tuple[str, str]]]:
    """The events of one stream, as (event, data)."""

    def read(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
        event = data = ""
        for line in lines:
            name, _, value = line.partition(": ")
            if name == "event":
                event = value
            elif name == "data":
                data = value
            elif not line and event:
                yield event, data
                event = data = ""

    with httpx.Client(timeout=DEADLINE_S) as one, one.stream("GET", f"{served.display.url}{path}") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield read(answer.iter_lines())


def states(stream: Iterator[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Only the states of a stream."""
    return (json.loads(data) for event, data in stream if event == "state")


def test_every_route_answers_as_the_contract_says(served: Served, client: httpx.Client) -> None:
    """Page, files, state, metrics and health have the right types, and a wrong path or method is refused."""
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert client.get("/static/app.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/static/style.css").headers["content-type"].startswith("text/css")
    assert client.get("/state").json() == served.state
    metrics = client.get("/metrics")
    assert (metrics.text, metrics.headers["content-type"]) == (
        "tablectl_up 1\n",
        "text/plain; version=0.0.4; charset=utf-8",
    )
    assert client.get("/healthz").status_code == 200
    assert client.get("/technician").headers["content-type"].startswith("text/html")
    assert client.get("/technician/state").json() == served.workshop.shown
    assert client.get("/static/../server.py").status_code == 404
    assert client.get("/static/%2e%2e%2fserver.py").status_code == 404
    assert client.get("/nothing").status_code == 404
    assert client.get("/input").status_code == client.get("/technician/test").status_code == 405


def test_every_answer_carries_the_security_headers(client: httpx.Client) -> None:
    """No answer, not even a refusal, may be framed, sniffed or run foreign scripts."""
    for path in ("/", "/static/app.js", "/state", "/nothing"):
        headers = client.get(path).headers
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_a_browser_asks_whether_its_copy_is_current(client: httpx.Client) -> None:
    """A page file is confirmed unchanged without being sent again, and never kept unasked."""
    first = client.get("/static/app.js")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/static/app.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/state").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/technician"])
def test_each_page_is_small_and_names_what_it_needs(served: Served, client: httpx.Client, path: str) -> None:
    """A page and everything that it names stays under 200 kB over the line in every language, packed as a browser asks
    for it; it names every file that its scripts import, so that none is asked for late."""
    for code in LANGUAGES:
        served.show({"table": {"language": code}})
        page = client.get(path)
        names = set(re.findall(r"/static/([\w.]+)", page.text))
        answers = {name: client.get(f"/static/{name}") for name in names}
        assert sum(each.num_bytes_downloaded for each in (page, *answers.values())) < 200_000
        bodies = {name: each.content for name, each in answers.items()}
        imported = {
            name.decode() for body in bodies.values() for name in re.findall(rb'from "\./([\w.]+)"', body)
        }
        assert imported <= names


def test_the_pages_fetch_nothing_from_elsewhere(client: httpx.Client) -> None:
    """No file of theirs, and no language, names another server."""
    static = files("tablectl.shell.display") / "static"
    bodies = {entry.name: entry.read_bytes() for entry in static.iterdir()}
    for name, body in {
        **bodies,
        **{code: client.get(f"/static/{code}.json").content for code in LANGUAGES},
    }.items():
        urls = {url for url in re.findall(rb"https?://[\w./]+", body) if url != b"http://www.w3.org/2000/svg"}
        assert not urls, name


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip, deflate, br", True), ("br;q=1.0, gzip;q=0.5", True), ("identity", False), ("gzip; q=0", False)],
)
def test_answersare_packed_for_whoever_takes_that(client: httpx.Client, accepted: str, packed: bool) -> None:  # noqa: FBT001 - a case
    """gzip where the browser names it, plain otherwise; both are the same file, under the same ETag."""
    plain = client.get("/static/words.js", headers={"Accept-Encoding": "identity"})
    answer = client.get("/static/words.js", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("content-encoding") == ("gzip" if packed else None)
    assert answer.headers["vary"] == "Accept-Encoding"
    assert (int(answer.headers["content-length"]) < len(plain.content) / 2) == packed
    assert (answer.content, answer.headers["etag"]) == (plain.content, plain.headers["etag"])


def test_the_words_of_each_language_are_one_file(client: httpx.Client) -> None:
    """Each language is a JSON object of messages, confirmed unchanged like any other file; others are not there."""
    for code in LANGUAGES:
        answer = client.get(f"/static/{code}.json")
        assert answer.headers["content-type"] == "application/json"
        again = client.get(f"/static/{code}.json", headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert client.get("/static/ru.json").json()["Misdeal"] == "Ошибка в раздаче"
    assert client.get("/static/pl.json").json()["{count} card"] == [
        "{count} karta",
        "{count} karty",
        "{count} kart",
    ]
    assert client.get("/static/xx.json").status_code == 404


@pytest.mark.parametrize(
    ("language", "served_in", "says"),
    [
        ("pl", "pl", "Brak połączenia ze stołem"),
        ("it", "it", "Nessun collegamento col tavolo"),
        ("xx", "en", "No link to the table"),
        (None, "en", "No link to the table"),
    ],
)
def test_the_page_comes_in_the_tables_language(
    served: Served, client: httpx.Client, language: str | None, served_in: str, says: str
) -> None:
    """What stands there before the first state is in the table's language; without a known one it is English."""
    served.show({"table": {"language": language}} if language else {"broken": True})
    page = client.get("/")
    assert f'<html lang="{served_in}">' in page.text
    assert f"/static/{served_in}.json" in page.text
    assert says in page.text
    assert "$" not in page.text


def test_a_refusal_can_be_said_in_another_language(served: Served, client: httpx.Client) -> None:
    """Programs get the reason in English, the page also what it takes to translate it."""

    def refuse(_: dict[str, Any]) -> None:
        raise UsageError(Said("seat {seat} is not at this table", seat=12))

    served.submit = refuse
    answer = client.post("/input", json={"do": "button", "seat": 12}).json()
    assert answer == {
        "error": "seat 12 is not at this table",
        "say": ["seat {seat} is not at this table", {"seat": "12"}],
    }


def test_a_stream_begins_with_the_state_and_gets_each_change(served: Served) -> None:
    """A new page sees the true state at once, and every publish brings the newest one."""
    with events(served) as stream:
        assert next(stream)[0] == "hello"
        seen = states(stream)
        assert next(seen) == served.state
        for number in range(3):
            served.show({"n": number})
            assert next(seen) == {"n": number}


def test_a_burst_is_coalesced_and_ends_with_the_newest_state(served: Served) -> None:
    """Thousands of changes in one go become few events, and the last event is the last state."""
    with events(served) as stream:
        seen = states(stream)
        next(seen)

        async def burst() -> None:
            for number in range(5000):
                served.state = {"n": number}
                served.display.publish()

        served.run(burst())
        got = []
        for state in seen:
            got.append(state)
            if state == {"n": 4999}:
                break
        assert len(got) < 10


def test_a_quiet_stream_beats(served: Served) -> None:
    """While nothing changes the stream still speaks, so that a page can tell calm from dead."""
    with events(served) as stream:
        assert [event for event, _ in (next(stream) for _ in range(4))] == ["hello", "state", "beat", "beat"]


def test_a_page_that_does_not_read_delays_nobody(served: Served) -> None:
    """With one stream blocked for good, another gets every newest state, inputs arrive, and closing works."""
    host, port = "127.0.0.1", served.display.port
    with socket.create_connection((host, port)) as stuck, events(served) as stream:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert stuck.recv(1)  # the stream has begun; from here on nothing is read
        seen = states(stream)
        next(seen)
        for number in range(40):
            served.show({"n": number, "filler": "x" * 300_000})
            assert next(seen)["n"] == number
        httpx.post(f"{served.display.url}input", json={"do": "round_closed"}, timeout=DEADLINE_S)
        assert served.wait_inputs(1) == [{"do": "round_closed"}]
        served.stop()


def test_a_page_that_leaves_is_forgotten(served: Served, client: httpx.Client) -> None:
    """A stream that ends frees its place: no client is kept that is gone."""
    with events(served) as stream:
        next(stream)
        assert served.display.watching == 1
    end = time.monotonic() + DEADLINE_S
    while served.display.watching and time.monotonic() < end:
        client.get("/healthz")
    assert served.display.watching == 0


def test_more_pages_than_allowed_are_refused_clearly(served: Served, client: httpx.Client) -> None:
    """The number of streams is bounded; the next one gets 503, and everything else still answers."""
    sockets = []
    for _ in range(OWN.streams):
        one = socket.create_connection(("127.0.0.1", served.display.port))
        one.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert one.recv(16).startswith(b"HTTP/1.1 200")
        sockets.append(one)
    refused = client.get("/events")
    assert refused.status_code == 503
    assert str(OWN.streams) in refused.json()["error"]
    assert client.get("/state").status_code == 200
    for one in sockets:
        one.close()


def test_an_input_reaches_the_table_as_it_was_sent(served: Served, client: httpx.Client) -> None:
    """A good input is handed on unchanged and answered with ok."""
    entry = {"do": "action", "seat": 3, "action": "call", "all_in": True}
    answer = client.post("/input", json=entry)
    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert served.inputs == [entry]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"\xff\xfe", "not valid JSON"),
        (b'{"do": "note", "n": NaN}', "NaN is not JSON"),
        (b'{"do": "note", "text": "\\ud800"}', "not valid JSON"),
        (b"[" * 9000, "nested too deeply"),
        (b'{"do": "note", "n": ' + b"9" * 9000 + b"}", "not valid JSON"),
        (b"[]", "JSON object"),
        (b"{}", '"do" is missing'),
        (b'{"do": 3}', '"do" is missing'),
    ],
)
def test_a_bad_body_is_refused_with_a_reason(
    served: Served, client: httpx.Client, body: bytes, says: str
) -> None:
    """Whatever is posted, the answer says what is wrong, and the table hears nothing of it."""
    answer = client.post("/input", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert says in answer.json()["error"]
    assert served.inputs == []


@pytest.mark.parametrize(
    ("wrong", "status", "says"),
    [
        (RecordingError("seat 12 is not at this table"), 400, "seat 12 is not at this table"),
        (LinkError("the table is closing"), 503, "the table is closing"),
        (ZeroDivisionError("secret detail"), 500, "see the log"),
    ],
)
def test_what_the_table_refuses_comes_back_as_text(
    served: Served, client: httpx.Client, wrong: Exception, status: int, says: str
) -> None:
    """The dealer reads the table's own reason; a bug shows no detail, and serving goes on."""

    def refuse(_: dict[str, Any]) -> None:
        raise wrong

    served.submit = refuse
    answer = client.post("/input", json={"do": "button", "seat": 12})
    assert answer.status_code == status
    assert says in answer.json()["error"]
    assert "Traceback" not in answer.text
    assert "secret" not in answer.text
    assert client.get("/healthz").status_code == 200


def test_an_input_has_a_size_limit(served: Served, client: httpx.Client) -> None:
    """A body that is too long is refused, announced length or not."""
    headers = {"Content-Type": "application/json"}
    long = b'{"do": "note", "text": "' + b"x" * BODY_BYTES + b'"}'
    assert client.post("/input", content=long, headers=headers).status_code == 413
    assert client.post("/input", content=iter([long]), headers=headers).status_code == 413
    assert served.inputs == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_a_foreign_page_cannot_enter_anything(
    served: Served, client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    """Another site in the same browser, a rebound name or a plain form gets a clear refusal and no effect."""
    content_type = {"Content-Type": "application/json"}
    answer = client.post("/input", content=b'{"do": "hand_end"}', headers=content_type | headers)
    assert answer.status_code == status
    assert answer.json()["error"]
    assert served.inputs == []


def test_the_own_page_may_enter(served: Served, client: httpx.Client) -> None:
    """The page's own origin and its charset parameter are accepted, under address and name alike."""
    for host in (f"127.0.0.1:{served.display.port}", f"localhost:{served.display.port}"):
        headers = {
            "Host": host,
            "Origin": f"http://{host}",
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json; charset=utf-8",
        }
        assert client.post("/input", content=b'{"do": "undo"}', headers=headers).status_code == 200
    assert served.inputs == [{"do": "undo"}] * 2


def test_a_foreign_name_sees_no_state(client: httpx.Client) -> None:
    """A name that was pointed at this machine from outside gets neither the page nor the state."""
    for path in ("/", "/state", "/events"):
        assert client.get(path, headers={"Host": "rebound.example"}).status_code == 403


def test_a_state_that_cannot_be_built_is_told(served: Served, client: httpx.Client) -> None:
    """A fault in the core makes the table unhealthy and ends the streams; the server lives on."""
    good = served.state
    with events(served) as stream:
        assert next(states(stream)) == good
        served.show({"broken": {1, 2}})
        assert list(states(stream)) == []
    assert client.get("/state").status_code == 500
    assert client.get("/healthz").status_code == 503
    served.show(good)
    assert client.get("/healthz").status_code == 200


def _display(host: str, port: int) -> Display:
    return Display(host, port, dict, lambda _: None, str)


def test_a_port_in_use_is_a_clear_error(served: Served) -> None:
    """A second program on the port is told which port, and what to do."""
    second = _display("127.0.0.1", served.display.port)
    with pytest.raises(LinkError, match=rf"127\.0\.0\.1:{served.display.port}.*in use by another program"):
        asyncio.run(second.start())
    asyncio.run(second.close())


@pytest.mark.parametrize(
    ("host", "says"), [("no-such-host.invalid", "no address"), ("192.0.2.77", "leads to a network")]
)
def test_a_wrong_host_is_a_clear_error(host: str, says: str) -> None:
    """An address this machine does not have is named together with the key to correct."""
    with pytest.raises(LinkError, match=says) as caught:
        asyncio.run(_display(host, 0).start())
    assert "[display] host" in str(caught.value)


def test_signals_stay_with_the_application() -> None:
    """Starting and closing the display leaves the handlers of SIGINT and SIGTERM alone."""
    names = (signal.SIGINT, signal.SIGTERM)

    async def run() -> list[Any]:
        before = [signal.getsignal(name) for name in names]
        display = _display("127.0.0.1", 0)
        await display.start()
        during = [signal.getsignal(name) for name in names]
        await display.close()
        await display.close()
        return [before, during, [signal.getsignal(name) for name in names]]

    before, during, after = asyncio.run(run())
    assert before == during == after


def test_a_core_that_has_stopped_is_not_healthy(served: Served, client: httpx.Client) -> None:
    """Whoever asks for the table's health hears of it, although every page is still served."""
    served.show({"table": {"language": "en"}, "stopped": True})
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (503, "the core has stopped; see the log\n")
    assert client.get("/").status_code == 200
    served.show({"table": {"language": "en"}, "stopped": False})
    assert client.get("/healthz").status_code == 200


def test_a_table_without_a_technician_has_no_page_for_one() -> None:
    """A display that was built without one does not promise it."""

    async def run() -> int:
        display = _display("127.0.0.1", 0)
        await display.start()
        async with httpx.AsyncClient() as client:
            status = (await client.get(f"{display.url}technician")).status_code
        await display.close()
        return status

    assert asyncio.run(run()) == 404


def test_a_technicians_page_begins_with_the_present(served: Served) -> None:
    """While nobody listened the figures went on: a page that is opened again does not begin with old ones."""
    for number in range(3):
        served.workshop.show({"table": {"id": "T1"}, "n": number})
        with events(served, "technician/events") as stream:
            assert next(states(stream))["n"] == number


def test_a_technicians_stream_goes_on_by_itself(served: Served) -> None:
    """Figures change all the time: each beat brings them anew, without anything being published."""
    with events(served, "technician/events") as stream:
        seen = states(stream)
        next(seen)
        served.workshop.show({"table": {"id": "T1"}, "n": 7})
        assert any(state.get("n") == 7 for state in seen)


def test_closing_gives_the_port_back(served: Served) -> None:
    """With a page still watching, the display closes, its stream ends, and the port is free at once."""
    with events(served) as stream:
        next(stream)
        served.stop()
        assert all(event != "hello" for event, _ in stream)
    served.start_again()
    with events(served) as stream:
        assert next(states(stream)) == served.state
