"""What the messages of a session say about a turn: which text is ours, and what the assistant answered to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs
from agent_session_platform.models import SessionMessage

# The source of the assistant's messages, as the description shows it. Other values are not shown.
ASSISTANT: Final = "assistant"


@attrs.frozen
class Conversation:
    """What was said in a session since just before our text was sent.

    Attributes:
        found: How often our text is listed. Twice means that another program has sent the same text.
        answer: The messages of the assistant after our text, up to the next message that is not the assistant's.
        interrupted: Whether there are other messages before our text, or after the answer: then the answer may be to
            another text, or only a part.
        has_others: Whether a message that is neither the assistant's nor our text is listed.
    """

    found: int
    answer: Sequence[SessionMessage]
    interrupted: bool
    has_others: bool


def read_conversation(
    messages: Sequence[SessionMessage], text: str, *, is_new: bool, lists_texts: bool
) -> Conversation:
    """Find our text and its answer, by the order of the list. Times are not compared.

    A message does not name the message that it answers. So the place in the list is all that can be known.

    Args:
        messages: The messages since just before our text was sent, in the order of the list.
        text: Our text.
        is_new: Whether our text is the prompt that created the session: then nothing can stand before it, and the
            server may show it in another form, or not at all.
        lists_texts: Whether the server has listed texts before: then nothing is an answer until ours is listed.
    """
    others = [number for number, message in enumerate(messages) if message.source != ASSISTANT]
    ours = [number for number in others if is_same_text(messages[number].message, text)]
    if is_new:
        return _after_prompt(messages, others, ours)
    if not ours:
        # A server may list no messages but the assistant's. Then each of them may be the answer.
        answer = messages
        if others or lists_texts:
            answer = messages[:0]
        return Conversation(0, answer, lists_texts or bool(messages), bool(others))
    start = ours[0] + 1
    end = first_from(others, start, len(messages))
    interrupted = start > 1 or end < len(messages)
    return Conversation(len(ours), messages[start:end], interrupted, len(others) > len(ours))


def _after_prompt(messages: Sequence[SessionMessage], others: list[int], ours: list[int]) -> Conversation:
    """Find the answer to the prompt of a new session; where times are equal, a part may be listed before the prompt."""
    prompt = first_from(others, 0, len(messages))
    if prompt > 0 and prompt not in ours:
        # The prompt is not listed.
        return Conversation(1, messages[:prompt], prompt < len(messages), prompt < len(messages))
    end = first_from(others, prompt + 1, len(messages))
    answer = [*messages[:prompt], *messages[prompt + 1 : end]]
    return Conversation(1, answer, end < len(messages), end < len(messages))


def first_from(numbers: Sequence[int], start: int, otherwise: int) -> int:
    """Return the first of the sorted numbers that is not below *start*."""
    for number in numbers:
        if number >= start:
            return number
    return otherwise


def is_same_text(listed: str | None, sent: str) -> bool:
    """Return whether a listed message is a text that was sent; a server may change line ends and the space around."""
    return listed is not None and listed.split() == sent.split()
