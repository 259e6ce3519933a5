"""Signing in as a person does it: Chromium at a display that is open to a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import technician_states as told
from network import opened
from playwright.sync_api import Page, expect
from serving import Served
from states import ALL

from tablectl.config import tokens

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXCUSED = ("status of 401", "net::ERR_", "status of 429")
"""What Chromium logs when it is turned away, as it should be."""


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Page]:
    """A browser somewhere in the house; fails if a page logs an error, such as a breach of its content policy."""
    errors: list[str] = []
    context = chromium.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert [text for text in errors if not any(each in text for each in EXCUSED)] == []


def sign_in(page: Page, token: str) -> None:
    """Types the token and presses the button."""
    page.locator("input[name=token]").fill(token)
    page.get_by_role("button", name="Sign in").click()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Served, dict[str, str], Path]]:
    """A display in play that is open to a network, its tokens, and their file."""
    where, made = opened(tmp_path)
    served = Served(next(iter(ALL.values()))(), opened=where)
    served.workshop.show(told.one_board())
    yield served, made, where.tokens
    served.end()


def address(served: Served) -> str:
    """Where browsers find it."""
    assert served.display.opened is not None
    return served.display.opened.url


def test_a_dealer_signs_in_sees_the_table_and_is_out_when_the_token_is_taken_away(
    site: tuple[Served, dict[str, str], Path], visitor: Page
) -> None:
    """The table's address leads to the page for signing in; a wrong token is told; the right one leads to the table,
    which is drawn under the strict content policy; its script cannot read the cookie. When the token is revoked the
    page is at the door again."""
    served, made, file = site
    visitor.goto(address(served))
    expect(visitor).to_have_url(re.compile("/sign-in$"))
    sign_in(visitor, "no token of this table")
    expect(visitor.get_by_role("alert")).to_have_text("This table does not know that token.")
    sign_in(visitor, made["dealer"])
    expect(visitor).to_have_url(address(served))
    expect(visitor.locator("#cover")).to_be_hidden()
    assert visitor.evaluate("document.cookie") == ""
    tokens.revoke(file, "dealer-1")
    expect(visitor).to_have_url(re.compile("/sign-in$"))


def test_a_technician_gets_to_the_workshop_and_signs_out(
    site: tuple[Served, dict[str, str], Path], visitor: Page
) -> None:
    """The role's own page comes after signing in; after signing out its address leads back to the door."""
    served, made, _ = site
    visitor.goto(f"{address(served)}sign-in")
    sign_in(visitor, made["technician"])
    expect(visitor).to_have_url(re.compile("/technician$"))
    visitor.goto(f"{address(served)}sign-in")
    visitor.get_by_role("button", name="Sign out").click()
    visitor.goto(f"{address(served)}technician")
    expect(visitor).to_have_url(re.compile("/sign-in$"))
