"""A stranger's client: that of the protocol's SDK, over stdio to a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import httpx
import pytest
from agent_session_platform import operations
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.population import add_demo
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, Tool

ALLOWED = "organization.sessions.create"


@attrs.frozen
class Stranger:
    """A client over stdio, and the sandbox that its server calls."""

    client: Client
    portal: BlockingPortal
    sandbox: Sandbox
    address: str

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self.portal.call(function, *arguments)

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        result = self.run(self.client.call_tool, tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    def tools(self) -> dict[str, Tool]:
        return {each.name: each for each in self.run(self.client.list_tools).tools}

    def get(self, path: str, **query: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.sandbox.token}"}
        return httpx.get(f"{self.address}/v3/organizations/org-acme/{path}", params=query, headers=headers).json()


@pytest.fixture(scope="module")
def stranger() -> Iterator[Stranger]:
    """Start the server once for all tests of this module."""
    sandbox = Sandbox()
    add_demo(sandbox, 30)
    command = ["-W", "error", "-m", "agent_session_platform_cli", "mcp", "--allow", ALLOWED]
    with sandbox.serve() as address, start_blocking_portal() as portal:
        settings = {"BASE_URL": address, "TOKEN": sandbox.token, "ORG_ID": "org-acme"}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_PLATFORM_")}
        environment = kept | {f"AGENT_PLATFORM_{name}": value for name, value in settings.items()}
        server = StdioServerParameters(command=sys.executable, args=command, env=environment)
        with portal.wrap_async_context_manager(Client(server)) as client:
            yield Stranger(client, portal, sandbox, address)


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    return str(getattr(content, "text", ""))


def test_the_server_says_who_it_is_and_how_it_is_used(stranger: Stranger) -> None:
    assert stranger.client.server_info is not None
    assert stranger.client.server_info.name == "agent-session-platform"
    assert "end_cursor" in (stranger.client.instructions or "")


def test_the_tools_are_the_reads_of_the_catalogue_and_what_is_allowed(stranger: Stranger) -> None:
    reads = {each.name.replace(".", "_") for each in operations if each.method == "GET" and not each.streamed}
    assert set(stranger.tools()) == reads | {"organization_sessions_create", "find_operations"}


def test_a_read_returns_what_the_platform_sent(stranger: Stranger) -> None:
    result = stranger.call("organization_sessions_get", assistant_id="assistant-3")
    assert not result.is_error
    assert result.structured_content == stranger.get("sessions/assistant-3")


def test_a_list_is_one_page_whose_cursor_leads_to_the_next(stranger: Stranger) -> None:
    first = stranger.call("organization_sessions_list", first=2).structured_content
    assert first == stranger.get("sessions", first=2)
    second = stranger.call("organization_sessions_list", first=2, after=first["end_cursor"]).structured_content
    assert [each["session_id"] for each in first["items"] + second["items"]] == [
        f"assistant-{number}" for number in range(1, 5)
    ]


def test_a_page_has_twenty_items_where_no_number_is_given(stranger: Stranger) -> None:
    result = stranger.call("organization_sessions_list").structured_content
    assert (len(result["items"]), result["has_next_page"]) == (20, True)


def test_a_write_that_is_not_allowed_is_refused_with_what_to_pass(stranger: Stranger) -> None:
    result = stranger.call("organization_sessions_terminate", assistant_id="assistant-3")
    assert result.is_error
    assert text_of(result).endswith("asp mcp --allow organization.sessions.terminate")
    assert not [each for each in stranger.sandbox.journal if each.method == "DELETE"]


def test_an_allowed_write_is_carried_out(stranger: Stranger) -> None:
    created = stranger.call("organization_sessions_create", extra_body={"prompt": "Fix it"})
    assert created.structured_content == stranger.get(f"sessions/{created.structured_content['session_id']}")


def test_an_error_is_a_sentence_with_the_problem_detail(stranger: Stranger) -> None:
    missing = "assistant-none"
    result = stranger.call("organization_sessions_get", assistant_id=missing)
    assert result.is_error
    assert text_of(result) == f"organization.sessions.get: 404 Not Found: no session {missing}"
    assert result.structured_content["error"] == "NotFoundError"
    assert result.structured_content["problem"]["detail"] == f"no session {missing}"


def test_the_credential_is_in_no_message(stranger: Stranger) -> None:
    tools = ("organization_sessions_list", "enterprise_roles_list", "find_operations", "nothing")
    shown = [str(stranger.tools()), str(stranger.client.instructions), *(str(stranger.call(each)) for each in tools)]
    assert [each for each in shown if stranger.sandbox.token in each] == []
