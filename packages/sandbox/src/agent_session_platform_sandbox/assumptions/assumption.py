"""Assumptions: one as users see it, and the form in which they are written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import attrs

HANDLE: Final = "sandbox.handle(operation, function)"

# For query parameters that the contract does not show, and that are therefore refused.
ACCEPT: Final = f"sandbox.accept(operation, *names) passes parameters to {HANDLE}."


@attrs.frozen
class Assumption:
    """A behaviour that is the sandbox's own, because the API's description does not show it.

    Attributes:
        gap: Id of the gap in the description.
        assumed: What the sandbox does.
        change: How to change it. In `sandbox.assumptions`, `operation` is replaced by the name of the operation.
    """

    gap: str
    assumed: str
    change: str = f"{HANDLE} lets the operation do something else."


# By the id of the gap: what the sandbox does, or a pair of that and of how to change it.
Assumptions: TypeAlias = Mapping[str, str | tuple[str, str]]


def parse_assumptions(written: Assumptions) -> Iterator[Assumption]:
    """Yield the assumptions that are written down in a mapping."""
    for gap, text in written.items():
        yield Assumption(gap, text) if isinstance(text, str) else Assumption(gap, *text)
