"""Write the page of the gaps: what the API's description does not show, by operation."""

from __future__ import annotations

from typing import Final

from agent_session_platform import Gap, gaps, operations

from docs.reference.markdown import bullets, code, document, one_line, table
from docs.reference.operations import GAPS, by_resource, operation_link

PAGE: Final = GAPS
ELSEWHERE: Final = "Of the whole API, of models and of shared parameters"


def pages() -> dict[str, str]:
    """Return the page of the gaps."""
    of_operations = {gap.id for each in operations for gap in each.gaps}
    others = [each for each in gaps if each.id not in of_operations]
    blocks = [
        "# Gaps",
        f"A gap is a fact that the API's description does not show. The SDK knows {len(gaps)} of them and guesses "
        "nothing there: what is not shown is accepted, kept and given back as it is. `agent_session_platform.gaps` and "
        "`asp gaps WORD` have the same list. [Observations](observe.md) can close gaps for your deployment.",
        f"## {ELSEWHERE}",
        table(("Gap", "What is not shown", "Place in the contract"), map(_row, others)),
    ]
    for name, found in by_resource().items():
        blocks.append(f"## {name}")
        blocks += [
            document(f"**{operation_link(each, PAGE)}**", bullets(map(_entry, each.gaps)))
            for each in found
            if each.gaps
        ]
    return {PAGE: document(*blocks)}


def _row(gap: Gap) -> tuple[str, str, str]:
    return code(gap.id), _what(gap), code(gap.place)


def _entry(gap: Gap) -> str:
    return f"{code(gap.id)}: {_what(gap)}"


def _what(gap: Gap) -> str:
    closed = f" Closed in this build by {gap.closed.answers} responses." if gap.closed is not None else ""
    return one_line(gap.what) + closed
