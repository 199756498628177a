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
from codegen.release.prepare import VERSION_FILES, check_addresses, with_version
from codegen.release.projects import FOLDERS, PACKAGES, SDK
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
    for folder in FOLDERS:
        path = checkout / folder / "pyproject.toml"
        edit(path, "https://agent-session-platform.example/", "https://host.test/")
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
    changed = {"CHANGELOG.md", *(name.removeprefix("./") for name in VERSION_FILES)}
    assert {*git(checkout, "diff", "--name-only", "HEAD~").split()} == changed
    wheels = [f"{name.replace('-', '_')}-0.9.0-py3-none-any.whl" for name in PACKAGES]
    assert {path.name for path in (checkout / "dist").iterdir()} == {"agent_session_platform-0.9.0.tar.gz", *wheels}
    with zipfile.ZipFile(checkout / "dist" / wheels[0]) as wheel:
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
    (checkout / "packages" / "observe" / "src" / "agent_session_platform_observe" / "py.typed").unlink()
    commit(checkout)
    before = state(checkout)
    done = release(checkout, "0.9.0", "--dry-run")
    wheel = "agent_session_platform_observe-0.9.0-py3-none-any.whl"
    message = f"release: {wheel} misses agent_session_platform_observe/py.typed\n"
    assert (done.returncode, done.stderr) == (1, message)
    assert state(checkout) == before
    assert not (checkout / "dist").exists()


def test_a_name_of_another_project_is_refused(checkout: Path) -> None:
    make_wheel(checkout.parent, "5.0", "somebody_else")
    before = state(checkout)
    done = release(checkout, "0.9.0", "--dry-run")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("release: the name agent-session-platform belongs to another project")
    assert state(checkout) == before


@pytest.mark.parametrize("reserved", FOLDERS)
def test_a_reserved_address_cannot_be_released(tmp_path: Path, reserved: str) -> None:
    for folder in FOLDERS:
        host = "project.example" if folder == reserved else "host.test"
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        urls = f'[project.urls]\nSource = "https://{host}/"\n'
        (tmp_path / folder / "pyproject.toml").write_text(urls, encoding="utf-8")
    with pytest.raises(DistributionError, match="set the real address for https://project.example/$"):
        check_addresses(tmp_path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('VERSION = "0.1.0"', 'VERSION = "1.2.0rc1"'),
        ('version = "0.1.0"', 'version = "1.2.0rc1"'),
        (f'  "{SDK}==0.1.0", # why', f'  "{SDK}==1.2.0rc1", # why'),
        (f'sandbox = ["{SDK}-sandbox==0.1.0"]', f'sandbox = ["{SDK}-sandbox==1.2.0rc1"]'),
        (f'name = "{SDK}"', f'name = "{SDK}"'),
        ('requires = ["other==0.1.0"]', 'requires = ["other==0.1.0"]'),
        ('target-version = "py311"', 'target-version = "py311"'),
    ],
)
def test_the_version_is_written_wherever_it_is_stated(line: str, expected: str) -> None:
    assert with_version(f"# First.\n{line}\n", "1.2.0rc1") == f"# First.\n{expected}\n"
