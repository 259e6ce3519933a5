"""A display that is open to a network: TLS, tokens, roles, signing in; over real sockets."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest
from network import opened, trust
from serving import Served

from tablectl.config import tokens
from tablectl.core.entries import INPUTS
from tablectl.shell.display.bounds import NETWORK
from tablectl.shell.display.doorkeeper import COOKIE
from tablectl.shell.display.keyring import SESSIONS, Keyring
from tablectl.shell.display.roles import ROLES

DEADLINE_S = 20
"""How long a test waits for something that must happen, in seconds; nothing is asserted about how soon."""
ROOMY = replace(NETWORK, knocks_per_s=1e6, requests_per_s=1e6)
"""What is bounded is proved in test_doors.py."""
PATHS = (
    "/", "/events", "/state", "/input", "/front", "/metrics", "/healthz", "/static/app.js", "/technician",
    "/technician/state", "/technician/events", "/technician/test",
)  # fmt: skip
POSTS = ("/input", "/front", "/technician/test")
SEEN = {
    "dealer": {"/", "/events", "/state", "/input", "/front", "/healthz", "/static/app.js"},
    "floor": {"/", "/events", "/state", "/input", "/healthz", "/static/app.js"},
    "technician": {
        "/technician", "/technician/state", "/technician/events", "/technician/test", "/metrics", "/healthz",
        "/static/app.js",
    },
}  # fmt: skip


@dataclass
class Net:
    """The display from a network's side."""

    served: Served
    token: dict[str, str]
    file: Path

    @property
    def url(self) -> str:
        """Its address there."""
        assert self.served.display.opened is not None
        return self.served.display.opened.url

    def client(self, role: str | None = None, **more: Any) -> httpx.Client:
        """A client of that role; without one nobody in particular."""
        headers = {"Authorization": f"Bearer {self.token[role]}"} if role is not None else {}
        return httpx.Client(
            base_url=self.url,
            verify=trust(),
            timeout=DEADLINE_S,
            headers=headers | more.pop("headers", {}),
            **more,
        )


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Net]:
    """A display that is open to a network."""
    where, made = opened(tmp_path)
    served = Served({"table": {"id": "T1", "language": "pl"}}, opened=where, network=ROOMY)
    yield Net(served, made, where.tokens)
    served.end()


def ask(client: httpx.Client, path: str) -> int:
    """The status of an answer to a request that would do something there."""
    if path in POSTS:
        return client.post(path, json={"do": "note", "text": "x", "irregularity": "i1"}).status_code
    with client.stream("GET", path) as answer:
        return answer.status_code


def test_without_a_token_a_network_gets_nothing(net: Net) -> None:
    """Every path that there is answers 401 to a stranger, a wrong token, a token in the address, and another kind of
    authorization; only the page for signing in, its style and the icon are given out."""
    wrong = ({}, {"Authorization": "Bearer " + "x" * 43}, {"Authorization": f"Basic {net.token['dealer']}"})
    for headers in wrong:
        with net.client(headers=headers) as client:
            for path in PATHS:
                assert ask(client, path) == 401, path
                assert client.get(path, params={"token": net.token["dealer"]}).status_code == 401
            assert client.get("/static/app.js").headers["www-authenticate"] == 'Bearer realm="tablectl"'
            for path in ("/sign-in", "/static/sign-in.css", "/static/icon.svg"):
                assert client.get(path).status_code == 200
    assert net.served.inputs == []
    assert net.served.workshop.entered == []


@pytest.mark.parametrize("role", ROLES)
def test_each_role_sees_its_own_and_nothing_else(net: Net, role: str) -> None:
    """Of every path that there is the role gets those of its table of rights, and 403 from the others."""
    with net.client(role) as client:
        statuses = {path: ask(client, path) for path in PATHS}
    assert {path for path, status in statuses.items() if status not in (401, 403)} == {
        path for path in SEEN[role] if path != "/input" or "note" in ROLES[role].enters
    }
    assert {status for path, status in statuses.items() if path not in SEEN[role]} == {403}


def test_no_path_is_open_that_is_not_in_the_table_of_rights(net: Net) -> None:
    """Each route of the application is one of those that the tests above ask for: a new one must be decided on."""
    routes = {getattr(each, "path", "") for each in net.served.display._app().routes}
    assert {each.replace("{name}", "app.js") for each in routes} == set(PATHS)


@pytest.mark.parametrize(
    ("role", "may"),
    [
        ("dealer", set(INPUTS) - {"override"}),
        ("floor", {"answer", "override", "note", "call_floor"}),
        ("technician", set()),
    ],
)
def test_each_role_enters_its_own_inputs_and_no_other(net: Net, role: str, may: set[str]) -> None:
    """Every input of the contract is either handed on to the table, signed with the name of the token, or refused."""
    with net.client(role, headers={"X-Forwarded-For": "127.0.0.1"}) as client:
        for do in INPUTS:
            answer = client.post("/input", json={"do": do})
            assert answer.status_code == (200 if do in may else 403 if not may else 400), do
            if answer.status_code == 400:
                assert answer.json() == {
                    "error": "this sign-in may not enter that",
                    "say": ["this sign-in may not enter that", {}],
                }
    assert net.served.inputs == [{"do": do, "who": f"[{role}-1]"} for do in INPUTS if do in may]


def test_an_input_of_a_network_says_whose_it_was(net: Net) -> None:
    """Whoever is named in it, the token's name stands beside it; what is no name goes to the table as it is."""
    with net.client("floor") as client:
        for who in ("Lee", "x" * 500, 7, ""):
            client.post("/input", json={"do": "note", "text": "late", "who": who})
    seen = [each["who"] for each in net.served.inputs]
    assert seen[0] == "Lee [floor-1]"
    assert seen[1].endswith("xx [floor-1]")
    assert len(seen[1]) == 200
    assert seen[2:] == [7, ""]


def test_the_tables_own_screen_needs_no_token_and_may_everything(net: Net) -> None:
    """On loopback every page is there, and an input is handed on as it was sent, an override too."""
    with httpx.Client(base_url=net.served.display.url, timeout=DEADLINE_S) as client:
        assert {path for path in PATHS if ask(client, path) in (401, 403)} == set()
        client.post("/input", json={"do": "override", "who": "Lee"})
        assert client.get("/sign-in").status_code == 404
    assert net.served.inputs[-1] == {"do": "override", "who": "Lee"}


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_the_network_is_spoken_to_by_tls_alone(net: Net) -> None:
    """HTTP at that port is cut off without an answer, TLS 1.1 is refused, and TLS 1.3 answers."""
    plain = net.url.replace("https", "http")
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{plain}state", timeout=DEADLINE_S)
    old = trust()
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    # It is the display that ends it: a client that could not would say so.
    with pytest.raises(httpx.TransportError, match=r"EOF|alert"):
        httpx.get(f"{net.url}sign-in", verify=old, timeout=DEADLINE_S)
    new = trust()
    new.minimum_version = ssl.TLSVersion.TLSv1_3
    assert httpx.get(f"{net.url}sign-in", verify=new, timeout=DEADLINE_S).status_code == 200


def sign_in(client: httpx.Client, token: str, **headers: str) -> httpx.Response:
    """What the form of the page sends."""
    return client.post("/sign-in", data={"token": token}, headers=headers)


def test_a_browser_signs_in_with_a_form_and_gets_a_cookie_that_no_script_can_read(net: Net) -> None:
    """The page is in the table's language; the cookie is HttpOnly, Secure, SameSite=Strict, for this host alone, holds
    neither the token nor anything of it, and opens what the role may see."""
    for role, home in (("dealer", "/"), ("floor", "/"), ("technician", "/technician")):
        with net.client() as client:
            sent = client.get("/", headers={"Accept": "text/html"})
            assert (sent.status_code, sent.headers["location"]) == (303, "/sign-in")
            page = client.get("/sign-in")
            assert "Zaloguj" in page.text
            assert "form-action 'self'" in page.headers["content-security-policy"]
            answer = sign_in(client, f" {net.token[role]}\n", Origin=net.url.rstrip("/"))
            assert (answer.status_code, answer.headers["location"]) == (303, home)
            cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
            assert (cookie["httponly"], cookie["secure"], cookie["samesite"]) == (True, True, "strict")
            assert (cookie["path"], cookie["domain"]) == ("/", "")
            assert net.token[role] not in answer.headers["set-cookie"]
            assert client.get(home).status_code == 200
            assert answer.headers["cache-control"] == "no-store"


def test_a_page_of_another_role_leads_to_ones_own(net: Net) -> None:
    """A technician who opens the table's address gets to the technician's page, and a dealer the other way round."""
    for role, path, home in (("technician", "/", "/technician"), ("dealer", "/technician", "/")):
        with net.client(role) as client:
            answer = client.get(path, headers={"Accept": "text/html"})
            assert (answer.status_code, answer.headers["location"]) == (303, home)


def test_signing_out_ends_the_session(net: Net) -> None:
    """The same cookie opens nothing any more, also if it was copied."""
    with net.client() as client:
        sign_in(client, net.token["dealer"])
        stolen = {"Cookie": f"{COOKIE}={client.cookies[COOKIE]}"}
        assert client.get("/state", headers=stolen).status_code == 200
        assert client.post("/sign-out").headers["location"] == "/sign-in"
        assert client.get("/state", headers=stolen).status_code == 401


def test_a_wrong_token_signs_nobody_in(net: Net, caplog: pytest.LogCaptureFixture) -> None:
    """The page says so, sets no cookie and is told to the log a few times only, without what was shown."""
    with net.client() as client:
        for _ in range(20):
            answer = sign_in(client, "wrong-token-of-somebody")
            assert answer.status_code == 401
            assert "set-cookie" not in answer.headers
            assert 'role="alert"' in answer.text
    told = [each.getMessage() for each in caplog.records if "does not know" in each.getMessage()]
    assert 1 <= len(told) <= 5
    assert not any("wrong-token" in each for each in told)


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
def test_another_site_can_neither_sign_in_nor_enter(net: Net, headers: dict[str, str]) -> None:
    """What another page sends is refused, with a good session too; the same address without TLS is another site."""
    with net.client() as client:
        sign_in(client, net.token["dealer"])
        plain = {"Origin": net.url.rstrip("/").replace("https", "http")}
        for each in (headers, plain):
            assert sign_in(client, net.token["dealer"], **each).status_code == 403
            assert client.post("/input", json={"do": "undo"}, headers=each).status_code == 403
    assert net.served.inputs == []


def test_names_of_the_network_are_those_of_the_configuration(net: Net) -> None:
    """The configured name is answered; another one, which may be rebound to this address, is not, token or no token."""
    port = net.url.rsplit(":", 1)[1].rstrip("/")
    with net.client("dealer") as client:
        assert client.get("/state", headers={"Host": f"T12.floor.example:{port}"}).status_code == 200
        for name in ("rebound.example", "0.0.0.0", ""):
            assert client.get("/state", headers={"Host": name}).status_code == 403


def test_every_answer_to_a_network_carries_the_security_headers(net: Net) -> None:
    """Refusals and the page for signing in too: strict content policy, no framing, no referrer, TLS from now on."""
    with net.client("dealer") as client:
        for path in ("/", "/state", "/nothing", "/metrics", "/sign-in"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
            # A browser sends its form without an origin where it may tell none.
            assert headers["referrer-policy"] == ("same-origin" if path == "/sign-in" else "no-referrer")
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in httpx.get(net.served.display.url).headers


def test_a_token_that_is_taken_away_is_out_and_its_pages_with_it(net: Net) -> None:
    """Its bearer and its sessions are refused, its open stream ends, others go on."""
    with net.client() as browser, net.client("dealer") as dealer, net.client("floor") as floor:
        sign_in(browser, net.token["floor"])
        with floor.stream("GET", "/events") as answer:
            lines = answer.iter_lines()
            assert next(lines).startswith("retry")
            tokens.revoke(net.file, "floor-1")
            for _ in lines:  # ends when the table has looked at its file
                pass
        assert floor.get("/state").status_code == browser.get("/state").status_code == 401
        assert dealer.get("/state").status_code == 200


def test_a_token_file_that_is_gone_lets_nobody_in_and_a_new_token_is_taken_up(tmp_path: Path) -> None:
    """What the file says counts while the table runs; a line that is damaged shuts out its own token alone, and a
    folder that cannot be read changes nothing."""

    async def run() -> None:
        file = tmp_path / "tokens"
        first = tokens.make_token(file, "floor", "a")
        keyring = Keyring(file, tokens.read_tokens(file)[0], lambda: None)
        second = tokens.make_token(file, "dealer", "b")
        assert keyring.bearer(second) is None
        await keyring.look()
        assert keyring.bearer(second) is not None
        whole = file.read_text()
        file.write_text(whole.replace("floor a sha256:", "floor a sha256:zz"))
        await keyring.look()
        assert (keyring.bearer(first), keyring.bearer(second) is not None) == (None, True)
        file.unlink()
        file.mkdir()
        await keyring.look()
        assert keyring.bearer(second) is not None
        file.rmdir()
        await keyring.look()
        assert keyring.bearer(second) is None

    asyncio.run(run())


def test_sessions_are_bounded_and_end_with_their_time(tmp_path: Path) -> None:
    """The oldest browser is signed out for the next one; after its time none is good any more."""

    async def run() -> None:
        file = tmp_path / "tokens"
        token = tokens.make_token(file, "floor", "a")
        keyring = Keyring(file, tokens.read_tokens(file)[0], lambda: None)
        signed = [keyring.sign_in(token) for _ in range(SESSIONS + 1)]
        cookies = [each[0] for each in signed if each is not None]
        assert (keyring.session(cookies[0]), keyring.session(cookies[1]) is not None) == (None, True)
        short = Keyring(file, tokens.read_tokens(file)[0], lambda: None, session_s=0)
        over = short.sign_in(token)
        assert over is not None
        assert short.session(over[0]) is None

    asyncio.run(run())


def test_no_answer_and_no_log_holds_a_token(net: Net, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is asked for, with a token or a session, no answer and no line of the log gives a token out again."""
    seen = ""
    with net.client("dealer") as client, net.client() as browser:
        sign_in(browser, net.token["floor"])
        for path in PATHS:
            if not path.endswith("events"):
                seen += client.get(path).text + browser.get(path).text
        seen += json.dumps([dict(each.headers) for each in (client.get("/state"), browser.get("/state"))])
    seen += "".join(each.getMessage() for each in caplog.records) + net.file.read_text()
    assert not [role for role, token in net.token.items() if token in seen]
