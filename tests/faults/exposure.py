"""What an error lets others see."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Iterator, Mapping
from typing import Any

OURS = ("agent_session_platform", "agent_session_platform_api")


def exposed(error: BaseException) -> str:
    """Return all text in which an error may appear: message, repr, attributes, traceback and pickle."""
    shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
    return "\n".join(shown) + pickle.dumps(error).decode("latin-1")


def leaks(error: BaseException, *secrets: str) -> list[str]:
    """Return every place where an error reporter finds a secret, in *error* and in the errors that are chained to it.

    These are all texts of an error, and the local variables of the frames of the SDK: their reprs, and those of the
    members of mappings and sequences.
    """
    found: list[str] = []
    for each in chained(error):
        notes = getattr(each, "__notes__", [])
        texts = {"str": str(each), "repr": repr(each), "args": repr(each.args), "notes": repr(notes)}
        if type(each).__module__.partition(".")[0] in OURS:
            texts["attributes"] = repr(vars(each))
            texts["pickle"] = pickle.dumps(each).decode("latin-1")
        found += [f"{type(each).__name__}.{where}" for where, text in texts.items() if shows(text, secrets)]
        for frame, line in traceback.walk_tb(each.__traceback__):
            if str(frame.f_globals["__name__"]).partition(".")[0] in OURS:
                place = f"{frame.f_code.co_qualname}:{line}"
                found += [f"{name} in {place}" for name, value in frame.f_locals.items() if shows(value, secrets)]
    return found


def chained(error: BaseException) -> Iterator[BaseException]:
    """Iterate over an error, its cause or its context as far as it is shown, and the members of groups."""
    pending: list[BaseException | None] = [error]
    seen: list[BaseException] = []
    while pending:
        each = pending.pop()
        if each is None or any(each is other for other in seen):
            continue
        seen.append(each)
        yield each
        pending.append(each.__cause__ if each.__suppress_context__ else each.__context__)
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions


def shows(value: Any, secrets: tuple[str, ...], depth: int = 5) -> bool:
    """Return whether the repr of a value, or of a member of it, has one of the secrets."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except AttributeError:
        # An object that is still being made may have no repr.
        text = ""
    if any(secret in text or secret in text.lower() for secret in secrets):
        return True
    members: Any = value.values() if isinstance(value, Mapping) else value
    is_container = isinstance(value, Mapping | list | tuple | set | frozenset)
    return is_container and depth > 0 and any(shows(member, secrets, depth - 1) for member in members)
