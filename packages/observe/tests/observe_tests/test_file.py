"""A file of observations may come from anybody. It is read as a whole, refused, or left as it is."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import random
import re
import stat
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_observe import Observations, file, make_report, propose_overlay, read_observations
from agent_session_platform_observe.file import KIND, VERSION, merge_into, to_tally
from agent_session_platform_observe.shape import Tally
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing, roles, traffic

DAY = {"first": 20261120, "last": 20261120}
ONE: dict[str, Any] = {"a": {"200": {**DAY, "count": 1, "media": {"none": 1}}}}


def written(path: Path, operations: Any, **other: Any) -> Path:
    """Write a file of observations by hand."""
    path.write_text(json.dumps({"kind": KIND, "operations": operations, "version": VERSION, **other}))
    return path


def add_often(path: Path, times: int = 40) -> None:
    for _ in range(times):
        merge_into(path, to_tally(ONE, ""))


def count(path: Path) -> int:
    return read_observations([path])["a"].below["200"].counts["count"]


def test_many_writers_at_once_lose_nothing(path: Path) -> None:
    writers = [multiprocessing.get_context("spawn").Process(target=add_often, args=(path,)) for _ in range(2)]
    for each in writers:
        each.start()
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda _: add_often(path, 1), range(40)))
    for each in writers:
        each.join(60)
    assert ([each.exitcode for each in writers], count(path)) == ([0, 0], 120)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_the_file_is_for_its_owner_only(tmp_path: Path, path: Path) -> None:
    merge_into(path, to_tally(ONE, ""))
    assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}


def test_files_of_several_computers_are_added_up(tmp_path: Path) -> None:
    """The order does not matter, and a name that another file does not have is dropped."""
    place = {"200": {**DAY, "count": 3, "header": {"named": 3, "?x-region": {"n": 3}}}}
    other = {"200": {**DAY, "count": 1, "header": {"named": 1}}}
    paths = [written(tmp_path / "a.json", {"a": place}), written(tmp_path / "b.json", {"a": other, "b": place})]
    paths.append(written(tmp_path / "c.json", ONE))
    found = read_observations(paths)
    assert found == read_observations(reversed(paths))
    assert [found[key].below["200"].counts["count"] for key in "ab"] == [5, 3]
    assert [list(found[key].below["200"].below["header"].below) for key in "ab"] == [[], ["?x-region"]]


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_stands_in_a_file_it_is_reported_or_refused(tmp_path: Path, path: Path, seed: int) -> None:
    await traffic(path)
    whole = path.read_text()
    draw, outcomes = random.Random(seed), set[bool]()
    for _ in range(40):
        token = draw.choice(list(re.finditer(r'"[^"]*"|\d+', whole)))
        new = draw.choice(["0", "7", '"2026-11-20"', '"x"', '"?free"', "null", "[]", "{}", "true", "1.5", "-1"])
        (tmp_path / "a.json").write_text(whole[: token.start()] + new + whole[token.end() :])
        try:
            tallies = read_observations([tmp_path / "a.json"])
        except InvalidArgumentError:
            outcomes.add(False)
        else:
            str(make_report(tallies))
            propose_overlay(tallies)
            outcomes.add(True)
    assert outcomes == {True, False}


WRONG: list[tuple[Any, str]] = [
    ({"a": {"b": {}}}, "below an operation there may only be statuses"),
    ({"a": {"200": {"count": 1, "first": 20261120}}}, "below an operation there may only be statuses"),
    ({"a": {"200": {**DAY, "count": 1, "last": 20269999}}}, "month must be in 1..12"),
    ({"a": {"200": {"b": "d"}}}, "`b` must be a whole number or an object"),
    ({"a": {"\x1b[31m": 1}}, "`a` has a member with a name that no file of observations has"),
    ({"[a](https://example.com)": {}}, "`operations` has a member with a name that no file of observations has"),
    (None, "`operations` must be an object"),
]


@pytest.mark.parametrize(("operations", "message"), WRONG)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, operations: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        read_observations([written(tmp_path / "a.json", operations)])
    assert message in str(raised.value)
    way_out = "name a file that AgentPlatform(on_exchange=...) or AGENT_PLATFORM_OBSERVE has written"
    assert str(raised.value).endswith(way_out)


CUT = f'{{"kind":"{KIND}","operations":{{"a'.encode()
NEWER = f'{{"kind":"{KIND}","version":1}}'.encode()
OTHERS = [b"[]", b'{"kind": 1}', b'{"operations": {"a": 1}}', b"\xff\x00", b"{" * 100_000, b"#!/bin/sh", NEWER, CUT]


@pytest.mark.parametrize("content", OTHERS, ids=range(len(OTHERS)))
async def test_a_file_of_somebody_else_or_of_another_version_stays_as_it_is(
    sandbox: Sandbox, tmp_path: Path, path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    path.write_bytes(content)
    async with observing(sandbox, Observations(path)) as platform:
        await platform.enterprise.roles.list()
    assert path.read_bytes() == content
    assert {each.name for each in tmp_path.iterdir()} == {"observed.json", "observed.json.lock"}
    [message] = [record.message for record in caplog.records]
    assert "observed.json is no file of observations" in message
    with pytest.raises(InvalidArgumentError, match="no file of observations"):
        read_observations([path])


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.touch()
    merge_into(path, to_tally(ONE, ""))
    assert count(path) == 1


def test_a_full_file_stays_as_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, ONE)
    monkeypatch.setattr(file, "LARGEST", path.stat().st_size)
    more = Tally(below={str(number): to_tally(ONE["a"], "") for number in range(9)})
    with pytest.raises(InvalidArgumentError, match=r"observed.json is full, with [0-9]+ bytes; name another one"):
        merge_into(path, more)
    assert read_observations([path]) == to_tally(ONE, "").below


async def test_a_full_disk_keeps_the_old_file_and_what_is_new(
    sandbox: Sandbox, tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    observations = Observations(path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with observing(sandbox, observations) as platform:
        await platform.enterprise.roles.list()
        observations.save()
        before = path.read_bytes()
        await platform.enterprise.roles.list()
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            observations.save()
        assert path.read_bytes() == before
        assert {each.name for each in tmp_path.iterdir()} == {"observed.json", "observed.json.lock"}
    assert roles(path) == 2
    [message] = [record.message for record in caplog.records]
    assert message.startswith("the observations could not be written to observed.json (No space left on device); ")


def test_a_clock_that_is_set_back_turns_no_dates_around() -> None:
    tally = Tally(Counter(first=29990101, last=29990101))
    tally.add(Tally(Counter(DAY)))
    assert tally.dates() == ("2026-11-20", "2999-01-01")


@pytest.mark.parametrize("path", ["observed.json", Path("observed.json")])
def test_a_single_path_is_not_taken_for_a_list(path: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=r"paths must be a list of files, such as \['observed.json'\]"):
        read_observations(path)
