"""Which operations are tools."""

from __future__ import annotations

import pytest
from agent_session_platform import InvalidArgumentError, operations
from agent_session_platform_cli.mcp.selection import Selection


def names(selection: Selection) -> list[str]:
    return [each.name for each in selection]


def test_by_default_nothing_changes_anything() -> None:
    assert {each.method for each in Selection()} == {"GET"}


def test_a_word_narrows_the_reads() -> None:
    found = names(Selection(only=("playbook",)))
    assert found == ["organization.playbooks.get", "organization.playbooks.list"]


def test_several_words_add_up() -> None:
    assert set(names(Selection(only=("playbook", "roles")))) > {"organization.playbooks.get", "enterprise.roles.list"}


def test_an_allowed_write_is_a_tool_whatever_the_words_are() -> None:
    found = names(Selection(allow=("organization.sessions.create",), only=("playbook",)))
    assert found == ["organization.playbooks.get", "organization.playbooks.list", "organization.sessions.create"]


def test_a_star_at_the_end_allows_what_begins_like_it() -> None:
    selection = Selection(allow=("organization.playbooks.*",), only=("roles",))
    writes = [each.name for each in selection if each.method != "GET"]
    assert writes == [f"organization.playbooks.{verb}" for verb in ("create", "delete", "update")]


@pytest.mark.parametrize("name", ["*.create", "organization.?essions.create", "organization.[s]essions.create"])
def test_a_pattern_other_than_a_star_at_the_end_is_no_operation(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="is no operation"):
        Selection(allow=(name,))


def test_a_mistyped_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InvalidArgumentError, match=r"did you mean 'organization\.sessions\.create'"):
        Selection(allow=("organization.session.create",))


def test_a_word_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="--only 'nothing like it' fits no operation"):
        Selection(only=("nothing like it",))


@pytest.mark.parametrize("name", ["organization.attachments.download", "organization.attachments.upload"])
def test_files_are_no_tools_even_if_they_are_allowed(name: str) -> None:
    refusal = Selection(allow=("*",)).refusal(operations[name])
    assert refusal == f"{name} is about a file, and files are no tools; a person can run: asp call {name}"


def test_a_read_that_a_word_left_out_is_refused_with_what_to_pass() -> None:
    refusal = Selection(only=("playbook",)).refusal(operations["enterprise.roles.list"])
    assert str(refusal).endswith("--only enterprise.roles.list")
