"""`asp permissions`, over the command line."""

from __future__ import annotations

import json
from pathlib import Path

from cli_tests.conftest import Asp


def test_places_levels_and_what_is_not_known_are_printed(offline: Asp, tmp_path: Path) -> None:
    program = tmp_path / "service.py"
    program.write_text(
        "from agent_session_platform import AgentPlatform\n"
        "org = AgentPlatform().organization()\n"
        "org.sessions.list()\n"
        "org.sessions.create()\n"
        "eval(text)\n"
    )
    result = offline("permissions", str(program))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:5] == [
        "Operations:",
        f"  {program}:3: organization.sessions.list",
        f"  {program}:4: organization.sessions.create",
        "Organization level:",
        "  ViewOrgSessions: organization.sessions.list",
    ]
    assert "  organization.sessions.create: permission and level not shown" in lines
    assert lines[-2:] == ["Undecided:", f"  {program}:5: eval computes a name, or runs a text"]


def test_json_is_printed(offline: Asp, root: Path) -> None:
    result = offline("permissions", "--json", str(root / "examples" / "service.py"))
    assert (result.exit_code, [*json.loads(result.stdout)["permissions"]["enterprise"]]) == (0, ["UseReviewManual"])
