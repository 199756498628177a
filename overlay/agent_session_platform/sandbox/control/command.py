"""A command of control: one method of one path, and what it does with a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ..application import Application


@attrs.frozen
class ControlRequest:
    """A request to control.

    Attributes:
        name: The name in the path; empty if the path has none.
        query: Query parameters.
        body: The JSON of the body; None without a body.
    """

    name: str = ""
    query: Mapping[str, str] = attrs.field(factory=lambda: dict[str, str]())
    body: Any = None


@attrs.frozen
class Command:
    """One method of one path.

    Attributes:
        method: HTTP method.
        path: Path, which may contain `{name}`.
        does: Description for the list of all commands.
        run: Returns the JSON of the response.
        takes_body: Whether it accepts a body.
        takes_query: Whether it accepts query parameters.
    """

    method: str
    path: str
    does: str
    run: Callable[[Application, ControlRequest], Any]
    takes_body: bool = False
    takes_query: bool = False
