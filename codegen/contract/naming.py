"""Name an operation of the facade: scope from the path, resource from the tag, verb from the operationId."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable

import attrs
from openapi_python_client.strings import ClassName, PythonIdentifier

from codegen.contract.source import ContractError

# The version prefix in its documented forms: /v3, /v3beta1, /v3/beta, /beta/v2.
SCOPE = re.compile(
    r"(?:/beta)?/v\d+\w*(?:/beta)?/(?:(?P<organization>organizations/\{\w+\}/)|(?P<enterprise>enterprise/))"
)
PATH = re.compile(r"/(?:[^{}?#\s]|\{[^{}/*+]+\})*")

SCOPE_WORDS = {
    "organization": {"organization", "organizations", "org"},
    "enterprise": {"enterprise"},
    "platform": {"platform"},
}

# Names of the object that has the resources of a scope: no resource can have them.
TAKEN_BY_SCOPES = {
    "organization": frozenset({"org_id"}),
    "enterprise": frozenset[str](),
    "platform": frozenset(
        {
            *("aclose", "enterprise", "is_open", "operations", "organization", "rate_limiter", "redact", "request"),
            "with_response",
        }
    ),
}

VERBS = {"get": "get", "post": "create", "put": "replace", "patch": "update", "delete": "delete"}


# Names that the modules of the generated package import.
TAKEN_BY_MODULES = frozenset(
    {
        *("Any", "CallOptions", "Callable", "ClassVar", "Client", "Coroutine", "Download", "FileSource", "Follow"),
        *("Follower", "Literal", "Mapping", "Model", "OpenList", "OpenModel", "Outcome", "Pager", "PolledChange"),
        *(
            "OPERATIONS",
            "QueryValue",
            "Refused",
            "Request",
            "Sequence",
            "TypeAlias",
            "UNSET",
            "UUID",
            "Unset",
            "Until",
            "Wait",
        ),
    }
)


@attrs.frozen(order=True)
class Name:
    """An operation's place in the facade, printed as `organization.sessions.list`."""

    scope: str
    resource: str
    verb: str

    def __str__(self) -> str:
        return f"{self.scope}.{self.resource}.{self.verb}"


def name_operation(path: str, tag: str, operation_id: str, method: str) -> Name:
    """Name an operation by the words of its id that are not already in its scope or its resource.

    `list_enterprise_session_messages` with the tag `sessions` is `enterprise.sessions.list_messages`.

    Args:
        path: The path of the operation, which begins with its scope; any other path belongs to the platform itself.
        tag: The first tag, which names the resource.
        operation_id: The operationId.
        method: The HTTP method; it gives the verb if no other word is left.

    Raises:
        ContractError: It is not a path.
    """
    if not PATH.fullmatch(path):
        way_out = "begin it with a slash, write a query as parameters, and {a*} as {a} with x-wildcard"
        raise ContractError(f"{path} is not a path that the SDK can send; {way_out}")
    match = SCOPE.match(path)
    scope = "platform"
    if match is not None:
        scope = "organization" if match["organization"] else "enterprise"
    resource = resource_name(scope, tag)
    redundant = {stem for word in (*words(tag), *SCOPE_WORDS[scope]) for stem in stems(word)}
    verb = "_".join(word for word in words(operation_id) if not stems(word) & redundant) or VERBS.get(method, method)
    # The base class of a resource has these names.
    return Name(scope, resource, python_name(verb, {"base_url", "org_id", "resource", "scope"}))


def resource_name(scope: str, tag: str) -> str:
    """Return the name of the resource of a tag, such as `audit_logs`."""
    return python_name("_".join(words(tag)), TAKEN_BY_SCOPES[scope])


def words(text: str) -> list[str]:
    """Split an identifier into lower-case words: snake_case, kebab-case, camelCase or plain text."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", text)]


def stems(word: str) -> set[str]:
    """Return the possible singulars of a word, such as box, boxe and boxes for `boxes`."""
    found = {word, word.removesuffix("s"), word.removesuffix("es")}
    return found | {f"{word[:-3]}y"} if word.endswith("ies") else found


def class_name(text: str) -> str:
    """Return the name of a class, such as PrReviews for `pr_reviews`."""
    return "".join(word.capitalize() for word in words(text))


def resource_class(scope: str, resource: str) -> str:
    """Return the name of the class of a resource, such as OrganizationSessions for `sessions` of the organization."""
    return class_name(f"{scope}_{resource}")


def model_class(name: str) -> str:
    """Return the name of the class of a schema. It is the name of the component, if Python allows that name."""
    found = str(ClassName(name, "Schema"))
    return f"{found}Schema" if found in TAKEN_BY_MODULES else found


def module_name(name: str) -> str:
    """Return the name of the module of a class, a tag or an operation."""
    return str(PythonIdentifier(name, "module_"))


def python_name(wire_name: str, taken: Collection[str] = ()) -> str:
    """Return the wire name if Python allows it and it is not taken. Otherwise return a similar identifier."""
    # Python reads a name in its normal form (NFKC), and type checkers treat a name that begins with `_` as private.
    name = re.sub(r"\W", "_", unicodedata.normalize("NFKC", wire_name)).lstrip("_")
    if not name.isidentifier():
        name = f"field_{name}"
    while keyword.iskeyword(name) or name in taken:
        name += "_"
    return name


def python_names(wire_names: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """Return a Python name for each wire name, all of them different. A wire name that Python allows stays as it is."""
    wires = list(wire_names)
    names: dict[str, str] = {}
    for wire in sorted(wires, key=lambda each: python_name(each, taken) != each):
        names[wire] = python_name(wire, {*taken, *names.values()})
    return {wire: names[wire] for wire in wires}
