"""The tool that finds operations."""

from __future__ import annotations

from typing import Any

import pytest

from cli_tests.mcp.conftest import Assistant


async def found(assistant: Assistant, word: str) -> list[dict[str, Any]]:
    result = await assistant.call("find_operations", word=word)
    rows: list[dict[str, Any]] = result.structured_content["operations"]
    return rows


async def test_an_operation_that_may_be_called_is_found_with_its_tool(assistant: Assistant) -> None:
    [row] = await found(assistant, "organization.playbooks.get")
    assert row["tool"] == "organization_playbooks_get"


async def test_one_that_may_not_be_called_is_found_with_what_to_pass(assistant: Assistant) -> None:
    [row] = await found(assistant, "organization.sessions.create")
    assert "tool" not in row
    assert row["not_a_tool"].endswith("asp mcp --allow organization.sessions.create")


async def test_it_finds_by_permission(assistant: Assistant) -> None:
    assert {each["permission"] for each in await found(assistant, "ManageOrgSecrets")} == {"ManageOrgSecrets"}


async def test_without_a_word_it_finds_all(assistant: Assistant) -> None:
    assert len(await found(assistant, "")) == len([*assistant.platform.operations])


@pytest.mark.parametrize("arguments", [{}, {"word": 3}, {"word": "a", "more": 1}])
async def test_anything_but_a_word_is_refused(assistant: Assistant, arguments: dict[str, Any]) -> None:
    assert (await assistant.call("find_operations", **arguments)).is_error


async def test_a_refusal_names_what_was_given(assistant: Assistant) -> None:
    result = await assistant.call("find_operations", word=3, more=1)
    assert "it was called with 'more', 'word', and word is int" in str(result.content)
