"""Which files belong to the project."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codegen.vendoring.tracked import tracked

MINE = "café.txt"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git checkout with one file that git tracks."""
    (tmp_path / MINE).touch()
    for command in (["init", "-q"], ["add", MINE]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def names(root: Path) -> list[str]:
    return [path.name for path in tracked(root, sorted(path for path in root.iterdir() if path.is_file()))]


def test_what_git_does_not_track_is_left_out_with_a_note(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".env").touch()
    assert names(project) == [MINE]
    expected = "left out: 1 file that git does not track; `git add` what belongs to the project\n"
    assert capsys.readouterr().err == expected


def test_without_other_files_there_is_no_note(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert names(project) == [MINE]
    assert capsys.readouterr().err == ""


def test_a_folder_below_a_checkout_has_all_its_files(project: Path) -> None:
    (project / "build").mkdir()
    (project / "build" / "a.txt").touch()
    assert names(project / "build") == ["a.txt"]


def test_if_git_fails_all_files_are_copied_with_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".git").write_text("gitdir: nowhere\n", encoding="utf-8")
    assert names(tmp_path) == [".git"]
    assert capsys.readouterr().err.startswith(
        "git cannot list the files of the project, so that all of them are copied"
    )
