"""What a page or a program posts: read, checked, handed on, answered.

Owns: who may post, the size and form of a body, and the answer in words. Refuses: what an input means.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.errors import RecordingError, TablectlError, UsageError
from tablectl.said import Said, said_by, say
from tablectl.shell.display.bounds import BODY_BYTES
from tablectl.shell.display.guard import cross_site
from tablectl.shell.display.roles import Visitor

log = logging.getLogger("tablectl.display")


class TooLongError(Exception):
    """A body is longer than BODY_BYTES."""


async def whole_body(request: Request) -> bytes:
    """The request's body; TooLongError as soon as it is too long."""
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > BODY_BYTES:
            raise TooLongError
    return bytes(raw)


async def hand_on(
    request: Request, submit: Callable[[dict[str, Any]], None], *, signed: bool = False
) -> Response:
    """Has `submit` take the request's body; what it raises becomes the answer, and no more than that.

    `signed`: an input of the contract, which not every role may enter, and which tells who entered it.
    """
    if reason := cross_site(request.url.scheme, request.headers):
        return JSONResponse({"error": reason}, 403)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return JSONResponse({"error": "Content-Type must be application/json"}, 415)
    try:
        raw = await whole_body(request)
    except TooLongError:
        return JSONResponse({"error": f"an input has at most {BODY_BYTES} bytes"}, 413)
    try:
        given, visitor = parse_input(raw), cast("Visitor", request.state.visitor)
        submit(visitor.signed(given) if signed else given)
    except (UsageError, RecordingError) as wrong:
        return JSONResponse(_refusal(wrong), 400)
    except TablectlError as refused:
        return JSONResponse(_refusal(refused), 503)
    except Exception:  # no traceback reaches the dealer, and the log has it
        log.exception("an input could not be applied")
        return JSONResponse(_refusal(UsageError(Said("the input could not be applied; see the log"))), 500)
    return JSONResponse({"ok": True})


def _refusal(error: TablectlError) -> dict[str, Any]:
    """Why an input was not taken, in English and as what the page needs to say it in its own language."""
    return {"error": str(error), **say(said_by(error))}


def parse_input(raw: bytes) -> dict[str, Any]:
    """One input from the body of a request.

    Raises UsageError, with what would be right, unless it is a JSON object with a `do`, free of NaN and of
    lone surrogates (the journal could not write those).
    """
    try:
        body = json.loads(raw, parse_constant=_no_constant)
        json.dumps(body, ensure_ascii=False).encode()
    except RecursionError:
        raise UsageError("the input is nested too deeply") from None
    except ValueError as wrong:
        raise UsageError(f"the input is not valid JSON: {_first_line(wrong)}") from None
    if not isinstance(body, dict):
        raise UsageError('an input is a JSON object such as {"do": "round_closed"}')
    if not isinstance(body.get("do"), str):
        raise UsageError('"do" is missing: it names the input, for example "round_closed"')
    return body


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _first_line(wrong: Exception) -> str:
    return str(wrong).partition("\n")[0][:200]
