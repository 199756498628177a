"""Records that generic handlers keep: where they are in the state, and values that are no objects."""

from __future__ import annotations

from typing import Any, Final

from agent_session_platform.contract import PLACEHOLDER, is_array, is_object

from ..contract import Shape
from ..problems import RefusedError
from ..state import Record, State
from .call import Call

# Member of a record's memory: its value, if that is no object.
VALUE: Final = "value"


def fill(call: Call, template: str) -> str:
    """Return a path template with the path parameters of a call."""
    return PLACEHOLDER.sub(lambda match: as_text(call.path[match[1]]), template)


def as_text(value: Any) -> str:
    """Return a path parameter, or an id, as text."""
    if is_array(value):
        return ",".join(map(as_text, value))
    return str(value)


def records_at(call: Call, collection: str) -> dict[str, Record]:
    """Return the records of a collection by id, including deleted ones."""
    return call.state.collection("generic", fill(call, collection))


def values(call: Call) -> dict[str, Record]:
    """Return the values by path: what is no record of a collection, such as settings."""
    return call.state.collection("generic-values")


def value_of(record: Record) -> Any:
    """Return the value of a record: its members, or what was sent if that is no object."""
    return record.memory.get(VALUE, record.fields)


def keep(state: State, record: Record, path: str, body: Any) -> None:
    """Keep a body in a record: a file under its path, and what else is no object in its memory.

    Args:
        state: State of the sandbox.
        record: The record.
        path: Path of the record.
        body: The body of the request.
    """
    record.memory.pop(VALUE, None)
    state.files.pop(path, None)
    parts = body.values() if is_object(body) else ()
    files = [content for content in map(file_content, parts) if content is not None]
    content = body if isinstance(body, bytes) else next(iter(files), None)
    if content is not None:
        state.files[path] = content
    elif body is not None and not is_object(body):
        record.memory[VALUE] = body


def sent_members(call: Call, shown: Shape, body: Any) -> dict[str, Any]:
    """Return the members of a body that a response may have: neither files nor secrets that no response shows.

    Args:
        call: The call.
        shown: The shape of the response.
        body: The body; one that is no object has no members.
    """
    if not is_object(body):
        return {}
    sent = [each.shape.members for each in call.route.body]

    def is_shown(name: str) -> bool:
        if name in shown.members:
            return not shown.members[name].mark("writeOnly")
        return not call.route.is_secret and not any(each[name].is_secret for each in sent if name in each)

    return {name: value for name, value in body.items() if is_shown(name) and file_content(value) is None}


def file_content(value: Any) -> bytes | None:
    """Return the content of a file of a form, or of the first of several; None if the value is no file."""
    first = value[0] if is_array(value) and value else value
    content = first.get("content") if is_object(first) else None
    return content if isinstance(content, bytes) else None


def refuse_deleted(call: Call) -> None:
    """Refuse (404) a path below a record that was deleted."""
    segments = call.route.path.split("/")
    for end, segment in enumerate(segments[:-1]):
        if segment.startswith("{") and segment.endswith("}"):
            collection, key = fill(call, "/".join(segments[:end])), fill(call, segment)
            record = call.state.by_name.get(("generic", collection), {}).get(key)
            if record is not None and record.deleted:
                raise RefusedError(404, f"no {segment[1:-1].removesuffix('_id')} {key}")
