"""What a server may send to harm whoever calls it: none of it reaches the terminal, and JSON stays JSON."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.call import command as command_module
from click.testing import Result

from cli_tests.conftest import Asp

EVIL = "a  b\x1b[2J\x9b31m\u202e\nc'"


@pytest.fixture
def answered(offline: Asp, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that runs a command, whose requests get these responses."""

    def run(words: list[str], *responses: httpx.Response) -> Result:
        left = iter(responses)
        transport = httpx.MockTransport(lambda request: next(left))
        client = AgentPlatform("https://e.example", "svc_x", organization="org-acme", transport=transport)
        monkeypatch.setattr(command_module, "connect", lambda settings: client)
        return offline("call", *words, "--attempts", "1")

    return run


def page(**more: Any) -> httpx.Response:
    return httpx.Response(200, json={"items": [{"session_id": "a"}], "has_next_page": True, "end_cursor": EVIL} | more)


def problem(status: int = 500) -> httpx.Response:
    content = json.dumps({"title": EVIL, "detail": EVIL})
    return httpx.Response(status, content=content, headers={"content-type": "application/problem+json"})


def is_safe(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def test_the_command_that_continues_shows_no_control_and_has_the_cursor(answered: Any) -> None:
    result = answered(["organization.sessions.list"], page(), problem())
    assert is_safe(result.stderr)
    command = result.stderr.splitlines()[0].rpartition("continue with: asp ")[2]
    asked = subprocess.run(["bash", "-c", f"printf '%s|' {command}"], capture_output=True, text=True, check=True).stdout
    assert EVIL in asked.split("|")


def test_an_error_in_json_is_one_document_without_controls(answered: Any) -> None:
    assert is_safe(answered(["organization.sessions.list", "--debug"], problem()).stderr)
    result = answered(["organization.sessions.list", "-o", "json"], page(), problem())
    assert is_safe(result.stderr)
    report = json.loads(result.stderr)
    assert report["problem"]["detail"] == EVIL
    assert report["continue_with"].startswith("asp ")


def test_a_deprecation_is_not_said_where_json_was_asked_for(answered: Any) -> None:
    result = answered(["organization.schedules.list", "-o", "json"], problem(404))
    assert json.loads(result.stderr)["status"] == 404


@pytest.mark.parametrize("output", ["json", "jsonl", "table", "csv"])
@pytest.mark.parametrize("title", [rb'"\ud800"', b"1e999", b'["\x9b"]', rb'{"\udfff": -1e999}'])
def test_a_value_that_json_cannot_write_is_printed(answered: Any, title: bytes, output: str) -> None:
    content = b'{"items": [{"title": ' + title.replace(b"\x9b", "\x9b".encode()) + b'}], "has_next_page": false}'
    response = httpx.Response(200, content=content, headers={"content-type": "application/json"})
    result = answered(["organization.sessions.list", "-o", output], response)
    assert result.exit_code == 0, result.stderr
    assert is_safe(result.stdout)
    if output == "json":
        json.loads(result.stdout, parse_constant=pytest.fail)
