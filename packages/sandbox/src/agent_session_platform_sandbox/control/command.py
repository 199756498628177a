"""A command of control: one method of one path, and the function that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ..application import Application
from ..validation import Node


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
        body: JSON schema of the body; None refuses a body.
        query: JSON schema of the query parameters; None refuses them.
        hidden: True if errors must not show the body, because it contains a credential.
    """

    method: str
    path: str
    does: str
    run: Callable[[Application, ControlRequest], Any]
    body: Node | None = None
    query: Node | None = None
    hidden: bool = False
