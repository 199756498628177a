"""An Overlay document (Overlay Specification 1.0.0) as a value, and as YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import attrs
from agent_session_platform.contract import is_array, is_object

PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# JSON may have these characters as they are, and YAML may not, or reads them as the end of a line.
UNPRINTABLE: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# What YAML reads as something else than a text, such as `null` or `on`.
RESERVED: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


@attrs.frozen
class ProposedAction:
    """One action: one fact, which a person may delete.

    Attributes:
        target: The JSONPath of the object or list to change.
        description: What was seen, for whoever reads it.
        update: What is merged into it; None to remove it.
        contradicts: Why it contradicts the contract; empty if it does not.
    """

    target: str
    description: str
    update: Any = None
    contradicts: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the action as the specification has it."""
        why = {"x-contradicts": self.contradicts} if self.contradicts else {}
        change = {"remove": True} if self.update is None else {"update": self.update}
        return {"target": self.target, "description": self.description, **why, **change}


def json_path(place: str, *keys: str) -> str:
    """Return a JSON pointer as a JSONPath (RFC 9535).

    Args:
        place: The pointer, such as `#/components/schemas/Session`.
        keys: Further members.
    """
    parts = [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[1:]]
    return "$" + "".join(map(segment, [*parts, *keys]))


def segment(key: str) -> str:
    """Return one step of a JSONPath."""
    if PLAIN_KEY.fullmatch(key):
        return f".{key}"
    # A status has three digits, and no list of the contract so many entries.
    return f"[{key if key.isdecimal() and len(key) < 3 else literal(key)}]"


def literal(text: str) -> str:
    """Return a text in single quotes, as a JSONPath has it."""
    escaped = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{escaped}'"


def to_yaml(title: str, version: str, actions: list[ProposedAction]) -> str:
    """Return an Overlay document as YAML: scalars as JSON writes them, so that nothing is read as something else."""
    document = {
        "overlay": "1.0.0",
        "info": {"title": title, "version": version},
        "actions": [action.to_dict() for action in actions],
    }
    return "\n".join(lines(document)) + "\n"


def lines(value: Any, indent: str = "") -> Iterator[str]:
    """Yield the lines of a value in block style."""
    if is_object(value) and value:
        for key, member in value.items():
            is_plain = PLAIN_KEY.fullmatch(key.replace("-", "_")) and key.lower() not in RESERVED
            name = key if is_plain else scalar(key)
            if isinstance(member, dict | list) and member:
                yield f"{indent}{name}:"
                yield from lines(member, indent + "  ")
            else:
                yield f"{indent}{name}: {scalar(member)}"
    elif is_array(value) and value:
        for entry in value:
            first, *rest = lines(entry, indent + "  ")
            yield f"{indent}- {first.strip()}"
            yield from rest
    else:
        yield f"{indent}{scalar(value)}"


def scalar(value: Any) -> str:
    """Return a value in one line of YAML."""
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))
