"""Options of the command line as arguments of a call."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

CREATE = "organization.sessions.create"
BODY = '{"title": "x", "create_as_user_id": null}'


@pytest.mark.parametrize(
    ("words", "body"),
    [
        (
            ["--bypass-approval", "true", "--body", BODY, "--extra", "prompt=123", "--extra", "count:=3"],
            {"bypass_approval": True, "create_as_user_id": None, "title": "x", "prompt": "123", "count": 3},
        ),
        (["--session-links", '["a"]', "--body", '{"session_links": []}'], {"session_links": ["a"]}),
        (["--child_playbook_id", "p-1"], {"child_playbook_id": "p-1"}),
        (["--body", "@FILE"], {"prompt": "of a file"}),
        (["--body", "-"], {"prompt": "of stdin"}),
    ],
)
def test_members_come_from_options_from_body_and_from_extra(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, words: list[str], body: object
) -> None:
    file = tmp_path / "body.json"
    file.write_text('{"prompt": "of a file"}')
    words = [each.replace("FILE", str(file)) for each in words]
    result = asp("call", CREATE, *words, input=b'{"prompt": "of stdin"}')
    assert result.exit_code == 0, result.stderr
    assert sandbox.journal[-1].body == body


def test_extra_members_join_a_body_that_is_not_shown(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session()
    words = ("--body", '{"a": 1}', "--extra", "message=Go on")
    result = asp("call", "organization.sessions.send_message", session, *words)
    assert result.exit_code == 0, result.stderr
    assert sandbox.journal[-1].body == {"a": 1, "message": "Go on"}


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
        (["--assistant-mode", "slow"], "'slow' is not one of 'normal'"),
    ],
)
def test_what_cannot_be_sent_is_refused_before_it_is(
    asp: Asp, sandbox: Sandbox, words: list[str], message: str
) -> None:
    result = asp("call", CREATE, *words)
    assert (result.exit_code, message in result.stderr, len(sandbox.journal)) == (2, True, 0)


def test_a_required_member_may_be_in_the_body(asp: Asp) -> None:
    result = asp("call", "enterprise.reviews.create")
    assert (result.exit_code, "missing a required argument: 'pr_url'" in result.stderr) == (2, True)
    document = '{"pr_url": "https://git.example.com/acme/shop/pull/7"}'
    result = asp("call", "enterprise.reviews.create", "--body", document)
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    ("words", "query"),
    [
        (["organization.playbooks.list", "--extra-query", "after=c1"], "after=c1"),
        (["organization.sessions.list", "--origins", "api", "--origins", "slack"], "origins=api&origins=slack"),
    ],
)
def test_the_query_has_repeated_values_and_what_the_contract_does_not_name(
    asp: Asp, sandbox: Sandbox, words: list[str], query: str
) -> None:
    asp("call", *words)
    assert sandbox.journal[-1].query == query


def test_a_closed_value_with_an_underscore_is_sent_as_it_is(asp: Asp, sandbox: Sandbox) -> None:
    words = ("--name", "n", "--prompt", "p", "--schedule-type", "one_time", "--scheduled-at", "2099-01-01T00:00:00Z")
    result = asp("call", "organization.schedules.create", *words)
    assert result.exit_code == 0, result.stderr
    sent = sandbox.journal[-1].body
    assert (sent["schedule_type"], sent["scheduled_at"]) == ("one_time", "2099-01-01T00:00:00Z")
    assert "organization.schedules.create is deprecated" in result.stderr
