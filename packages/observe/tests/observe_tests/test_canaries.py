"""No value gets into a file, a log or a report: thousands of canaries in bodies, headers, paths, queries and errors."""

from __future__ import annotations

import itertools
import json
import logging
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError
from agent_session_platform_observe import Observations, make_report, propose_overlay, read_observations
from agent_session_platform_observe.contract import load_document
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing

STATUSES = (200, 201, 400, 403, 404, 422, 500)
# Each canary contains this word, in one of these spellings.
MARKS = ("kanarie", "KANARIE", "Kanarie")
FORMS = (
    "{mark}{hex}",
    "{mark}_{number}",
    "{mark}-{hex}",
    "{mark}@example.com",
    "/home/{mark}/{number}",
    "Text with {mark}, {number}",
    "assistant-{mark}{hex}",
    "org-{mark}",
    "https://{mark}.example.com/{hex}",
    "svc_{mark}{hex}",
    "{number}{mark}",
    "{mark} {mark}",
)


class Canaries:
    """A source of texts that must not be found anywhere."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.sent = 0

    def __call__(self) -> str:
        self.sent += 1
        mark = self._random.choice(MARKS)
        number, text = self._random.randrange(10**9), f"{self._random.getrandbits(48):012x}7"
        return self._random.choice(FORMS).format(mark=mark, number=number, hex=text)

    def plain(self) -> str:
        """Return a canary whose characters are allowed in header names and paths."""
        return f"kanarie-{self._random.getrandbits(32):x}7"

    def body(self, depth: int = 0) -> Any:
        """Return JSON with canaries as keys and as values."""
        if depth > 3:
            return self()
        members = {self(): self.body(depth + 1) for _ in range(2)}
        return {**members, "value": self(), "items": [self(), self.body(depth + 1)]}


def answer(canaries: Canaries, request: httpx.Request, status: int) -> httpx.Response:
    """Return a response with a canary in each position."""
    item = {name: canaries() for name in load_document().vocabulary}
    item |= {"tags": [canaries()], "structured_output": {canaries(): canaries()}, canaries(): canaries()}
    body = {**item, "items": [item, canaries.body()], "errors": [{canaries(): canaries()}], "end_cursor": None}
    headers = {"x-request-id": canaries.plain(), f"x-{canaries.plain()}": canaries.plain(), "x-kanarie-7f3a": "1"}
    if status == 200 and request.method == "PATCH":
        return httpx.Response(200, headers={**headers, "content-type": f"text/{canaries.plain()}"}, text=canaries())
    return httpx.Response(status, headers=headers, json=body)


def calls(platform: AgentPlatform, canaries: Canaries) -> Iterator[Any]:
    """Yield calls with a canary in each argument."""
    org = platform.organization(f"org-{canaries.plain()}")
    body = {canaries(): canaries(), "prompt": canaries(), "metadata": {canaries(): canaries()}}
    yield org.sessions.create(extra_body=body)
    yield org.sessions.get(canaries.plain())
    yield org.sessions.list().first_page()
    yield org.knowledge_notes.create(body=body)
    yield org.secrets.create(body={"name": canaries(), "value": canaries(), canaries(): canaries()})
    yield platform.enterprise.members.list_users(email=canaries()).first_page()
    for method in ("GET", "POST", "PATCH"):
        path = f"/v3/enterprise/{canaries.plain()}/roles"
        yield platform.request(method, path, query={canaries(): canaries()}, body=body if method != "GET" else None)


async def test_no_canary_is_found_in_any_file_log_or_report(
    tmp_path: Path, path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    canaries = Canaries(7)
    statuses = itertools.cycle(STATUSES)

    def respond(request: httpx.Request) -> httpx.Response:
        return answer(canaries, request, next(statuses))

    caplog.set_level(logging.WARNING)
    # Repeat the calls, so that each call gets a response of each status.
    for _ in STATUSES:
        async with observing(Sandbox(), Observations(path), respond) as platform:
            for call in calls(platform, canaries):
                with suppress(AgentPlatformError):
                    await call
        tallies = read_observations([path])
    report = make_report(tallies)
    written = "".join(each.read_text() for each in tmp_path.iterdir())
    shown = [str(report), report.to_markdown(), json.dumps(report.to_dict()), propose_overlay(tallies)]
    assert canaries.sent > 5_000
    assert "kanarie" not in "".join([written, *shown, caplog.text, *capsys.readouterr()]).lower()
    # Check that the file is not empty, because an empty file has no canary either.
    assert len(tallies) > 5
    body = tallies["get_organization_session"].below["200"].below["body"]
    assert body.members()["title"].facts("type:").keys() == {"string"}
