"""Arguments are checked before anything is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import attrs
import httpx
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, RequestOptions, operations
from agent_session_platform._api import Parameter
from agent_session_platform.request.arguments import check_argument

from tests.servers.fault_server import client

FIRST = Parameter("first", "query", kind="integer", minimum=1, maximum=200)
TAGS = Parameter("tags", "body", kind="array", nullable=True)
WHEN = Parameter("scheduled_at", "body", kind="date-time")


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (FIRST, 500, "first must be between 1 and 200, not 500"),
        (FIRST, 10**60, r"first must be between 1 and 200, not 10+\.\.\.$"),
        (FIRST, 0.5, "first must be an integer, not 0.5"),
        (FIRST, True, "first must be an integer, not True"),
        (Parameter("ratio", "body", kind="number"), False, "ratio must be a number, not False"),
        (Parameter("archive", "query", kind="boolean"), "yes", "archive must be a boolean, not str"),
        (Parameter("origins", "query", kind="array"), "api", "origins must be a list, not str$"),
        (Parameter("name", "body", kind="string"), 7, "name must be a string, not 7"),
        (Parameter("name", "body", kind="integer"), "x" * 500, "name must be an integer, not str$"),
        (Parameter("least", "body", kind="number", minimum=0), -1, "least must be at least 0, not -1"),
        (Parameter("most", "body", kind="number", maximum=9), 10, "most must be at most 9, not 10"),
        (WHEN, 7, "scheduled_at must be a datetime or ISO 8601 text, not 7"),
        (Parameter("name", "body", kind="string"), None, "name must be a string, not None"),
        (Parameter("", "body", argument_name="body"), "{}", "body must be a mapping or a list, not str"),
    ],
)
def test_a_value_that_the_contract_does_not_allow_is_refused(parameter: Parameter, value: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        check_argument(parameter, value)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (FIRST, 200),
        (TAGS, None),
        (TAGS, ("a",)),
        (WHEN, datetime(2026, 12, 1, tzinfo=UTC)),
        (Parameter("anything", "query"), 1.5),
        (Parameter("ratio", "body", kind="number"), 1),
    ],
)
def test_a_value_that_the_contract_allows_passes(parameter: Parameter, value: Any) -> None:
    check_argument(parameter, value)


async def test_a_list_checks_its_arguments_when_it_is_made(platform: AgentPlatform) -> None:
    """The call of the method raises the error, before the list is read. The error is also a ValueError."""
    with pytest.raises(ValueError, match="first must be between 1 and 200, not 500"):
        platform.organization("org-acme").sessions.list(first=500)
    lists: Any = platform.enterprise.sessions
    with pytest.raises(InvalidArgumentError, match="which is an org_id"):
        lists.list_messages("org-acme")


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        ("GET", "v3/x", "path must begin with one slash"),
        ("GET", "//elsewhere.example/x", "path must begin with one slash and name no host"),
        ("GET", "/v3/x?first=1", r"pass query=\{...\}"),
        ("GET", "/v3/../x", "path must be percent-encoded"),
        ("GET", "/v3/a/%2e%2e/z", "path must be percent-encoded"),
        ("GET", "/v3/\ud800", "path must be percent-encoded"),
        ("GE T", "/v3/x", "method must be an HTTP method"),
        ("GÉT", "/v3/x", "method must be an HTTP method"),
        (None, "/v3/x", "method must be an HTTP method such as 'GET'"),
        ("GET", 3, "path must be a string, not int"),
        ("GET", "/v3/users/@me/../a b", "not '/v3/users/@me/../a b'"),
    ],
)
async def test_an_invalid_raw_request_is_refused(platform: AgentPlatform, method: Any, path: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await platform.request(method, path)


async def test_a_query_that_is_not_a_mapping_is_refused(platform: AgentPlatform) -> None:
    query: Any = "first=1"
    with pytest.raises(InvalidArgumentError, match="query must be a mapping, not str"):
        await platform.request("GET", "/v3/x", query=query)


# Ids, and the keywords of a request that the description does not show in full: each is a member of the body.

Sent = list[httpx.Request]
SESSIONS = "/v3/organizations/org-acme/sessions"


@pytest.fixture
def sent() -> Sent:
    """Return the requests that `scope` has sent."""
    return []


@pytest.fixture
def scope(sent: Sent) -> Any:
    """Return an organization on a server that keeps the requests."""

    def keep(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"session_id": "assistant-1", "items": []})

    return client("https://p.example.com", httpx.MockTransport(keep)).organization()


@pytest.mark.parametrize(
    ("given", "written"), [("assistant-7", "assistant-7"), ("7", "assistant-7"), ("a-b", "assistant-a-b")]
)
async def test_a_session_id_without_its_prefix_gets_it(scope: Any, sent: Sent, given: str, written: str) -> None:
    """Part Endpoints, Conventions: `assistant_id` is the session id with that prefix."""
    await scope.sessions.get(given)
    assert [request.url.path for request in sent] == [f"{SESSIONS}/{written}"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("org-acme", "must be an id that begins with 'assistant-', not 'org-acme', which is an org_id"),
        ("", "must be an id, not ''"),
        ("\ud800", "cannot be written: 'utf-8' codec can't encode character"),
    ],
)
async def test_an_id_of_another_kind_is_refused(scope: Any, sent: Sent, given: str, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"assistant_id'? {message}"):
        await scope.sessions.get(given)
    assert sent == []


SITE = "https://app.example.com/sessions"


@pytest.mark.parametrize(
    ("given", "likely_id", "shown"),
    [
        (f"{SITE}/1", "1", f"{SITE}/1"),
        (f"{SITE}/1/?token=secret#top", "1", f"{SITE}/1/"),
        (f"{SITE}/assistant-1/messages", "assistant-1", f"{SITE}/assistant-1/messages"),
        ("https://ada:secret@app.example.com/sessions/1", "1", f"{SITE}/1"),
        (
            "/v3/organizations/org-acme/sessions/assistant-1",
            "assistant-1",
            "/v3/organizations/org-acme/sessions/assistant-1",
        ),
        ("sessions/1", "1", "sessions/1"),
        (" assistant-1", "assistant-1", " assistant-1"),
        ("assistant-1\n", "assistant-1", "assistant-1\n"),
    ],
)
async def test_text_with_an_id_in_it_is_refused_with_the_id(
    scope: Any, sent: Sent, given: str, likely_id: str, shown: str
) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        await scope.sessions.get(given)
    expected = f"assistant_id must be an id alone, such as {likely_id!r}, not {shown!r}"
    assert caught.value.message == expected
    assert sent == []


@pytest.mark.parametrize("given", ["", " ", "\n"])
async def test_an_empty_id_is_refused(scope: Any, sent: Sent, given: str) -> None:
    with pytest.raises(InvalidArgumentError, match="playbook_id must be an id, not "):
        await scope.playbooks.get(given)
    assert sent == []


@pytest.mark.parametrize("resource", ["playbooks", "automations", "schedules"])
async def test_each_id_of_a_path_refuses_an_address(scope: Any, sent: Sent, resource: str) -> None:
    with pytest.raises(InvalidArgumentError, match="_id must be an id alone, such as 'x-1', not 'https:"):
        await getattr(scope, resource).get("https://app.example.com/things/x-1")
    assert sent == []


async def test_a_name_in_a_path_may_have_a_slash(scope: Any, sent: Sent) -> None:
    await scope.attachments.download("uuid", "a/b.pdf").read()
    assert [request.url.raw_path for request in sent] == [b"/v3/organizations/org-acme/attachments/uuid/a%2Fb.pdf"]


@pytest.mark.parametrize(
    ("call", "body"),
    [
        (lambda org: org.sessions.create(assistant_mode="fast", prompt="x"), {"assistant_mode": "fast", "prompt": "x"}),
        (lambda org: org.sessions.create(self=1, members=2), {"self": 1, "members": 2}),
        (lambda org: org.sessions.create(prompt="x", extra_body={"timeout": 5}), {"prompt": "x", "timeout": 5}),
        (lambda org: org.sessions.send_message("1", message="Hi", urgent=None), {"message": "Hi", "urgent": None}),
        (lambda org: org.sessions.send_message(assistant_id="1", message="Hi"), {"message": "Hi"}),
        (lambda org: org.sessions.send_message("1", body={"timeout": 1}), {"timeout": 1}),
        (lambda org: org.sessions.send_message("1", extra_body={"timeout": 1}), {"timeout": 1}),
        (lambda org: org.automations.update("automation-1", enabled=False), {"enabled": False}),
        (lambda org: org.sessions.archive("1"), None),
        (lambda org: org.secrets.delete("secret-1"), None),
    ],
)
async def test_a_keyword_is_a_member_of_the_body(scope: Any, sent: Sent, call: Callable[[Any], Any], body: Any) -> None:
    await call(scope)
    assert [json.loads(request.content) if request.content else None for request in sent] == [body]
    assert ("Content-Type" in sent[0].headers) is (body is not None)


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        ({}, b""),
        ({"first": 5, "after": "c=", "origins": ["api", "slack"]}, b"first=5&after=c%3D&origins=api&origins=slack"),
    ],
)
async def test_the_query_of_a_list_has_only_what_is_given(scope: Any, sent: Sent, arguments: Any, query: bytes) -> None:
    """Rule session-list-no-order; session-list-parameters; session-list-origins-encoding: the OpenAPI default."""
    await scope.sessions.list(**arguments).collect()
    assert [(request.url.path, request.url.query) for request in sent] == [(SESSIONS, query)]


async def test_an_update_is_a_merge_patch(scope: Any, sent: Sent) -> None:
    """automation-update-media-type: merge-patch (RFC 7396) is used."""
    await scope.automations.update("automation-1", enabled=False, note=None)
    [request] = sent
    assert (request.method, request.headers["Content-Type"]) == ("PATCH", "application/merge-patch+json")
    assert json.loads(request.content) == {"enabled": False, "note": None}


SETTINGS = {"first", "after", "headers", *(each.name for each in attrs.fields(RequestOptions))}


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"optons": 3}, "no argument 'optons'; did you mean 'options'? extra_body={'optons': ...} sends a member"),
        ({"child_playbok_id": "x"}, "did you mean 'child_playbook_id'?"),
        ({"extra_bdy": {}}, "did you mean 'extra_body'?"),
        ({"org_id": "org-b"}, "takes no argument 'org_id'; it is in the path."),
        ({"timeout": 5}, "; pass options=RequestOptions(timeout=...). extra_body="),
        ({"headers": {}}, "; pass options=RequestOptions(extra_headers=...). extra_body="),
        ({"prompt": "x", "extra_body": {"prompt": "y"}}, "extra_body repeats prompt, which is given already"),
        ({"assistant_mode": "fast", "extra_body": {"assistant_mode": "x"}}, "extra_body repeats assistant_mode"),
        *(({name: 1}, f"takes no argument {name!r}; ") for name in sorted(SETTINGS)),
    ],
)
async def test_a_mistaken_keyword_is_refused(scope: Any, sent: Sent, members: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=re.escape(message)):
        await scope.sessions.create(**members)
    assert sent == []


async def test_a_whole_body_is_joined_by_no_keyword(scope: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="body= is the whole body: put message into it"):
        await scope.sessions.send_message("1", body={}, message="Hi")


async def test_an_update_without_members_is_refused(scope: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="give its members as keywords, or all of it as body="):
        await scope.automations.update("automation-1")


async def test_a_request_that_is_shown_in_full_refuses_what_it_does_not_know(scope: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="takes no argument 'color'; it takes name, prompt, agent, "):
        await scope.schedules.create(name="n", prompt="p", color="red")


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        (lambda org: org.sessions.create, {"optons": 3}, "did you mean 'options'?"),
        (lambda org: org.sessions.list, {"frist": 1}, "organization.sessions.list takes no argument 'frist'; did you"),
        (lambda org: org.sessions.get, {}, "organization.sessions.get: missing a required argument: 'assistant_id'"),
        (lambda org: org.schedules.create, {"name": "n", "prompt": "p", "zzz": 1}, "takes no argument 'zzz'; it takes"),
    ],
)
def test_arguments_are_checked_without_a_call(scope: Any, method: Any, arguments: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=re.escape(message)):
        operations.check_arguments(method(scope), arguments)


EXTRA_QUERY = r"options=RequestOptions\(extra_query=\{'%s': \.\.\.\}\) sends a query parameter of that name$"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda org: org.sessions.list(title="x"),
            f"'title'; it takes first, after, origins, options. {EXTRA_QUERY % 'title'}",
        ),
        (lambda org: org.sessions.list(frist=5), f"'frist'; did you mean 'first'\\? {EXTRA_QUERY % 'frist'}"),
        (lambda org: org.playbooks.list(first=5), f"only a paginated list takes it. {EXTRA_QUERY % 'first'}"),
        (lambda org: org.sessions.get("1", timeout=5), r"pass options=RequestOptions\(timeout=\.\.\.\)"),
        (lambda org: org.sessions.get("1", org_id="x"), "takes no argument 'org_id'; it is in the path"),
        (
            lambda org: org.attachments.download("u", "n", size=1),
            f"takes no argument 'size'; it takes options. {EXTRA_QUERY % 'size'}",
        ),
        (
            lambda org: org.schedules.delete("s", body={}),
            f"takes no argument 'body'; it takes options. {EXTRA_QUERY % 'body'}",
        ),
    ],
)
async def test_an_unknown_keyword_is_refused_with_what_to_write(
    scope: Any, sent: Sent, call: Callable[[Any], Any], message: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await call(scope)
    assert sent == []


@pytest.mark.parametrize(
    ("keywords", "body"),
    [
        ({"options_": 1, "body_": 2, "extra_body_": 3}, {"options": 1, "body": 2, "extra_body": 3}),
        ({"extra_query_": 1, "timeout_": 2, "first_": 3}, {"extra_query": 1, "timeout": 2, "first": 3}),
        ({"playbook_id_": "p-2"}, {"playbook_id": "p-2"}),
        ({"from_": 1, "class": 2}, {"from": 1, "class": 2}),
        ({"title_": 1}, {"title_": 1}),
        ({"extra_body": {"options": 1, "body": 2, "extra_query": 3}}, {"options": 1, "body": 2, "extra_query": 3}),
    ],
    ids=str,
)
async def test_a_member_with_the_name_of_an_argument_can_be_passed(
    scope: Any, sent: Sent, keywords: dict[str, Any], body: dict[str, Any]
) -> None:
    await scope.playbooks.update("p-1", **keywords)
    assert [json.loads(request.content) for request in sent] == [body]


async def test_a_member_is_not_passed_under_both_names(scope: Any, sent: Sent) -> None:
    with pytest.raises(InvalidArgumentError, match="extra_body repeats options, which is given already"):
        await scope.playbooks.update("p-1", options_=1, extra_body={"options": 2})
    assert sent == []
