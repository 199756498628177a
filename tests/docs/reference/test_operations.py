"""The pages of the operations."""

from __future__ import annotations

import ast
import json
import re
import shlex
from typing import Any

import pytest
from agent_session_platform import Operation, gaps, operations

from docs.reference.operations import by_resource
from docs.reference.payloads import payload_of, text_of

OPERATIONS = sorted(operations, key=str)


def section(reference: dict[str, str], operation: Operation) -> str:
    """Return the text about an operation."""
    page = reference[f"reference/operations/{operation.name.rpartition('.')[0]}.md"]
    return page.partition(f"\n## {operation.name}\n")[2].partition("\n## ")[0]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)\n```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_has_its_request_permission_rules_and_gaps(
    reference: dict[str, str], operation: Operation
) -> None:
    text = section(reference, operation)
    assert f"Request: `{operation.method} {operation.path}`" in text
    assert f"Permission: {f'`{operation.permission}`' if operation.permission else 'not shown'}" in text
    for each in (*operation.rules, *(gap for gap in operation.gaps if gap.closed is None)):
        assert f"`{each.id}`: " in text
    for parameter in operation.parameters:
        assert f"| `{parameter.name or 'body'}` |" in text


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_kinds_of_credential_that_are_not_shown_are_marked_as_inferred(
    reference: dict[str, str], operation: Operation
) -> None:
    not_shown = any("kinds of credential" in gap.what and not gap.closed for gap in operation.gaps)
    assert ("(inferred: the description does not show the kinds)" in section(reference, operation)) == not_shown


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_examples_of_an_operation_are_valid(reference: dict[str, str], operation: Operation) -> None:
    text = section(reference, operation)
    signature, python = blocks(text, "python")
    compile(f"{signature}: ...", operation.name, "exec")
    compile(python, operation.name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    asp, curl = blocks(text, "sh")
    assert shlex.split(asp)[:3] == ["asp", "call", operation.name]
    assert shlex.split(curl)[:3] == ["curl", "-X", operation.method]


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_has_a_success_of_the_sandbox(reference: dict[str, str], operation: Operation) -> None:
    text = section(reference, operation)
    assert re.search(r"\*\*Response of the sandbox\*\*: status 2\d\d", text)


async def test_the_payload_is_what_the_sandbox_responds() -> None:
    response = await payload_of(operations["organization.sessions.get"])
    assert json.loads(response.text)["title"] == "Fix the flaky test"


def test_every_page_says_what_is_an_assumption(reference: dict[str, str]) -> None:
    for name in by_resource():
        assert "is an assumption of the sandbox" in reference[f"reference/operations/{name}.md"]


def test_the_index_has_every_operation(reference: dict[str, str]) -> None:
    assert all(f"[{each}](" in reference["reference/operations/index.md"] for each in operations)


def test_methods_that_poll_are_beside_the_operation(reference: dict[str, str]) -> None:
    assert "\n## organization.sessions.wait\n" in reference["reference/operations/organization.sessions.md"]
    assert "\n## organization.sessions.follow_messages\n" in reference["reference/operations/organization.sessions.md"]


def test_every_gap_is_listed(reference: dict[str, str]) -> None:
    assert [each.id for each in gaps if f"`{each.id}`" not in reference["reference/gaps.md"]] == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"a": 1}, {"a": 2}], '[\n  {\n    "a": 1\n  },\n  ...\n]'),
        (["a", "b"], '[\n  "a",\n  "b"\n]'),
        ([*range(100)], "[\n" + "".join(f"  {each},\n" for each in range(59)) + "..."),
    ],
)
def test_what_is_left_out_of_a_payload_is_visible(value: Any, expected: str) -> None:
    assert text_of(json.dumps(value).encode(), "application/json") == expected
