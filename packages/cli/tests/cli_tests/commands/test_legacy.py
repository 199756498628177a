"""`asp legacy`."""

from __future__ import annotations

import json

from cli_tests.conftest import Asp


def test_the_current_operation_of_a_path_is_named(offline: Asp) -> None:
    found = json.loads(offline("legacy", "/v1/session/abc").stdout)
    assert (found["operation"], found["path"]) == (
        "organization.sessions.get",
        "/v3/organizations/{org_id}/sessions/abc",
    )


def test_an_unknown_path_is_a_wrong_use(offline: Asp) -> None:
    result = offline("legacy", "/v1/nothing")
    assert (result.exit_code, "has no current operation" in result.stderr) == (2, True)
