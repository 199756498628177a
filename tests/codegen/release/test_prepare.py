"""A release: refused without a change of the checkout, or committed, tagged and built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.release.distribution import DistributionError
from codegen.release.prepare import check_addresses
from tests.codegen.release.test_package_index import make_wheel

NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "__pycache__", "node_modules", ".*_cache", ".bench", "dist")


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=More")


def release(root: Path, version: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Release with an empty package index."""
    command = [sys.executable, "-m", "codegen.release.prepare", version, "--borrow", "--date=2026-11-20", *options]
    environment = {**os.environ, "PYTHONUTF8": "1", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(root.parent)}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a new repository with the files of this checkout."""
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT, checkout, ignore=NOT_COPIED)
    edit(checkout / "pyproject.toml", "https://agent-session-platform.example/", "https://host.test/")
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

    # First without a change since the release, then with a breaking one.
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


def test_generated_code_that_is_out_of_date_is_refused(checkout: Path) -> None:
    edit(checkout / "openapi.yaml", "summary: List the sessions of an organization.", "summary: List the sessions.")
    commit(checkout)
    assert "the generated files are out of date; run `make generate`" in release(checkout, "0.9.0").stderr


def test_an_incomplete_wheel_is_refused_and_nothing_is_left_behind(checkout: Path) -> None:
    (checkout / "overlay" / "agent_session_platform" / "sandbox" / "control" / "page.html").unlink()
    commit(checkout)
    before = state(checkout)
    done = release(checkout, "0.9.0", "--dry-run")
    assert (done.returncode, done.stderr) == (
        1,
        "release: the wheel misses agent_session_platform_sandbox/control/page.html\n",
    )
    assert state(checkout) == before
    assert not (checkout / "dist").exists()


def test_a_name_of_another_project_is_refused(checkout: Path) -> None:
    make_wheel(checkout.parent, "5.0", "somebody_else")
    before = state(checkout)
    done = release(checkout, "0.9.0", "--dry-run")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("release: the name agent-session-platform belongs to another project")
    assert state(checkout) == before


def test_a_reserved_address_cannot_be_released(tmp_path: Path) -> None:
    urls = '[project.urls]\nSource = "https://project.example/"\nChangelog = "https://host.test/changes"\n'
    (tmp_path / "pyproject.toml").write_text(urls, encoding="utf-8")
    with pytest.raises(DistributionError, match="set the real address of Source$"):
        check_addresses(tmp_path)
