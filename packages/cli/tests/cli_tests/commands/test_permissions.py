"""`asp permissions`, over the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from agent_session_platform_cli.group import asp


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command, and return its status, output and errors."""
    return Run(monkeypatch, capsys)


class Run:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str) -> tuple[object, str, str]:
        self._monkeypatch.setattr("sys.argv", ["asp", "permissions", *arguments])
        status: object = 0
        try:
            asp.main(prog_name="asp")
        except SystemExit as end:
            status = end.code
        return (status, *self._capsys.readouterr())


def test_places_levels_and_what_is_not_known_are_printed(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "service.py"
    program.write_text(
        "from agent_session_platform import AgentPlatform\n"
        "org = AgentPlatform().organization()\n"
        "org.sessions.list()\n"
        "org.sessions.create()\n"
        "eval(text)\n"
    )
    status, output, errors = run(str(program))
    assert (status, errors) == (0, "")
    lines = output.splitlines()
    assert lines[:5] == [
        "Operations:",
        f"  {program}:3: organization.sessions.list",
        f"  {program}:4: organization.sessions.create",
        "Organization level:",
        "  ViewOrgSessions  organization.sessions.list",
    ]
    assert any(
        "organization.sessions.create  permission and level not shown (session-create-permission" in each
        for each in lines
    )
    assert lines[-2:] == ["Undecided:", f"  {program}:5: eval computes a name, or runs a text"]


def test_json_is_printed(run: Run, root: Path) -> None:
    status, output, _ = run("--json", str(root / "examples" / "service.py"))
    assert (status, [*json.loads(output)["permissions"]["enterprise"]]) == (0, ["UseReviewManual"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'PROGRAM...'"),
        (["nothing.py"], "asp: there is no file or folder 'nothing.py'"),
        (["import x\n"], "there is no file or folder"),
        (["--jason", "x.py"], "--jason"),
    ],
)
def test_a_wrong_use_ends_with_status_2(run: Run, arguments: list[str], message: str) -> None:
    status, output, errors = run(*arguments)
    assert (status, output, message in errors) == (2, "", True)


def test_a_syntax_error_names_file_and_line(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text("x = 1\ndef f(:\n")
    status, _, errors = run(str(program))
    assert (status, f"{program}:2: it is not Python" in errors, "Traceback" in errors) == (2, True, False)
