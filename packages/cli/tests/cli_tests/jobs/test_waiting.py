"""`asp wait`, against a sandbox."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from agent_session_platform_cli.jobs import values_by_field
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

QUICK = ("--every", "0.01")


@pytest.mark.parametrize("target", ["organization.sessions", "enterprise.sessions.get", "organization.sessions.get"])
def test_the_object_that_matches_is_printed(asp: Asp, sandbox: Sandbox, target: str) -> None:
    session = sandbox.add_session(title="done")
    result = asp("wait", target, session, "--until", "title=other,done", "-o", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["session_id"] == session


def test_a_table_is_printed_where_that_is_asked_for(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session(title="done")
    result = asp("wait", "organization.sessions", session, "--until", "title=done", "-o", "table")
    assert result.stdout.splitlines()[0].split() == ["session_id", session]


def test_the_values_of_several_fields_must_match_together(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session(title="done")
    both = ("--until", "title=done", "--until", "is_archived=true")
    result = asp("wait", "organization.sessions", session, *both, *QUICK, "--timeout", "0.1")
    assert result.exit_code == 13


def test_another_value_of_a_field_ends_a_wait(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session(title="a")

    def rename() -> None:
        while not [*sandbox.journal]:
            time.sleep(0.001)
        sandbox.update_session(session, title="b")

    with ThreadPoolExecutor() as threads:
        renamed = threads.submit(rename)
        result = asp("wait", "organization.sessions", session, "--changed", "title", *QUICK, "--timeout", "60")
        renamed.result()
    assert (result.exit_code, json.loads(result.stdout)["title"]) == (0, "b")


def test_a_field_that_is_mistyped_is_refused_with_those_that_there_are(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session(title="a")
    result = asp("wait", "organization.sessions", session, "--changed", "titel", *QUICK)
    assert (result.exit_code, "it has session_id" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("--unexpected", "title=a"), 10, "unexpected"),
        (("--stalled-after", "0.02"), 12, "stalled"),
        (("--timeout", "1"), 13, "deadline"),
    ],
)
def test_each_other_end_has_its_exit_code(
    asp: Asp, sandbox: Sandbox, arguments: tuple[str, ...], code: int, reason: str
) -> None:
    session = sandbox.add_session(title="a")
    result = asp("wait", "organization.sessions", session, "--until", "title=b", *QUICK, *arguments)
    assert (result.exit_code, json.loads(result.stdout)["title"]) == (code, "a")
    assert result.stderr.startswith(f"asp: the wait ended without a match: {reason} after ")


def test_an_archived_object_is_gone(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session(title="a")
    assert asp("call", "organization.sessions.archive", session).exit_code == 0
    assert asp("wait", "organization.sessions", session, "--until", "title=b").exit_code == 11


def test_an_object_that_is_not_there_is_not_found(asp: Asp) -> None:
    assert asp("wait", "organization.sessions", "assistant-9", "--until", "title=b").exit_code == 4


def test_a_wait_without_a_single_response_says_why(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session(title="a")
    sandbox.faults.add("organization.sessions.get", latency=5)
    result = asp("wait", "organization.sessions", session, "--until", "title=b", "--timeout", "0.1")
    assert (result.exit_code, result.stdout, "no poll has ended within" in result.stderr) == (13, "", True)


@pytest.mark.parametrize("arguments", [(), ("--until", "status=ready", "--changed", "title")])
def test_a_wait_has_exactly_one_condition(asp: Asp, sandbox: Sandbox, arguments: tuple[str, ...]) -> None:
    result = asp("wait", "organization.sessions", "assistant-1", *arguments)
    assert (result.exit_code, "say what to wait for" in result.stderr, [*sandbox.journal]) == (2, True, [])


def test_the_contract_may_name_the_states_to_wait_for(asp: Asp, sandbox: Sandbox, named_states: None) -> None:
    session = sandbox.add_session(status="question")
    result = asp("wait", "organization.sessions", session)
    assert (result.exit_code, json.loads(result.stdout)["status"]) == (0, "question")
    assert result.stderr == "asp: the wait ended in the state waiting\n"


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
        (["title=a=b"], {"title": ["a=b"]}),
    ],
)
def test_a_value_is_its_text_and_its_json(given: list[str], expected: Any) -> None:
    assert values_by_field(given, "--until") == expected
