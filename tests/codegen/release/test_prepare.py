"""A release is committed, tagged and built; a refused release leaves the checkout as it was."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from codegen import RefusedError
from codegen.changes import Change, git
from codegen.contract.source import ContractError
from codegen.distributions import PACKAGES
from codegen.release.prepare import VERSION_FILES, next_version, release
from tests.codegen.checkouts import copy_checkout


def state(root: Path) -> tuple[str, ...]:
    return git(root, "rev-parse", "HEAD"), git(root, "tag"), git(root, "status", "--porcelain", "--ignored")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new repository with the files of this checkout."""
    return copy_checkout(tmp_path_factory.mktemp("release"))


@pytest.fixture
def checkout(copy: Path) -> Iterator[Path]:
    """Return the repository, and put it in its first state afterwards."""
    first = git(copy, "rev-parse", "HEAD")
    yield copy
    git(copy, "reset", "--quiet", "--hard", first)
    for tag in git(copy, "tag").split():
        git(copy, "tag", "--delete", tag)
    git(copy, "clean", "--quiet", "--force", "-dx")


def try_release(checkout: Path, version: str) -> str:
    return release(checkout, version, date="2026-11-20", dry_run=False)


def test_a_release_is_committed_tagged_and_built(checkout: Path) -> None:
    assert "0.9.0 is committed, tagged v0.9.0 and built in dist/." in try_release(checkout, "0.9.0")
    assert git(checkout, "log", "-1", "--format=%s %an") == "Release 0.9.0 Ada"
    assert git(checkout, "describe", "--exact-match") == "v0.9.0"
    assert git(checkout, "status", "--porcelain") == ""
    assert "\n## 0.9.0 - 2026-11-20\n" in (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    changed = {"CHANGELOG.md", *(name.removeprefix("./") for name in VERSION_FILES)}
    assert {*git(checkout, "diff", "--name-only", "HEAD~").split()} == changed
    wheels = [f"{name.replace('-', '_')}-0.9.0-py3-none-any.whl" for name in PACKAGES]
    assert {path.name for path in (checkout / "dist").iterdir()} == {"agent_session_platform-0.9.0.tar.gz", *wheels}
    with zipfile.ZipFile(checkout / "dist" / wheels[0]) as wheel:
        assert 'VERSION = "0.9.0"' in wheel.read("agent_session_platform/configuration.py").decode()


def test_a_checkout_that_is_not_clean_is_refused(checkout: Path) -> None:
    (checkout / "new.txt").touch()
    with pytest.raises(RefusedError, match=r"the checkout is not clean; commit or stash first:\n\?\? new.txt$"):
        try_release(checkout, "0.9.0")


def test_generated_code_that_is_out_of_date_is_refused(checkout: Path) -> None:
    path = checkout / "openapi.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("summary: List the sessions of an", "summary: List the sessions in an"), "utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message=More")
    with pytest.raises(ContractError, match="generated files are out of date; run `make generate`"):
        try_release(checkout, "0.9.0")


def test_a_release_without_an_entry_in_the_changelog_is_refused(checkout: Path) -> None:
    (checkout / "CHANGELOG.md").write_text("## Unreleased\n", encoding="utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message=More")
    with pytest.raises(RefusedError, match="has no entry below `## Unreleased`"):
        try_release(checkout, "0.9.0")


@pytest.mark.parametrize(
    ("version", "last", "breaking", "refusal"),
    [
        ("0.1.0", "", 0, ""),
        ("0.1.1", "0.1.0", 0, ""),
        ("0.2.0", "0.1.9", 3, ""),
        ("1.0.0rc1", "0.9.0", 3, ""),
        ("1.0.0rc2", "1.0.0rc1", 3, ""),
        ("1.0.0", "1.0.0rc2", 1, ""),
        ("2.0.0", "1.9.0", 1, ""),
        ("one", "0.1.0", 0, "'one' is not a version; write it as 1.2.3, or 1.2.3rc1 for a pre-release"),
        ("v1.2.3", "0.1.0", 0, "is not a version"),
        ("1.2.3.dev1", "0.1.0", 0, "is not a version"),
        ("0.1.0", "0.1.0", 0, "0.1.0 is not greater than 0.1.0, the last release"),
        ("0.1.1", "0.1.0", 1, "0.1.1 must be at least 0.2.0: changes since 0.1.0 break callers (1)"),
        ("1.3.0", "1.2.3", 2, "1.3.0 must be at least 2.0.0: changes since 1.2.3 break callers (2)"),
    ],
)
def test_a_breaking_change_needs_the_next_series(version: str, last: str, breaking: int, refusal: str) -> None:
    with pytest.raises(RefusedError, match=re.escape(refusal)) if refusal else nullcontext():
        assert next_version(version, last, breaking) == version


def test_the_changes_since_the_last_release_decide(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(checkout, "tag", "v0.9.0")
    monkeypatch.setattr("codegen.release.prepare.all_changes", lambda *_: [Change("Removed", "It.", breaking=True)])
    with pytest.raises(RefusedError, match=r"0\.9\.1 must be at least 0\.10\.0: changes since 0\.9\.0 break callers"):
        try_release(checkout, "0.9.1")
