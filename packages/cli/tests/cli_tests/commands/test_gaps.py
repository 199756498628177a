"""`asp gaps`."""

from __future__ import annotations

import json

from agent_session_platform import gaps

from cli_tests.conftest import Asp


def test_every_gap_is_listed(offline: Asp) -> None:
    assert [json.loads(line)["gap"] for line in offline("gaps").stdout.splitlines()] == [each.id for each in gaps]


def test_a_word_chooses(offline: Asp) -> None:
    found = json.loads(offline("gaps", "session-list", "-o", "json").stdout)
    assert "session-list-parameters" in {each["gap"] for each in found}
    assert len(found) < len(gaps)
