"""Keyword arguments of the generated methods: mistakes are refused, with what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from inspect import Parameter as Argument, signature
from keyword import iskeyword
from typing import Any

import attrs

from ._api import OPERATIONS, Operation, suggest
from .errors import InvalidArgumentError
from .options import RequestOptions
from .paths import path_parameters
from .text import format_value

# Keywords that are refused as members of a body, each with what to write instead.
REFUSED_MEMBERS = {
    "headers": "pass options=RequestOptions(extra_headers=...).",
    "first": "only a paginated list takes it.",
    "after": "only a paginated list takes it.",
}
for option in attrs.fields(RequestOptions):
    REFUSED_MEMBERS[option.name] = f"pass options=RequestOptions({option.name}=...)."

# A keyword that is at least this similar to an argument (a ratio of `difflib`) is taken for a typing error.
MIN_SIMILARITY = 0.85


def check_arguments(
    method: Callable[..., Any], name: str, operation: Operation | None, arguments: Mapping[str, Any]
) -> None:
    """Refuse arguments that a method does not take; see `Catalogue.check_arguments`.

    Args:
        method: The method, also with `functools.partial`.
        name: Its name, for messages about a method that calls no operation.
        operation: The operation that it calls; None if it calls no operation.
        arguments: The arguments by name.

    Raises:
        InvalidArgumentError: An argument is missing or unknown, or its name resembles another.
    """
    takes = signature(method)
    if operation is not None:
        name = operation.name
    unknown = [argument for argument in arguments if argument not in takes.parameters]
    kinds = [parameter.kind for parameter in takes.parameters.values()]
    if Argument.VAR_KEYWORD not in kinds:
        for argument in unknown:
            advice = suggest(str(argument), takes.parameters) or f"; it takes {', '.join(takes.parameters)}"
            raise InvalidArgumentError(f"{name} takes no argument {format_value(argument)}{advice}")
    elif operation is not None:
        check_members(operation, unknown)
    try:
        takes.bind(**arguments)
    except TypeError as error:
        raise InvalidArgumentError(f"{name}: {error}") from None


def check_members(operation: Operation, members: Iterable[str]) -> None:
    """Refuse keywords that the method does not take, or that are probably mistakes.

    Args:
        operation: The operation.
        members: The names of the keywords that are not arguments of the method.

    Raises:
        InvalidArgumentError: A name is not a member of the body, is a setting of the SDK, or resembles an argument; the
            message says how to send it anyway.
    """
    for name in members:
        if member_of_keyword(operation.id, name):
            continue
        advice = advice_for_keyword(operation.id, name)
        remedy = f"options=RequestOptions(extra_query={{{name!r}: ...}}) sends a query parameter of that name"
        if operation.takes_members:
            remedy = f"extra_body={{{name!r}: ...}} sends a member of that name"
        if advice:
            raise InvalidArgumentError(f"{operation} takes no argument {name!r}; {advice} {remedy}")


@lru_cache(1024)
def member_of_keyword(operation_id: str, keyword: str) -> str:
    """Return the member of the body that a keyword names although Python or an argument has the member's name.

    Such a member is written with an underscore, `from_=` or `options_=`, also before the contract knows it. A member
    that the contract knows can still be written as before, `**{"from": ...}`. Empty for any other keyword.
    """
    operation = OPERATIONS[operation_id]
    taken = {"options", "body", "extra_body", *REFUSED_MEMBERS}
    taken |= {parameter.argument_name for parameter in path_parameters(operation)}
    known = {parameter.name for parameter in operation.parameters if parameter.location == "body"}
    if keyword in known:
        return keyword
    member = keyword.removesuffix("_")
    if member == keyword or not (iskeyword(member) or member in taken):
        return ""
    if operation.takes_members or member in known:
        return member
    return ""


@lru_cache(1024)
def advice_for_keyword(operation_id: str, name: str) -> str:
    """Return advice for a keyword that is not an argument of the method; empty if it may be a member of the body."""
    operation = OPERATIONS[operation_id]
    arguments = ["options", "body", "extra_body"]
    for parameter in operation.parameters:
        if parameter.location == "path" and parameter.name == name:
            # The method of an organization takes no `org_id`.
            return "it is in the path."
        if parameter.location == "body" and parameter.name:
            arguments.append(parameter.argument_name)
    if not operation.takes_members:
        others = [parameter.argument_name for parameter in operation.parameters if parameter.location != "path"]
        others.append("options")
        close = suggest(name, others).removeprefix("; ")
        return close or REFUSED_MEMBERS.get(name, f"it takes {', '.join(others)}.")
    argument = misspelled(name, arguments, MIN_SIMILARITY)
    if argument is not None:
        return f"did you mean {argument!r}?"
    return REFUSED_MEMBERS.get(name, "")


def misspelled(name: str, known: Sequence[str], similarity: float) -> str | None:
    """Return the known name that is probably meant by another one; None if no name is that similar.

    Args:
        name: The name.
        known: The known names.
        similarity: How similar a typing error is, from 0 to 1, as `difflib` measures it.
    """
    for close in get_close_matches(name, known, n=len(known), cutoff=similarity):
        # A plural is another word, and no typing error.
        if close.removesuffix("s") != name.removesuffix("s"):
            return close
    return None
