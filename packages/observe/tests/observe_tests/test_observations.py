"""The file of observations: whole, bounded, shared by processes, and never in the way of a call."""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, DecodeError, InvalidArgumentError, NotFoundError
from agent_session_platform_observe import Observations, observations_from_environment, read_observations
from agent_session_platform_observe.file import KIND, VERSION, merge_into
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing

GET = "get_organization_session"
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


def roles(path: Path) -> int:
    """Return how many responses of a list of roles a file counts."""
    tally = read_observations([path])["list_enterprise_roles"]
    return int(tally["responses"]["200"]["count"])


def program(path: Path, *arguments: str) -> subprocess.Popen[str]:
    """Run a program whose observations the environment switches on."""
    environment = {**os.environ, "AGENT_PLATFORM_OBSERVE": str(path)}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


async def test_the_file_is_there_when_the_client_is_closed(sandbox: Sandbox, tmp_path: Path) -> None:
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        await call(platform, 3)
    assert roles(tmp_path / "observed.json") == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
async def test_the_file_is_for_its_owner_only(sandbox: Sandbox, tmp_path: Path) -> None:
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        await call(platform)
    assert stat.S_IMODE((tmp_path / "observed.json").stat().st_mode) == 0o600


async def test_the_environment_names_a_file_for_all_clients(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_OBSERVE", str(tmp_path / "observed.json"))
    for _ in range(2):
        async with observing(sandbox, observations_from_environment()) as platform:
            await call(platform)
    assert roles(tmp_path / "observed.json") == 2


async def test_counts_add_up_from_run_to_run(sandbox: Sandbox, tmp_path: Path) -> None:
    for _ in range(3):
        async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
            await call(platform, 2)
    assert roles(tmp_path / "observed.json") == 6


def test_processes_add_to_one_file(tmp_path: Path) -> None:
    running = [program(tmp_path / "observed.json", "7") for _ in range(3)]
    assert [each.communicate(timeout=60)[0].strip() for each in running] == ["called"] * 3
    assert roles(tmp_path / "observed.json") == 21


DATES = {"first": "2026-11-20", "last": "2026-11-20"}


def add_often(path: str) -> None:
    for _ in range(40):
        merge_into(Path(path), {"a": {**DATES, "credentials": {"b": {"accepted": 1}}}})


def test_no_count_is_lost_between_processes_that_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "observed.json"
    writers = [multiprocessing.get_context("spawn").Process(target=add_often, args=(str(path),)) for _ in range(3)]
    for each in writers:
        each.start()
    for each in writers:
        each.join(60)
    assert [each.exitcode for each in writers] == [0, 0, 0]
    assert read_observations([path])["a"]["credentials"] == {"b": {"accepted": 120}}


async def test_nothing_of_a_request_that_is_a_secret_is_kept(sandbox: Sandbox, tmp_path: Path) -> None:
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        body = {"name": "API_KEY", "value": "hunter2", "type": "key-value"}
        await platform.organization("org-acme").secrets.create(body=body)
    assert "request" not in read_observations([tmp_path / "observed.json"])["create_organization_secret"]


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
    observations = Observations(path, interval=0.01)
    async with observing(sandbox, observations) as platform:
        await call(platform)
        until = time.monotonic() + 30
        while not path.exists() and time.monotonic() < until:
            await asyncio.sleep(0.01)
        assert roles(path) == 1


@pytest.mark.parametrize("damage", [b"", b"{", b'{"kind":"agent-session-platform-observations","operations":{"a'])
async def test_a_damaged_file_is_put_aside_and_no_call_fails(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes
) -> None:
    path = tmp_path / "observed.json"
    path.write_bytes(damage)
    async with observing(sandbox, Observations(path)) as platform:
        await call(platform)
    assert roles(path) == 1
    [aside] = tmp_path.glob("*.damaged")
    assert aside.read_bytes() == damage
    assert [record.levelname for record in caplog.records if "damaged" in record.message] == ["WARNING"]


NEWER = f'{{"kind":"{KIND}","version":1}}'.encode()
OTHERS = [b"[]", b'{"kind": 1}', b"\xff\x00", b"{" * 100_000, b"#!/bin/sh", NEWER]


@pytest.mark.parametrize("content", OTHERS, ids=range(len(OTHERS)))
async def test_a_file_of_somebody_else_or_of_another_version_stays_as_it_is(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    path = tmp_path / "observed.json"
    path.write_bytes(content)
    async with observing(sandbox, Observations(path)) as platform:
        await call(platform)
    assert path.read_bytes() == content
    assert {each.name for each in tmp_path.iterdir()} == {"observed.json", "observed.json.lock"}
    [message] = [record.message for record in caplog.records]
    assert "observed.json is no file of observations" in message


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


async def test_refused_and_undecodable_responses_are_counted_as_such(tmp_path: Path) -> None:
    path = tmp_path / "observed.json"
    answers = iter([httpx.Response(200, content=b"<html>", headers={"content-type": "application/json"})])

    def answer(_: httpx.Request) -> httpx.Response:
        return next(answers, httpx.Response(404, json={"title": "Not Found", "status": 404}))

    transport = httpx.MockTransport(answer)
    observations = Observations(path)
    settings: dict[str, Any] = {"transport": transport, "on_exchange": observations, "organization": "org-acme"}
    async with AgentPlatform("https://platform.example.com", "svc_a", **settings) as platform:
        for _ in range(2):
            with pytest.raises((DecodeError, NotFoundError)):
                await platform.organization().sessions.get("assistant-1")
    observations.close()
    responses = read_observations([path])[GET]["responses"]
    assert responses["200"]["bodies"] == {"undecodable": 1}
    assert responses["404"]["count"] == 1


async def test_every_attempt_is_observed(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.faults.add("enterprise.roles.list", status=503, times=1)
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        await call(platform)
    responses = read_observations([tmp_path / "observed.json"])["list_enterprise_roles"]["responses"]
    assert {status: each["count"] for status, each in responses.items()} == {"200": 1, "503": 1}


async def test_a_downloaded_file_is_not_read(sandbox: Sandbox, tmp_path: Path) -> None:
    async with observing(sandbox, Observations(tmp_path / "observed.json")) as platform:
        org = platform.organization("org-acme")
        with pytest.raises(NotFoundError):
            await org.attachments.download("0" * 8 + "-0000-0000-0000-" + "0" * 12, "a.txt").read()
    found = read_observations([tmp_path / "observed.json"])["download_organization_attachment"]
    assert found["responses"]["404"]["count"] == 1


def flood(number: int) -> httpx.Response:
    """Return a response with names that nobody has seen before."""
    names: dict[str, object] = {
        f"{'abcdefghij'[number % 10]}{'klmnopqrst'[number // 10 % 10]}_{each}": {"deep": 1} for each in range(60)
    }
    wide = {f"w{letter}{number % 97}": {f"x_{each}": each for each in range(60)} for letter in "abcdefghijklmnop"}
    return httpx.Response(200, json={**names, "items": [wide], **wide}, headers={f"x-{number % 89}": "1"})


async def test_the_file_is_bounded_whatever_comes(tmp_path: Path) -> None:
    numbers = iter(range(100_000))
    transport = httpx.MockTransport(lambda _: flood(next(numbers)))
    path = tmp_path / "observed.json"
    observations = Observations(path)
    settings: dict[str, Any] = {"transport": transport, "on_exchange": observations, "preflight": False}
    async with AgentPlatform("https://platform.example.com", "svc_a", **settings) as platform:
        for operation in platform.operations:
            if operation.method == "GET" and not operation.streamed:
                template = operation.path.replace("{", "").replace("}", "")
                for _ in range(4):
                    await platform.request("GET", template)
    observations.close()
    assert path.stat().st_size <= 2 * 1024 * 1024


def in_a_child(observations: Observations, path: str) -> None:
    async def main() -> None:
        async with observing(Sandbox(), observations) as platform:
            await call(platform, 2)

    asyncio.run(main())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
async def test_a_forked_process_does_not_write_what_its_parent_saw(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "observed.json"
    observations = Observations(path)
    async with observing(sandbox, observations) as platform:
        await call(platform, 3)
        child = multiprocessing.get_context("fork").Process(target=in_a_child, args=(observations, str(path)))
        child.start()
        await asyncio.to_thread(child.join, 60)
    assert child.exitcode == 0
    assert roles(path) == 5


def test_an_interval_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="must be a number of seconds above 0 and at most [0-9]+, not 0"):
        Observations(tmp_path / "observed.json", interval=0)


@pytest.mark.parametrize("content", ["[]", '{"kind": "x"}', '{"operations": {"a": "secret"}}'])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(InvalidArgumentError, match="no file of observations"):
        read_observations([tmp_path / "a.json"])


def test_a_file_with_anything_but_counts_is_refused(tmp_path: Path) -> None:
    document = {"kind": KIND, "version": VERSION, "operations": {"a": {"\x1b[31m": 1}}}
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(InvalidArgumentError, match="`a` has a name, which no file of observations has there"):
        read_observations([tmp_path / "a.json"])
