"""`asp show`: the facts about an operation."""

from __future__ import annotations

import json
import re
import shlex
import subprocess

import pytest
from agent_session_platform import Operation, operations
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

OPERATIONS = sorted(operations, key=str)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_a_sheet_has_what_the_contract_has(offline: Asp, operation: Operation) -> None:
    result = offline("show", operation.name)
    assert result.exit_code == 0, result.stderr
    text = " ".join(result.stdout.split())
    assert f"{operation.method} {operation.path}" in text
    assert f"Permission: {operation.permission or 'not shown'}" in text
    for each in operation.parameters:
        assert f" {each.name or 'body'} ({each.location}" in text
    for known in (*operation.rules, *operation.gaps):
        assert f" {known.id}: " in text
    assert 'Authorization: Bearer $AGENT_PLATFORM_TOKEN"' in text
    assert f"asp call {operation.name}" in text


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_python_example_is_python(offline: Asp, operation: Operation) -> None:
    example = json.loads(offline("show", operation.name, "-o", "json").stdout)["python"]
    assert f"{operation.scope}.{operation.resource}.{operation.verb}(" in example
    lines = "".join(f"    {line}\n" for line in example.splitlines())
    compile(f"async def example():\n{lines}", "example", "exec")


def test_the_curl_example_is_one_command_of_a_shell(offline: Asp) -> None:
    example = json.loads(offline("show", "enterprise.reviews.create", "-o", "json").stdout)["curl"]
    program = f'curl() {{ for each in "$@"; do echo "<$each>"; done; }}\n{example}'
    environment = {"AGENT_PLATFORM_BASE_URL": "https://e.example", "AGENT_PLATFORM_TOKEN": "svc_x"}
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True, env=environment)
    words = done.stdout.splitlines()
    assert words[:3] == ["<-X>", "<POST>", "<https://e.example/v3/enterprise/pr-reviews>"]
    assert "<Authorization: Bearer svc_x>" in words
    assert json.loads(words[-1][1:-1])["pr_url"].startswith("https://")


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.optional_body is False], ids=str)
def test_a_body_that_is_required_is_in_the_curl_example(offline: Asp, operation: Operation) -> None:
    example = json.loads(offline("show", operation.name, "-o", "json").stdout)["curl"]
    assert operation.media_type is None or " -d " in example or " -F " in example


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_kinds_of_credential_that_are_not_shown_are_marked_as_inferred(offline: Asp, operation: Operation) -> None:
    not_shown = any("kinds of credential" in gap.what and not gap.closed for gap in operation.gaps)
    text = offline("show", operation.name).stdout
    assert ("(inferred: the description does not show the kinds)" in text) == not_shown


def test_an_operation_is_found_by_its_id(offline: Asp) -> None:
    assert offline("show", "list_organization_sessions").stdout.startswith("organization.sessions.list  (paginated)\n")


def test_a_member_that_may_be_null_is_shown_with_how_to_send_null(asp: Asp, sandbox: Sandbox) -> None:
    text = asp("show", "organization.schedules.create").stdout
    assert "frequency (body, string or null): " in text
    [words] = re.findall("Null: +(.*)", text)
    asp("call", "organization.schedules.create", "--name", "a", "--prompt", "b", *shlex.split(words))
    assert sandbox.journal[-1].body == {"name": "a", "prompt": "b", "create_as_user_id": None}
