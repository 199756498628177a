"""Which operations an assistant may call: all that only read, and the writes that somebody named."""

from __future__ import annotations

from typing import Final

import attrs
from agent_session_platform import InvalidArgumentError, Operation

from ..lookup import names, operations_with
from ..suggestions import nearest

# The methods that change nothing (RFC 9110, section 9.2.1).
READS: Final = ("GET", "HEAD")


def is_read(operation: Operation) -> bool:
    """Return True if an operation changes nothing."""
    return operation.method in READS


@attrs.frozen
class Selection:
    """The operations that an assistant may call.

    Files are left out: an assistant has no use of bytes, and an upload would read any file of this machine for it.

    Attributes:
        allow: Names of writes, such as `organization.sessions.create`; `*` at the end stands for any rest.
        only: Words: a read is left out if it has none of them, as `asp operations WORD` finds them. Empty: all reads.

    Raises:
        InvalidArgumentError: A name or a word fits no operation.
    """

    allow: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        """Refuse names and words of nothing: a mistyped one would go unnoticed."""
        for pattern in self.allow:
            if not any(_fits(name, pattern) for name in names()):
                raise InvalidArgumentError(
                    f"--allow {pattern[:80]!r} is no operation{nearest(pattern, names())}; `asp operations` lists all"
                )
        for word in self.only:
            if not [*operations_with(word)]:
                raise InvalidArgumentError(f"--only {word[:80]!r} fits no operation; `asp operations` lists all")

    def refusal(self, operation: Operation) -> str | None:
        """Return why an operation may not be called, and what to do; None if it may."""
        if operation.streamed or any(each.kind == "file" for each in operation.parameters):
            return f"{operation} is about a file, and files are no tools; a person can run: asp call {operation}"
        if is_read(operation):
            if not self.only or any(operation in operations_with(word) for word in self.only):
                return None
            return (
                f"{operation} is left out by --only {' --only '.join(self.only)}; whoever starts this server can add: "
                f"--only {operation}"
            )
        if any(_fits(operation.name, pattern) for pattern in self.allow):
            return None
        return (
            f"{operation} changes something, and this server may not call it; whoever starts it can allow it: "
            f"asp mcp --allow {operation}"
        )


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1]))
