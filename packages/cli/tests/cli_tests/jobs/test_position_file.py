"""The file with the position of a follower."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from agent_session_platform_cli.jobs.following import PositionFile

LIST = ["enterprise.sessions.messages", "assistant-1"]


def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    path = str(tmp_path / "state")
    assert PositionFile(path, LIST).load() is None
    PositionFile(path, LIST).save("position 1")
    PositionFile(path, LIST).save("position 2")
    assert PositionFile(path, LIST).load() == "position 2"
    assert [each.name for each in tmp_path.iterdir()] == ["state"]


def test_without_a_file_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PositionFile(None, LIST).save("position 1")
    assert PositionFile(None, LIST).load() is None
    assert [*tmp_path.iterdir()] == []


def test_the_position_of_another_list_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "state")
    PositionFile(path, LIST).save("position 1")
    with pytest.raises(
        click.UsageError, match=r"it has the position of enterprise.sessions.messages assistant-1, and not of "
    ):
        PositionFile(path, [LIST[0], "assistant-2"]).load()


@pytest.mark.parametrize("content", ["", "[]", '{"position": 3}', "\x00", "[" * 100_000])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "state"
    path.write_text(content)
    with pytest.raises(click.UsageError, match="it is no state of `asp follow`"):
        PositionFile(str(path), LIST).load()
