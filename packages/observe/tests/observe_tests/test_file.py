"""A file of observations that anybody may have written: it is read as a whole, refused, or left alone."""

from __future__ import annotations

import copy
import errno
import json
import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError
from agent_session_platform_observe import Observations, file, make_report, propose_overlay, read_observations
from agent_session_platform_observe.file import KIND, VERSION, merge_into
from agent_session_platform_observe.observations import seen_today
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing, traffic

DATES = {"first": "2026-11-20", "last": "2026-11-20"}
ONE = {"a": {**DATES, "credentials": {"b": {"accepted": 1}}}}


def written(path: Path, operations: Any) -> Path:
    """Write a file of observations by hand."""
    path.write_text(json.dumps({"kind": KIND, "operations": operations, "version": VERSION}))
    return path


def test_a_hundred_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(100) as pool:
        list(pool.map(lambda _: merge_into(tmp_path / "observed.json", ONE), range(100)))
    assert read_observations([tmp_path / "observed.json"])["a"]["credentials"] == {"b": {"accepted": 100}}


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from nodes(member)


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_stands_in_a_file_it_is_reported_or_refused(tmp_path: Path, seed: int) -> None:
    whole = await traffic(tmp_path / "observed.json")
    draw, outcomes = random.Random(seed), set[bool]()
    for _ in range(40):
        operations = copy.deepcopy(whole)
        node = draw.choice([each for each in nodes(operations) if each])
        key = draw.choice(list(node))
        if draw.random() < 0.4:
            del node[key]
        else:
            node[draw.choice([key, "*free", "a"])] = draw.choice([0, 7, "2026-11-20", "x", None, [], {}, True, 1.5, -1])
        try:
            tallies = read_observations([written(tmp_path / "a.json", operations)])
        except InvalidArgumentError:
            outcomes.add(False)
        else:
            str(make_report(tallies))
            propose_overlay(tallies)
            outcomes.add(True)
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ({"a": 5}, "`a` must be an object"),
        ({"a": {"first": "soon"}}, "`first` must be a date, such as 2026-11-20"),
        ({"a": {"credentials": {"b": {"c": "d"}}}}, "`c` must be a whole number"),
        ({"a": {"secret": 1}}, "`a` has secret, which no file of observations has there"),
        ({"[a](https://example.com)": {}}, "`operations` has a name, which no file of observations has there"),
        (None, "`operations` must be an object"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, operations: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        read_observations([written(tmp_path / "a.json", operations)])
    assert message in str(raised.value)
    way_out = "name a file that AgentPlatform(on_exchange=...) or AGENT_PLATFORM_OBSERVE has written"
    assert str(raised.value).endswith(way_out)


def test_a_shape_that_is_incomplete_is_refused(tmp_path: Path) -> None:
    response = {**DATES, "count": 2, "body": {"n": 2}}
    with pytest.raises(InvalidArgumentError, match="`body` has no types"):
        read_observations([written(tmp_path / "a.json", {"a": {**DATES, "responses": {"200": response}}})])


async def test_a_full_file_makes_no_member_look_missing(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "observed.json"
    full = {f"GET /{number}/": DATES for number in range(65_000)}
    written(path, full)
    async with observing(sandbox, Observations(path)) as platform:
        await platform.enterprise.roles.list()
        await platform.organization("org-acme").sessions.create(prompt="Fix it")
    assert make_report(read_observations([path])).contradictions == ()


def test_a_full_file_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "observed.json", ONE)
    monkeypatch.setattr(file, "LARGEST", path.stat().st_size)
    with pytest.raises(InvalidArgumentError, match=r"observed.json is full, with [0-9]+ bytes; name another one"):
        merge_into(path, {f"GET /{number}": DATES for number in range(9)})
    assert read_observations([path]) == ONE


async def test_a_full_disk_keeps_the_old_file_and_what_is_new(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "observed.json"
    observations = Observations(path)

    async def call(platform: AgentPlatform) -> None:
        await platform.enterprise.roles.list()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with observing(sandbox, observations) as platform:
        await call(platform)
        observations.save()
        before = path.read_bytes()
        await call(platform)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            observations.save()
        assert path.read_bytes() == before
        assert {each.name for each in tmp_path.iterdir()} == {"observed.json", "observed.json.lock"}
    tally = read_observations([path])["list_enterprise_roles"]
    assert tally["responses"]["200"]["count"] == 2
    [message] = [record.message for record in caplog.records]
    assert message.startswith("the observations could not be written to observed.json (No space left on device); ")


async def test_what_ctrl_c_interrupts_is_written_later(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "observed.json"
    observations = Observations(path)

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    async with observing(sandbox, observations) as platform:
        await platform.enterprise.roles.list()
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", interrupt)
            with pytest.raises(KeyboardInterrupt):
                observations.save()
        assert not path.exists()
    assert read_observations([path])["list_enterprise_roles"]["responses"]["200"]["count"] == 1


def test_a_clock_that_is_set_back_turns_no_dates_around() -> None:
    tally = {"first": "2999-01-01", "last": "2999-01-01"}
    seen_today(tally)
    assert tally["first"] < tally["last"] == "2999-01-01"
