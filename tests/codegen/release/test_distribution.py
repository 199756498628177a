"""The built distributions: compared, checked, and installed on every system."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from codegen.release.distribution import DistributionError, check_names, check_wheel, compare, program

PATHS = [(PurePosixPath("a"), "posix", "a/bin/asp"), (PureWindowsPath("C:/a"), "nt", "C:\\a\\Scripts\\asp.exe")]

NAME, PACKAGE, SOURCE = "agent-session-platform-cli", "agent_session_platform_cli", "packages/cli/src/"
ABOUT = f"{PACKAGE}-1.0.dist-info"
PROJECT = {"project": {"name": NAME, "version": "1.0", "license-files": ["LICENSE"], "scripts": {"asp": "main"}}}
TRACKED = {f"{SOURCE}{PACKAGE}/main.py", f"{SOURCE}{PACKAGE}/py.typed", "packages/cli/tests/test_main.py"}
METADATA = f"Name: {NAME}\nVersion: 1.0\nLicense-Expression: Apache-2.0\nLicense-File: LICENSE\n"
WHEEL = {f"{PACKAGE}/main.py", f"{PACKAGE}/py.typed"}
WHEEL |= {f"{ABOUT}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")}
WHEEL |= {f"{ABOUT}/sboms/{NAME}.cdx.json"}


def make_wheel(folder: Path, names: set[str], metadata: str = METADATA) -> Path:
    path = folder / f"{PACKAGE}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name in names:
            wheel.writestr(name, metadata if name.endswith("/METADATA") else "")
    return path


def test_two_builds_that_differ_are_refused(tmp_path: Path) -> None:
    for place, content in (("one", b"1"), ("other", b"2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "a.whl").write_bytes(content)
    with pytest.raises(DistributionError, match=r"two builds of the same files differ: a.whl"):
        compare((tmp_path / "one").iterdir(), (tmp_path / "other").iterdir())


def test_missing_and_unwanted_names_are_reported() -> None:
    with pytest.raises(DistributionError, match=r"the wheel misses a/b\.py, has tests/c\.py"):
        check_names("the wheel", found={"a.py", "tests/c.py"}, wanted={"a.py", "a/b.py"})


def test_a_complete_wheel_is_accepted(tmp_path: Path) -> None:
    check_wheel(make_wheel(tmp_path, WHEEL), PROJECT, TRACKED)


@pytest.mark.parametrize("missing", sorted(WHEEL - {f"{ABOUT}/METADATA"}))
def test_a_wheel_without_one_of_its_files_is_refused(tmp_path: Path, missing: str) -> None:
    with pytest.raises(DistributionError, match=rf"{PACKAGE}-1\.0-py3-none-any\.whl misses {missing}$"):
        check_wheel(make_wheel(tmp_path, WHEEL - {missing}), PROJECT, TRACKED)


@pytest.mark.parametrize("unwanted", ["agent_session_platform_jobs/__init__.py", f"{PACKAGE}/new.py", "tests/a.py"])
def test_a_wheel_with_a_file_of_something_else_is_refused(tmp_path: Path, unwanted: str) -> None:
    with pytest.raises(DistributionError, match=f"whl has {unwanted}$"):
        check_wheel(make_wheel(tmp_path, WHEEL | {unwanted}), PROJECT, TRACKED)


def test_a_package_without_types_is_refused_even_if_git_has_none(tmp_path: Path) -> None:
    typed = f"{PACKAGE}/py.typed"
    with pytest.raises(DistributionError, match=f"misses {typed}$"):
        check_wheel(make_wheel(tmp_path, WHEEL - {typed}), PROJECT, TRACKED - {f"{SOURCE}{typed}"})


@pytest.mark.parametrize("line", METADATA.splitlines())
def test_a_wheel_with_other_metadata_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(DistributionError, match="the metadata of .* are "):
        check_wheel(make_wheel(tmp_path, WHEEL, METADATA.replace(line, f"{line}.1")), PROJECT, TRACKED)


@pytest.mark.parametrize(("home", "system", "expected"), PATHS)
def test_the_place_of_a_program_depends_on_the_system(home: Any, system: str, expected: str) -> None:
    assert str(program(home, "asp", system)) == expected
