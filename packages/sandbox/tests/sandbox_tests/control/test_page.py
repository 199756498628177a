"""The HTML of the page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

from tests.servers.browser import CHROMIUM

SESSIONS = "/v3/organizations/org-acme/sessions"
INJECTION = "<img src=x onerror=alert(1)></script><b>bold</b>"


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


async def test_the_page_shows_no_credential(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title=f"token {sandbox.token}")
    assert sandbox.token not in (await http.get("/")).text


async def test_the_page_escapes_everything(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title=INJECTION)
    sandbox.seed({"organizations": [{"org_id": INJECTION}], "sessions": [{"org_id": INJECTION, "title": INJECTION}]})
    sandbox.faults.add(status=429, retry_after=INJECTION)
    text = (await http.get("/")).text
    assert ("<img" in text, text.count("&lt;img src=x onerror=alert(1)&gt;")) == (False, 4)


async def test_the_page_lets_only_its_own_script_run(http: httpx.AsyncClient) -> None:
    response = await http.get("/")
    policy = response.headers["Content-Security-Policy"]
    nonce = policy.partition("script-src 'nonce-")[2].partition("'")[0]
    assert f'<script nonce="{nonce}">' in response.text
    assert "default-src 'none'" in policy


async def test_the_page_shows_faults_and_the_rate_limit(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.put("/_sandbox/rate-limit", json={"per_second": 50, "burst": 10})
    await http.post("/_sandbox/faults", json={"operation": "enterprise.blueprints.list", "drop": True, "every": 3})
    text = (await http.get("/")).text
    assert "<th>per_second</th>" in text
    assert '<span class="more">enterprise.blueprints.list</span>' in text
    assert "2026-11-01 00:00:00" in text


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
def test_in_a_browser_the_script_fills_the_journal_in(sandbox: Sandbox, address: str, tmp_path: Path) -> None:
    sandbox.add_session(title=INJECTION)
    httpx.get(f"{address}{SESSIONS}", headers=as_admin(sandbox))
    httpx.get(f"{address}/v3/{INJECTION}")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}",
        "--virtual-time-budget=4000",
    ]
    command = [str(CHROMIUM), *options, "--dump-dom", address]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert f"GET {SESSIONS}<div" in shown
    assert "organization.sessions.list</div>" in shown
    assert "<img" not in shown
    # Neither the page nor its polling is a request that anybody made.
    assert len(sandbox.journal) == 2
