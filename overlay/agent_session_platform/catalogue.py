"""The catalogue of operations: what each operation needs and accepts, and which facts the description does not show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache, partial
from inspect import Parameter as Argument, signature
from keyword import iskeyword
from typing import Any, cast

import attrs

from ._api import OPERATIONS, RESOURCE_IDS, Operation, OrganizationMethods, Parameter, ResourceMethods, suggest
from .contract import PLACEHOLDER
from .errors import InvalidArgumentError
from .options import RequestOptions
from .text import format_value, plain_text, type_name

BY_NAME = {operation.name: operation for operation in OPERATIONS.values()}

# Keywords that are refused as members of a body, each with what to write instead.
REFUSED_MEMBERS = {
    "headers": "pass options=RequestOptions(extra_headers=...).",
    "first": "only a paginated list takes it.",
    "after": "only a paginated list takes it.",
}
for option in attrs.fields(RequestOptions):
    REFUSED_MEMBERS[option.name] = f"pass options=RequestOptions({option.name}=...)."

# A keyword that is at least this similar to an argument (by `difflib`) counts as a typing error, but a plural does not.
ALIKE = 0.85


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
        called, args, keywords = unwrapped(method)
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
        takes = signature(method)
        called = unwrapped(method)[0]
        called_name = getattr(called, "__qualname__", type_name(called))
        unknown = [name for name in arguments if name not in takes.parameters]
        kinds = [parameter.kind for parameter in takes.parameters.values()]
        takes_members = Argument.VAR_KEYWORD in kinds
        if isinstance(getattr(called, "__self__", None), ResourceMethods):
            operation = self.of(called)
            called_name = operation.name
            if takes_members:
                check_members(operation, unknown)
        if unknown and not takes_members:
            advice = suggest(str(unknown[0]), takes.parameters) or f"; it takes {', '.join(takes.parameters)}"
            raise InvalidArgumentError(f"{called_name} takes no argument {format_value(unknown[0])}{advice}")
        try:
            takes.bind(**arguments)
        except TypeError as error:
            raise InvalidArgumentError(f"{called_name}: {error}") from None

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


@attrs.frozen
class RequiredPermissions:
    """The permissions that some operations require, for a role that has no others.

    Attributes:
        organization: The permissions to hold at organization level, each with the names of the operations that require
            it.
        enterprise: The permissions to hold at enterprise level, in the same form.
        unknown: The operations for which the description does not show the permission or its level. The value is the
            permission if only its level is not shown, and None otherwise. `operations[name].gaps` has the gap.
        credentials: The kinds of credential that all operations accept; empty if they have no kind in common. Where the
            description shows no kind, the contract assumes `serviceUser`.

    Example:
        required = permissions_for("organization.sessions.list", "enterprise.reviews.create")
        print(required.organization)  # {"ViewOrgSessions": ("organization.sessions.list",)}
    """

    organization: Mapping[str, tuple[str, ...]]
    enterprise: Mapping[str, tuple[str, ...]]
    unknown: Mapping[str, str | None]
    credentials: tuple[str, ...]


def permissions_for(*references: str | Operation | Callable[..., Any]) -> RequiredPermissions:
    """Return the permissions that operations require. Nothing is sent.

    Args:
        references: Each is a name (`"organization.sessions.list"`), an id, an `Operation`, or a method of a client
            (`org.sessions.list`). For `wait`, the list that many waits read together counts as well.

    Raises:
        InvalidArgumentError: There is no such operation.

    Example:
        print(permissions_for("organization.sessions.list", platform.enterprise.reviews.create).enterprise)
    """
    used: dict[str, Operation] = {}
    for reference in references:
        operation = find_operation(reference)
        used[operation.name] = operation
        if operation.shared_list and getattr(reference, "__name__", None) == operation.job:
            shared = operations[operation.shared_list]
            used[shared.name] = shared
    levels: dict[str, dict[str, tuple[str, ...]]] = {"organization": {}, "enterprise": {}}
    unknown: dict[str, str | None] = {}
    for name, operation in sorted(used.items()):
        if operation.permission is None or operation.level is None:
            unknown[name] = operation.permission
        else:
            permissions = levels[operation.level]
            permissions[operation.permission] = (*permissions.get(operation.permission, ()), name)
    kinds = [operation.credentials for operation in used.values()]
    # serviceUser, the current kind, comes first.
    common = set[str]().union(*kinds).intersection(*kinds)
    return RequiredPermissions(**levels, unknown=unknown, credentials=tuple(sorted(common, reverse=True)))


def find_operation(reference: str | Operation | Callable[..., Any]) -> Operation:
    """Return an operation by its name, its id, or a method of a client."""
    if isinstance(reference, Operation):
        return reference
    if not isinstance(reference, str):
        return operations.of(reference)
    if reference in operations:
        return operations[reference]
    raise InvalidArgumentError(
        f"there is no operation {format_value(reference)}; agent_session_platform.operations lists all operations"
    )


def owner_and_operation(method: Callable[..., Any]) -> tuple[ResourceMethods, Operation]:
    """Return the resource that has a method, such as `org.sessions`, and the operation that the method calls.

    Raises:
        InvalidArgumentError: *method* is not a method of a client that calls an operation.
    """
    called = unwrapped(method)[0]
    owner = getattr(called, "__self__", None)
    if isinstance(owner, ResourceMethods):
        for operation in operations:
            is_of_owner = (operation.scope, operation.resource) == (owner.scope, owner.resource)
            if is_of_owner and called.__name__ in (operation.verb, operation.job):
                return owner, operation
    name = getattr(called, "__qualname__", type_name(called))
    raise InvalidArgumentError(f"method must be a method of a client, such as org.sessions.list, not {name}")


def unwrapped(method: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
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
    operation = operations[operation_id]
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
    operation = operations[operation_id]
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
    for argument in get_close_matches(name, arguments, n=len(arguments), cutoff=ALIKE):
        if argument.removesuffix("s") != name.removesuffix("s"):
            return f"did you mean {argument!r}?"
    return REFUSED_MEMBERS.get(name, "")


def source_text(operation: Operation, path: Mapping[str, Any]) -> str:
    """Return an operation with its path arguments, as one line; a missing prefix is added to an id.

    Args:
        operation: The operation.
        path: The path arguments by name.
    """
    ids: list[str] = []
    for parameter in path_parameters(operation):
        value = with_prefix(parameter, plain_text(path[parameter.name]))
        ids.append(f"{parameter.name}={value!r}")
    return f"{operation}({', '.join(ids)})"


def path_parameters(operation: Operation) -> list[Parameter]:
    """Return the path parameters of an operation, in their order."""
    return [parameter for parameter in operation.parameters if parameter.location == "path"]


def with_prefix(parameter: Parameter, text: str) -> str:
    """Return an id with its prefix, which is added if it is missing."""
    if not parameter.adds_prefix or text.startswith(parameter.prefix):
        return text
    return f"{parameter.prefix}{text}"


def bare_id(parameter: Parameter, value: object) -> str:
    """Return an id in the form in which ids are compared: as text, and without a prefix.

    A list may show an id with or without the prefix that it has in paths, or as a number.

    Args:
        parameter: The path parameter that takes the id.
        value: The id as a caller or the server gave it; it is empty text if the value is null or anything else.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return plain_text(value).removeprefix(parameter.prefix)


@cache
def pattern_of(template: str, wildcards: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Return a pattern for the paths of a template, with a group for each id; a wildcard may have several segments."""
    pattern = re.escape(template)
    for name in PLACEHOLDER.findall(template):
        group = "([^/]+)"
        if name in wildcards:
            group = "(.+)"
        pattern = pattern.replace(re.escape(f"{{{name}}}"), group)
    return re.compile(pattern)


def path_pattern(operation: Operation) -> re.Pattern[str]:
    """Return a pattern for the paths of an operation."""
    wildcards = [parameter.name for parameter in operation.parameters if parameter.wildcard]
    return pattern_of(operation.path, tuple(wildcards))
