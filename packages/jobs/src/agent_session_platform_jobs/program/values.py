"""Values that an expression of a program may have, as far as they matter: what leads to an operation.

A container has the values of what is in it: the list `[org]` has the value of `org`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import TypeAlias

import attrs
from agent_session_platform import operations

PLACEHOLDER = "\0"
"""Stands in a Text for a part that is not constant."""

# Methods of containers, as far as they are not verbs of a resource: what they return is in the container.
CONTAINER_METHODS = frozenset(
    {"add", "append", "appendleft", "copy", "extend", "get", "items", "pop", "popitem", "popleft", "setdefault"}
    | {"update", "values", "keys", "insert", "put", "put_nowait", "get_nowait", "union"}
)


class Simple(Enum):
    """A value without details."""

    UNKNOWN = "anything: reading does not show it"
    OTHER = "an object of Python or the SDK that leads to no operation by itself"
    PLAIN = "a constant, or an object without attributes that matter"
    PLATFORM = "an AgentPlatform"
    SANDBOX = "a Sandbox"
    REQUEST = "AgentPlatform.request"
    MAYBE_REQUEST = "a method `request` of an unknown object"
    SDK = "the package agent_session_platform"
    JOBS = "the package agent_session_platform_jobs"
    BATCH = "the class Batch"


@attrs.frozen
class Scope:
    """A scope; it is not sure if only the words of an unknown object say so."""

    name: str
    sure: bool = True


@attrs.frozen
class Resource:
    """A resource; the scope is empty if only its name is known."""

    scope: str
    name: str
    sure: bool = True


@attrs.frozen
class Method:
    """A method of the facade; the scope is empty if the receiver is not known."""

    scope: str
    resource: str
    verb: str


@attrs.frozen
class BatchOf:
    """A Batch that creates objects of a resource; `run` is its method."""

    scope: str
    resource: str
    run: bool = False


@attrs.frozen
class Text:
    """A string."""

    text: str


@attrs.frozen
class Maker:
    """A class, or a function of which only the result is known."""

    value: Value
    is_class: bool = False


@attrs.frozen
class Function:
    """A function of the program, by its number; one that is bound has its first argument."""

    number: int
    bound: bool = False


@attrs.frozen
class Instance:
    """An instance of a class of the program, by its number."""

    number: int


@attrs.frozen
class File:
    """A module of the program."""

    name: str


Value: TypeAlias = Simple | Scope | Resource | Method | BatchOf | Text | Maker | Function | Instance | File
Values: TypeAlias = frozenset[Value]

NOTHING: Values = frozenset()
UNKNOWN: Values = frozenset({Simple.UNKNOWN})
OTHER: Values = frozenset({Simple.OTHER})
PLAIN: Values = frozenset({Simple.PLAIN})


@cache
def verbs() -> dict[tuple[str, str], dict[str, str]]:
    """Return the names of the operations by verb, for each scope and resource."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for each in operations:
        found.setdefault((each.scope, each.resource), {})[each.verb] = each.name
    return found


@cache
def jobs() -> dict[tuple[str, str], dict[str, tuple[str, str]]]:
    """Return what the methods that wait or follow poll, for each scope and resource.

    By verb: the name of the operation, and that of the list that many waits share; empty where they share none.
    """
    found: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    for each in operations:
        if each.job:
            shared = operations[each.shared_list].name if each.shared_list else ""
            found.setdefault((each.scope, each.resource), {})[each.job] = (each.name, shared)
    return found


@cache
def resources() -> frozenset[str]:
    """Return the names of all resources."""
    return frozenset(resource for _, resource in verbs())


@cache
def sdk_classes() -> dict[str, Value]:
    """Return what instances of the classes of the SDK are, by the names of the classes."""
    found: dict[str, Value] = {"AgentPlatform": Simple.PLATFORM, "Sandbox": Simple.SANDBOX}
    found |= {f"{scope.title()}Scope": Scope(scope) for scope, _ in verbs()}
    for scope, resource in verbs():
        found[f"{scope}_{resource}".title().replace("_", "")] = Resource(scope, resource)
    return found


def called(scope: str, resource: str, verb: str) -> tuple[str, ...]:
    """Return the names of the operations that a method calls, one for each scope that it may be of."""
    found: list[str] = []
    for place, known in sorted(verbs().items()):
        if place[1] == resource and scope in (place[0], ""):
            found += [known[verb]] if verb in known else [name for name, _ in _job(place, verb)]
    return tuple(found)


def shared(scope: str, resource: str, verb: str) -> tuple[str, ...]:
    """Return the name of the list that the waits of a method share, if it waits and they do."""
    return tuple(name for _, name in _job((scope, resource), verb) if name)


def leads_to_operations(value: Value) -> bool:
    """Return whether a value is certainly a client, a scope or a resource, or makes one."""
    if isinstance(value, Maker):
        return leads_to_operations(value.value)
    if isinstance(value, Scope | Resource):
        return value.sure
    return value is Simple.PLATFORM


def join(found: Iterable[Values]) -> Values:
    """Return what any of the values may be."""
    return NOTHING.union(*found)


def _job(place: tuple[str, str], verb: str) -> list[tuple[str, str]]:
    known = jobs().get(place, {})
    return [known[verb]] if verb in known else []
