"""The observer of a client: complete, bounded, shared by processes, and never in the way of a call."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from agent_session_platform import InvalidArgumentError, NotFoundError
from agent_session_platform_observe import Observations, make_report, read_observations
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing, roles
from tests.fixtures import until

PROGRAM = """
import asyncio
from agent_session_platform_observe import observations_from_environment
from agent_session_platform_sandbox import Sandbox
async def main():
    async with Sandbox().client(on_exchange=observations_from_environment()) as platform:
        await platform.enterprise.roles.list()
asyncio.run(main())
"""


def test_processes_add_to_one_file_as_they_end(path: Path) -> None:
    environment = {**os.environ, "AGENT_PLATFORM_OBSERVE": str(path)}
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment) for _ in range(2)]
    assert [each.wait() for each in running] == [0, 0]
    assert roles(path) == 2


async def test_a_path_that_the_contract_does_not_have_is_reported_without_its_ids(sandbox: Sandbox, path: Path) -> None:
    async with observing(sandbox, Observations(path)) as platform:
        with pytest.raises(NotFoundError):
            await platform.request("GET", "/v3/enterprise/new/johanna_meier/sessions")
    [line] = make_report(read_observations([path])).additions
    assert line.subject == "GET /v3/enterprise/{}/{}/sessions"
    assert line.text == "a path that the contract does not have: 404"


async def test_a_gap_without_evidence_is_a_gap_that_was_never_seen(path: Path) -> None:
    """The contract shows an object, and an array came: no object shows which members are required."""
    async with observing(Sandbox(), Observations(path), lambda _: httpx.Response(200, json=[1])) as platform:
        await platform.request("GET", "/v3/enterprise/queue")
    report = make_report(read_observations([path]))
    assert [line.subject for line in report.gaps] == ["queue-response"]
    assert "queue-members" in report.unseen_gaps


async def test_what_is_new_is_written_after_the_interval(sandbox: Sandbox, path: Path) -> None:
    async with observing(sandbox, Observations(path, interval=0.01)) as platform:
        await platform.enterprise.roles.list()
        await until(path.exists)
        assert roles(path) == 1


async def test_nothing_of_a_request_that_is_a_secret_is_kept(sandbox: Sandbox, path: Path) -> None:
    async with observing(sandbox, Observations(path)) as platform:
        body = {"name": "API_KEY", "value": "hunter2", "type": "key-value"}
        await platform.organization("org-acme").secrets.create(body=body)
    [found] = read_observations([path])["create_organization_secret"].below.values()
    assert "sent" not in found.below


async def test_an_unwritable_file_is_warned_of_once_and_no_call_fails(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    observations = Observations(tmp_path / "missing" / "observed.json")
    for _ in range(2):
        async with observing(sandbox, observations) as platform:
            await platform.enterprise.roles.list()
    assert len(caplog.records) == 1
    (tmp_path / "missing").mkdir()
    observations.close()
    assert roles(tmp_path / "missing" / "observed.json") == 2


async def test_every_attempt_is_observed(sandbox: Sandbox, path: Path) -> None:
    sandbox.faults.add("enterprise.roles.list", status=503, times=1)
    async with observing(sandbox, Observations(path)) as platform:
        await platform.enterprise.roles.list()
    statuses = read_observations([path])["list_enterprise_roles"].below
    assert {status: each.counts["count"] for status, each in statuses.items()} == {"200": 1, "503": 1}


def flood(number: int) -> httpx.Response:
    """Return a response with names that nobody has seen before."""
    new = {f"w{letter}{number % 97}": {f"x_{each}": each for each in range(60)} for letter in "abcdefghijklmnop"}
    names = {f"{'abcdefghij'[number % 10]}_{'klmnopqrst'[number // 10 % 10]}_{each}": {"deep": 1} for each in range(60)}
    return httpx.Response(200, json={"items": [new], **names, **new}, headers={f"x-{number % 89}": "1"})


async def test_the_file_is_bounded_whatever_comes(path: Path) -> None:
    numbers = iter(range(100_000))
    async with observing(Sandbox(), Observations(path), lambda _: flood(next(numbers))) as platform:
        for operation in platform.operations:
            if operation.method == "GET" and not operation.streamed:
                for _ in range(4):
                    await platform.request("GET", operation.path.replace("{", "").replace("}", ""))
    assert path.stat().st_size <= 2 * 1024 * 1024


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
async def test_a_forked_process_does_not_write_what_its_parent_saw(sandbox: Sandbox, path: Path) -> None:
    observations = Observations(path)
    async with observing(sandbox, observations) as platform:
        await platform.enterprise.roles.list()
        child = multiprocessing.get_context("fork").Process(target=observations.save)
        child.start()
        await asyncio.to_thread(child.join, 60)
        assert (child.exitcode, path.exists()) == (0, False)
    assert roles(path) == 1


@pytest.mark.parametrize("interval", [0, -1, float("inf")])
def test_an_interval_of_nothing_is_refused(path: Path, interval: float) -> None:
    with pytest.raises(InvalidArgumentError, match="must be a number of seconds above 0"):
        Observations(path, interval=interval)
