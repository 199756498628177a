"""`asp operations`."""

from __future__ import annotations

import json

from agent_session_platform import operations

from cli_tests.conftest import Asp


def test_without_a_word_every_operation_is_listed(offline: Asp) -> None:
    lines = offline("operations").stdout.splitlines()
    assert [json.loads(line)["operation"] for line in lines] == sorted(each.name for each in operations)


def test_a_word_is_found_in_the_permission_as_well(offline: Asp) -> None:
    found = json.loads(offline("operations", "vieworgsessions", "-o", "json").stdout)
    assert {each["permission"] for each in found} == {"ViewOrgSessions"}


def test_a_word_that_nothing_has_lists_nothing(offline: Asp) -> None:
    assert offline("operations", "nothing-has-this", "-o", "json").stdout == "[]\n"
