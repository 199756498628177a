"""Files of states: whole, private, never through a link, and for one process at a time."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.snapshots import locked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


def test_only_the_owner_may_read_a_saved_state_and_nothing_is_beside_it(sandbox: Sandbox, state_file: Path) -> None:
    state_file.write_text("older")
    state_file.chmod(0o666)
    sandbox.snapshots.save(state_file)
    assert [(each.name, stat.S_IMODE(each.stat().st_mode)) for each in state_file.parent.iterdir()] == [
        ("state.json", 0o600)
    ]


def test_a_state_is_not_saved_through_a_hard_link(sandbox: Sandbox, state_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    state_file.hardlink_to(target)
    sandbox.snapshots.save(state_file)
    assert (target.read_text(), state_file.read_text()[:1]) == ("mine", "{")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_the_old_state_stays_whole_if_a_new_one_cannot_be_written(
    sandbox: Sandbox, state_file: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    state_file.write_text("older")

    def fail(path: Path, content: str, encoding: str) -> None:
        with path.open("w") as file:
            file.write(content[:10])
        raise error

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(type(error)):
        sandbox.snapshots.save(state_file)
    assert [(each.name, each.read_text()) for each in state_file.parent.iterdir()] == [("state.json", "older")]


@pytest.mark.parametrize("kind", ["directory", "fifo", "symlink", "dead symlink"])
def test_only_regular_files_are_states(sandbox: Sandbox, state_file: Path, tmp_path: Path, kind: str) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    match kind:
        case "directory":
            state_file.mkdir()
        case "fifo":
            os.mkfifo(state_file)
        case _:
            state_file.symlink_to(target if kind == "symlink" else "nowhere")
    for use in (sandbox.snapshots.save, sandbox.snapshots.load):
        with pytest.raises(OSError, match="it is not a regular file"):
            use(state_file)
    assert target.read_text() == "mine"


def test_a_file_is_used_by_one_at_a_time(state_file: Path) -> None:
    with locked(state_file), pytest.raises(BlockingIOError, match="another sandbox uses it"), locked(state_file):
        pass
    with locked(state_file):
        pass


def test_a_lock_is_not_made_through_a_link(state_file: Path, tmp_path: Path) -> None:
    (tmp_path / "state.json.lock").symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="it is not a regular file"), locked(state_file):
        pass
    assert not (tmp_path / "target").exists()
