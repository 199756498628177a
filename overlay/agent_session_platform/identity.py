"""The identity of a function that gives tokens: clients with the same identity share a rate limit.

It is the same in all processes for one account, and another one for another account, as far as that can be told.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from typing import Any

# Part of the identity of a function that nobody can name: it is another function in another process.
PROCESS = os.urandom(8).hex()

PLAIN_TYPES = str | bytes | int | float | None


def name_of(function: Any) -> str:
    """Return module and name of a function: of the function of a partial, or of the class of an object."""
    bare = function_of(function)
    bare = bare if hasattr(bare, "__qualname__") else bare.__class__
    return f"{bare.__module__}.{bare.__qualname__}"


def identity_of(function: Any) -> str:
    """Return the identity of a function that gives tokens; it shows nothing of what the function carries.

    An attribute `identity` of the function, or of the object of a method, names the account. A function that can be
    imported has its name, and a partial of it also its arguments, if they are texts and numbers. Any other function,
    such as a closure, is one of its own.
    """
    name = name_of(function)
    owner = getattr(function, "__self__", None)
    account = getattr(function, "identity", None) or getattr(owner, "identity", None)
    if isinstance(account, str):
        return f"function {name} of {digest(account)}"
    arguments = arguments_of(function)
    if arguments is None or not is_importable(function_of(function)):
        return f"function {name} {id(function)} of {PROCESS}"
    return f"function {name} {digest(arguments)}" if arguments else f"function {name}"


def function_of(function: Any) -> Any:
    """Return the function of a partial; anything else as it is."""
    return function.func if isinstance(function, functools.partial) else function


def arguments_of(function: Any) -> str | None:
    """Return the arguments of a partial as text; empty without arguments, None if one is neither text nor a number."""
    if not isinstance(function, functools.partial):
        return ""
    arguments: list[Any] = [*function.args, *sorted(function.keywords.items())]  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  # a partial of anything
    values: list[Any] = [*function.args, *function.keywords.values()]  # pyright: ignore[reportUnknownMemberType]
    if not all(isinstance(value, PLAIN_TYPES) for value in values):
        return None
    return repr(arguments) if arguments else ""


def digest(text: str) -> str:
    """Return a digest of a text that must not be shown."""
    return hashlib.blake2s(text.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


def is_importable(function: Any) -> bool:
    """Return whether every process finds a function under its module and its name; `__main__` is never the same."""
    module = getattr(function, "__module__", None) or "__main__"
    found: Any = None if module == "__main__" else sys.modules.get(module)
    for name in getattr(function, "__qualname__", "no name").split("."):
        found = getattr(found, name, None)
    return found is function
