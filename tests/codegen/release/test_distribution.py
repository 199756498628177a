"""The built distributions are compared, and must have each file."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from codegen import RefusedError
from codegen.release.distribution import check_wheel, compare

NAME, PACKAGE, SOURCE = "agent-session-platform-cli", "agent_session_platform_cli", "packages/cli/src/"
ABOUT = f"{PACKAGE}-1.0.dist-info"
PROJECT = {"project": {"name": NAME, "version": "1.0", "license-files": ["LICENSE"]}}
TRACKED = {f"{SOURCE}{PACKAGE}/main.py", "packages/cli/tests/test_main.py"}
WHEEL = {f"{PACKAGE}/main.py", f"{PACKAGE}/py.typed", f"{ABOUT}/sboms/{NAME}.cdx.json", f"{ABOUT}/licenses/LICENSE"}


def make_wheel(folder: Path, names: set[str]) -> Path:
    with zipfile.ZipFile(folder / f"{PACKAGE}-1.0-py3-none-any.whl", "w") as wheel:
        for name in names:
            wheel.writestr(name, "")
    return folder


def test_two_builds_that_differ_are_refused(tmp_path: Path) -> None:
    for place, content in (("one", b"1"), ("other", b"2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "a.whl").write_bytes(content)
    with pytest.raises(RefusedError, match=r"two builds of the same files differ: a.whl"):
        compare((tmp_path / "one").iterdir(), (tmp_path / "other").iterdir())


def test_a_complete_wheel_is_accepted(tmp_path: Path) -> None:
    check_wheel(make_wheel(tmp_path, WHEEL), PROJECT, TRACKED)


@pytest.mark.parametrize("missing", sorted(WHEEL))
def test_a_wheel_without_one_of_its_files_is_refused(tmp_path: Path, missing: str) -> None:
    with pytest.raises(RefusedError, match=f"the wheel of {NAME} misses {missing}$"):
        check_wheel(make_wheel(tmp_path, WHEEL - {missing}), PROJECT, TRACKED)
