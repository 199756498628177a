"""How a command fails: one sentence and a code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from agent_session_platform_cli.errors import WORDS
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

LIST = "organization.sessions.list"
GET = "organization.sessions.get"


def test_a_wrong_token_is_one_sentence(asp: Asp) -> None:
    result = asp("call", LIST, AGENT_PLATFORM_TOKEN="svc_wrong")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"asp: {LIST}: 401 ")
    assert result.stderr.count("\n") == 1
    assert "svc_wrong" not in result.stderr


def test_a_wrong_organization_is_named(asp: Asp) -> None:
    result = asp("call", "--organization", "acme", LIST)
    assert result.exit_code == 2
    assert "organization must be an id that starts with 'org-', not 'acme'" in result.stderr


def test_what_stands_after_the_operation_wins(asp: Asp) -> None:
    result = asp("--organization", "acme", "call", LIST, "--organization", "org-acme")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("missing", "code", "message"),
    [
        ("AGENT_PLATFORM_BASE_URL", 2, "asp: no server: use --base-url or set AGENT_PLATFORM_BASE_URL\n"),
        ("AGENT_PLATFORM_ORG_ID", 2, "asp: no organization: use --organization or set AGENT_PLATFORM_ORG_ID\n"),
        (
            "AGENT_PLATFORM_TOKEN",
            3,
            "asp: no credential: set AGENT_PLATFORM_TOKEN, or AGENT_PLATFORM_TOKEN_FILE to the path of a file with "
            "it; `asp doctor` finds out why\n",
        ),
    ],
)
def test_a_missing_setting_says_how_to_give_it(asp: Asp, missing: str, code: int, message: str) -> None:
    result = asp("call", LIST, **{missing: None})
    assert (result.exit_code, result.stderr) == (code, message)


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (["call", "organization.sessions.lst"], "did you mean 'organization.sessions.list'"),
        (["call", "sessions.list"], "'organization.sessions.list'"),
        (["show", "organization.secrets.creat"], "did you mean 'organization.secrets.create'"),
        (["cal"], "did you mean 'call'?"),
        (["call", LIST, "--frist", "3"], "--first"),
    ],
)
def test_a_typo_gets_the_nearest_names(offline: Asp, words: list[str], nearest: str) -> None:
    result = offline(*words)
    assert (result.exit_code, nearest in result.stderr, result.stderr.count("\n")) == (2, True, 1)


def test_a_dead_server_is_a_failure_of_the_network(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, drop=True)
    result = asp("call", LIST, "--attempts", "1")
    assert (result.exit_code, result.stderr.count("\n")) == (8, 1)


def test_a_write_that_broke_off_has_a_code_of_its_own(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.faults.add("organization.sessions.create", lose=True)
    assert asp("call", "organization.sessions.create").exit_code == 7


def test_a_problem_is_json_where_json_was_asked_for(asp: Asp) -> None:
    result = asp("call", GET, "nothing", "-o", "json")
    assert (result.exit_code, result.stdout) == (4, "")
    report = json.loads(result.stderr)
    assert (report["error"], report["status"], report["exit_code"]) == ("NotFoundError", 404, 4)
    assert (report["operation"], report["problem"]["title"]) == (GET, "Not Found")


def test_debug_shows_the_traceback_and_the_log(asp: Asp) -> None:
    result = asp("call", GET, "nothing", "--debug", AGENT_PLATFORM_LOG=None)
    assert "Traceback (most recent call last)" in result.stderr
    assert asp.environment["AGENT_PLATFORM_TOKEN"] not in result.stderr


def test_without_debug_there_is_no_traceback(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.faults.add(GET, status=500)
    result = asp("call", GET, "nothing", "--attempts", "1")
    assert (result.exit_code, "Traceback" in result.stderr) == (9, False)


def test_what_the_doctor_can_examine_names_it(asp: Asp) -> None:
    assert "; `asp doctor` finds out why\n" in asp("call", LIST, AGENT_PLATFORM_TOKEN="svc_wrong").stderr


def test_a_missing_permission_names_what_has_the_needs_of_the_operation(asp: Asp, sandbox: Sandbox) -> None:
    result = asp("call", "organization.secrets.list", AGENT_PLATFORM_TOKEN=sandbox.viewer_token)
    assert (result.exit_code, "asp doctor" in result.stderr) == (3, False)
    assert result.stderr.endswith("; `asp show organization.secrets.list` has what it needs\n")


@pytest.mark.parametrize("words", [[], ["batch"], ["call"], ["profile"]])
def test_without_arguments_a_group_prints_its_help_and_is_a_usage_error(offline: Asp, words: list[str]) -> None:
    result = offline(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: asp")
    assert result.stderr.count("\n") > 10


def test_an_id_that_begins_with_a_hyphen_is_no_option_after_two_of_them(asp: Asp) -> None:
    result = asp("call", GET, "-abc")
    assert (result.exit_code, "begins with a hyphen comes after --" in result.stderr) == (2, True)
    assert asp("call", GET, "--", "-abc").exit_code == 4


def test_http_without_a_permission_says_what_to_write_into_a_profile(offline: Asp) -> None:
    result = offline("--base-url", "http://platform.invalid", "call", LIST, AGENT_PLATFORM_TOKEN="svc_a")
    assert (result.exit_code, "write allow_http = true into a profile" in result.stderr) == (2, True)
    assert "AgentPlatform(" not in result.stderr


@pytest.mark.parametrize("words", [["operations", "zzz"], ["gaps", "zzz"]])
def test_a_word_that_nothing_has_is_said(offline: Asp, words: list[str]) -> None:
    result = offline(*words)
    assert (result.exit_code, result.stdout, "has 'zzz'" in result.stderr) == (0, "", True)


@pytest.mark.parametrize(
    "words",
    [
        ["export", LIST, "nowhere/items.jsonl"],
        ["changes", LIST, "--state", "nowhere/state"],
        ["follow", "organization.audit_logs", "--state", "nowhere/state"],
        ["call", "organization.attachments.download", "a", "b", "--save", "nowhere/file"],
    ],
)
def test_a_file_in_a_folder_that_is_not_there_is_refused_before_anything_is_sent(
    offline: Asp, words: list[str]
) -> None:
    result = offline(*words)
    assert (result.exit_code, "there is no folder 'nowhere'" in result.stderr) == (2, True)


def test_a_closed_stdout_is_no_reason_to_fail() -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m agent_session_platform_cli operations >&-", shell=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", WORDS)
def test_what_is_said_in_other_words_is_still_said_by_the_sdk(words: str, root: Path) -> None:
    sources = [path for package in ("overlay", "packages/jobs/src") for path in (root / package).rglob("*.py")]
    # A message may be written as several literals, one after the other.
    texts = (re.sub(r'"\s+f?"', "", path.read_text(encoding="utf-8")) for path in sources)
    assert any(words in text for text in texts)


def test_a_write_of_unknown_outcome_names_no_python(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.faults.add("organization.sessions.create", lose=True)
    assert "await" not in asp("call", "organization.sessions.create").stderr
