"""A fact that observations show: the line about it in a report, and the changes of an Overlay that state it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from agent_session_platform import Gap
from agent_session_platform.contract import Node

MAYBE_IGNORED: Final = "Seen in requests that succeeded; a server may ignore what it does not know."
# The rule of three: if n responses are drawn at random and none is an exception, the rate of exceptions is below 3/n,
# with a confidence of 95 %.
RULE_OF_THREE: Final = 3.0

Change = tuple[str, Any]
"""A change of the contract: the JSONPath of its target, and the update. None instead removes the target."""


@attrs.frozen
class Line:
    """One line of a report: something that was seen, with the numbers behind it.

    Attributes:
        subject: The id of the gap, the name of the operation or the JSON pointer that it is about.
        text: What was seen.
        times: How often it was seen.
        total: How many responses, objects or values there were.
        first: The date on which it was first seen.
        last: The date on which it was last seen.
        kind: The subject of a contradiction, such as `missing`; empty if the line is not a contradiction.
        closes: Whether the line states the whole fact that a gap asks for, not only a part.
    """

    subject: str
    text: str
    times: int
    total: int
    first: str
    last: str
    kind: str = ""
    closes: bool = False

    @property
    def certainty(self) -> str:
        """The certainty of the line, in words."""
        if self.times < self.total:
            return f"{self.times} of {self.total}"
        if self.total <= RULE_OF_THREE:
            return f"{self.total} of {self.total}, which is too few to say more"
        rate = RULE_OF_THREE / self.total
        return f"all of {self.total}, so exceptions are below {rate:.1%} at 95 % confidence"

    @property
    def evidence(self) -> Node:
        """The evidence of the fact, in the form of the contract."""
        return {
            "answers": self.times,
            "first": self.first,
            "last": self.last,
        }

    def __str__(self) -> str:
        dates = self.first
        if self.first != self.last:
            dates = f"{self.first} to {self.last}"
        return f"{self.text} ({self.certainty}; {dates})"


@attrs.frozen
class Finding:
    """A fact that observations show.

    Attributes:
        line: The fact in words; `closes` says whether it closes the gaps.
        changes: The changes of the contract that state it.
        gaps: The gaps that the fact fills.
        section: The part of the report that has the line; empty if the report does not have it. A contradiction has a
            part of its own.
    """

    line: Line
    changes: Sequence[Change] = ()
    gaps: Sequence[Gap] = ()
    section: str = "additions"

    def actions(self) -> Iterator[Node]:
        """Yield the actions of an Overlay that state the fact."""
        for target, update in self.changes:
            action: Node = {
                "target": target,
                "description": str(self.line),
            }
            # A removal also contradicts the contract, for example if it removes the placeholder of a response.
            if self.line.kind or update is None:
                action["x-contradicts"] = self.line.text
            if update is None:
                action["remove"] = True
            else:
                action["update"] = update
            yield action


def summed_up(subject: str, text: str, lines: Sequence[Line]) -> Line:
    """Return a line with the numbers and the dates of several lines."""
    total = sum(line.times for line in lines)
    first = min(line.first for line in lines)
    last = max(line.last for line in lines)
    closes = any(line.closes for line in lines)
    return Line(subject, text, total, total, first, last, closes=closes)


def gaps_ending(gaps: Iterable[Gap], *endings: str) -> list[Gap]:
    """Return the gaps whose ids have one of these endings. An ending says which fact a gap leaves open."""
    return [gap for gap in gaps if gap.id.endswith(endings)]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    if number == 1:
        return f"1 {noun}"
    return f"{number or 'no'} {noun}s"


def how_often(number: int) -> str:
    """Return a text that says how often something came."""
    if number == 1:
        return "once"
    return f"{number} times"


def names_with_counts(counts: Mapping[str, int]) -> str:
    """Return names as text. Each name is followed by the number of times that it was seen."""
    parts: list[str] = []
    for name, times in sorted(counts.items()):
        parts.append(f"{name} ({how_often(times)})")
    return ", ".join(parts)


def json_path(place: str, *keys: str) -> str:
    """Return a JSON pointer as a JSONPath (RFC 9535).

    Args:
        place: The pointer, such as `#/components/schemas/Session`.
        keys: Further members.
    """
    path = "$"
    for part in place.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        # Three digits are a status; an index of a list has fewer.
        is_index = name.isdecimal() and len(name) < 3
        path += f"[{name if is_index else literal(name)}]"
    for key in keys:
        path += f"[{literal(key)}]"
    return path


def literal(text: str) -> str:
    """Return a text as a JSONPath literal, in single quotes."""
    escaped = json.dumps(text, ensure_ascii=False)[1:-1]
    escaped = escaped.replace('\\"', '"').replace("'", "\\'")
    return f"'{escaped}'"
