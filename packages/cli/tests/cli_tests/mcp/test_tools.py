"""The four tools: what they offer, find and describe."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, operations
from agent_session_platform_cli.mcp.operations import Selection
from jsonschema import Draft202012Validator

from cli_tests.mcp.conftest import Assistant

NAMES = sorted(each.name for each in operations)


@pytest.fixture
def writer(platform: AgentPlatform) -> Assistant:
    """Return an assistant that may do everything."""
    return Assistant(platform, Selection(allow=("*",)))


async def test_there_are_three_tools_and_the_one_that_writes_only_where_a_write_is_allowed(
    assistant: Assistant, writer: Assistant
) -> None:
    assert [*await assistant.tools()] == ["find_operations", "describe_operation", "read"]
    assert [*await writer.tools()] == ["find_operations", "describe_operation", "read", "write"]


async def test_the_list_of_tools_is_short(writer: Assistant) -> None:
    tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await writer.tools()).values()]
    assert len(json.dumps(tools)) < 4_000


@pytest.mark.parametrize(
    ("allow", "destroys"), [("organization.sessions.create", False), ("organization.sessions.archive", True)]
)
async def test_the_hints_say_what_a_call_may_change(platform: AgentPlatform, allow: str, destroys: bool) -> None:
    tools = await Assistant(platform, Selection(allow=(allow,))).tools()
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert [hint.read_only_hint for hint in hints.values()] == [True, True, True, False]
    assert hints["write"].destructive_hint is destroys


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
    assert sheet["arguments"]["properties"]["first"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "default": 20,
        "description": "Page size.",
    }
    assert "session_id" in json.dumps(sheet["result"])


async def test_every_operation_is_described_in_valid_schemas(writer: Assistant) -> None:
    for name in NAMES:
        sheet = await writer.call("describe_operation", name=name)
        assert "$ref" not in json.dumps(sheet)
        assert "[cut" not in json.dumps(sheet)
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
        ("read", {"operation": "organization.sessions.list", "first": 1}, "read takes operation and arguments; write"),
        (
            "read",
            {"operation": "organization.sessions.list", "arguments": "first=1"},
            "read takes operation and arguments; write",
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
    selection = Selection(allow=("organization.sessions.create",), only=("playbook",))
    assert allowed(selection) == [
        "organization.playbooks.get",
        "organization.playbooks.list",
        "organization.sessions.create",
    ]
    assert str(selection.refusal(operations["enterprise.roles.list"])).endswith("--only enterprise.roles.list")


def test_a_star_at_the_end_allows_what_begins_like_it() -> None:
    _, *writes = allowed(Selection(allow=("organization.playbooks.*",), only=("roles",)))
    assert writes == [f"organization.playbooks.{verb}" for verb in ("create", "delete", "update")]


@pytest.mark.parametrize("name", ["*.create", "organization.?essions.create", "organization.session.create"])
def test_what_fits_no_operation_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="is no operation"):
        Selection(allow=(name,))
    with pytest.raises(InvalidArgumentError, match="fits no operation"):
        Selection(only=("nothing like it",))


@pytest.mark.parametrize("name", ["organization.attachments.download", "organization.attachments.upload"])
def test_files_are_no_tools_even_if_they_are_allowed(name: str) -> None:
    assert "files are no tools; a person can run: asp call" in str(Selection(allow=("*",)).refusal(operations[name]))
