"""The arguments of a create for each row."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from agent_session_platform import AgentPlatform, operations
from agent_session_platform_cli.jobs.rows import Row, RowArguments

CREATE = operations["organization.sessions.create"]
METHOD = AgentPlatform("https://platform.invalid", "svc_nobody").organization("org-a").sessions.create


def arguments(*given: str, template: str | None = None, key: str = "id") -> RowArguments:
    return RowArguments(CREATE, key, template, given)


def row(**values: Any) -> Row:
    return Row("rows.csv, line 2", values)


def filled(of: RowArguments, **values: Any) -> Mapping[str, Any]:
    of.check([row(**values)])
    return of.of(row(**values))


def test_arguments_are_put_into_the_template_and_win(tmp_path: Path) -> None:
    path = tmp_path / "template.json"
    path.write_text('{"prompt": "{what}", "title": "old", "session_links": ["{link}"]}')
    of = arguments("title=Row {id}", "bypass_approval=true", template=f"@{path}")
    assert filled(of, id="7", what="Fix it", link="x") == {
        "prompt": "Fix it",
        "title": "Row 7",
        "session_links": ["x"],
        "bypass_approval": True,
    }


def test_a_number_that_the_contract_declares_is_read_from_text() -> None:
    of = RowArguments(operations["organization.sessions.list"], "id", None, ["first={n}"])
    assert filled(of, id="7", n="20") == {"first": 20}
    with pytest.raises(click.UsageError, match=r"rows.csv, line 2: 'many' is not a valid whole number"):
        of.check([row(id="7", n="many")])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"id": "7", "wat": "x"}, "rows.csv, line 2 has no column 'what'; did you mean 'wat'"),
        ({"what": "x"}, "rows.csv, line 2 has no column 'id'"),
        ({"id": "", "what": "x"}, "the key in 'id' must be text or a whole number"),
        ({"id": True, "what": "x"}, "the key in 'id' must be text or a whole number"),
        ({"id": None, "what": "x"}, "the key in 'id' must be text or a whole number"),
    ],
)
def test_a_row_that_lacks_something_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        arguments("prompt={what}").check([row(id="1", what="fine"), row(**values)])
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("given", "template", "message"),
    [
        ("prompt", None, "--argument takes NAME=VALUE or NAME.MEMBER=VALUE, not 'prompt'"),
        ("a..b=x", None, "--argument takes NAME=VALUE"),
        ("a.b=x", '{"a": 3}', "--argument a.b: a is no object"),
        ("a=x", "[]", "--template must be a JSON object of arguments"),
        ("a=x", "{", "--template is not JSON"),
        ("a=x", "@nowhere/x.json", "--template @nowhere/x.json: No such file or directory"),
        ("a={", None, "write {column} for a column"),
    ],
)
def test_what_is_malformed_is_refused(given: str, template: str | None, message: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        arguments(given, template=template)
    assert message in str(raised.value)


def test_a_name_that_is_no_argument_is_refused_with_the_nearest_and_the_place_of_others() -> None:
    arguments("session_links={x}", "prompt=x").check_names(METHOD)
    with pytest.raises(click.UsageError) as raised:
        arguments("session_lnks={x}").check_names(METHOD)
    assert "did you mean 'session_links'" in str(raised.value)
    assert "extra_body={'session_lnks': ...} sends a member" in str(raised.value)
