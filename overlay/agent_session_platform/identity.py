"""The identity of a function that gives tokens: the same in all processes for one account, another one for another.

Clients with the same identity share a rate limit. A function that can be imported is known by its name. What another
function carries may name the account: the arguments of a `partial`, the variables of a closure.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any

# Part of the identity of an object that has no name: it is another object in another process.
PROCESS = os.urandom(8).hex()


def name_of(function: Any) -> str:
    """Return module and name of a function: of the function of a partial, or of the class of an object."""
    bare = getattr(function, "func", function)
    bare = bare if hasattr(bare, "__qualname__") else bare.__class__
    return f"{bare.__module__}.{bare.__qualname__}"


def identity_of(function: Any) -> str:
    """Return the identity of a function that gives tokens; it shows nothing of what the function carries."""
    parts = list(describe(function, set()))
    if parts == [name_of(function)]:
        return f"function {parts[0]}"
    digest = hashlib.blake2s(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()
    return f"function {name_of(function)} {digest}"


def describe(value: Any, seen: set[int]) -> Iterator[str]:
    """Yield texts that distinguish a value from others.

    Args:
        value: A function, or something that a function carries.
        seen: The ids of the functions that were described already, because a function may carry itself.
    """
    if value.__class__ is functools.partial and not (value.args or value.keywords):
        value = value.func
    identity = getattr(value, "identity", None)
    if value is None or isinstance(value, bool | int | float | str | bytes):
        yield repr(value)
    elif isinstance(identity, str):
        yield f"{name_of(value)} of {identity!r}"
    elif is_importable(value):
        yield name_of(value)
    elif id(value) not in seen:
        seen.add(id(value))
        carried = carried_by(value)
        yield f"{name_of(value)} with {len(carried)}"
        for member in carried:
            yield from describe(member, seen)
        if not carried:
            yield f"object {id(value)} of {PROCESS}"


def is_importable(value: Any) -> bool:
    """Return whether every process finds a function or a class under its module and its name, as pickle does."""
    found: Any = sys.modules.get(getattr(value, "__module__", None) or "")
    for name in getattr(value, "__qualname__", "no name").split("."):
        found = getattr(found, name, None)
    return found is value


def carried_by(value: Any) -> list[Any]:
    """Return what distinguishes a function from another one of its name; empty for any other object."""
    if value.__class__ is functools.partial:
        named = [part for item in sorted(value.keywords.items()) for part in item]
        return [value.func, *value.args, *named]
    if value.__class__ is MethodType:
        return [value.__func__, value.__self__]
    if value.__class__ is FunctionType:
        defaults: list[Any] = [*(value.__defaults__ or ())]
        keyword_defaults: dict[str, Any] = value.__kwdefaults__ or {}
        variables = [contents_of(cell) for cell in value.__closure__ or ()]
        return [code_text(value.__code__), *defaults, *keyword_defaults.values(), *variables]
    return []


def code_text(code: CodeType) -> str:
    """Return the names and the constants of a function: two lambdas may differ in nothing else."""
    constants: list[str] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(code_text(constant))
        elif constant.__class__ is frozenset:
            # Its order is another one in another process.
            constants += sorted(repr(member) for member in constant)
        else:
            constants.append(repr(constant))
    return f"{code.co_names} {constants}"


def contents_of(cell: Any) -> Any:
    """Return the value of a variable of a closure; None if it has no value yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None
