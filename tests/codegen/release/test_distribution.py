"""The built distribution: compared, checked, and installed on every system."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from codegen.release.distribution import DistributionError, compare, compare_names, interpreter

PATHS = [(PurePosixPath("a"), "posix"), (PureWindowsPath("C:/a"), "nt")]


def test_two_builds_that_differ_are_refused(tmp_path: Path) -> None:
    for place, content in (("one", b"1"), ("other", b"2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "a.whl").write_bytes(content)
    with pytest.raises(DistributionError, match=r"two builds of the same files differ: a.whl"):
        compare((tmp_path / "one").iterdir(), (tmp_path / "other").iterdir())


def test_missing_and_unwanted_names_are_reported() -> None:
    with pytest.raises(DistributionError, match=r"the wheel misses a/b\.py, has tests/c\.py"):
        compare_names("the wheel", missing={"a/b.py"}, unwanted={"tests/c.py"})


@pytest.mark.parametrize(("home", "system"), PATHS)
def test_the_interpreter_of_an_environment_depends_on_the_system(home: Any, system: str) -> None:
    place = {"posix": "a/bin/python", "nt": "C:\\a\\Scripts\\python.exe"}[system]
    assert str(interpreter(home, system)) == place
