"""What a wait is for, as it is typed."""

from __future__ import annotations

from typing import Any

import click
import pytest
from agent_session_platform_cli.jobs.waiting import values_by_field


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], None),
        (["status=ready,failed"], {"status": ["ready", "failed"]}),
        (["status=ready", "status=failed", "title=x"], {"status": ["ready", "failed"], "title": ["x"]}),
        (["acus_consumed=3"], {"acus_consumed": ["3", 3]}),
        (["is_archived=true"], {"is_archived": ["true", True]}),
        (["pull_request=null"], {"pull_request": ["null", None]}),
        (['title=["a,b", 3]'], {"title": ["a,b", 3]}),
        (['origin={"by": "x,y"}'], {"origin": ['{"by": "x,y"}', {"by": "x,y"}]}),
        (["title=a=b"], {"title": ["a=b"]}),
    ],
)
def test_a_value_is_its_text_and_its_json(given: list[str], expected: Any) -> None:
    assert values_by_field(given, "--until") == expected


@pytest.mark.parametrize("given", ["status", "=ready", "status="])
def test_what_is_no_value_of_a_field_is_refused(given: str) -> None:
    with pytest.raises(click.UsageError, match=r"--until takes NAME=VALUE\[,VALUE...\], such as title=done"):
        values_by_field([given], "--until")
