"""What a turn decides without a request: which messages are its answer, and whether a session has changed."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform.models import SessionMessage
from agent_session_platform_jobs.turns.loop import is_changed
from agent_session_platform_jobs.turns.messages import read_conversation


def conversation_of(lines: str) -> list[SessionMessage]:
    """Return messages from text: `<` begins one of the assistant, `>` one of a person."""
    sources = {"<": "assistant", ">": "user"}
    return [SessionMessage(source=sources[line[0]], message=line[1:]) for line in lines.split()]


@pytest.mark.parametrize(
    ("lines", "answer", "interrupted"),
    [
        (">Go <a <b", "a b", False),
        (">[Go] <a <b", "a b", False),
        ("<a <b", "a b", False),
        # Where times are equal, a part of the answer may be listed before the prompt.
        ("<a >Go <b", "a b", False),
        ("<a >Stop <b", "a", True),
        # Another program sends the same text later.
        (">[Go] <a >Go <b", "a", True),
        (">Go >Go <a", "", True),
    ],
)
def test_the_answer_to_a_prompt(lines: str, answer: str, interrupted: bool) -> None:
    found = read_conversation(conversation_of(lines), "Go", is_new=True, lists_texts=False)
    assert (" ".join(str(message.message) for message in found.answer), found.interrupted) == (answer, interrupted)


@pytest.mark.parametrize(
    ("lines", "lists_texts", "answer", "interrupted"),
    [
        ("<old >Go <a", True, "a", True),
        ("<old", True, "", True),
        ("", True, "", True),
        # This server lists no texts at all.
        ("<a", False, "a", True),
        (">Stop <b", False, "", True),
    ],
)
def test_the_answer_to_a_message(lines: str, lists_texts: bool, answer: str, interrupted: bool) -> None:
    found = read_conversation(conversation_of(lines), "Go", is_new=False, lists_texts=lists_texts)
    assert (" ".join(str(message.message) for message in found.answer), found.interrupted) == (answer, interrupted)


SESSION: dict[str, Any] = {"session_id": "assistant-1", "status": "ready", "structured_output": None}


@pytest.mark.parametrize(
    ("after", "changed"),
    [
        (SESSION, False),
        # An item of a list may show the id without its prefix, and lack members.
        ({"session_id": "1", "status": "ready"}, False),
        (SESSION | {"status": "working"}, True),
        (SESSION | {"structured_output": {"files": 2}}, True),
    ],
)
def test_a_change_of_a_session(after: dict[str, Any], changed: bool) -> None:
    assert is_changed(SESSION, after) is changed
