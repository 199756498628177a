"""Arguments of a tool, and what its operation returns."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_cli.mcp.bounds import LONGEST, length_of
from agent_session_platform_cli.mcp.results import succeeded
from agent_session_platform_cli.mcp.selection import Selection
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.population import add_demo

from cli_tests.mcp.conftest import Assistant


def message_of(result: Any) -> str:
    assert result.is_error
    return str(result.content[0].text)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("organization_sessions_get", {}, "organization.sessions.get: missing a required argument: 'assistant_id'"),
        (
            "organization_sessions_list",
            {"frist": 2},
            "organization.sessions.list takes no argument 'frist'; did you mean 'first'?",
        ),
        ("organization_sessions_list", {"first": 500}, "first must be between 1 and 200, not 500"),
        ("organization_sessions_list", {"origins": "api"}, "origins must be a list, not str"),
        ("organization_sessions_list", {"org_id": "org-b"}, "organization.sessions.list takes no argument 'org_id'"),
        ("nothing", {}, "there is no tool 'nothing'"),
        ("organization_session_list", {}, "there is no tool 'organization_session_list'; did you mean"),
    ],
)
async def test_a_wrong_argument_is_refused_before_anything_is_sent(
    assistant: Assistant, sandbox: Sandbox, tool: str, arguments: dict[str, Any], message: str
) -> None:
    assert message_of(await assistant.call(tool, **arguments)).startswith(message)
    assert len(sandbox.journal) == 0


async def test_null_is_the_same_as_leaving_an_argument_out(assistant: Assistant) -> None:
    result = await assistant.call("organization_sessions_list", first=None, after=None, origins=None)
    assert not result.is_error


async def test_a_page_that_is_too_long_is_fetched_with_fewer_items_so_that_nothing_is_skipped(
    assistant: Assistant, sandbox: Sandbox
) -> None:
    sandbox.seed({"sessions": [{"title": f"{number} {'x' * 1500}"} for number in range(100)]})
    seen: list[str] = []
    cursor = None
    while True:
        page = (await assistant.call("organization_sessions_list", first=100, after=cursor)).structured_content
        assert length_of(page) <= LONGEST
        seen += [each["title"].split()[0] for each in page["items"]]
        cursor = page["end_cursor"]
        if not page["has_next_page"]:
            break
    assert seen == [str(number) for number in range(100)]


async def test_one_item_that_is_too_long_is_cut(assistant: Assistant, sandbox: Sandbox) -> None:
    sandbox.seed({"sessions": [{"title": "x" * 200_000}]})
    page = (await assistant.call("organization_sessions_list")).structured_content
    assert "[cut: 190,000 more characters" in page["items"][0]["title"]


@pytest.mark.parametrize("value", [[1, 2], "text", None])
def test_a_result_that_is_no_object_is_a_member(value: Any) -> None:
    assert succeeded(value).structured_content == {"result": value}


async def test_the_organization_is_an_argument_where_no_setting_names_it(sandbox: Sandbox) -> None:
    add_demo(sandbox, 3)
    async with sandbox.client(organization=None) as platform:
        result = await Assistant(platform).call("organization_sessions_list", org_id="org-acme")
        assert len(result.structured_content["items"]) == 3
        assert message_of(await Assistant(platform).call("organization_sessions_list")) == (
            "org_id is missing; organization.sessions.list requires it"
        )


async def test_a_write_without_a_body_returns_what_the_platform_sent(assistant: Assistant, sandbox: Sandbox) -> None:
    sandbox.seed({"sessions": [{"title": "A"}]})
    allowed = Assistant(assistant.platform, Selection(allow=("organization.sessions.terminate",)))
    assert not (await allowed.call("organization_sessions_terminate", assistant_id="assistant-1")).is_error
