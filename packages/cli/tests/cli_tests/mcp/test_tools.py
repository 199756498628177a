"""The four tools: what they offer, find and describe."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, operations
from agent_session_platform_cli.mcp.operations import Selection
from jsonschema import Draft202012Validator

from cli_tests.mcp.conftest import Assistant

NAMES = sorted(each.name for each in operations)


@pytest.mark.parametrize(
    ("allow", "destroys"),
    [(None, None), ("organization.sessions.create", False), ("organization.sessions.archive", True), ("*", True)],
)
async def test_the_tools_are_few_and_say_what_a_call_may_change(
    assistant: Assistant, allow: str | None, destroys: bool | None
) -> None:
    tools = await (assistant.allowed(allow) if allow else assistant).tools()
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert [*tools][:3] == ["find_operations", "describe_operation", "read"]
    assert [hint.read_only_hint for hint in hints.values()] == [True, True, True, *([False] if allow else [])]
    assert getattr(hints.get("write"), "destructive_hint", None) is destroys
    listed = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools.values()]
    assert len(json.dumps(listed)) < 4_000


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("messages of a session", "organization.sessions.list_messages"),
        ("list sessions", "organization.sessions.list"),
        ("how much have we consumed?", "enterprise.consumption.get"),
        ("organization playbooks get", "organization.playbooks.get"),
        ("ManageOrgSecrets", "organization.secrets.create"),
    ],
)
async def test_operations_are_found_by_words(assistant: Assistant, words: str, first: str) -> None:
    assert (await assistant.call("find_operations", words=words))["operations"][0]["operation"] == first


async def test_a_description_has_permission_rules_gaps_and_both_schemas(assistant: Assistant) -> None:
    sheet = await assistant.call("describe_operation", name="organization.sessions.list")
    assert (sheet["permission"], sheet["level"], sheet["call_with"]) == ("ViewOrgSessions", "organization", "read")
    assert "Clients must not send the query parameter `order`." in [rule["text"] for rule in sheet["rules"]]
    assert "Query parameters other than first, after and origins." in [gap["what"] for gap in sheet["gaps"]]
    size = {"type": "integer", "minimum": 1, "maximum": 200, "default": 20, "description": "Page size."}
    assert sheet["arguments"]["properties"]["first"] == size
    assert "session_id" in json.dumps(sheet["result"])


async def test_every_operation_is_described_in_valid_schemas(assistant: Assistant) -> None:
    for name in NAMES:
        sheet = await assistant.allowed("*").call("describe_operation", name=name)
        assert "$ref" not in json.dumps(sheet)
        assert sheet["operation"] == name
        Draft202012Validator.check_schema(sheet["arguments"])
        Draft202012Validator.check_schema(sheet.get("result", {}))


async def test_the_successor_of_a_deprecated_operation_is_named(assistant: Assistant) -> None:
    sheet = await assistant.call("describe_operation", name="organization.schedules.create")
    assert sheet["call_with"].endswith("asp mcp --allow organization.schedules.create")
    assert sheet["successor"] == "organization.automations.create"
    assert sheet["arguments"]["required"] == ["name", "prompt"]


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("nothing", {}, "there is no tool 'nothing'"),
        ("write", {"operation": "organization.sessions.create"}, "there is no tool 'write'"),
        ("find_operations", {"word": "a"}, 'find_operations takes words; write {"words": "messages of a session"}'),
        ("describe_operation", {"name": 3}, "describe_operation takes name; write"),
        ("describe_operation", {"name": "sessions.get"}, "there is no operation 'sessions.get'; did you mean"),
        *(
            ("read", {"operation": "organization.sessions.list", **more}, "read takes operation and arguments; write")
            for more in ({"first": 1}, {"arguments": "first=1"})
        ),
    ],
)
async def test_a_wrong_call_is_refused_with_what_to_write(
    assistant: Assistant, tool: str, arguments: dict[str, Any], message: str
) -> None:
    assert (await assistant.refusal(tool, **arguments)).startswith(message)


def allowed(selection: Selection) -> list[str]:
    return [name for name in NAMES if selection.refusal(operations[name]) is None]


def test_by_default_nothing_changes_anything() -> None:
    assert {operations[name].method for name in allowed(Selection())} == {"GET"}


def test_words_narrow_the_reads_and_not_the_writes() -> None:
    selection = Selection(allow=("organization.playbooks.*",), only=("playbook",))
    verbs = ("create", "delete", "get", "list", "update")
    assert allowed(selection) == [f"organization.playbooks.{verb}" for verb in verbs]
    assert str(selection.refusal(operations["enterprise.roles.list"])).endswith("--only enterprise.roles.list")


@pytest.mark.parametrize("name", ["*.create", "organization.?essions.create", "organization.session.create"])
def test_what_fits_no_operation_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="is no operation"):
        Selection(allow=(name,))
    with pytest.raises(InvalidArgumentError, match="fits no operation"):
        Selection(only=("nothing like it",))


@pytest.mark.parametrize("name", ["organization.attachments.download", "organization.attachments.upload"])
def test_files_are_no_tools_even_if_they_are_allowed(name: str) -> None:
    assert "files are no tools; a person can run: asp call" in str(Selection(allow=("*",)).refusal(operations[name]))
