"""Which operations an assistant may call: all that only read, and the writes that somebody named."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Final

import attrs
from agent_session_platform import Catalogue, InvalidArgumentError, Operation

from ..lookup import names, operations_with
from ..suggestions import nearest

# The methods that change nothing (RFC 9110, section 9.2.1).
READS: Final = ("GET", "HEAD")


def is_read(operation: Operation) -> bool:
    """Return True if an operation changes nothing."""
    return operation.method in READS


def has_file(operation: Operation) -> bool:
    """Return True if a file is sent or received, or lines without an end."""
    return operation.streamed or any(each.kind == "file" for each in operation.parameters)


@attrs.frozen
class Selection:
    """The operations that an assistant may call.

    Words narrow the reads, because a model chooses badly among many tools, and some clients take 40 at most. A write is
    offered only by its name. Files are left out: an assistant has no use of bytes, and an upload would read any file
    of this machine for it.

    Attributes:
        allow: Names of writes, such as `organization.sessions.create`; `*` at the end stands for any rest.
        only: Words: a read is left out if it has none of them, as `asp operations WORD` finds them. Empty: all reads.

    Raises:
        InvalidArgumentError: A name or a word fits no operation.
    """

    allow: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    _reads: frozenset[str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Refuse names and words of nothing: a mistyped one would go unnoticed."""
        for name in self.allow:
            if not any(fnmatchcase(each, _pattern(name)) for each in names()):
                raise InvalidArgumentError(
                    f"--allow {name[:80]!r} is no operation{nearest(name, names())}; `asp operations` lists all"
                )
        found: set[str] = set()
        for word in self.only or ("",):
            having = {each.name for each in operations_with(word)}
            if not having:
                raise InvalidArgumentError(f"--only {word[:80]!r} fits no operation; `asp operations` lists all")
            found |= having
        object.__setattr__(self, "_reads", frozenset(found))

    def __iter__(self) -> Iterator[Operation]:
        """Iterate over the operations that may be called, by name."""
        return (each for each in sorted(Catalogue(), key=str) if self.refusal(each) is None)

    def refusal(self, operation: Operation) -> str | None:
        """Return why an operation may not be called, and what to do; None if it may."""
        if has_file(operation):
            return f"{operation} is about a file, and files are no tools; a person can run: asp call {operation}"
        if is_read(operation):
            if operation.name in self._reads:
                return None
            return (
                f"{operation} is left out by --only {' --only '.join(self.only)}; whoever starts this server can add: "
                f"--only {operation.name}"
            )
        if any(fnmatchcase(operation.name, _pattern(name)) for name in self.allow):
            return None
        return (
            f"{operation} changes something, and this server may not call it; whoever starts it can allow it: "
            f"asp mcp --allow {operation.name}"
        )


def _pattern(name: str) -> str:
    """Return a name as a pattern in which only a `*` at the end is special."""
    kept = name.removesuffix("*")
    return "".join(f"[{each}]" if each in "*?[" else each for each in kept) + ("*" if kept != name else "")
