"""Keywords of a request that the description does not show in full: each is a member of the body."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import attrs
import httpx
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, RequestOptions, operations

SENT: list[Any] = []


def keep(request: httpx.Request) -> httpx.Response:
    SENT.append(json.loads(request.content) if request.content else None)
    return httpx.Response(200, json={"session_id": "assistant-1"})


@pytest.fixture
def org() -> Any:
    SENT.clear()
    transport = httpx.MockTransport(keep)
    return AgentPlatform("https://p.example.com", "svc_x", organization="org-a", transport=transport).organization()


@pytest.mark.parametrize(
    ("call", "body"),
    [
        (lambda org: org.sessions.create(assistant_mode="fast", prompt="x"), {"assistant_mode": "fast", "prompt": "x"}),
        (
            lambda org: org.sessions.create(self=1, members=2, session_link=3),
            {"self": 1, "members": 2, "session_link": 3},
        ),
        (lambda org: org.sessions.create(prompt="x", extra_body={"timeout": 5}), {"prompt": "x", "timeout": 5}),
        (lambda org: org.sessions.send_message("1", message="Hi", urgent=None), {"message": "Hi", "urgent": None}),
        (lambda org: org.sessions.send_message(assistant_id="1", message="Hi"), {"message": "Hi"}),
        (lambda org: org.sessions.send_message("1", body={"timeout": 1}), {"timeout": 1}),
        (lambda org: org.sessions.send_message("1", extra_body={"timeout": 1}), {"timeout": 1}),
        (lambda org: org.sessions.archive("1"), None),
    ],
)
async def test_a_keyword_is_a_member_of_the_body(org: Any, call: Callable[[Any], Any], body: Any) -> None:
    await call(org)
    assert [body] == SENT


SETTINGS = {"first", "after", "headers", *(each.name for each in attrs.fields(RequestOptions))}


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {"optons": 3},
            "takes no argument 'optons'; did you mean 'options'? extra_body={'optons': ...} sends a member",
        ),
        ({"assistant_mode".replace("mode", "mide"): "fast"}, "did you mean 'assistant_mode'?"),
        ({"extra_bdy": {}}, "did you mean 'extra_body'?"),
        ({"org_id": "org-b"}, "takes no argument 'org_id'; it is in the path."),
        ({"timeout": 5}, "; pass options=RequestOptions(timeout=...). extra_body="),
        ({"headers": {}}, "; pass options=RequestOptions(extra_headers=...). extra_body="),
        ({"prompt": "x", "extra_body": {"prompt": "y"}}, "extra_body repeats prompt, which is given already"),
        ({"assistant_mode": "fast", "extra_body": {"assistant_mode": "x"}}, "extra_body repeats assistant_mode"),
        *(({name: 1}, f"takes no argument {name!r}; ") for name in sorted(SETTINGS)),
    ],
)
async def test_a_keyword_that_is_meant_as_something_else_is_refused(
    org: Any, members: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        await org.sessions.create(**members)
    assert message in str(raised.value)
    assert SENT == []


async def test_a_whole_body_together_with_keywords_is_refused(org: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="body is a whole body: put message into it"):
        await org.sessions.send_message("1", body={}, message="Hi")


async def test_a_body_that_is_required_may_be_keywords(org: Any) -> None:
    await org.automations.update("automation-1", enabled=False)
    with pytest.raises(InvalidArgumentError, match="needs a body: give its members as keywords, or all of it as body="):
        await org.automations.update("automation-1")
    assert SENT == [{"enabled": False}]


async def test_a_request_that_is_shown_in_full_refuses_what_it_does_not_know(org: Any) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'color'"):
        await org.schedules.create(name="n", prompt="p", color="red")


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        (lambda org: org.sessions.create, {"optons": 3}, "did you mean 'options'?"),
        (lambda org: org.sessions.list, {"frist": 1}, "organization.sessions.list takes no argument 'frist'; did you"),
        (lambda org: org.sessions.get, {}, "organization.sessions.get: missing a required argument: 'assistant_id'"),
        (lambda org: org.schedules.create, {"name": "n", "prompt": "p", "zzz": 1}, "takes no argument 'zzz'; it takes"),
    ],
)
def test_arguments_are_checked_without_a_call(org: Any, method: Any, arguments: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        operations.check_arguments(method(org), arguments)
    assert message in str(raised.value)
