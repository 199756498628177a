"""A fact that observations show: the line about it in a report, and the changes of an Overlay that state it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
from agent_session_platform import Gap
from agent_session_platform.contract import Node

MAYBE_IGNORED: Final = "Seen in requests that succeeded; a server may ignore what it does not know."
# The rule of three: if n responses are drawn at random and none is an exception, the rate of exceptions is below 3/n,
# with a confidence of 95 %.
RULE_OF_THREE: Final = 3.0


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
        return f"all of {self.total}, so exceptions are below {RULE_OF_THREE / self.total:.1%} at 95 % confidence"

    @property
    def evidence(self) -> Node:
        """The evidence of the fact, in the form of the contract."""
        return {"answers": self.times, "first": self.first, "last": self.last}

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
        changes: The changes of the contract: the JSONPath of each target, and the update that is merged into it. None
            instead of an update removes the target.
        gaps: The gaps that the fact fills.
        section: The part of the report that has the line; empty if the report does not have it. A contradiction has a
            part of its own.
    """

    line: Line
    changes: tuple[tuple[str, Any], ...] = ()
    gaps: tuple[Gap, ...] = ()
    section: str = "additions"

    def actions(self) -> Iterator[Node]:
        """Yield the actions of an Overlay that state the fact."""
        for target, update in self.changes:
            action: Node = {"target": target, "description": str(self.line)}
            # A removal also contradicts the contract, for example if it removes the placeholder of a response.
            if self.line.kind or update is None:
                action["x-contradicts"] = self.line.text
            if update is None:
                action["remove"] = True
            else:
                action["update"] = update
            yield action


def summed_up(subject: str, text: str, lines: Iterable[Line]) -> Line:
    """Return a line with the numbers and the dates of several lines."""
    parts = [*lines]
    total = sum(line.times for line in parts)
    first = min(line.first for line in parts)
    last = max(line.last for line in parts)
    return Line(subject, text, total, total, first, last)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    if number == 1:
        return f"1 {noun}"
    return f"{number or 'no'} {noun}s"


def how_often(number: int) -> str:
    """Return a text that says how often something came."""
    return "once" if number == 1 else f"{number} times"


def names_with_counts(counts: Mapping[str, int]) -> str:
    """Return names as text. Each name is followed by the number of times that it was seen."""
    return ", ".join(f"{name} ({how_often(times)})" for name, times in sorted(counts.items()))
