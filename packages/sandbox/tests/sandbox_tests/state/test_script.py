"""Scripts of the assistant: which turns and functions are valid."""

from __future__ import annotations

import re
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_sandbox import Sandbox, Turn


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "must have a text or fields"),
        ({"text": 5}, "text must be text or None, not 5"),
        ({"text": "x", "after": -1}, "after must be a number of seconds that is not negative, not -1"),
        ({"text": "x", "after": float("nan")}, "after must be a number of seconds"),
        ({"text": "x", "after": float("inf")}, "after must be a number of seconds"),
        ({"text": "x", "source": None}, "source must be text, not None"),
        ({"fields": ["status"]}, "the fields of a session must be a mapping of names to JSON"),
        ({"fields": {"status": object()}}, "the fields of a session must be a mapping of names to JSON"),
        ({"fields": {"acus_consumed": float("nan")}}, "the fields of a session must be a mapping of names to JSON"),
        ({"fields": {"session_id": "assistant-2"}}, "session_id is set by the sandbox; leave it out"),
        ({"fields": {"org_id": "org-globex"}}, "org_id is set by the sandbox; leave it out"),
    ],
)
def test_an_invalid_turn_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=re.escape(message)):
        Turn(**settings)


def test_a_turn_keeps_a_copy_of_its_fields() -> None:
    tags = ["nightly"]
    turn = Turn(fields={"tags": tags})
    tags.append("later")
    assert turn.fields == {"tags": ["nightly"]}


async def ignore(message: object) -> None:
    """Do nothing, as a coroutine function."""


@pytest.mark.parametrize("script", [ignore, "On it."])
def test_only_a_plain_function_is_a_script(sandbox: Sandbox, script: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="the script must be a plain function or None"):
        sandbox.on_message(script)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (5, "the script of on_message must return text, a Turn, a sequence of these or None, not 5"),
        ({"text": "x"}, "must return text"),
        ([5], "text must be text or None, not 5"),
        (b"x", "text must be text or None"),
        (["x", None], "must have a text or fields"),
    ],
)
async def test_a_script_that_returns_something_else_is_reported(
    sandbox: Sandbox, org: Any, returned: Any, message: str
) -> None:
    sandbox.on_message(lambda _: returned)
    with pytest.raises(InvalidArgumentError, match=message):
        await org.sessions.create(prompt="Fix it")
