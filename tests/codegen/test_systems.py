"""The tools on systems that the tests do not run on: what depends on the system is decided by pure functions."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from codegen.changes.wire_differences import program
from codegen.release.distribution import interpreter
from codegen.render.generate import told

PATHS = [(PurePosixPath("a"), "posix"), (PureWindowsPath("C:/a"), "nt")]


@pytest.mark.parametrize(("home", "system"), PATHS)
def test_the_interpreter_of_an_environment_is_where_the_system_has_it(home: Any, system: str) -> None:
    place = {"posix": "a/bin/python", "nt": "C:\\a\\Scripts\\python.exe"}[system]
    assert str(interpreter(home, system)) == place


@pytest.mark.parametrize(("linters", "system"), PATHS)
def test_a_program_of_npm_is_where_the_system_has_it(linters: Any, system: str) -> None:
    place = {"posix": "a/node_modules/.bin/oasdiff", "nt": "C:\\a\\node_modules\\.bin\\oasdiff.cmd"}[system]
    assert str(program(linters, system)) == place


def test_what_differs_is_told_with_the_same_paths_on_every_system() -> None:
    assert told(missing=[PureWindowsPath("api\\x.py")], new=[PurePosixPath("api/y.py")]) == [
        "  missing: api/x.py",
        "  new: api/y.py",
    ]


def test_a_checkout_has_the_same_bytes_on_every_system(root: Path) -> None:
    assert "* text=auto eol=lf" in (root / ".gitattributes").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("room", ["codegen", "docs"])
def test_no_text_is_read_or_written_in_the_encoding_of_the_system(root: Path, room: str) -> None:
    found = [
        f"{path.name}:{call.lineno}"
        for path in sorted((root / room).rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("read_text", "write_text")
        and not {keyword.arg for keyword in call.keywords} & {"encoding", None}
    ]
    assert found == []


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_generating_gives_the_same_from_a_contract_of_either_line_ending(
    root: Path, tmp_path: Path, ending: str
) -> None:
    for name in ("openapi.yaml", "generator-config.yml"):
        text = (root / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8", newline=ending)
    command = [sys.executable, "-m", "codegen.render.generate", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    ours = root / "generated" / "agent_session_platform_api"
    for path in ours.rglob("*.py"):
        made = tmp_path / "generated" / "agent_session_platform_api" / path.relative_to(ours)
        assert made.read_bytes() == path.read_bytes(), path
