"""Lists of any length: streamed, and continued where they broke off."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.call import command as command_module
from agent_session_platform_cli.settings import Settings
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

LIST = "organization.sessions.list"


def items_of(text: str) -> list[str]:
    """Return the ids in the output of a list: an array, or lines of JSON."""
    found = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    return [each["session_id"] for each in found]


@pytest.mark.parametrize("output", ["jsonl", "json"])
def test_ctrl_c_leaves_the_command_that_prints_the_rest(asp: Asp, sandbox: Sandbox, output: str) -> None:
    ids = [sandbox.add_session() for _ in range(25)]
    sandbox.faults.add(LIST, latency=5, every=2)
    with asp.start("call", LIST, "--first", "10", "--limit=24", "-o", output) as process:
        assert process.stdout is not None
        before = "".join(process.stdout.readline() for _ in range(10))
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()
    assert process.returncode == 130
    message, _, command = errors.strip().rpartition("continue with: asp ")
    assert message.strip() == "asp: stopped after 10 items;"
    result = asp(*shlex.split(command))
    assert result.exit_code == 0, result.stderr
    # An array is closed, so that what was printed can be read.
    assert items_of(before + rest) + items_of(result.stdout) == ids[:24]


def test_an_error_in_the_middle_leaves_the_command_as_well(asp: Asp, sandbox: Sandbox) -> None:
    for _ in range(15):
        sandbox.add_session()
    sandbox.faults.add(LIST, status=500, every=2)
    result = asp("call", LIST, "--first", "10", "--attempts", "1")
    assert (result.exit_code, len(result.stdout.splitlines())) == (9, 10)
    assert f"continue with: asp call {LIST} --first 10 --attempts 1 --after " in result.stderr


@pytest.mark.parametrize("words", [["call", LIST], ["operations"], ["permissions", __file__, "--json"], ["show", LIST]])
def test_a_reader_that_wants_no_more_is_no_failure(asp: Asp, sandbox: Sandbox, words: list[str]) -> None:
    for _ in range(300):
        sandbox.add_session(title="x" * 1000)
    with asp.start(*words) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_limit_within_a_page_sends_one_request(asp: Asp, sandbox: Sandbox) -> None:
    for _ in range(30):
        sandbox.add_session()
    assert len(asp("call", LIST, "--first", "10", "--limit", "10").stdout.splitlines()) == 10
    assert len(sandbox.journal) == 1


@pytest.mark.parametrize("output", ["jsonl", "json", "csv", "table"])
def test_memory_does_not_grow_with_the_list(output: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The caches of the libraries are full after some pages; the rest needs no more memory."""
    pages, peaks = 120, list[int]()

    def respond(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get("after", "0"))
        if number in (80, pages - 1):
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.reset_peak()
        items: Any = [{"session_id": f"s-{number}-{each}", "title": "x" * 100} for each in range(200)]
        more = number + 1 < pages
        page = {"items": items, "has_next_page": more, "end_cursor": str(number + 1) if more else None}
        return httpx.Response(200, json=page)

    transport = httpx.MockTransport(respond)
    client = AgentPlatform("https://e.example", "svc_x", organization="org-acme", transport=transport)
    monkeypatch.setattr(command_module, "connect", lambda settings: client)
    command: Any = command_module.call_command.get_command(Any, LIST)
    with open(tmp_path / "out", "w", encoding="utf-8") as sink:
        monkeypatch.setattr(sys, "stdout", sink)
        tracemalloc.start()
        try:
            command.main([], standalone_mode=False, obj=Settings(output=output))
        finally:
            tracemalloc.stop()
    # The items of the pages between would take some megabytes.
    assert peaks[1] < peaks[0] + 1_000_000
    assert (tmp_path / "out").stat().st_size > pages * 200 * 20
