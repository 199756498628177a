"""The types that an editor shows: mypy and pyright accept right calls and refuse wrong ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.repository.sources import ROOT

RIGHT, WRONG = "typing_right.py", "typing_wrong.py"
FOLDER = ROOT / "tests" / "repository"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    files = [(FOLDER / name).relative_to(ROOT).as_posix() for name in (RIGHT, WRONG)]
    return subprocess.run([sys.executable, "-m", *command, *files], cwd=ROOT, capture_output=True, text=True)


@cache
def errors(checker: str) -> set[tuple[str, int]]:
    """Return file and line of each error that a type checker finds in the two files."""
    if checker == "mypy":
        done = run("mypy", "--no-error-summary")
        assert done.stderr == ""
        found = re.findall(r"^(\S+\.py):(\d+): error:", done.stdout, re.MULTILINE)
        return {(Path(file).name, int(line)) for file, line in found}
    found = json.loads(run("pyright", "--outputjson").stdout)
    assert found["summary"]["filesAnalyzed"] == 2
    return {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        for each in found["generalDiagnostics"]
        if each["severity"] == "error"
    }


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_right_calls_are_accepted(checker: str) -> None:
    assert {line for file, line in errors(checker) if file == RIGHT} == set()


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_only_wrong_calls_are_refused(checker: str) -> None:
    lines = (FOLDER / WRONG).read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, start=1) if line.endswith("# wrong")}
    assert {line for file, line in errors(checker) if file == WRONG} == wrong
