"""The page of the sandbox: what it may do, and in a real browser its buttons, and the changes that it shows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.clock import START

from sandbox_tests.plain_http import PR
from tests.servers.browser import CHROMIUM, Browser, browser

INJECTION = "<img src=x onerror=alert(1)></script><b>bold</b>"
ROLES = "/v3/enterprise/roles"
JOURNAL = "document.getElementById('journal')"
KINDS = {
    "503": {"status": 503},
    "drop": {"drop": True},
    "502 html": {"status": 502, "html": True},
    "late": {"latency": 2},
}


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests; each test has a page of its own in it."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Browser]:
    """The page, filled in by its script; it is closed before its server ends."""
    chromium.open(address)
    chromium.until("document.readyState === 'complete' && typeof poll === 'function'")
    yield chromium
    chromium.close()


def shows(section: str, text: str) -> str:
    return f"document.getElementById({section!r}).innerText.includes({text!r})"


async def test_the_page_lets_only_its_own_script_run(http: httpx.AsyncClient) -> None:
    response = await http.get("/")
    policy = response.headers["Content-Security-Policy"]
    nonce = policy.partition("script-src 'nonce-")[2].partition("'")[0]
    assert f'<script nonce="{nonce}">' in response.text
    assert "default-src 'none'" in policy


def test_the_page_inserts_everything_as_text(sandbox: Sandbox, page: Browser, tcp: httpx.Client) -> None:
    sandbox.seed({"organizations": [{"org_id": INJECTION}], "sessions": [{"org_id": INJECTION, "title": INJECTION}]})
    sandbox.faults.add("enterprise.roles.list", status=429, retry_after=INJECTION)
    sandbox.snapshots.take(INJECTION)
    tcp.get(f"/v3/{INJECTION}")
    for section in ("state", "faults", "snapshots", "journal"):
        page.until(shows(section, INJECTION))
    assert page.run("document.querySelector('img')") is None
    # The requests of the page itself are not in the journal.
    assert len(sandbox.journal) == 1


def test_the_page_lists_assumptions_and_operations(page: Browser) -> None:
    page.until("document.querySelectorAll('#assumptions tbody tr').length > 5")
    page.until("document.querySelectorAll('#operations option').length > 50")


def test_the_clock_is_moved_and_reset(sandbox: Sandbox, page: Browser) -> None:
    page.click("[data-post=clock]")
    page.until(shows("clock", "01:00:00"))
    assert sandbox.clock() == START + timedelta(hours=1)
    page.click("[data-post=reset]")
    page.until(shows("clock", "00:00:00"))
    assert sandbox.clock() == START


def test_kinds_of_faults_are_added_and_all_are_cleared(sandbox: Sandbox, page: Browser) -> None:
    for number, kind in enumerate(KINDS, start=1):
        page.run(f"document.querySelector('select[name=kind]').value = {kind!r}")
        page.click("[data-to=faults] button")
        page.until(f"document.querySelectorAll('#faults tbody tr').length === {number}")
    shown = [
        {name: getattr(fault, name) for name in given}
        for fault, given in zip(sandbox.faults, KINDS.values(), strict=True)
    ]
    assert shown == [*KINDS.values()]
    page.click("[data-delete=faults]")
    page.until(shows("faults", "None."))
    assert [*sandbox.faults] == []


def test_an_invalid_fault_is_reported(page: Browser) -> None:
    page.run("document.querySelector('input[name=operation]').value = 'enterprise.roles.lst'")
    page.click("[data-to=faults] button")
    page.until(shows("message", "did you mean"))


def test_the_rate_limit_is_set_and_lifted(sandbox: Sandbox, page: Browser) -> None:
    page.click("[data-to=settings] button")
    page.until(shows("limit", "per_second"))
    assert sandbox.rate_limit is not None
    page.click("[data-put=settings]")
    page.until(shows("limit", "Off."))
    assert sandbox.rate_limit is None


def test_a_snapshot_is_taken_and_restored(sandbox: Sandbox, page: Browser) -> None:
    page.run("document.querySelector('[data-to=snapshots] input').value = 'a/b'")
    page.click("[data-to=snapshots] button")
    page.until(shows("snapshots", "a/b"))
    sandbox.clock.advance(days=1)
    page.until(shows("clock", "2026-11-02"))
    page.click("[data-post='snapshots/a%2Fb/restore']")
    page.until(shows("clock", "2026-11-01"))
    assert sandbox.clock() == START


def test_reviews_are_settled(sandbox: Sandbox, page: Browser, tcp: httpx.Client) -> None:
    tcp.post("/v3/enterprise/pr-reviews", json={"pr_url": PR}, headers={"Authorization": f"Bearer {sandbox.token}"})
    page.click("[data-post='reviews/settle']")
    # The script adds entries after the response has come.
    page.until("performance.getEntriesByType('resource').some(each => each.name.endsWith('/reviews/settle'))")
    assert [each.fields["status"] for each in sandbox.state.collection("pr-reviews").values()] == ["completed"]


def test_the_journal_continues_after_it_is_cleared(page: Browser, tcp: httpx.Client) -> None:
    tcp.get(ROLES)
    page.until(f"{JOURNAL}.rows.length === 1")
    page.click("[data-delete=journal]")
    page.until(f"{JOURNAL}.rows.length === 0")
    tcp.get(ROLES)
    page.until(f"{JOURNAL}.rows.length === 1 && {JOURNAL}.rows[0].cells[0].innerText === '2'")


def test_the_journal_starts_again_after_a_reset(sandbox: Sandbox, page: Browser, tcp: httpx.Client) -> None:
    tcp.get(ROLES)
    page.until(f"{JOURNAL}.rows.length === 1")
    # After a reset, the number of the last request may be the same again. So this number cannot show the reset.
    sandbox.reset()
    for _ in range(2):
        tcp.get(ROLES)
    page.until(f"{JOURNAL}.rows.length === 2 && {JOURNAL}.rows[0].cells[0].innerText === '2'")
