"""The four tools, and the credentials that they hide."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, operations
from agent_session_platform_cli.mcp.calling import LONGEST
from agent_session_platform_cli.mcp.operations import Selection
from agent_session_platform_sandbox import Sandbox
from jsonschema import Draft202012Validator

from cli_tests.mcp.conftest import TOKEN, Assistant

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
    assert [name for name, hint in hints.items() if hint.read_only_hint] == [*tools][:3]
    assert ("write" in tools) is (allow is not None)
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


@pytest.mark.parametrize("pattern", ["organization.attachments.upload", "organization.attachments.up*"])
def test_an_upload_that_is_allowed_is_refused_with_the_reason(pattern: str) -> None:
    with pytest.raises(InvalidArgumentError, match="transfers a file, which is not allowed here; a person can run"):
        Selection(allow=(pattern,))


def test_a_pattern_allows_the_writes_that_begin_like_it() -> None:
    more = {*allowed(Selection(allow=("organization.playbooks.*",)))} - {*allowed(Selection())}
    assert more == {f"organization.playbooks.{verb}" for verb in ("create", "delete", "update")}


@pytest.mark.parametrize("name", ["*.create", "organization.?essions.create", "organization.session.create"])
def test_what_fits_no_operation_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="is no operation"):
        Selection(allow=(name,))


@pytest.mark.parametrize("name", ["organization.attachments.download", "organization.attachments.upload"])
def test_files_are_not_transferred_even_if_every_write_is_allowed(name: str) -> None:
    refusal = Selection(allow=("*",)).refusal(operations[name])
    assert f"which is not allowed here; a person can run: asp call {name}" in str(refusal)


LIST = "organization.playbooks.list"
GET = {"operation": "organization.playbooks.get", "arguments": {"playbook_id": "a"}}


@pytest.mark.parametrize(
    ("operation", "arguments", "message"),
    [
        ("sessions.get", {}, ": missing a required argument: 'assistant_id'"),
        ("sessions.list", {"frist": 2}, " takes no argument 'frist'; did you mean 'first'?"),
        ("sessions.list", {"q": 2}, " takes no argument 'q'; it takes first, after, origins"),
        ("sessions.list", {"first": 500}, "first must be between 1 and 200, not 500"),
        ("sessions.list", {"origins": "api"}, "origins must be a list, not str"),
        ("sessions.list", {"org_id": "org-b"}, " takes no argument 'org_id'"),
        ("sessions.create", {"child_playbok_id": "x"}, " takes no argument 'child_playbok_id'"),
        ("sessions.terminate", {"assistant_id": "a", "options": {}}, " takes no argument 'options'"),
        ("playbooks.list", {"after": 40}, "after must be the end_cursor of a result"),
    ],
)
async def test_a_wrong_argument_is_refused_before_anything_is_sent(
    assistant: Assistant, sandbox: Sandbox, operation: str, arguments: dict[str, Any], message: str
) -> None:
    tool = "read" if operation.partition(".")[2] in ("get", "list") else "write"
    name = f"organization.{operation}"
    text = await assistant.allowed("*").refusal(tool, operation=name, arguments=arguments)
    assert text.removeprefix(name).startswith(message)
    assert len(sandbox.journal) == 0


async def test_each_tool_refuses_what_the_other_one_is_for(assistant: Assistant, sandbox: Sandbox) -> None:
    writer = assistant.allowed("organization.sessions.create")
    for tool, name, end in (
        ("read", "create", "use write"),
        ("write", "list", "use read"),
        ("write", "terminate", "asp mcp --allow organization.sessions.terminate"),
    ):
        assert (await writer.refusal(tool, operation=f"organization.sessions.{name}")).endswith(end)
    assert len(sandbox.journal) == 0


@pytest.mark.parametrize("given", [{"prompt": "Fix it", "assistant_mode": None}, {"extra_body": {"prompt": "Fix it"}}])
async def test_a_write_takes_members_of_its_body_as_arguments(
    assistant: Assistant, sandbox: Sandbox, given: dict[str, Any]
) -> None:
    writer = assistant.allowed("organization.sessions.create")
    created = await writer.call("write", operation="organization.sessions.create", arguments=given)
    assert await writer.read("organization.sessions.get", assistant_id=created["session_id"]) == created
    assert next(iter(sandbox.journal)).body == {"prompt": "Fix it"}


async def test_an_error_is_a_sentence_with_the_problem_detail(assistant: Assistant) -> None:
    text = await assistant.refusal("read", operation="organization.sessions.get", arguments={"assistant_id": "none"})
    sentence, _, more = text.partition("\n")
    detail = json.loads(more)["problem"]["detail"]
    assert detail.startswith("no session ")
    assert sentence == f"organization.sessions.get: 404 Not Found: {detail} (request id request-1)"


async def test_a_page_that_is_too_long_is_fetched_with_fewer_items_so_that_nothing_is_skipped(
    assistant: Assistant, sandbox: Sandbox
) -> None:
    sandbox.seed({"sessions": [{"title": f"{number} {'x' * 1500}"} for number in range(60)]})
    assert await read_all(assistant, "organization.sessions.list", first=100) == [*range(60)]


@pytest.mark.parametrize("wrapped", [True, False])
async def test_a_list_without_pages_is_cut_between_its_items(echo: Assistant, wrapped: bool) -> None:
    items = [{"title": f"{number} {'x' * 1500}"} for number in range(40)]
    echo.response = json.dumps({"items": items} if wrapped else items).encode()
    assert await read_all(echo, LIST) == [*range(40)]


async def test_the_cursor_of_a_list_that_is_not_shown_is_followed(echo: Assistant) -> None:
    """Both cut such a list: the server into pages, and the tool a page that is too long."""
    items = [{"title": f"{number} {'x' * 1500}"} for number in range(90)]
    pages = {
        None: {"items": items[:40], "end_cursor": "40", "has_next_page": True},
        "40": {"items": items[40:80], "end_cursor": "cut:?", "has_next_page": True},
        "cut:?": {"items": items[80:], "end_cursor": None, "has_next_page": False},
    }
    echo.respond = lambda query: json.dumps(pages[query.get("after")]).encode()
    assert await read_all(echo, LIST) == [*range(90)]


async def read_all(assistant: Assistant, operation: str, **arguments: Any) -> list[int]:
    """Return the numbers in the titles of all items; no page is too long."""
    found: list[int] = []
    page: dict[str, Any] = {"has_next_page": True, "end_cursor": None}
    while page.get("has_next_page"):
        page = await assistant.read(operation, **arguments | {"after": page["end_cursor"]})
        assert len(json.dumps(page)) <= LONGEST * 1.1
        found += [int(item["title"].split()[0]) for item in page["items"]]
    return found


@pytest.mark.parametrize("value", ["x" * 200_000, {"a": ["\u754c" * 9] * 9000}, {str(n): "x" for n in range(9000)}])
async def test_of_what_is_too_long_in_itself_the_beginning_is_shown(echo: Assistant, value: Any) -> None:
    echo.response = json.dumps({"session_id": "a", "title": value}).encode()
    found = await echo.call("read", **GET)
    assert found["beginning"].startswith('{"session_id":"a","title":')
    assert found["note"] == "[cut: `asp call` prints all]"
    assert len(json.dumps(found, ensure_ascii=False).encode()) <= LONGEST * 1.1


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (rb'"half \ud800 pair"', "half \ud800 pair"),
        (b"1e999", None),
        (b'"Begins with svc_ and more, such as svc_x"', "Begins with svc_ and more, such as svc_x"),
        (b"NaN", None),
        (rb'"\u202e\u2066\u0085\udb40\udc41 turned"', "\u202e\u2066\x85\U000e0041 turned"),
        (rb'{"\udfff": 1}', {"\udfff": 1}),
    ],
)
async def test_no_value_of_a_server_breaks_the_answer(echo: Assistant, sent: bytes, shown: Any) -> None:
    echo.response = b'{"title": ' + sent + b"}"
    assert (await echo.call("read", **GET))["title"] == shown


@pytest.mark.parametrize("content", [b"[" * 100_000, b"9" * 5000, b'{"a": \x00}'])
async def test_what_is_no_json_is_an_error(echo: Assistant, content: bytes) -> None:
    echo.response = content
    await echo.refusal("read", **GET)


KEY = "svc_0123456789"
ENCODED_KEY = f"%{ord(KEY[0]):x}{KEY[1:].replace('0', '%30')}"


@pytest.mark.parametrize("secret", [TOKEN, KEY, "APK_USER_0123456789", ENCODED_KEY])
async def test_no_credential_is_in_an_answer(echo: Assistant, secret: str) -> None:
    texts = [secret, f"You sent {secret}, did you?", f"https://x.invalid/?token={secret}&a=1", f"a\\n{secret}"]
    echo.response = json.dumps({"texts": texts, secret: [secret]}).encode()
    assert secret not in str(await echo.call("read", **GET))
    assert secret not in await echo.refusal("read", operation=secret)


async def test_no_credential_and_no_broken_text_is_in_an_error(echo: Assistant) -> None:
    failure = {"loc": ["svc_0123456789"], "msg": f"{TOKEN} \ud800", "limit": 1e999}
    echo.response = json.dumps({"title": "No \x9b", "detail": [failure]}).encode()
    text = await echo.refusal("read", **GET)
    assert [secret for secret in (TOKEN, "svc_0123456789") if secret in text] == []
    sentence, _, more = text.partition("\n")
    assert sentence.isprintable()
    assert json.loads(more, parse_constant=pytest.fail)["status"] == 422


@pytest.mark.parametrize("length", range(1960, 2000, 7))
async def test_a_sentence_is_not_cut_within_a_credential(echo: Assistant, length: int) -> None:
    echo.response = json.dumps({"title": f"{'x' * length} svc_0123456789", "detail": []}).encode()
    assert "svc_01" not in await echo.refusal("read", **GET)
