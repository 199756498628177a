"""`asp operations`, `asp gaps` and `asp legacy`."""

from __future__ import annotations

import json

import pytest
from agent_session_platform import gaps, operations

from cli_tests.conftest import Asp


def test_without_a_word_everything_is_listed(offline: Asp) -> None:
    lines = offline("operations").stdout.splitlines()
    assert [json.loads(line)["operation"] for line in lines] == sorted(each.name for each in operations)
    assert [json.loads(line)["gap"] for line in offline("gaps").stdout.splitlines()] == [each.id for each in gaps]


def test_a_word_is_found_in_the_permission_as_well(offline: Asp) -> None:
    found = json.loads(offline("operations", "vieworgsessions", "-o", "json").stdout)
    assert {each["permission"] for each in found} == {"ViewOrgSessions"}


def test_a_word_chooses_gaps(offline: Asp) -> None:
    found = json.loads(offline("gaps", "session-list", "-o", "json").stdout)
    assert "session-list-parameters" in {each["gap"] for each in found}
    assert len(found) < len(gaps)


@pytest.mark.parametrize(
    ("command", "word", "message"),
    [
        ("operations", "nothing-has-this", "no operation has 'nothing-has-this'; `asp operations` lists all"),
        ("operations", "sesions", "no operation has 'sesions'; did you mean 'sessions'"),
        ("gaps", "session-list-parametres", "did you mean 'session-list-parameters'"),
    ],
)
def test_a_word_that_nothing_has_lists_nothing_and_gives_the_nearest(
    offline: Asp, command: str, word: str, message: str
) -> None:
    result = offline(command, word, "-o", "json")
    assert (result.stdout, message in result.stderr) == ("[]\n", True), result.stderr


def test_the_current_operation_of_a_legacy_path_is_named(offline: Asp) -> None:
    found = json.loads(offline("legacy", "/v1/session/abc").stdout)
    path = "/v3/organizations/{org_id}/sessions/abc"
    assert (found["operation"], found["path"]) == ("organization.sessions.get", path)
