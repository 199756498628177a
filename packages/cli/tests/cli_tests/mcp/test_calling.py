"""Calls of operations: their arguments, their pages, and what an assistant must not get."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.mcp.calling import HIDDEN, LONGEST
from agent_session_platform_cli.mcp.operations import Selection
from agent_session_platform_sandbox import Sandbox

from cli_tests.mcp.conftest import Assistant

TOKEN = "pat-0123456789abcdef"


@pytest.fixture
async def echo() -> AsyncIterator[tuple[Assistant, list[bytes]]]:
    """Return an assistant, and the bodies that its server will answer with."""
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        status = 422 if b"detail" in bodies[0] else 200
        return httpx.Response(status, content=bodies[0], headers={"content-type": "application/json"})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        platform = AgentPlatform(base_url="https://x.invalid", token=TOKEN, organization="org-a", http_client=client)
        async with platform:
            yield Assistant(platform), bodies


@pytest.mark.parametrize(
    ("operation", "arguments", "message"),
    [
        ("sessions.get", {}, "organization.sessions.get: missing a required argument: 'assistant_id'"),
        ("sessions.list", {"frist": 2}, "organization.sessions.list takes no argument 'frist'; did you mean 'first'?"),
        ("sessions.list", {"q": 2}, "organization.sessions.list takes no argument 'q'; it takes first, after, origins"),
        ("sessions.list", {"first": 500}, "first must be between 1 and 200, not 500"),
        ("sessions.list", {"origins": "api"}, "origins must be a list, not str"),
        ("sessions.list", {"org_id": "org-b"}, "organization.sessions.list takes no argument 'org_id'"),
        ("sessions.create", {"assistant_mide": "x"}, "organization.sessions.create takes no argument 'assistant_mide'"),
        ("sessions.terminate", {"assistant_id": "a", "options": {}}, "organization.sessions.terminate takes no"),
        ("playbooks.list", {"after": "x"}, "after must be the end_cursor of a result"),
    ],
)
async def test_a_wrong_argument_is_refused_before_anything_is_sent(
    platform: AgentPlatform, sandbox: Sandbox, operation: str, arguments: dict[str, Any], message: str
) -> None:
    tool = "read" if operation.partition(".")[2] in ("get", "list") else "write"
    assistant = Assistant(platform, Selection(allow=("*",)))
    name = f"organization.{operation}"
    assert (await assistant.refusal(tool, operation=name, arguments=arguments)).startswith(message)
    assert len(sandbox.journal) == 0


async def test_each_tool_refuses_what_the_other_one_is_for(platform: AgentPlatform, sandbox: Sandbox) -> None:
    assistant = Assistant(platform, Selection(allow=("organization.sessions.create",)))
    assert (await assistant.refusal("read", operation="organization.sessions.create")).endswith("use write")
    assert (await assistant.refusal("write", operation="organization.sessions.list")).endswith("use read")
    refusal = await assistant.refusal("write", operation="organization.sessions.terminate")
    assert refusal.endswith("asp mcp --allow organization.sessions.terminate")
    assert len(sandbox.journal) == 0


@pytest.mark.parametrize("given", [{"prompt": "Fix it", "assistant_mode": None}, {"extra_body": {"prompt": "Fix it"}}])
async def test_a_write_takes_members_of_its_body_as_arguments(
    platform: AgentPlatform, sandbox: Sandbox, given: dict[str, Any]
) -> None:
    assistant = Assistant(platform, Selection(allow=("organization.sessions.create",)))
    created = await assistant.call("write", operation="organization.sessions.create", arguments=given)
    assert await assistant.read("organization.sessions.get", assistant_id=created["session_id"]) == created
    assert next(iter(sandbox.journal)).body == {"prompt": "Fix it"}


async def test_an_error_is_a_sentence_with_the_problem_detail(assistant: Assistant) -> None:
    text = await assistant.refusal("read", operation="organization.sessions.get", arguments={"assistant_id": "none"})
    sentence, _, more = text.partition("\n")
    detail = json.loads(more)["problem"]["detail"]
    assert detail.startswith("no session ")
    assert sentence == f"organization.sessions.get: 404 Not Found: {detail} (request id request-1)"


async def read_all(assistant: Assistant, operation: str, **arguments: Any) -> list[str]:
    """Return the titles of all items; no page is too long."""
    titles: list[str] = []
    page: dict[str, Any] = {"has_next_page": True, "end_cursor": None}
    while page.get("has_next_page"):
        arguments["after"] = page["end_cursor"]
        page = await assistant.read(operation, **arguments)
        assert len(json.dumps(page)) <= LONGEST * 1.1
        titles += [item["title"].split()[0] for item in page["items"]]
    return titles


async def test_a_page_that_is_too_long_is_fetched_with_fewer_items_so_that_nothing_is_skipped(
    assistant: Assistant, sandbox: Sandbox
) -> None:
    sandbox.seed({"sessions": [{"title": f"{number} {'x' * 1500}"} for number in range(60)]})
    titles = await read_all(assistant, "organization.sessions.list", first=100)
    assert titles == [str(number) for number in range(60)]


@pytest.mark.parametrize("wrapped", [True, False])
async def test_a_list_without_pages_is_cut_between_its_items(
    echo: tuple[Assistant, list[bytes]], wrapped: bool
) -> None:
    assistant, bodies = echo
    items = [{"title": f"{number} {'x' * 1500}"} for number in range(40)]
    bodies.append(json.dumps({"items": items} if wrapped else items).encode())
    assert await read_all(assistant, "organization.playbooks.list") == [str(number) for number in range(40)]


@pytest.mark.parametrize("value", ["x" * 200_000, [["x" * 1000] * 100] * 100, {str(n): "x" for n in range(9000)}])
async def test_what_is_too_long_in_itself_is_cut_with_a_mark(echo: tuple[Assistant, list[bytes]], value: Any) -> None:
    assistant, bodies = echo
    bodies.append(json.dumps({"session_id": "a", "title": value}).encode())
    _, text = await assistant.answer("read", operation="organization.playbooks.get", arguments={"playbook_id": "a"})
    assert len(text) <= LONGEST * 1.1
    assert "[cut: `asp call` prints all]" in text


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (rb'"half \ud800 pair"', "half \ud800 pair"),
        (b"1e999", None),
        (b"NaN", None),
        (rb'"\u202e\u2066\u0085\udb40\udc41 turned"', "\u202e\u2066\x85\U000e0041 turned"),
        (rb'{"\udfff": 1}', {"\udfff": 1}),
    ],
)
async def test_no_value_of_a_server_breaks_the_answer(
    echo: tuple[Assistant, list[bytes]], sent: bytes, shown: Any
) -> None:
    assistant, bodies = echo
    bodies.append(b'{"title": ' + sent + b"}")
    failed, text = await assistant.answer(
        "read", operation="organization.playbooks.get", arguments={"playbook_id": "a"}
    )
    assert not failed
    assert text.isprintable()
    assert json.loads(text)["title"] == shown


async def test_what_is_no_json_is_an_error_and_not_a_traceback(echo: tuple[Assistant, list[bytes]]) -> None:
    assistant, bodies = echo
    for body in (b"[" * 100_000, b"9" * 5000, b'{"a": \x00}'):
        bodies[:] = [body]
        text = await assistant.refusal("read", operation="organization.playbooks.get", arguments={"playbook_id": "a"})
        assert "Traceback" not in text


@pytest.mark.parametrize("secret", [TOKEN, "svc_0123456789", "apk_user_0123456789", "APK_0123456789"])
async def test_no_credential_is_in_an_answer(echo: tuple[Assistant, list[bytes]], secret: str) -> None:
    assistant, bodies = echo
    sent = {
        "key": secret,
        "text": f"You sent {secret}, did you?",
        "url": f"https://x.invalid/?token={secret}&a=1",
        "log": f"a\\n{secret}",
        secret: [secret],
    }
    bodies.append(json.dumps(sent).encode())
    _, text = await assistant.answer("read", operation="organization.playbooks.get", arguments={"playbook_id": "a"})
    assert secret not in text
    _, text = await assistant.answer("read", operation=secret)
    assert secret not in text


async def test_no_credential_and_no_broken_text_is_in_an_error(echo: tuple[Assistant, list[bytes]]) -> None:
    assistant, bodies = echo
    failure = {"loc": ["svc_0123456789"], "msg": f"{TOKEN} \ud800", "limit": 1e999}
    bodies.append(json.dumps({"title": "No \x9b", "detail": [failure]}).encode())
    text = await assistant.refusal("read", operation="organization.playbooks.get", arguments={"playbook_id": "a"})
    assert [secret for secret in (TOKEN, "svc_0123456789") if secret in text] == []
    sentence, _, more = text.partition("\n")
    assert sentence.isprintable()
    assert json.loads(more, parse_constant=pytest.fail)["status"] == 422


async def test_a_text_that_only_mentions_a_prefix_is_kept(echo: tuple[Assistant, list[bytes]]) -> None:
    assistant, bodies = echo
    bodies.append(b'{"note": "Begins with svc_ and more", "name": "svc_x"}')
    found = await assistant.read("organization.playbooks.get", playbook_id="a")
    assert found == {"note": "Begins with svc_ and more", "name": "svc_x"}
    assert HIDDEN not in str(found)
