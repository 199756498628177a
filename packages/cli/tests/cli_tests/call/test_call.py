"""Calls: what is sent, what is printed, and how a call ends."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.call import command as command_module
from agent_session_platform_cli.settings import Settings
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

CREATE = "organization.sessions.create"
GET = "organization.sessions.get"
LIST = "organization.sessions.list"
ON_WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
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


CONTENT = bytes(range(256)) * 40


@pytest.fixture
def uploaded(asp: Asp, tmp_path: Path) -> list[str]:
    """Upload a file, and return the arguments that download it."""
    file = tmp_path / "report.bin"
    file.write_bytes(CONTENT)
    result = asp("call", "organization.attachments.upload", "--file", str(file), "-o", "json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    return ["call", "organization.attachments.download", found["uuid"], found["name"]]


def test_a_file_is_saved_or_goes_to_stdout(asp: Asp, uploaded: list[str], tmp_path: Path) -> None:
    target = tmp_path / "saved.bin"
    result = asp(*uploaded, "--save", str(target))
    assert (result.exit_code, result.stdout, target.read_bytes()) == (0, "", CONTENT)
    assert result.stderr == f"asp: {len(CONTENT)} bytes in {target}\n"
    assert asp(*uploaded).stdout_bytes == CONTENT


def test_a_file_is_not_written_to_a_terminal(asp: Asp, uploaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True)
    result = asp(*uploaded)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "use --save FILE, or redirect the output" in result.stderr


def test_a_file_that_is_not_there_is_a_wrong_use(asp: Asp) -> None:
    result = asp("call", "organization.attachments.upload", "--file", "nothing.bin")
    assert (result.exit_code, "'nothing.bin' does not exist" in result.stderr) == (2, True)


# Seconds that a process may take until it has sent its request, on a busy machine.
PATIENCE = 90


def stopped(asp: Asp, sandbox: Sandbox, *words: str) -> tuple[int, str]:
    """Interrupt a call while the sandbox has its request; return its exit code and what it wrote to stderr."""
    fault = sandbox.faults.add(words[0], latency=PATIENCE, times=1)
    with asp.start("call", *words) as process:
        end = time.monotonic() + PATIENCE
        while fault.unused:
            assert time.monotonic() < end, "the request did not come"
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    # An empty line ends that of the ^C, which a terminal shows.
    return process.returncode, errors.strip()


@ON_WINDOWS
def test_a_write_says_that_its_outcome_is_unknown(asp: Asp, sandbox: Sandbox) -> None:
    code, errors = stopped(asp, sandbox, CREATE)
    assert (code, errors.count("\n")) == (130, 0)
    assert errors.startswith(f"asp: stopped: {CREATE} may have been carried out, or not; read the state")


@ON_WINDOWS
def test_a_read_says_nothing(asp: Asp, sandbox: Sandbox) -> None:
    assert stopped(asp, sandbox, GET, "x") == (130, "")


@ON_WINDOWS
def test_reading_a_body_from_a_terminal_is_ended(asp: Asp) -> None:
    """In the event loop it would be ended by a second Ctrl-C only."""
    terminal, other = os.openpty()
    with asp.start("call", CREATE, "--body", "-", stdin=other) as process:
        os.close(other)
        assert process.stderr is not None
        assert process.stderr.readline() == "asp: type the body, and end it with Ctrl-D on a line of its own\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    os.close(terminal)
    assert process.returncode == 130


def items_of(text: str) -> list[str]:
    """Return the ids in the output of a list: an array, or lines of JSON."""
    found = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    return [each["session_id"] for each in found]


@pytest.mark.parametrize("output", ["jsonl", "json"])
def test_ctrl_c_leaves_the_command_that_prints_the_rest(asp: Asp, sandbox: Sandbox, output: str) -> None:
    ids = [sandbox.add_session() for _ in range(25)]
    sandbox.faults.add(LIST, latency=5, every=2)
    with asp.start("call", LIST, "--first", "10", "--limit=24", "-o", output) as process:
        assert process.stdout is not None
        before = "".join(process.stdout.readline() for _ in range(10))
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()
    assert process.returncode == 130
    message, _, command = errors.strip().rpartition("continue with: asp ")
    assert message.strip() == "asp: stopped after 10 items;"
    result = asp(*shlex.split(command))
    assert result.exit_code == 0, result.stderr
    # An array is closed, so that what was printed can be read.
    assert items_of(before + rest) + items_of(result.stdout) == ids[:24]


def test_an_error_in_the_middle_leaves_the_command_as_well(asp: Asp, sandbox: Sandbox) -> None:
    for _ in range(15):
        sandbox.add_session()
    sandbox.faults.add(LIST, status=500, every=2)
    result = asp("call", LIST, "--first", "10", "--attempts", "1")
    assert (result.exit_code, len(result.stdout.splitlines())) == (9, 10)
    assert f"continue with: asp call {LIST} --first 10 --attempts 1 --after " in result.stderr


@pytest.mark.parametrize("words", [["call", LIST], ["operations"], ["permissions", __file__, "--json"], ["show", LIST]])
def test_a_reader_that_wants_no_more_is_no_failure(asp: Asp, sandbox: Sandbox, words: list[str]) -> None:
    for _ in range(300):
        sandbox.add_session(title="x" * 1000)
    with asp.start(*words) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_limit_within_a_page_sends_one_request(asp: Asp, sandbox: Sandbox) -> None:
    for _ in range(30):
        sandbox.add_session()
    assert len(asp("call", LIST, "--first", "10", "--limit", "10").stdout.splitlines()) == 10
    assert len(sandbox.journal) == 1


@pytest.mark.parametrize("output", ["jsonl", "json", "csv", "table"])
def test_memory_does_not_grow_with_the_list(output: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The caches of the libraries are full after some pages; the rest needs no more memory."""
    pages, peaks = 120, list[int]()

    def respond(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get("after", "0"))
        if number in (80, pages - 1):
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.reset_peak()
        items: Any = [{"session_id": f"s-{number}-{each}", "title": "x" * 100} for each in range(200)]
        more = number + 1 < pages
        page = {"items": items, "has_next_page": more, "end_cursor": str(number + 1) if more else None}
        return httpx.Response(200, json=page)

    transport = httpx.MockTransport(respond)
    client = AgentPlatform("https://e.example", "svc_x", organization="org-acme", transport=transport)
    monkeypatch.setattr(command_module, "connect", lambda settings: client)
    command: Any = command_module.call_command.get_command(Any, LIST)
    with open(tmp_path / "out", "w", encoding="utf-8") as sink:
        monkeypatch.setattr(sys, "stdout", sink)
        tracemalloc.start()
        try:
            command.main([], standalone_mode=False, obj=Settings(output=output))
        finally:
            tracemalloc.stop()
    # The items of the pages between would take some megabytes.
    assert peaks[1] < peaks[0] + 1_000_000
    assert (tmp_path / "out").stat().st_size > pages * 200 * 20
