"""The functions that a batch calls: what its caller passes, and what follows from that."""

from __future__ import annotations

import reprlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, Final, TypeAlias, cast

import attrs
from agent_session_platform import InvalidArgumentError, Outcome, RequestOptions, operations, to_json

Create: TypeAlias = Callable[..., Awaitable[Any]]
Finder: TypeAlias = Callable[[str], Awaitable[Any]]
Release: TypeAlias = Callable[[str], Awaitable[Any]]
Waiter: TypeAlias = Callable[..., Awaitable[Outcome[Any]]]
Until: TypeAlias = "Mapping[str, Any] | Callable[[Any], bool]"
ResourceId: TypeAlias = "str | Callable[[Any], str]"


class NotSent:
    """The type of `NOT_SENT`."""

    def __repr__(self) -> str:
        return "NOT_SENT"


NOT_SENT: Final = NotSent()
"""Returned by `find` if the request of a row was not carried out and never will be: the row is sent again."""


@attrs.frozen
class Calls:
    """The functions of a batch.

    Attributes:
        create: Creates the object of a row.
        id: The field with the id of an object, or a function that returns it; None where the contract declares it.
        wait: Waits for an object; None if nothing does.
        find: Looks for the object of a row by its key; None if nothing does.
        release: Releases an object by its id; None if nothing does.

    Raises:
        InvalidArgumentError: One of them cannot be called.
    """

    create: Create
    id: ResourceId | None
    wait: Waiter | None
    find: Finder | None
    release: Release | None
    _checked: set[frozenset[str]] = attrs.field(factory=set[frozenset[str]], init=False)

    def __attrs_post_init__(self) -> None:
        for name in ("create", "wait", "find", "release"):
            function = getattr(self, name)
            if not (callable(function) or (function is None and name != "create")):
                raise InvalidArgumentError(f"{name} must be an async function, not {reprlib.repr(function)}")

    def check(self, key: str, arguments: Any) -> Mapping[str, Any]:
        """Return the arguments of a row, which `create` takes.

        Raises:
            InvalidArgumentError: They are no mapping of names, or `create` does not take them.
        """
        if not isinstance(arguments, Mapping):
            raise InvalidArgumentError(
                f"arguments must return a mapping of the keywords of create for row {key!r}, not "
                f"{type(arguments).__name__}"
            )
        given = cast("Mapping[str, Any]", arguments)
        # Only the names are checked, and most rows have the same.
        if (names := frozenset(given)) not in self._checked:
            try:
                operations.check_arguments(self.create, given)
            except InvalidArgumentError as error:
                raise InvalidArgumentError(f"create does not take the arguments of row {key!r}: {error}") from None
            self._checked.add(names)
        return given

    def id_of(self, created: Any) -> str:
        """Return the id of an object.

        Raises:
            InvalidArgumentError: None is declared, or the object has none.
        """
        field = self.id or operations.resource_id(created.__class__)
        if field is None:
            raise InvalidArgumentError(
                f"the contract declares no id of {type(created).__name__}: pass Batch(..., id=) the field that has it, "
                "or a function that returns it"
            )
        found: Any = field(created) if callable(field) else (as_mapping(created) or {}).get(field)
        if not isinstance(found, str) or not found:
            raise InvalidArgumentError(f"{type(created).__name__} has no text as its id ({self.id or 'as declared'})")
        return found


def as_mapping(value: Any) -> Mapping[str, Any] | None:
    """Return an object as JSON; None if it is no JSON object."""
    try:
        shown = to_json(value)
    except TypeError:
        return None
    return cast("dict[str, Any]", shown) if isinstance(shown, dict) else None


def method_of(create: Create) -> Any:
    """Return the method that *create* calls."""
    method: Any = create
    while isinstance(method, partial):
        method = method.func  # pyright: ignore[reportUnknownMemberType]  # of any type
    return method


def waiter_of(create: Create) -> Waiter | None:
    """Return the `wait` of the resource that *create* is a method of; None if there is none."""
    return getattr(getattr(method_of(create), "__self__", None), "wait", None)


def target_of(create: Create) -> str | None:
    """Return where *create* creates objects: the operation, its path arguments and the server.

    Returns:
        Text for people and for comparison; None if *create* is no method of a client.
    """
    try:
        server = operations.base_url_of(method_of(create))
    except InvalidArgumentError:
        return None
    try:
        name = operations.source_of(create)
    except InvalidArgumentError:
        # Each row has path arguments of its own.
        name = str(operations.of(method_of(create)))
    return f"{name} at {server}"


def wait_arguments(
    wait: Waiter | None, until: Until | None, unexpected: Until | None, timeout: float, every: float
) -> Mapping[str, Any] | None:
    """Return the arguments of a wait; None if nothing is waited for.

    Raises:
        InvalidArgumentError: They are wrong, or nothing waits.
    """
    if until is None:
        if unexpected is not None:
            raise InvalidArgumentError("unexpected ends a wait, and without until nothing is waited for: pass both")
        return None
    if wait is None:
        raise InvalidArgumentError(
            "until needs a wait, and create is no method of a resource that has one: pass Batch(..., wait=), an "
            "async function of (id, until=, unexpected=, timeout=, every=) that returns an Outcome"
        )
    # Refused here, before there are objects that nothing could wait for.
    for name, wanted in (("until", until), ("unexpected", unexpected)):
        is_mapping = isinstance(wanted, Mapping) and len(wanted) > 0
        if wanted is not None and not is_mapping and (not callable(wanted) or iscoroutinefunction(wanted)):
            example = "{'title': 'done'}"
            raise InvalidArgumentError(f"{name} must be values by field, such as {example}, or a plain function")
    return {"until": until, "unexpected": unexpected, "timeout": timeout, "every": every}


def options_of(create: Create, arguments: Mapping[str, Any]) -> RequestOptions | None:
    """Return the options of a call; None if *create* is no method of the client, which alone obeys them."""
    try:
        operations.of(method_of(create))
    except InvalidArgumentError:
        return None
    bound: Mapping[str, Any] = create.keywords if isinstance(create, partial) else {}
    given = {**bound, **arguments}.get("options")
    return given if isinstance(given, RequestOptions) else RequestOptions() if given is None else None
