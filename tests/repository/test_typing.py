"""What an editor knows: right calls pass mypy and pyright, and every wrong one is told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest


def mypy(root: Path, name: str) -> set[int]:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", f"tests/repository/{name}"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.stderr == ""
    lines = re.findall(rf"^tests/repository/{name}:(\d+): error:", done.stdout, re.MULTILINE)
    return {int(line) for line in lines}


def pyright(root: Path, name: str) -> set[int]:
    command = [sys.executable, "-m", "pyright", "--outputjson", f"tests/repository/{name}"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    return {each["range"]["start"]["line"] + 1 for each in found["generalDiagnostics"] if each["severity"] == "error"}


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_right_calls_are_accepted(root: Path, checker: object) -> None:
    assert checker(root, "typing_right.py") == set()  # type: ignore[operator]  # one of the two


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_every_wrong_call_is_refused_and_nothing_else(root: Path, checker: object) -> None:
    lines = (root / "tests" / "repository" / "typing_wrong.py").read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, start=1) if line.endswith("# wrong")}
    assert checker(root, "typing_wrong.py") == wrong  # type: ignore[operator]  # one of the two
