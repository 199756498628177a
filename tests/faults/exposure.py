"""What an error lets others see."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

OURS = ("agent_session_platform", "agent_session_platform_api")
# Whose objects are looked into, as an error reporter does with simple ones.
WALKED = (*OURS, "httpx")


def exposed(error: BaseException) -> str:
    """Return all text in which an error may appear: message, repr, attributes, traceback and pickle."""
    shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
    return "\n".join(shown) + pickle.dumps(error).decode("latin-1")


def leaks(error: BaseException, *secrets: str) -> list[str]:
    """Return every place where an error reporter finds one of the secrets, below *error* and what it is chained with.

    These are all texts of an error, and the local variables of the frames of the SDK: their reprs, and the members and
    attributes below them.
    """
    found: list[str] = []
    for each in chained(error):
        texts = {"str": str(each), "repr": repr(each), "args": repr(each.args), "notes": repr(notes(each))}
        if packages(type(each)) in OURS:
            texts["attributes"] = repr(vars(each))
            texts["pickle"] = pickle.dumps(each).decode("latin-1")
        for where, text in texts.items():
            found += [f"{type(each).__name__}.{where}" for secret in secrets if secret in text]
        for frame, line in traceback.walk_tb(each.__traceback__):
            if str(frame.f_globals["__name__"]).partition(".")[0] in OURS:
                found += [f"{name} in {frame.f_code.co_qualname}:{line}" for name in leaking_locals(frame, secrets)]
    return found


def chained(error: BaseException) -> Iterator[BaseException]:
    """Iterate over an error, its causes and contexts, and the members of groups."""
    pending: list[BaseException | None] = [error]
    seen: list[BaseException] = []
    while pending:
        each = pending.pop()
        if each is None or any(each is other for other in seen):
            continue
        seen.append(each)
        yield each
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions


def notes(error: BaseException) -> list[str]:
    """Return the notes of an error."""
    return getattr(error, "__notes__", [])


def packages(cls: type) -> str:
    """Return the top-level package of a class."""
    return cls.__module__.partition(".")[0]


def leaking_locals(frame: FrameType, secrets: tuple[str, ...]) -> Iterator[str]:
    """Iterate over the local variables of a frame that show a secret."""
    for name, value in frame.f_locals.items():
        for path, text in texts_below(value):
            if any(secret in text or secret in text.lower() for secret in secrets):
                yield f"{name}{path}"


def texts_below(value: Any) -> Iterator[tuple[str, str]]:
    """Iterate over the texts of a value and of all that is below it, each with its path."""
    pending = [("", value)]
    seen: set[int] = set()
    kept: list[Any] = []
    while pending:
        path, each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        kept.append(each)
        yield path, repr(each)
        if isinstance(each, bytes | bytearray):
            yield path, bytes(each).decode("latin-1")
        elif isinstance(each, Mapping):
            pending += [(f"{path}[{name!r}]", member) for name, member in each.items()]
        elif isinstance(each, list | tuple | set | frozenset):
            pending += [(f"{path}[...]", member) for member in each]
        elif packages(type(each)) in WALKED:
            pending += [(f"{path}.{name}", member) for name, member in attributes(each)]


def attributes(value: object) -> Iterator[tuple[str, Any]]:
    """Iterate over the attributes of an object, those in slots, too."""
    yield from vars(value).items() if hasattr(value, "__dict__") else ()
    for cls in type(value).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            mangled = (
                f"_{cls.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name
            )
            if hasattr(value, mangled):
                yield mangled, getattr(value, mangled)
