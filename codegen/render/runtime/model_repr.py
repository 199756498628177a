"""Write models for people: `Session(title='Fix it', origin='api')`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .encoding import JsonView, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

LENGTH: Final = 60
MEMBERS: Final = 3


def format_model(name: str, fields: Iterable[tuple[str, Any]]) -> str:
    """Return the text of a model with the class *name* and the values of *fields*; long values are cut."""
    return f"{name}({', '.join(f'{field}={format_value(value)}' for field, value in fields)})"


def format_value(value: Any) -> str:
    """Return the text of a value, as it is given to the constructor."""
    if value.__class__ is list:
        shown = ", ".join(format_value(member) for member in value[:MEMBERS])
        return f"[{shown}]" if len(value) <= MEMBERS else f"[{shown}, ... {len(value)} in all]"
    if isinstance(value, JsonView):
        return repr(value)
    text = repr(value if value.__class__ is dict else to_json(value))
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 4]}...{text[-1]}"
