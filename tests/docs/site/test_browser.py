"""The site in a real Chromium: no errors, readable on a phone, accessible to what axe checks, a good search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from agent_session_platform_sandbox.server import serve
from starlette.staticfiles import StaticFiles

from docs.check import ROOT
from tests.servers.browser import CHROMIUM, Browser, browser

AXE = ROOT / "docs/axe/node_modules/axe-core/axe.min.js"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
    pytest.mark.skipif(not AXE.exists(), reason="axe is not installed: make docs"),
]

PHONE, DESK = (360, 740), (1280, 900)

# A page of each kind.
MAIN = (
    "index",
    "tutorial",
    "how-to/follow",
    "how-to/fastapi",
    "explanation/rate-limits",
    "explanation/call",
    "reference/index",
    "reference/errors",
    "reference/settings",
    "reference/operations/organization.sessions",
    "changelog",
)

# The search is a component of its own.
RESULTS = "[...document.querySelectorAll('*')].find(each => each.shadowRoot)?.shadowRoot"
LOADED = "document.readyState === 'complete' && location.protocol === 'http:'"

# What people look for, and the page that is to be among the first results.
SEARCHES = {
    "custom ca": "how-to/corporate-network",
    "request id": "how-to/logging-tracing-metrics",
    "rotate token": "how-to/credentials",
    "follow messages": "how-to/follow",
    "crash": "how-to/batch",
    "fastapi lifespan": "how-to/fastapi",
    "respx": "how-to/mock-responses",
    "exit code": "reference/command-line",
    "PermissionDeniedError": "reference/errors",
    "enterprise.reviews.create": "reference/operations/enterprise.reviews",
    "overlay": "how-to/private-build",
}


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with serve(StaticFiles(directory=site)) as address:
        yield address


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


def opened(chromium: Browser, url: str, size: tuple[int, int] = DESK, scheme: str = "light") -> Browser:
    chromium.errors.clear()
    chromium.open("about:blank")
    chromium.show(*size, scheme)
    # The site keeps the scheme of the first visit.
    chromium.go(urljoin(url, "/404.html"))
    chromium.until(LOADED)
    chromium.run("localStorage.clear()")
    chromium.go(url)
    chromium.until(f"{LOADED} && !location.pathname.endsWith('/404.html')")
    return chromium


def test_no_page_has_an_error_or_is_wider_than_a_phone(chromium: Browser, address: str, site: Path) -> None:
    found: list[str] = []
    names = [path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.md")]
    for name in names:
        page = opened(chromium, f"{address}/{name}.html", PHONE)
        found += page.errors
        if (width := page.run("document.documentElement.scrollWidth")) > PHONE[0]:
            found.append(f"{name}: {width} pixels wide")
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", MAIN)
def test_axe_finds_nothing(chromium: Browser, address: str, name: str, size: tuple[int, int], scheme: str) -> None:
    page = opened(chromium, f"{address}/{name}.html", size, scheme)
    page.run(f"{AXE.read_text(encoding='utf-8')};1")
    rules = "[each.id, each.nodes[0].html.slice(0, 200), each.nodes[0].failureSummary]"
    found = page.run(f"axe.run({{resultTypes: ['violations']}}).then(done => done.violations.map(each => {rules}))")
    assert found == []


@pytest.mark.parametrize(("words", "wanted"), SEARCHES.items(), ids=SEARCHES)
def test_search_finds(chromium: Browser, address: str, words: str, wanted: str) -> None:
    page = opened(chromium, f"{address}/index.html")
    page.click(".md-search__button")
    page.until(f"{RESULTS}?.querySelector('input')")
    for character in words:
        page.press(character)
    links = f"[...{RESULTS}.querySelectorAll('a')].map(each => each.href)"
    page.until(f"{links}.some(link => link.includes({json.dumps(f'/{wanted}.html')}))")
    assert wanted in " ".join(page.run(links)[:5])
