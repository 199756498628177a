"""The docstrings of generated methods: what each one takes, returns and raises, with an example that can be run."""

from __future__ import annotations

import ast
import inspect
import re

import pytest
from agent_session_platform import AgentPlatform, Operation, operations

from codegen.render.docstrings import docstring, plural
from tests.contract.every_operation import method_of

OPERATIONS = sorted(operations, key=str)


def sections(operation: Operation) -> dict[str, str]:
    """Return the titled sections of a method's docstring, without their indentation."""
    platform = AgentPlatform("https://platform.example.com", "whatever")
    text = inspect.getdoc(method_of(platform, operation)) or ""
    found = re.findall(r"^([A-Z][^\n]*):\n((?:    [^\n]*(?:\n|$))+)", text, re.MULTILINE)
    return {title: inspect.cleandoc(f"\n{body}") for title, body in found}


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_every_argument_is_documented(operation: Operation) -> None:
    platform = AgentPlatform("https://platform.example.com", "whatever")
    names = [name for name in inspect.signature(method_of(platform, operation)).parameters if name != "self"]
    assert re.findall(r"^(\w+): \S", sections(operation)["Args"], re.MULTILINE) == names


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_example_calls_the_method(operation: Operation) -> None:
    example = sections(operation)["Example"]
    compile(example, "example", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    scope = "organization" if operation.scope == "organization" else "platform.enterprise"
    assert f"{scope}.{operation.resource}.{operation.verb}(" in example


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_errors_are_those_that_the_method_may_raise(operation: Operation) -> None:
    raised = re.findall(r"^(\w+Error): ", sections(operation)["Raises"], re.MULTILINE)
    assert raised[0] == "PermissionDeniedError"
    assert raised[-1] == "AgentPlatformError"
    assert ("OutcomeUnknownError" in raised) == (operation.method in ("POST", "PATCH"))
    assert ("PagingError" in raised) == operation.paginated


@pytest.mark.parametrize(
    ("name", "returned"),
    [
        ("organization.sessions.get", "The `Session`: a read-only view of the response."),
        ("organization.sessions.list", "A pager: iterate over it for sessions, over `.pages()` for pages."),
        ("organization.attachments.download", "A download: iterate over it for chunks of bytes, or"),
        ("organization.secrets.list", "A list: iterate over it for items; await it for the first response, as"),
        ("organization.playbooks.get", "The response as an `OpenModel`, because the description does not show it;"),
    ],
)
def test_the_docstring_describes_the_returned_value(name: str, returned: str) -> None:
    assert sections(operations[name])["Returns"].startswith(returned)


@pytest.mark.parametrize(
    ("noun", "nouns"), [("session", "sessions"), ("policy", "policies"), ("key", "keys"), ("status", "statuses")]
)
def test_the_plural_of_a_noun(noun: str, nouns: str) -> None:
    assert plural(["repository", noun]) == f"repository {nouns}"


def test_a_docstring_is_quoted_whatever_is_in_it() -> None:
    text = 'A "quoted" \\ text with """, \0 and \x1b in it, and "at its end"'
    assert ast.literal_eval(docstring(text)) == text
