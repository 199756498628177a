"""Files that are whole or not there, whoever writes them: parts of downloads, and states of the sandbox."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform.files import NEW, new_file, open_regular, write_whole


def test_a_file_that_is_written_whole_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_whole(tmp_path / "x", b"content")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o600


@pytest.mark.parametrize("kind", ["link", "file"])
def test_the_temporary_name_of_another_is_not_used_and_stays(kind: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"other")
    planted = tmp_path / "new"
    planted.symlink_to(tmp_path / "other") if kind == "link" else planted.hardlink_to(tmp_path / "other")
    with pytest.raises(FileExistsError), new_file(planted):
        pass
    assert planted.read_bytes() == b"other"


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR, os.O_RDWR | NEW])
@pytest.mark.parametrize("kind", ["fifo", "link", "directory"])
def test_only_a_regular_file_is_opened_and_nothing_is_waited_for(kind: str, flags: int, tmp_path: Path) -> None:
    makers: dict[str, Any] = {
        "fifo": os.mkfifo,
        "link": lambda path: path.symlink_to(tmp_path / "nowhere"),
        "directory": os.mkdir,
    }
    makers[kind](tmp_path / "x")
    with pytest.raises(OSError, match=r"x'"):
        open_regular(tmp_path / "x", flags)
