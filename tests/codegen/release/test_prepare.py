"""A release is refused for a reason and leaves everything as it was, or it is committed, tagged and built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from codegen.changes.version_rule import VersionError, next_version
from codegen.release.distribution import DistributionError, compare, tell

ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "__pycache__", "node_modules", ".*_cache", ".bench", "dist")


@pytest.mark.parametrize(
    ("version", "last", "breaking"),
    [
        ("0.1.0", None, 0),
        ("0.1.1", "0.1.0", 0),
        ("0.2.0", "0.1.9", 3),
        ("1.0.0", "0.9.0", 3),
        ("1.0.0rc1", "0.9.0", 3),
        ("1.0.0rc2", "1.0.0rc1", 3),
        ("1.0.0", "1.0.0rc2", 1),
        ("1.10.0", "1.9.0", 0),
        ("2.0.0", "1.9.0", 1),
    ],
)
def test_a_version_may_follow(version: str, last: str | None, breaking: int) -> None:
    assert str(next_version(version, present=last or "0.1.0", last=last, breaking=breaking)) == version


@pytest.mark.parametrize(
    ("version", "last", "breaking", "message"),
    [
        ("one", "0.1.0", 0, "'one' is no version; write it as 1.2.3"),
        ("1.2", "0.1.0", 0, "'1.2' is not in the form of a release"),
        ("v1.2.3", "0.1.0", 0, "'v1.2.3' is not in the form"),
        ("1.2.3-rc1", "0.1.0", 0, "not in the form"),
        ("1.2.3.dev1", "0.1.0", 0, "not in the form"),
        ("1.2.3+local", "0.1.0", 0, "not in the form"),
        ("0.1.0", "0.1.0", 0, "0.1.0 is not greater than 0.1.0, the last release"),
        ("0.1.0rc1", "0.1.0", 0, "not greater"),
        ("0.0.1", None, 0, "0.0.1 is less than 0.1.0, the version of the package"),
        ("0.1.1", "0.1.0", 1, "0.1.1 has to be 0.2.0 at least: changes since 0.1.0 break callers (1)"),
        ("1.3.0", "1.2.3", 2, "1.3.0 has to be 2.0.0 at least: changes since 1.2.3 break callers (2)"),
    ],
)
def test_a_version_may_not_follow(version: str, last: str | None, breaking: int, message: str) -> None:
    with pytest.raises(VersionError) as caught:
        next_version(version, present=last or "0.1.0", last=last, breaking=breaking)
    assert message in str(caught.value)


def test_two_builds_that_differ_are_told(tmp_path: Path) -> None:
    for place, content in (("one", b"1"), ("other", b"2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "a.whl").write_bytes(content)
    with pytest.raises(DistributionError, match=r"two builds of the same files differ: a.whl"):
        compare((tmp_path / "one").iterdir(), (tmp_path / "other").iterdir())


def test_what_is_missing_and_what_should_not_be_there_is_told() -> None:
    with pytest.raises(DistributionError, match=r"the wheel misses a/b\.py, has tests/c\.py"):
        tell("the wheel", missing={"a/b.py"}, unwanted={"tests/c.py"})


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=More")


def release(root: Path, version: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Release without a registry."""
    command = [sys.executable, "-m", "codegen.release.release", version, "--borrow", "--date=2026-11-20", *options]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository of its own, with the files of this checkout in it."""
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT, checkout, ignore=NOT_COPIED)
    git(checkout, "init", "--quiet")
    for name, value in (("user.name", "Ada"), ("user.email", "ada@example.com"), ("core.autocrlf", "false")):
        git(checkout, "config", name, value)
    commit(checkout)
    return checkout


def state(root: Path) -> tuple[str, ...]:
    return git(root, "rev-parse", "HEAD"), git(root, "tag"), git(root, "status", "--porcelain")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def test_a_release_is_committed_tagged_and_built(checkout: Path) -> None:
    done = release(checkout, "0.9.0")
    assert (done.returncode, done.stderr) == (0, "")
    assert git(checkout, "log", "-1", "--format=%s %an") == "Release 0.9.0 Ada"
    assert git(checkout, "describe", "--exact-match") == "v0.9.0"
    assert git(checkout, "status", "--porcelain") == ""
    assert "\n## 0.9.0 - 2026-11-20\n" in (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    assert git(checkout, "diff", "--name-only", "HEAD~").split() == [
        "CHANGELOG.md",
        "overlay/agent_session_platform/version.py",
    ]
    names = ["agent_session_platform-0.9.0-py3-none-any.whl", "agent_session_platform-0.9.0.tar.gz"]
    assert sorted(path.name for path in (checkout / "dist").iterdir()) == names
    with zipfile.ZipFile(checkout / "dist" / names[0]) as wheel:
        assert 'VERSION = "0.9.0"' in wheel.read("agent_session_platform/version.py").decode()

    # Nothing is new since then, and then something is that breaks callers.
    again = release(checkout, "0.9.1")
    assert (again.returncode, again.stdout) == (1, "")
    assert "CHANGELOG.md has no entry below `## Unreleased`" in again.stderr
    edit(checkout / "openapi.yaml", "[UseReviewManual]", "[UseReview]")
    commit(checkout)
    before = state(checkout)
    breaking = release(checkout, "0.9.1")
    assert (breaking.returncode, breaking.stdout) == (1, "")
    assert "0.9.1 has to be 0.10.0 at least: changes since 0.9.0 break callers (1)" in breaking.stderr
    assert state(checkout) == before


def test_a_checkout_that_is_not_clean_is_refused(checkout: Path) -> None:
    (checkout / "new.txt").write_text("", encoding="utf-8")
    before = state(checkout)
    done = release(checkout, "0.9.0")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "release: the checkout is not clean; commit or stash first:\n?? new.txt\n"
    assert state(checkout) == before


def test_what_is_generated_has_to_be_up_to_date(checkout: Path) -> None:
    edit(checkout / "openapi.yaml", "summary: List the sessions of an organization.", "summary: List the sessions.")
    commit(checkout)
    assert "what is generated is out of date; run `make generate`" in release(checkout, "0.9.0").stderr


def test_a_wheel_that_lacks_something_is_refused_and_nothing_is_left_behind(checkout: Path) -> None:
    (checkout / "overlay" / "agent_session_platform" / "sandbox" / "control" / "page.html").unlink()
    commit(checkout)
    before = state(checkout)
    done = release(checkout, "0.9.0", "--dry-run")
    assert (done.returncode, done.stderr) == (
        1,
        "release: the wheel misses agent_session_platform/sandbox/control/page.html\n",
    )
    assert state(checkout) == before
    assert not (checkout / "dist").exists()
