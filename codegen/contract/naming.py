"""Name an operation of the facade: scope from the path, resource from the tag, verb from the operationId."""

from __future__ import annotations

import keyword
import re

import attrs
from openapi_python_client.strings import PythonIdentifier

# The version prefix in its documented forms: /v3, /v3beta1, /v3/beta, /beta/v2.
SCOPE = re.compile(
    r"^(?:/beta)?/v\d+\w*(?:/beta)?/(?:(?P<organization>organizations/\{\w+\}/)|(?P<enterprise>enterprise/))"
)

SCOPE_WORDS = {"organization": {"organization", "organizations", "org"}, "enterprise": {"enterprise"}}

VERBS = {"get": "get", "post": "create", "put": "replace", "patch": "update", "delete": "delete"}


class NamingError(Exception):
    """An operation cannot be named; the message quotes its path."""


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
        path: The path of the operation, which begins with its scope.
        tag: The first tag, which names the resource.
        operation_id: The operationId.
        method: The HTTP method; it gives the verb if no other word is left.

    Raises:
        NamingError: The path is in no known scope.
    """
    match = SCOPE.match(path)
    if match is None:
        raise NamingError(f"{path} is in neither scope: /v3/organizations/{{org_id}}/... or /v3/enterprise/...")
    scope = "organization" if match["organization"] else "enterprise"
    # The same name as the module that the generator makes of the tag.
    resource = str(PythonIdentifier(tag, "tag"))
    redundant = {stem(word) for word in words(tag)} | {stem(word) for word in SCOPE_WORDS[scope]}
    verb = "_".join(word for word in words(operation_id) if stem(word) not in redundant) or VERBS.get(method, method)
    return Name(scope, resource, python_name(verb))


def words(text: str) -> list[str]:
    """Split an identifier into lower-case words: snake_case, kebab-case, camelCase or plain text."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", text)]


def stem(word: str) -> str:
    """Make singular and plural of a word equal: policies and policy, sessions and session."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s")


def class_name(text: str) -> str:
    """Return the name of a class: pr_reviews is PrReviews."""
    return "".join(word.capitalize() for word in words(text))


def resource_class(scope: str, resource: str) -> str:
    """Return the name of the class of a resource: OrganizationSessions for `sessions` of the organization."""
    return class_name(f"{scope}_{resource}")


def python_name(wire_name: str, taken: frozenset[str] = frozenset()) -> str:
    """Return the wire name where Python allows it, else the nearest identifier."""
    name = wire_name if wire_name.isidentifier() else re.sub(r"\W", "_", wire_name)
    if not name.isidentifier():
        name = f"field_{name}"
    return f"{name}_" if keyword.iskeyword(name) or name in taken else name
