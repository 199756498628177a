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


@pytest.mark.parametrize(
    ("method", "path", "current"),
    [
        ("GET", "/v1/sessions", "GET /v3/organizations/{org_id}/sessions"),
        ("post", "/v1/sessions", "POST /v3/organizations/{org_id}/sessions"),
        ("GET", "/v1/session/abc/", "GET /v3/organizations/{org_id}/sessions/abc"),
        ("DELETE", "/v1/knowledge/n", "DELETE /v3/organizations/{org_id}/knowledge/notes/n"),
    ],
)
def test_the_current_operation_of_a_legacy_path_is_named(offline: Asp, method: str, path: str, current: str) -> None:
    found = json.loads(offline("legacy", path, "--method", method).stdout)
    assert f"{found['method']} {found['path']}" == current
    assert f"asp call {found['operation']}" == found["call"]


def test_a_legacy_path_without_a_current_one_is_refused(offline: Asp) -> None:
    result = offline("legacy", "/v1/sessions", "--method", "DELETE")
    assert result.exit_code == 2
    assert "DELETE /v1/sessions has no current operation; the legacy API has " in result.stderr
