"""Options of the command line as arguments of a call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

CREATE = "organization.sessions.create"


def body(sandbox: Sandbox) -> object:
    return sandbox.journal[-1].body


def test_members_come_from_options_from_body_and_from_extra(asp: Asp, sandbox: Sandbox) -> None:
    result = asp(
        *("call", CREATE, "--bypass-approval", "true"),
        *("--body", '{"title": "x", "create_as_user_id": null}', "--extra", "prompt=123", "--extra", "count:=3"),
    )
    assert result.exit_code == 0, result.stderr
    assert body(sandbox) == {
        "bypass_approval": True,
        "create_as_user_id": None,
        "title": "x",
        "prompt": "123",
        "count": 3,
    }


def test_an_option_wins_over_the_body(asp: Asp, sandbox: Sandbox) -> None:
    asp("call", CREATE, "--session-links", '["a"]', "--body", '{"session_links": []}')
    assert body(sandbox) == {"session_links": ["a"]}


def test_underscores_are_accepted(asp: Asp, sandbox: Sandbox) -> None:
    asp("call", CREATE, "--child_playbook_id", "p-1")
    assert body(sandbox) == {"child_playbook_id": "p-1"}


def test_a_body_comes_from_a_file_or_from_stdin(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "body.json"
    file.write_text('{"prompt": "of a file"}')
    asp("call", CREATE, "--body", f"@{file}")
    assert body(sandbox) == {"prompt": "of a file"}
    asp("call", CREATE, "--body", "-", input=b'{"prompt": "of stdin"}')
    assert body(sandbox) == {"prompt": "of stdin"}


def test_extra_members_join_a_body_that_is_not_shown(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session()
    result = asp("call", "organization.sessions.send_message", session, "--extra", "message=Go on")
    assert result.exit_code == 0, result.stderr
    assert body(sandbox) == {"message": "Go on"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--body", "{"], "--body is not JSON (line 1, column 2"),
        (["--body", "[1]"], "--body must be a JSON object"),
        (["--body", "@nothing.json"], "--body @nothing.json: No such file or directory"),
        (["--extra", "prompt"], "--extra takes NAME=TEXT or NAME:=JSON, not 'prompt'"),
        (["--extra", "tags:=[a"], "--extra tags is not JSON (line 1, column 2"),
        (["--child-playbook-id", "a", "--extra", "child_playbook_id=b"], "child_playbook_id is given twice"),
        (["--body", "{}", "--timeout", "0"], "'--timeout': '0' is no positive number of seconds"),
    ],
)
def test_what_cannot_be_sent_is_refused_before_it_is(
    asp: Asp, sandbox: Sandbox, words: list[str], message: str
) -> None:
    result = asp("call", CREATE, *words)
    assert (result.exit_code, message in result.stderr, len(sandbox.journal)) == (2, True, 0)


def test_a_required_member_may_be_in_the_body(asp: Asp, sandbox: Sandbox) -> None:
    result = asp("call", "enterprise.reviews.create")
    assert "missing a required argument: 'pr_url'" in result.stderr
    document = json.dumps({"pr_url": "https://git.example.com/acme/shop/pull/7"})
    result = asp("call", "enterprise.reviews.create", "--body", document)
    assert result.exit_code == 0, result.stderr


def test_a_query_parameter_that_the_contract_does_not_name_is_sent(asp: Asp, sandbox: Sandbox) -> None:
    asp("call", "organization.playbooks.list", "--extra-query", "after=c1")
    assert sandbox.journal[-1].query == "after=c1"


def test_a_list_of_values_repeats_its_option(asp: Asp, sandbox: Sandbox) -> None:
    asp("call", "organization.sessions.list", "--origins", "api", "--origins", "slack")
    assert sandbox.journal[-1].query == "origins=api&origins=slack"


def test_a_value_out_of_a_closed_set_is_refused(asp: Asp) -> None:
    result = asp("call", "organization.sessions.list", "--origins", "fax")
    assert (result.exit_code, "'fax' is not one of 'webapp'" in result.stderr) == (2, True)


def test_a_closed_value_with_an_underscore_is_sent_as_it_is(asp: Asp, sandbox: Sandbox) -> None:
    words = ("--name", "n", "--prompt", "p", "--schedule-type", "one_time", "--scheduled-at", "2099-01-01T00:00:00Z")
    result = asp("call", "organization.schedules.create", *words)
    assert result.exit_code == 0, result.stderr
    sent = sandbox.journal[-1].body
    assert (sent["schedule_type"], sent["scheduled_at"]) == ("one_time", "2099-01-01T00:00:00Z")
    assert "organization.schedules.create is deprecated" in result.stderr
