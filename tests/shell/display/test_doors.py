"""What a client of the display can take of the table computer, over real sockets: connections, time, bytes, requests.

The bounds are small here, so that a test meets them soon; each waits for the event (the display hangs up, the kernel
takes no more), and none says how soon. Beside each client that is cut off another one proves that the display serves.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from network import opened, trust
from serving import DEADLINE_S, Served

from tablectl.shell.display.bounds import (
    BODY_BYTES,
    CLIENTS,
    HEAD_BYTES,
    NETWORK,
    OWN,
    Bounds,
    Rate,
    client_of,
)

HASTY = replace(OWN, request_s=0.3, handshake_s=0.3, stall_s=0.3, idle_s=1)
HEAD = b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@contextlib.contextmanager
def serving(own: Bounds = OWN, **more: Any) -> Iterator[Served]:
    """A display with these bounds."""
    served = Served({"table": {"id": "T1"}}, own=own, **more)
    yield served
    served.end()


@contextlib.contextmanager
def networked(folder: Path, network: Bounds) -> Iterator[tuple[Served, str]]:
    """A display with a door to a network with these bounds, and a dealer's token for it."""
    where, made = opened(folder)
    with serving(opened=where, network=network) as served:
        yield served, made["dealer"]


@contextlib.contextmanager
def connected(served: Served) -> Iterator[socket.socket]:
    """A connection on which nothing is said yet."""
    with socket.create_connection(("127.0.0.1", served.display.port), DEADLINE_S) as one:
        yield one


def network_port(served: Served) -> int:
    """The port of the door to the network."""
    assert served.display.opened is not None
    return served.display.opened.port


def is_over(one: socket.socket) -> bool:
    """Waits until the other side hangs up."""
    with contextlib.suppress(ConnectionError):
        while one.recv(65536):
            pass
    return True


def answers(served: Served) -> bool:
    """Somebody else is served."""
    return httpx.get(f"{served.display.url}healthz", timeout=DEADLINE_S).status_code == 200


def drips(one: socket.socket, drop: bytes) -> bool:
    """Says something without end, a little at a time, until the other side hangs up."""
    one.settimeout(0.05)
    with contextlib.suppress(ConnectionError):
        while True:
            one.sendall(drop)
            with contextlib.suppress(TimeoutError):
                if not one.recv(65536):
                    return True
    return True


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"GET",
        HEAD,
        b"POST /input HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        b"POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n",
        HEAD + b"\r\n" + HEAD,
    ],
    ids=[
        "silent",
        "half a line",
        "no end of the head",
        "half a body",
        "a body nobody reads",
        "a second head",
    ],
)
def test_whoever_does_not_finish_a_request_is_cut_off(begin: bytes) -> None:
    """A connection that says nothing, stops in the head, in the body or in the next request ends; others are served."""
    with serving(HASTY) as served, connected(served) as slow:
        slow.sendall(begin)
        assert answers(served)
        assert is_over(slow)
        assert served.inputs == []


@pytest.mark.parametrize(
    ("begin", "drop"),
    [
        (HEAD, b"X: y\r\n"),
        (b"POST /input HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n", b" "),
        (b"POST /input HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    ],
    ids=["head", "body", "chunks"],
)
def test_a_request_that_drips_is_cut_off_as_well(begin: bytes, drop: bytes) -> None:
    """A byte now and then keeps no connection: the whole request has one deadline."""
    with serving(HASTY) as served, connected(served) as slow:
        slow.sendall(begin)
        assert drips(slow, drop)
        assert answers(served)


def test_a_request_in_time_is_answered_under_the_same_bounds() -> None:
    """The deadline is the request's alone: a stream goes on after it, and a connection may ask again and again."""
    with serving(HASTY) as served, httpx.Client(base_url=served.display.url, timeout=DEADLINE_S) as client:
        with client.stream("GET", "/events") as stream:
            lines = stream.iter_lines()
            beats = 0
            while beats < 4:  # two seconds' worth of beats, several times the deadline
                beats += next(lines) == "event: beat"
        for _ in range(3):
            assert client.get("/state").status_code == 200


def test_a_client_that_takes_nothing_of_its_answer_is_cut_off() -> None:
    """An answer and a stream that nobody reads end, and give their places back; another page is served meanwhile."""
    with serving(HASTY) as served:
        served.show({"table": {"id": "T1"}, "filler": "x" * 9_000_000})
        for path in (b"/events", b"/state"):
            with connected(served) as stuck:
                stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                stuck.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert served.until(lambda: served.display.connections == 1)
                assert served.until(lambda: served.display.connections == 0)
        assert served.display.watching == 0
        assert answers(served)


def test_a_handshake_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    """Who opens the door to the network and does not speak TLS, or only begins to, is gone; a browser gets in."""
    with networked(tmp_path, replace(NETWORK, handshake_s=0.3)) as (served, token):
        for begin in (b"", b"\x16\x03\x01\x02\x00\x01"):
            with socket.create_connection(("127.0.0.1", network_port(served)), DEADLINE_S) as slow:
                slow.sendall(begin)
                assert is_over(slow)
        assert get(served, token).status_code == 200


def get(served: Served, token: str, path: str = "state") -> httpx.Response:
    """One request from the network, on a connection of its own."""
    assert served.display.opened is not None
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(
        f"{served.display.opened.url}{path}", verify=trust(), headers=headers, timeout=DEADLINE_S
    )


def test_connections_are_bounded_and_a_place_that_is_free_is_given_again() -> None:
    """Who comes when all places are taken is cut off at once; when one leaves, the next gets in."""
    with (
        serving(replace(OWN, connections=4, connections_each=4)) as served,
        contextlib.ExitStack() as open_ones,
    ):
        inside = [open_ones.enter_context(connected(served)) for _ in range(4)]
        assert served.until(lambda: served.display.connections == 4)
        with connected(served) as one_more:
            assert is_over(one_more)
        inside[0].close()
        assert served.until(lambda: served.display.connections == 3)
        assert answers(served)


def test_one_client_cannot_take_all_places(tmp_path: Path) -> None:
    """Of the network's places a client gets its share, handshake or none; the table's own screen has a door of its
    own."""
    few = replace(NETWORK, connections=8, connections_each=3)
    with networked(tmp_path, few) as (served, token), contextlib.ExitStack() as open_ones:
        for _ in range(3):
            open_ones.enter_context(socket.create_connection(("127.0.0.1", network_port(served)), DEADLINE_S))
        assert served.until(lambda: served.display.connections == 3)
        with pytest.raises(httpx.TransportError):
            get(served, token)
        assert answers(served)


def test_streams_of_one_client_are_bounded(tmp_path: Path) -> None:
    """A client may watch with so many pages and no more: the next one gets 503, and the own screen a stream."""
    few = replace(NETWORK, streams=4, streams_each=2)
    with networked(tmp_path, few) as (served, token), contextlib.ExitStack() as open_ones:
        assert served.display.opened is not None
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=served.display.opened.url, verify=trust(), headers=headers) as client:
            for _ in range(2):
                stream = open_ones.enter_context(client.stream("GET", "/events", timeout=DEADLINE_S))
                next(stream.iter_lines())
            assert client.get("/events").status_code == 503
            assert client.get("/state").status_code == 200
            with httpx.stream("GET", f"{served.display.url}events", timeout=DEADLINE_S) as own:
                assert own.status_code == 200


def test_requests_of_one_client_are_bounded(tmp_path: Path) -> None:
    """After its burst a client gets 429 and the connection ends; the table's own screen is served all the time."""
    few = replace(NETWORK, burst=5, requests_per_s=1e-6)
    with networked(tmp_path, few) as (served, token):
        statuses = [get(served, token, "static/icon.svg").status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        refused = get(served, token)
        assert (refused.headers["retry-after"], refused.headers["connection"]) == ("1", "close")
        assert answers(served)


def test_new_connections_are_bounded_by_the_second() -> None:
    """When too many knock the door is shut, and the kernel keeps them; as time goes on the next one gets in."""
    rare = replace(OWN, connections=3, knocks_per_s=5.0)
    with serving(rare) as served:
        assert all(answers(served) for _ in range(9))


def test_a_head_or_a_body_that_is_too_long_is_refused() -> None:
    """Before anybody reads it: a head without end gets 400, an announced length 413, on any path; then it is over."""
    with serving() as served:
        with connected(served) as one:
            one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * (HEAD_BYTES + 1))
            assert one.recv(64).startswith(b"HTTP/1.1 400")
            assert is_over(one)
        for length in (str(BODY_BYTES + 1), "9" * 4000):
            with connected(served) as one:
                one.sendall(
                    f"POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n".encode()
                )
                assert one.recv(64).startswith((b"HTTP/1.1 413", b"HTTP/1.1 400"))
                assert is_over(one)
        assert answers(served)


def test_what_is_sent_ahead_during_a_stream_is_not_kept(tmp_path: Path) -> None:
    """A client that watches and floods the same connection is not read any more: its own sockets fill, not ours."""
    with serving() as served, connected(served) as flood:
        flood.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        flood.settimeout(0.5)
        with pytest.raises(TimeoutError):  # the kernel takes no more, because nobody reads
            flood.sendall(b"x" * (256 << 20))
        assert answers(served)


@pytest.mark.parametrize(
    "attack",
    [
        b"\x00" * 4096,
        b"GET / HTTP/1.1\r\n" * 50 + b"\r\n",
        b"\xff\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_what_is_no_http_is_told_so_and_fills_no_log(attack: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Garbage gets a refusal and its end, and the log not a line, however often."""
    with serving() as served:
        for _ in range(5):
            with connected(served) as one:
                one.sendall(attack)
                assert one.recv(64).startswith((b"HTTP/1.1 400", b"HTTP/1.1 403"))
                assert is_over(one)
        assert answers(served)
    assert caplog.records == []


def test_a_table_without_descriptors_goes_on(tmp_path: Path) -> None:
    """A process that may open no more files keeps its connections and its loop, and serves again when it may."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with serving() as served, httpx.Client(base_url=served.display.url, timeout=DEADLINE_S) as client:
        assert client.get("/state").status_code == 200
        with socket.socket() as one:
            one.settimeout(DEADLINE_S)
            next_descriptor = one.fileno()
            resource.setrlimit(resource.RLIMIT_NOFILE, (next_descriptor + 1, hard))
            try:
                one.connect(("127.0.0.1", served.display.port))
                assert client.get("/state").status_code == 200
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            one.sendall(HEAD + b"\r\n")
            assert one.recv(64).startswith(b"HTTP/1.1 200")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 5)), max_size=60))
def test_a_rate_never_gives_more_than_its_burst_and_its_seconds(asked: list[tuple[str, float]]) -> None:
    """Whatever the order and the pauses, a client gets at most the burst and what the time since has brought."""
    now = 0.0
    rate = Rate(2.0, 3, lambda: now)
    got: dict[str, int] = {}
    for client, pause in asked:
        now += pause
        got[client] = got.get(client, 0) + rate.take(client)
        assert got[client] <= 3 + 2.0 * now + 1e-6


def test_a_rate_remembers_a_bounded_number_of_clients() -> None:
    """A client that was quiet longest is forgotten: a million addresses cost no memory."""
    rate = Rate(1.0, 1, lambda: 0.0)
    assert rate.take("first")
    assert not rate.take("first")
    for number in range(CLIENTS):
        rate.take(str(number))
    assert rate.take("first")
    assert len(rate._left) == CLIENTS


@pytest.mark.parametrize(
    ("address", "client"),
    [
        (("10.0.0.7", 4711), "10.0.0.7"),
        (("::ffff:10.0.0.7", 4711, 0, 0), "10.0.0.7"),
        (("2001:db8:1:2:3:4:5:6", 1, 0, 0), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 1, 0, 2), "fe80::/64"),
        ("", ""),
    ],
)
def test_an_address_counts_for_its_host(address: Any, client: str) -> None:
    """IPv6 hosts count by their /64, mapped IPv4 as what it is."""
    assert client_of(address) == client


def test_a_browser_that_ends_its_tls_badly_costs_nothing(tmp_path: Path) -> None:
    """A connection that is reset in the middle gives its place back."""
    with networked(tmp_path, NETWORK) as (served, token):
        raw = socket.create_connection(("127.0.0.1", network_port(served)), DEADLINE_S)
        with trust().wrap_socket(raw, server_hostname="127.0.0.1") as one:
            one.sendall(HEAD)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        assert served.until(lambda: served.display.connections == 0)
        assert get(served, token).status_code == 200
