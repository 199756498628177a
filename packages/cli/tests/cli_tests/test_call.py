"""Calls: what is sent, what is printed, and how a call ends."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, Operation, RetryPolicy, operations, to_json
from agent_session_platform_cli.call import command as command_module
from agent_session_platform_cli.call.parameters import bind
from agent_session_platform_cli.contract import OperationContract
from agent_session_platform_cli.settings import Settings
from agent_session_platform_sandbox import Sandbox
from click.testing import Result

from cli_tests.conftest import Asp
from tests.contract.every_operation import arguments, call
from tests.contract.prepared_sandbox import bodies, given, token_for

CREATE = "organization.sessions.create"
GET = "organization.sessions.get"
LIST = "organization.sessions.list"
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
SEND = "organization.sessions.send_message"
SCHEDULE, TIME = "organization.schedules.create", "2099-01-01T00:00:00Z"
SCHEDULED = {"name": "n", "prompt": "p", "schedule_type": "one_time", "scheduled_at": TIME}
PULL = {"pr_url": "https://git.example.com/acme/shop/pull/7"}
BODY = '{"title": "x", "create_as_user_id": null}'


@pytest.mark.parametrize(
    ("words", "body"),
    [
        (
            [CREATE, "--bypass-approval", "true", "--body", BODY, "--extra", "prompt=123", "--extra", "count:=3"],
            {"bypass_approval": True, "create_as_user_id": None, "title": "x", "prompt": "123", "count": 3},
        ),
        ([CREATE, "--session-links", '["a"]', "--body", '{"session_links": []}'], {"session_links": ["a"]}),
        ([CREATE, "--child_playbook_id", "p-1"], {"child_playbook_id": "p-1"}),
        ([CREATE, "--body", "@FILE"], {"prompt": "of a file"}),
        ([CREATE, "--body", "-"], {"prompt": "of stdin"}),
        # The body is not shown; one of these bodies has a required member.
        ([SEND, "SESSION", "--body", '{"a": 1}', "--extra", "message=x"], {"a": 1, "message": "x"}),
        (["enterprise.reviews.create", "--body", json.dumps(PULL)], PULL),
        # This value has an underscore, which is not an option name.
        ([SCHEDULE, "--name=n", "--prompt=p", "--schedule-type=one_time", f"--scheduled-at={TIME}"], SCHEDULED),
    ],
)
def test_members_come_from_options_from_body_and_from_extra(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, words: list[str], body: object
) -> None:
    file = tmp_path / "body.json"
    file.write_text('{"prompt": "of a file"}')
    words = [each.replace("FILE", str(file)).replace("SESSION", sandbox.add_session()) for each in words]
    result = asp("call", *words, input=b'{"prompt": "of stdin"}')
    assert result.exit_code == 0, result.stderr
    assert sandbox.journal[-1].body == body


def test_the_query_has_repeated_values_and_what_the_contract_does_not_name(asp: Asp, sandbox: Sandbox) -> None:
    asp("call", LIST, "--origins", "api", "--origins", "slack", "--extra-query", "x=c1")
    assert sandbox.journal[-1].query == "origins=api&origins=slack&x=c1"


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


# Seconds until a process has sent its request, on a busy machine.
PATIENCE = 90


def stopped(asp: Asp, sandbox: Sandbox, *words: str) -> tuple[int, str]:
    """Interrupt a call while the sandbox handles its request. Return the exit code and stderr."""
    fault = sandbox.faults.add(words[0], latency=PATIENCE, times=1)
    with asp.start("call", *words) as process:
        end = time.monotonic() + PATIENCE
        while fault.unused:
            assert time.monotonic() < end, "the request did not come"
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    # A terminal shows ^C, so an empty line comes first.
    return process.returncode, errors.strip()


@not_on_windows
def test_a_write_says_that_its_outcome_is_unknown(asp: Asp, sandbox: Sandbox) -> None:
    code, errors = stopped(asp, sandbox, CREATE)
    assert (code, errors.count("\n")) == (130, 0)
    assert errors.startswith(f"asp: stopped: {CREATE} may have been carried out; read the state")


@not_on_windows
def test_a_read_says_nothing(asp: Asp, sandbox: Sandbox) -> None:
    assert stopped(asp, sandbox, GET, "x") == (130, "")


@not_on_windows
def test_reading_a_body_from_a_terminal_is_ended(asp: Asp) -> None:
    """In the event loop only a second Ctrl-C would end it."""
    terminal, other = os.openpty()
    with asp.start("call", CREATE, "--body", "-", stdin=other) as process:
        os.close(other)
        assert process.stderr is not None
        assert process.stderr.readline() == "asp: type the body, then press Enter and Ctrl-D\n"
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
    # The array is closed, so that the output is valid JSON.
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
    """After some pages the caches of the libraries are full, and memory does not grow any more."""
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
    # The items of the other pages would need some megabytes.
    assert peaks[1] < peaks[0] + 1_000_000
    assert (tmp_path / "out").stat().st_size > pages * 200 * 20


EVIL = "a  b\x1b[2J\x9b31m\u202e\nc'"


@pytest.fixture
def answered(offline: Asp, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that runs a command. Its requests get the given responses."""

    def run(words: list[str], *responses: httpx.Response) -> Result:
        left = iter(responses)
        transport = httpx.MockTransport(lambda request: next(left))
        client = AgentPlatform("https://e.example", "svc_x", organization="org-acme", transport=transport)
        monkeypatch.setattr(command_module, "connect", lambda settings: client)
        return offline("call", *words, "--attempts", "1")

    return run


def page(**more: Any) -> httpx.Response:
    return httpx.Response(200, json={"items": [{"session_id": "a"}], "has_next_page": True, "end_cursor": EVIL} | more)


def problem(status: int = 500) -> httpx.Response:
    content = json.dumps({"title": EVIL, "detail": EVIL})
    return httpx.Response(status, content=content, headers={"content-type": "application/problem+json"})


def is_safe(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def test_the_command_that_continues_shows_no_control_and_has_the_cursor(answered: Any) -> None:
    result = answered(["organization.sessions.list"], page(), problem())
    assert is_safe(result.stderr)
    command = result.stderr.splitlines()[0].rpartition("continue with: asp ")[2]
    asked = subprocess.run(["bash", "-c", f"printf '%s|' {command}"], capture_output=True, text=True, check=True).stdout
    assert EVIL in asked.split("|")


def test_a_cursor_with_a_credential_is_not_shown(answered: Any) -> None:
    errors = answered(["organization.sessions.list"], page(end_cursor="a-svc_0123456789"), problem()).stderr
    assert [each for each in ("svc_0123456789", "continue with") if each in errors] == []


def test_an_error_in_json_is_one_document_without_controls(answered: Any) -> None:
    assert is_safe(answered(["organization.sessions.list", "--debug"], problem()).stderr)
    result = answered(["organization.sessions.list", "-o", "json"], page(), problem())
    assert is_safe(result.stderr)
    report = json.loads(result.stderr)
    assert report["problem"]["detail"] == EVIL
    assert report["continue_with"].startswith("asp ")


def test_a_deprecation_is_said_but_not_where_json_was_asked_for(answered: Any) -> None:
    words = [SCHEDULE, "--name=n", "--prompt=p"]
    assert json.loads(answered([*words, "-o", "json"], problem(404)).stderr)["status"] == 404
    assert answered(words, problem(404)).stderr.startswith(f"asp: {SCHEDULE} is deprecated")


@pytest.mark.parametrize("output", ["json", "jsonl", "table", "csv"])
@pytest.mark.parametrize("title", [rb'"\ud800"', b"1e999", b'["\x9b"]', rb'{"\udfff": -1e999}'])
def test_a_value_that_json_cannot_write_is_printed(answered: Any, title: bytes, output: str) -> None:
    content = b'{"items": [{"title": ' + title.replace(b"\x9b", "\x9b".encode()) + b'}], "has_next_page": false}'
    response = httpx.Response(200, content=content, headers={"content-type": "application/json"})
    result = answered(["organization.sessions.list", "-o", output], response)
    assert result.exit_code == 0, result.stderr
    assert is_safe(result.stdout)
    if output == "json":
        json.loads(result.stdout, parse_constant=pytest.fail)


OPERATIONS = sorted(operations, key=str)


def words_of(operation: Operation, path: list[Any], named: dict[str, Any], tmp_path: Path) -> list[str]:
    """Return the words of the command line for the arguments of the facade."""
    options = {each.parameter.argument_name: each for each in bind(operation, OperationContract(operation))}
    words = [str(value) for value in path]
    for name, value in named.items():
        if name == "body":
            words += ["--body", json.dumps(to_json(value))]
        elif isinstance(value, bytes):
            file = tmp_path / "file"
            file.write_bytes(value)
            words += [options[name].option, str(file)]
        else:
            for each in value if isinstance(value, list) else [value]:
                words += [options[name].option, each if isinstance(each, str) else json.dumps(to_json(each))]
    return words


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_has_the_same_result_as_through_the_facade(
    asp: Asp, sandbox: Sandbox, operation: Operation, tmp_path: Path
) -> None:
    other = Sandbox()
    made = asyncio.run(given(other, operation))
    assert asyncio.run(given(sandbox, operation)) == made
    # An optional body is given, too, so that both requests have one.
    overrides = made | bodies(operation)
    path, named = arguments(operation, **overrides)

    async def through_the_facade() -> Any:
        async with other.client(token_for(other, operation), retry=RetryPolicy.none()) as platform:
            result = await call(platform, operation, **overrides)
            return result if isinstance(result, bytes) else to_json(result.items if operation.paginated else result)

    words = words_of(operation, path, named, tmp_path)
    result = asp("-o", "json", "call", operation.name, *words, AGENT_PLATFORM_TOKEN=token_for(sandbox, operation))
    expected = asyncio.run(through_the_facade())
    assert result.exit_code == 0, result.stderr
    assert (result.stdout_bytes if isinstance(expected, bytes) else json.loads(result.stdout)) == expected
    assert sent(sandbox) == sent(other)


def sent(sandbox: Sandbox) -> tuple[Any, ...]:
    """Return the last request to the sandbox."""
    last = sandbox.journal[-1]
    return last.method, last.path, last.query, last.body, last.status


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_help_of_an_operation_fits_a_screen(offline: Asp, operation: Operation) -> None:
    lines = offline("call", operation.name, "--help").stdout.splitlines()
    assert len(lines) <= 40
    assert max(len(line) for line in lines if not line.startswith("  asp call")) <= 80
    assert any(line.startswith(f"  asp call {operation.name}") for line in lines)


def test_descriptions_values_and_defaults_are_found_behind_references() -> None:
    contract = OperationContract(operations["organization.schedules.create"])
    facts = contract.facts("schedule_type", "body")
    assert facts.description.startswith("Whether the schedule recurs")
    assert (facts.values, facts.default) == (("recurring", "one_time"), "recurring")
    assert contract.facts("tags", "body").items == "string"


def test_a_parameter_named_like_an_option_of_asp_gets_its_place_before_its_name() -> None:
    operation = operations["organization.sessions.list"]
    bound = bind(operation, OperationContract(operation), frozenset({"first"}))
    assert [each.option for each in bound] == ["--query-first", "--after", "--origins"]


def test_an_open_list_that_has_more_pages_names_the_command_for_the_next(answered: Any) -> None:
    result = answered(["organization.playbooks.list"], page(end_cursor="c1"))
    assert json.loads(result.stdout)["end_cursor"] == "c1"
    assert result.stderr.startswith("asp: the server has more pages; continue with: asp call ")
    assert "--extra-query after=c1" in result.stderr
