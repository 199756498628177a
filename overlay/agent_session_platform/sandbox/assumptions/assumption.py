"""One assumption."""

from __future__ import annotations

from typing import Final

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
