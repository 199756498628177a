"""The observer of a client: complete, bounded, shared by processes, and never in the way of a call."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, NotFoundError
from agent_session_platform_observe import Observations, make_report, read_observations
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing, roles

PROGRAM = """
import asyncio, sys
from agent_session_platform_observe import observations_from_environment
from agent_session_platform_sandbox import Sandbox
async def main(calls):
    async with Sandbox().client(on_exchange=observations_from_environment()) as platform:
        for _ in range(calls):
            await platform.enterprise.roles.list()
        print("called", flush=True)
        if len(sys.argv) > 2:
            await asyncio.sleep(60)
asyncio.run(main(int(sys.argv[1])))
"""


async def call(platform: AgentPlatform, times: int = 1) -> None:
    for _ in range(times):
        await platform.enterprise.roles.list()


def program(path: Path, *arguments: str) -> subprocess.Popen[str]:
    """Run a program whose observations the environment switches on."""
    environment = {**os.environ, "AGENT_PLATFORM_OBSERVE": str(path)}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


async def test_counts_add_up_from_run_to_run(sandbox: Sandbox, tmp_path: Path) -> None:
    for number in range(1, 4):
        async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
            await call(platform, 2)
        assert roles(tmp_path / "observed.json") == 2 * number


async def test_a_path_that_the_contract_does_not_have_is_reported_without_its_ids(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        with pytest.raises(NotFoundError):
            await platform.request("GET", "/v3/enterprise/new/johanna_meier/sessions")
    [line] = make_report(read_observations([tmp_path / "observed.json"])).additions
    path = "GET /v3/enterprise/{}/{}/sessions"
    assert (line.subject, line.text) == (path, "a path that the contract does not have: 404")


def test_processes_add_to_one_file_as_they_end(tmp_path: Path) -> None:
    running = [program(tmp_path / "observed.json", "7") for _ in range(3)]
    assert [each.communicate(timeout=60)[0].strip() for each in running] == ["called"] * 3
    assert roles(tmp_path / "observed.json") == 21


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
async def test_what_was_saved_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "observed.json"
    async with observing(Sandbox(), Observations(path)) as platform:
        await call(platform, 4)
    running = program(path, "5", "wait")
    assert running.stdout is not None
    assert running.stdout.readline().strip() == "called"
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=60)
    assert roles(path) == 4


async def test_what_is_new_is_written_after_the_interval(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "observed.json"
    async with observing(sandbox, Observations(path, interval=0.01)) as platform:
        await call(platform)
        until = time.monotonic() + 30
        while not path.exists() and time.monotonic() < until:
            await asyncio.sleep(0.01)
        assert roles(path) == 1


async def test_nothing_of_a_request_that_is_a_secret_is_kept(sandbox: Sandbox, tmp_path: Path) -> None:
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        body = {"name": "API_KEY", "value": "hunter2", "type": "key-value"}
        await platform.organization("org-acme").secrets.create(body=body)
    [found] = read_observations([tmp_path / "observed.json"])["create_organization_secret"].below.values()
    assert "sent" not in found.below


async def test_an_unwritable_file_is_warned_of_once_and_no_call_fails(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    observations = Observations(tmp_path / "missing" / "observed.json")
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            async with observing(sandbox, observations) as platform:
                await call(platform)
    assert len(caplog.records) == 1
    (tmp_path / "missing").mkdir()
    observations.close()
    assert roles(tmp_path / "missing" / "observed.json") == 2


async def test_an_error_of_the_observer_does_not_reach_the_call(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    observations = Observations(tmp_path / "observed.json")

    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(observations, "_see", fail)
    async with observing(sandbox, observations) as platform:
        await call(platform, 2)
    assert [record.message for record in caplog.records] == [
        "a response could not be observed (ZeroDivisionError); calls are not affected"
    ]


async def test_every_attempt_is_observed(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.faults.add("enterprise.roles.list", status=503, times=1)
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        await call(platform)
    statuses = read_observations([tmp_path / "observed.json"])["list_enterprise_roles"].below
    assert {status: each.counts["count"] for status, each in statuses.items()} == {"200": 1, "503": 1}


def flood(number: int) -> httpx.Response:
    """Return a response with names that nobody has seen before."""
    new = {f"w{letter}{number % 97}": {f"x_{each}": each for each in range(60)} for letter in "abcdefghijklmnop"}
    names = {f"{'abcdefghij'[number % 10]}_{'klmnopqrst'[number // 10 % 10]}_{each}": {"deep": 1} for each in range(60)}
    return httpx.Response(200, json={"items": [new], **names, **new}, headers={f"x-{number % 89}": "1"})


async def test_the_file_is_bounded_whatever_comes(tmp_path: Path) -> None:
    numbers = iter(range(100_000))
    path = tmp_path / "observed.json"
    with Observations(path) as observations:
        transport = httpx.MockTransport(lambda _: flood(next(numbers)))
        settings: dict[str, Any] = {"transport": transport, "on_exchange": observations, "preflight": False}
        async with AgentPlatform("https://platform.example.com", "svc_a", **settings) as platform:
            for operation in platform.operations:
                if operation.method == "GET" and not operation.streamed:
                    template = operation.path.replace("{", "").replace("}", "")
                    for _ in range(4):
                        await platform.request("GET", template)
    assert path.stat().st_size <= 2 * 1024 * 1024


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
async def test_a_forked_process_does_not_write_what_its_parent_saw(sandbox: Sandbox, tmp_path: Path) -> None:
    observations = Observations(tmp_path / "observed.json")
    async with observing(sandbox, observations) as platform:
        await call(platform, 3)
        child = multiprocessing.get_context("fork").Process(target=observations.save)
        child.start()
        await asyncio.to_thread(child.join, 60)
        assert (child.exitcode, (tmp_path / "observed.json").exists()) == (0, False)
    assert roles(tmp_path / "observed.json") == 3


@pytest.mark.parametrize("interval", [0, -1, float("inf")])
def test_an_interval_of_nothing_is_refused(tmp_path: Path, interval: float) -> None:
    with pytest.raises(InvalidArgumentError, match="must be a number of seconds above 0"):
        Observations(tmp_path / "observed.json", interval=interval)
