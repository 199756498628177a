"""How a command fails: one sentence and a code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import click
import pytest
from agent_session_platform import errors
from agent_session_platform_cli.errors import ExitCode, exit_code_of, sentence_of
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

LIST = "organization.sessions.list"
GET = "organization.sessions.get"
CREATE = "organization.sessions.create"


@pytest.mark.parametrize(
    ("environment", "code", "message"),
    [
        ({"TOKEN": "svc_wrong_12345"}, 3, f"{LIST}: 401 "),
        ({"TOKEN": "svc_wrong_12345"}, 3, "; `asp doctor` finds out why\n"),
        ({"ORG_ID": "acme"}, 2, "organization must be an id that starts with 'org-', not 'acme'"),
        ({"ORG_ID": None}, 2, "no organization: use --organization or set AGENT_PLATFORM_ORG_ID\n"),
        ({"BASE_URL": None}, 2, "no server: use --base-url or set AGENT_PLATFORM_BASE_URL\n"),
        ({"TOKEN": None}, 3, "no credential: set AGENT_PLATFORM_TOKEN, or AGENT_PLATFORM_TOKEN_FILE to the path of a"),
        ({"BASE_URL": "http://platform.invalid"}, 2, "or set allow_http to true"),
    ],
)
def test_a_setting_that_is_wrong_or_missing_is_one_sentence_that_says_what_to_do(
    asp: Asp, environment: dict[str, str | None], code: int, message: str
) -> None:
    result = asp("call", LIST, **{f"AGENT_PLATFORM_{name}": value for name, value in environment.items()})
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    assert result.stderr.startswith("asp: ")
    assert message in result.stderr
    assert [each for each in ("AgentPlatform(", "svc_wrong_12345") if each in result.stderr] == []


def test_what_stands_after_the_operation_wins(asp: Asp) -> None:
    result = asp("--organization", "acme", "call", LIST, "--organization", "org-acme")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["call", "organization.sessions.lst"], "did you mean 'organization.sessions.list'"),
        (["call", "sessions.list"], "'organization.sessions.list'"),
        (["show", "organization.secrets.creat"], "did you mean 'organization.secrets.create'"),
        (["cal"], "did you mean 'call'?"),
        (["wait", "organization.sesions.get", "assistant-1"], "did you mean 'organization.sessions.get'"),
        (["call", LIST, "--frist", "3"], "--first"),
        (["call", "organization.attachments.upload", "--file", "nothing.bin"], "'nothing.bin' does not exist"),
        (["call", GET, "-abc"], "write -- before an argument that begins with a hyphen"),
        *(
            (words, "there is no folder 'nowhere'")
            for words in (
                ["export", LIST, "nowhere/items.jsonl"],
                ["changes", LIST, "--state", "nowhere/state"],
                ["follow", "organization.audit_logs", "--state", "nowhere/state"],
                ["call", "organization.attachments.download", "a", "b", "--save", "nowhere/file"],
            )
        ),
        *(
            (["call", CREATE, *words], message)
            for words, message in (
                (["--body", "{"], "--body is not JSON: Expecting"),
                (["--save", "x"], "--save"),
                (["--body", "[1]"], "--body must be a JSON object"),
                (["--body", "@nothing.json"], "--body @nothing.json: No such file or directory"),
                (["--extra", "prompt"], "--extra takes NAME=TEXT or NAME:=JSON, not 'prompt'"),
                (["--extra", "tags:=[a"], "--extra tags is not JSON: Expecting"),
                (["--child-playbook-id", "a", "--extra", "child_playbook_id=b"], "child_playbook_id is given twice"),
                (["--timeout", "0"], "'--timeout': 0.0 is not in the range x>0"),
            )
        ),
        *(
            (["wait", GET, "assistant-1", *words], message)
            for words, message in (
                ([], "either --until NAME=VALUE or --changed NAME"),
                (["--until", "title=a", "--changed", "title"], "either --until NAME=VALUE or --changed NAME"),
                (["--until", "status"], "--until takes NAME=VALUE[,VALUE...], such as"),
                (["--until", "=ready"], "--until takes NAME=VALUE[,VALUE...], such as"),
                (["--timeout", "soon"], "'soon' is not a valid seconds"),
                (["--until", "title=a", "--timeout", "inf"], "timeout must be a positive number of seconds, not inf"),
            )
        ),
        *(
            (["call", name, *words], message)
            for name, words, message in (
                (LIST, ["--first", "x"], "'x' is not a valid integer"),
                (LIST, ["--first", "201"], "first must be between 1 and 200, not 201"),
                (LIST, ["--origins", "x"], "'x' is not one of 'webapp'"),
                (LIST, ["--extra", "a=b"], "No such option"),
                ("organization.schedules.create", ["--bypass-approval", "x"], "'x' is not a valid boolean"),
            )
        ),
        (["export", LIST, "x.jsonl", "--chronological"], "--chronological needs --state"),
        (["changes", LIST], "Missing option '--state'"),
        (["call", "enterprise.reviews.create"], "missing a required argument: 'pr_url'"),
        (["permissions"], "Missing argument 'PROGRAM...'"),
        (["permissions", "svc_0123456789"], "there is no file or folder '[a credential, which asp does not show]'"),
        (["permissions", "nothing.py"], "asp: there is no file or folder 'nothing.py'"),
        (["permissions", "--jason", "x.py"], "--jason"),
        (["legacy", "/v1/nothing"], "has no current operation"),
        (["mcp", "--allow", "organization.session.create"], "did you mean 'organization.sessions.create'"),
    ],
)
def test_a_wrong_command_is_refused_with_what_is_meant_and_sends_nothing(
    asp: Asp, sandbox: Sandbox, words: list[str], message: str
) -> None:
    result = asp(*words)
    assert (result.exit_code, result.stdout, message in result.stderr) == (2, "", True), result.stderr
    assert (result.stderr.count("\n"), [*sandbox.journal]) == (1, [])


def test_an_id_that_begins_with_a_hyphen_is_no_option_after_two_of_them(asp: Asp) -> None:
    assert asp("call", GET, "--", "-abc").exit_code == 4


@pytest.mark.parametrize(
    ("words", "fault", "code"),
    [
        ([LIST], {"drop": True}, 8),
        ([GET, "nothing"], {"status": 500}, 9),
        # The message has no advice for Python.
        ([CREATE], {"lose": True}, 7),
    ],
)
def test_a_failure_is_one_sentence_without_a_traceback(
    asp: Asp, sandbox: Sandbox, words: list[str], fault: dict[str, Any], code: int
) -> None:
    sandbox.faults.add(words[0], **fault)
    result = asp("call", *words, "--attempts", "1")
    assert (result.exit_code, result.stderr.count("\n"), "await" in result.stderr) == (code, 1, False)


def test_a_problem_is_json_where_json_was_asked_for(asp: Asp) -> None:
    result = asp("call", GET, "nothing", "-o", "json")
    assert (result.exit_code, result.stdout) == (4, "")
    report = json.loads(result.stderr)
    assert (report["error"], report["status"], report["exit_code"]) == ("NotFoundError", 404, 4)
    assert (report["operation"], report["problem"]["title"]) == (GET, "Not Found")


def test_debug_shows_the_traceback_and_the_log_without_the_credential(asp: Asp, sandbox: Sandbox) -> None:
    # Its prefix is not known.
    token = asp.environment["AGENT_PLATFORM_TOKEN"] = sandbox.personal_token
    sandbox.faults.add(LIST, status=404)
    with asp.start("--debug", "-o", "json", "call", LIST, "--after", token) as process:
        _, errors = process.communicate()
    assert (process.returncode, "Traceback" in errors) == (4, True)
    assert re.search(r"DEBUG agent_session_platform: .*404", errors)
    assert token not in errors


def test_a_missing_permission_names_what_has_the_needs_of_the_operation(asp: Asp, sandbox: Sandbox) -> None:
    result = asp("call", "organization.secrets.list", AGENT_PLATFORM_TOKEN=sandbox.viewer_token)
    assert (result.exit_code, "asp doctor" in result.stderr) == (3, False)
    assert result.stderr.endswith("; `asp show organization.secrets.list` shows the permission that it needs\n")


@pytest.mark.parametrize("words", [[], ["batch"], ["call"], ["profile"]])
def test_without_arguments_a_group_prints_its_help_and_is_a_usage_error(offline: Asp, words: list[str]) -> None:
    result = offline(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: asp")
    assert result.stderr.count("\n") > 10


def test_a_closed_stderr_is_no_reason_to_fail() -> None:
    command = f"'{sys.executable}' -m agent_session_platform_cli operations 2>&-"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert (done.returncode, b"organization.sessions.list" in done.stdout) == (0, True)


def test_a_write_that_may_have_been_carried_out_has_a_code_and_names_no_python() -> None:
    error = errors.ServerError("x", status=503)
    error.mark_unknown("organization.sessions.list", None, was_sent_again=False)
    assert " (`await error.read()`)" in str(error)
    assert "read the state with organization.sessions.list before you repeat it" in sentence_of(error)
    assert exit_code_of(error) == 7


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("the store has no row with the key 'x'; batch.items() yields all rows", "`asp batch unknown`"),
        (
            "row 'x' has changed: give it another key, or pass allow_changed=True to keep what was sent",
            "--allow-changed",
        ),
        ("10 consecutive rows; see batch.unknown(). The latest error: x", "see `asp batch unknown`. The"),
        ("no token: pass AgentPlatform(token=...) or set AGENT_PLATFORM_TOKEN", "no token: set AGENT_PLATFORM_TOKEN"),
        (
            "it is taken from the file '/x' of AgentPlatform(token_file=...) or AGENT_X",
            "token_file of a profile or of AG",
        ),
        ("x; resume with after='c2'", "x"),
        ("with a body of more than 9 bytes; AgentPlatform(max_body=...) sets the limit", "asp has no option"),
        ("x needs a body: give its members as keywords, or all of it as body=", "as options, or all of it as --body"),
        (
            "chronological needs state, and so does max_pages: the state says where",
            "--chronological needs --state, and",
        ),
    ],
)
def test_advice_for_python_becomes_advice_for_a_terminal(message: str, shown: str) -> None:
    found = sentence_of(errors.InvalidArgumentError(message))
    assert shown in found
    assert not re.search(r"\(\)|=\.\.\.|\w=", found)


CODES = {
    1: "AgentPlatform Decode FileTooLarge Paging MissingField Problem",
    2: "BadRequest UnprocessableContent InvalidArgument InvalidOrganization Configuration ClientClosed EventLoop",
    3: "Authentication PermissionDenied CredentialMismatch CredentialUnavailable",
    4: "NotFound",
    5: "Conflict",
    6: "RateLimited",
    7: "OutcomeUnknown",
    8: "Transport ConnectionFailed Certificate DeadlineExceeded PoolTimeout",
    9: "Server",
}
ERRORS = {name for name in vars(errors) if name.endswith("Error") and not name.startswith("_")}


def test_every_error_of_the_sdk_has_its_code() -> None:
    expected = {f"{name}Error": code for code, names in CODES.items() for name in names.split()}
    classes = {name: getattr(errors, name) for name in ERRORS}
    assert {name: exit_code_of(cls.__new__(cls)) for name, cls in classes.items()} == expected


@pytest.mark.parametrize(
    ("error", "code"), [(click.UsageError("x"), 2), (KeyboardInterrupt(), 130), (OSError("x"), 1), (ValueError("x"), 1)]
)
def test_other_errors_have_a_code_as_well(error: BaseException, code: int) -> None:
    assert exit_code_of(error) == code


def test_help_names_every_code(offline: Asp) -> None:
    text = " ".join(offline("--help").stdout.split())
    assert [each for each in ExitCode if f" {each:d} {each.phrase}" not in text] == []
