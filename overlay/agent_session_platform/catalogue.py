"""The catalogue of operations: what each operation needs and accepts, and which facts the description does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from inspect import signature
from typing import Any, cast

from ._api import OPERATIONS, RESOURCE_IDS, Operation, OrganizationMethods, ResourceMethods
from .contract import PLACEHOLDER
from .errors import InvalidArgumentError
from .keywords import check_arguments, check_members
from .paths import path_parameters, path_pattern, source_text
from .text import type_name

BY_NAME = {operation.name: operation for operation in OPERATIONS.values()}


class Catalogue:
    """All operations of the contract: iterable, with `len`, and by id or name.

    Example:
        >>> from agent_session_platform import operations
        >>> operations["organization.sessions.list"] is operations["list_organization_sessions"]
        True
    """

    def __iter__(self) -> Iterator[Operation]:
        return iter(OPERATIONS.values())

    def __len__(self) -> int:
        return len(OPERATIONS)

    def __contains__(self, name: object) -> bool:
        return name in OPERATIONS or name in BY_NAME

    def __getitem__(self, name: str) -> Operation:
        return OPERATIONS.get(name) or BY_NAME[name]

    def find(self, method: str, path: str) -> Operation | None:
        """Return the operation that a request belongs to; None if no operation matches.

        Args:
            method: The HTTP method, in any case.
            path: The path with its ids, such as `/v3/organizations/org-acme/sessions`.
        """
        of_method = [operation for operation in self if operation.method == method.upper()]
        matching = [operation for operation in of_method if path_pattern(operation).fullmatch(path)]
        # Several templates may match: the one with the fewest parameters is the most specific.
        return min(matching, key=lambda operation: operation.path.count("{"), default=None)

    def of(self, method: Callable[..., Any]) -> Operation:
        """Return the operation that a method of a client calls; for `wait` and `follow`, the operation that they poll.

        Args:
            method: The method itself, not a call of it, such as `org.sessions.list`; also with `functools.partial`.

        Raises:
            InvalidArgumentError: *method* is anything else.

        Example:
            >>> operations.of(platform.organization("org-acme").sessions.list).name
            'organization.sessions.list'
        """
        return owner_and_operation(method)[1]

    def source_of(self, method: Callable[..., Any]) -> str:
        """Name the list, or the object, that a call of a method would read: the operation with its path arguments.

        Nothing is called. The text is the same for every filter, page size and cursor, and equal to `Pager.source`.

        Args:
            method: A method of a client; with `functools.partial` if its path takes arguments.

        Raises:
            InvalidArgumentError: *method* is anything else, or path arguments are missing.

        Example:
            >>> operations.source_of(platform.organization("org-acme").audit_logs.list)
            "organization.audit_logs.list(org_id='org-acme')"
        """
        owner, operation = owner_and_operation(method)
        called, args, keywords = unwrap_partials(method)
        try:
            arguments = signature(called).bind_partial(*args, **keywords).arguments
        except TypeError as error:
            raise InvalidArgumentError(f"{operation} cannot be called with these arguments: {error}") from None
        check_members(operation, arguments.get("unknown", ()))
        if isinstance(owner, OrganizationMethods):
            arguments["org_id"] = owner.org_id
        path: dict[str, Any] = {}
        for parameter in path_parameters(operation):
            name = parameter.argument_name
            if name not in arguments:
                raise InvalidArgumentError(f"{operation} needs {name}; pass it with functools.partial")
            path[parameter.name] = arguments[name]
        return source_text(operation, path)

    def check_arguments(self, method: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
        """Refuse arguments that a method does not take. Nothing is called, and values are not checked.

        Args:
            method: A method of a client, also with `functools.partial`; or any function.
            arguments: The arguments by name.

        Raises:
            InvalidArgumentError: An argument is missing or unknown, or its name resembles another; the message says
                what to write.
        """
        called = unwrap_partials(method)[0]
        operation = None
        if isinstance(getattr(called, "__self__", None), ResourceMethods):
            operation = self.of(called)
        check_arguments(method, method_name(called), operation, arguments)

    def reader_of(self, write: Operation) -> Operation | None:
        """Return the operation that reads what *write* changes.

        Returns:
            The GET on the same or the parent path; None if there is no such GET, or if it needs more than path
            arguments.
        """
        # The operation of `AgentPlatform.request` has ids in its path, and not placeholders.
        template = (self.find(write.method, write.path) or write).path
        reader = self.find("GET", template) or self.find("GET", template.rpartition("/")[0])
        if reader is None:
            return None
        # The path of the write must have every id that the reader needs: `automations/import` has no id of an
        # automation.
        if not set(PLACEHOLDER.findall(reader.path)) <= set(PLACEHOLDER.findall(template)):
            return None
        for parameter in reader.parameters:
            if parameter.required and parameter.location != "path":
                return None
        return reader

    def resource_id(self, model: type[Any]) -> str | None:
        """Return the field that identifies the resource of a model in paths; None if the contract declares no field."""
        return RESOURCE_IDS.get(model.__name__)

    def __repr__(self) -> str:
        return f"<Catalogue of {len(self)} operations>"


operations = Catalogue()
"""The catalogue of all operations that the contract knows."""


def owner_and_operation(method: Callable[..., Any]) -> tuple[ResourceMethods, Operation]:
    """Return the resource that has a method, such as `org.sessions`, and the operation that the method calls.

    Raises:
        InvalidArgumentError: *method* is not a method of a client that calls an operation.
    """
    called = unwrap_partials(method)[0]
    owner = getattr(called, "__self__", None)
    if isinstance(owner, ResourceMethods):
        for operation in operations:
            is_of_owner = (operation.scope, operation.resource) == (owner.scope, owner.resource)
            if is_of_owner and called.__name__ in (operation.verb, operation.job):
                return owner, operation
    wanted = "a method of a client, such as org.sessions.list"
    raise InvalidArgumentError(f"method must be {wanted}, not {method_name(called)}")


def method_name(called: Any) -> str:
    """Return the name of a method for a message; of anything else, its type."""
    return getattr(called, "__qualname__", type_name(called))


def unwrap_partials(method: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Return the method inside of all partials, and their positional arguments and keyword arguments.

    `functools.partial` itself joins only partials without attributes. From Python 3.12 on, even a check against a
    protocol gives a partial some.
    """
    args: tuple[Any, ...] = ()
    keywords: dict[str, Any] = {}
    while isinstance(method, partial):
        args = (*method.args, *args)
        keywords = {**method.keywords, **keywords}
        method = cast("Any", method.func)
    return method, args, keywords
