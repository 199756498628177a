"""The sandbox under control: what it was asked, and what is to go wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ConflictError,
    ConnectionFailedError,
    DecodeError,
    OutcomeUnknownError,
    RateLimitedError,
    RetryPolicy,
    ServerError,
)
from agent_session_platform.sandbox import Call, RefusedError, Reply, Sandbox
from agent_session_platform.sandbox.contract import UnknownOperationError
from agent_session_platform.sandbox.http.faults import Fault
from agent_session_platform.sandbox.time.clock import START

from tests.conftest import QUICK

PR = "https://git.example.com/acme/shop/pull/7"
LIST = "enterprise.blueprints.list"


@pytest.fixture(params=["in process", "tcp"])
async def either(request: pytest.FixtureRequest, sandbox: Sandbox) -> Any:
    """A client that does not try again, in process and over a socket."""
    settings: dict[str, Any] = {"organization": "org-acme", "retry": RetryPolicy.none()}
    if request.param == "in process":
        async with sandbox.client(retry=RetryPolicy.none()) as platform:
            yield platform
        return
    with sandbox.serve() as address:
        async with AgentPlatform(address, sandbox.token, **settings) as platform:
            yield platform


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"status": 503}, ServerError, "503 Service Unavailable"),
        ({"status": 429, "retry_after": 90}, RateLimitedError, "429"),
        ({"status": 500, "body": {"detail": "the disk is full"}}, ServerError, "the disk is full"),
        ({"drop": True}, ConnectionFailedError, "the exchange broke off"),
        ({"truncate": True}, ConnectionFailedError, "the exchange broke off"),
        ({"html": True}, DecodeError, "text/html where JSON should have come"),
        ({"html": True, "status": 502}, ServerError, "502"),
        ({"html": True, "status": 429, "retry_after": 90}, RateLimitedError, "429"),
    ],
)
async def test_a_fault_is_met_once_and_then_all_is_well(
    sandbox: Sandbox, either: AgentPlatform, settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    sandbox.faults.add(LIST, **settings)
    with pytest.raises(error, match=message):
        await either.enterprise.blueprints.list()
    assert (await either.enterprise.blueprints.list()).data == []


async def test_a_write_whose_connection_is_dropped_has_an_unknown_outcome(
    sandbox: Sandbox, either: AgentPlatform
) -> None:
    sandbox.faults.add("enterprise.reviews.create", drop=True)
    with pytest.raises(OutcomeUnknownError):
        await either.enterprise.reviews.create(pr_url=PR)
    assert sandbox.journal[0].status is None


async def test_a_fault_meets_only_its_operation(sandbox: Sandbox, platform: AgentPlatform) -> None:
    fault = sandbox.faults.add("enterprise.reviews.create", status=503)
    await platform.enterprise.blueprints.list()
    assert (fault.met, sandbox.faults.unused) == (0, [fault])


async def test_every_nth_request_meets_a_fault(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=503, times=None, every=3)
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        failed = []
        for number in range(1, 8):
            try:
                await platform.enterprise.blueprints.list()
            except ServerError:
                failed.append(number)
    assert failed == [3, 6]


async def test_the_client_lives_with_the_next_two(sandbox: Sandbox, platform: AgentPlatform) -> None:
    fault = sandbox.faults.add(LIST, status=503, times=2)
    await platform.enterprise.blueprints.list()
    assert (fault.met, sandbox.faults.unused) == (2, [])


async def test_a_latency_alone_changes_no_answer(sandbox: Sandbox, platform: AgentPlatform) -> None:
    sandbox.faults.add(LIST, latency=0.001)
    assert (await platform.enterprise.blueprints.list()).data == []
    assert sandbox.faults.unused == []


def test_a_fault_of_no_operation_is_told(sandbox: Sandbox) -> None:
    message = "there is no operation 'enterprise.blueprint.list'; did you mean 'enterprise.blueprints.list'?"
    for name in (sandbox.faults.add, sandbox.journal.of, sandbox.journal.expect):
        with pytest.raises(UnknownOperationError, match=f"^{re.escape(message)}$"):
            name("enterprise.blueprint.list")


async def test_a_page_of_a_proxy_names_its_status(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=502, html=True)
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        page = await client.get("/v3/enterprise/snapshot-setup/blueprints")
    assert (page.status_code, page.headers["Content-Type"]) == (502, "text/html")
    assert "<title>502 Bad Gateway</title>" in page.text


async def test_a_request_for_the_head_meets_the_fault_of_its_operation(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=503)
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        assert (await client.head("/v3/enterprise/snapshot-setup/blueprints")).status_code == 503
    assert sandbox.journal[0].operation == LIST


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"status": 503, "drop": True},
        {"drop": True, "truncate": True},
        {"drop": True, "html": True},
        {"status": 500, "truncate": True},
        {"status": 200},
        {"status": True},
        {"status": 503.0},
        {"status": "503"},
        {"status": 0},
        {"drop": "yes"},
        {"drop": True, "every": 0},
        {"drop": True, "every": 1.5},
        {"drop": True, "times": 0},
        {"drop": True, "times": True},
        {"latency": float("nan")},
        {"latency": float("inf")},
        {"latency": -1},
        {"latency": "1"},
        {"retry_after": 5},
        {"drop": True, "retry_after": 5},
        {"html": True, "retry_after": 5},
        {"status": 429, "retry_after": "1\r\nX: y"},
        {"status": 429, "retry_after": True},
        {"status": 429, "retry_after": "später"},
        {"body": {"detail": "x"}},
        {"truncate": True, "body": {}},
        {"status": 503, "html": True, "body": {"detail": "x"}},
        {"status": 503, "body": ["x"]},
        {"status": 503, "body": {"at": object()}},
        {"status": 503, "body": {"at": float("nan")}},
    ],
)
def test_a_fault_that_cannot_be_meant_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be|must have|has one of|needs a status"):
        Fault(**settings)


async def test_the_journal_has_every_request_with_what_it_was_answered(sandbox: Sandbox, org: Any) -> None:
    session = await org.sessions.create(assistant_mode="fast", extra_body={"prompt": "Hello"})
    with pytest.raises(Exception, match="404"):
        await org.sessions.get("assistant-9")
    await org.sessions.list(origins=["api"]).first_page()
    assert [str(entry) for entry in sandbox.journal] == [
        "#1 POST /v3/organizations/org-acme/sessions -> 200 (organization.sessions.create)",
        "#2 GET /v3/organizations/org-acme/sessions/assistant-9 -> 404 (organization.sessions.get)",
        "#3 GET /v3/organizations/org-acme/sessions?origins=api -> 200 (organization.sessions.list)",
    ]
    assert sandbox.journal.expect("organization.sessions.create", times=1, prompt="Hello")[0].body == {
        "assistant_mode": "fast",
        "prompt": "Hello",
    }
    assert session.session_id == "assistant-1"


async def test_what_was_expected_and_did_not_come_is_told_with_what_came(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create(extra_body={"prompt": "Hello"})
    with pytest.raises(AssertionError) as caught:
        sandbox.journal.expect("organization.sessions.create", prompt="Bye")
    told = str(caught.value)
    assert (
        "expected organization.sessions.create with {'prompt': 'Bye'} at least once, it was requested 0 times" in told
    )
    assert "#1 POST /v3/organizations/org-acme/sessions -> 200" in told
    assert "{'prompt': 'Hello'}" in told


async def test_the_journal_keeps_no_secret_and_no_credential(sandbox: Sandbox, org: Any) -> None:
    await org.secrets.create(body={"name": "KEY", "type": "key-value", "value": "hunter2", "note": sandbox.token})
    [entry] = sandbox.journal
    assert entry.body == {"name": "KEY", "type": "key-value", "value": "[hidden]", "note": "[hidden]"}
    assert sandbox.token not in repr(entry)


async def test_a_request_that_nothing_serves_is_in_the_journal_too(sandbox: Sandbox, platform: AgentPlatform) -> None:
    with pytest.raises(Exception, match="404"):
        await platform.request("GET", "/v3/nothing")
    assert (sandbox.journal[0].operation, sandbox.journal[0].status) == (None, 404)


async def test_what_an_operation_does_can_be_changed(sandbox: Sandbox, platform: AgentPlatform) -> None:
    def answer(call: Call) -> Reply:
        if call.body["pr_url"] != PR:
            raise RefusedError(409, "it is under review")
        return Reply({"status": "running", "pr_number": 7})

    sandbox.handle("enterprise.reviews.create", answer)
    assert (await platform.enterprise.reviews.create(pr_url=PR)).status == "running"
    with pytest.raises(ConflictError, match="it is under review"):
        await platform.enterprise.reviews.create(pr_url=f"{PR}/x")
    with pytest.raises(KeyError):
        sandbox.handle("enterprise.reviews.creat", answer)


async def test_a_snapshot_brings_everything_back(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create(extra_body={"prompt": "Before"})
    made = await org.attachments.upload(file=b"content")
    sandbox.snapshots.take("before")
    before = sandbox.clock()
    await org.sessions.create(extra_body={"prompt": "After"})
    await org.sessions.archive("assistant-1")
    sandbox.clock.advance(days=1)
    sandbox.snapshots.restore("before")
    assert [session.is_archived async for session in org.sessions.list()] == [False]
    assert await org.attachments.download(made["uuid"], made["name"]).read() == b"content"
    assert sandbox.clock() == before
    # Ids go on from there, too.
    assert (await org.sessions.create()).session_id == "assistant-2"


async def test_a_diff_names_what_came_went_and_changed(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create()
    sandbox.snapshots.take()
    await org.sessions.create()
    await org.sessions.archive("assistant-1")
    diff = sandbox.snapshots.diff()
    assert "sessions/org-acme/assistant-2" in diff["added"]
    assert (diff["removed"], diff["changed"]) == ([], ["sessions/org-acme/assistant-1"])


async def test_numbers_of_the_journal_go_on_after_it_was_cleared(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create()
    sandbox.journal.clear()
    await org.sessions.create()
    assert [entry.number for entry in sandbox.journal] == [2]


async def test_a_handler_that_gives_back_something_else_is_told(sandbox: Sandbox, platform: AgentPlatform) -> None:
    async def answer(call: Call) -> Reply:
        return Reply({})

    handler: Any = answer
    sandbox.handle("enterprise.roles.list", handler)
    with pytest.raises(TypeError, match="list_enterprise_roles must be .* returns a Reply, not coroutine"):
        await platform.enterprise.roles.list()


async def test_a_state_is_saved_and_loaded_elsewhere(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await org.sessions.create(extra_body={"prompt": "Hello"})
    await org.automations.create(body={"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}})
    sandbox.add_credential("svc_mine", permissions={"ViewOrgSessions"})
    sandbox.snapshots.save(tmp_path / "state.json")
    other = Sandbox()
    other.snapshots.load(tmp_path / "state.json")
    async with other.client("svc_mine") as platform:
        assert len(await platform.organization().sessions.list().collect()) == 1
    other.snapshots.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "state.json").read_bytes()


def test_a_file_that_is_no_state_is_told(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("[]")
    with pytest.raises(ValueError, match="is not a state of a sandbox"):
        sandbox.snapshots.load(tmp_path / "state.json")


async def test_a_state_that_is_broken_empties_nothing(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await org.sessions.create()
    (tmp_path / "state.json").write_text('{"version": 1}')
    with pytest.raises(ValueError, match="not a state of a sandbox: the state: 'now' is missing"):
        sandbox.snapshots.load(tmp_path / "state.json")
    assert len(await org.sessions.list().collect()) == 1


async def test_a_status_without_a_phrase_is_a_fault_too(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=520)
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        with pytest.raises(ServerError, match="520 Unknown status"):
            await platform.enterprise.blueprints.list()


def test_a_snapshot_that_there_is_not_is_told(sandbox: Sandbox) -> None:
    with pytest.raises(KeyError, match="^no snapshot 'x'; known: beginning"):
        sandbox.snapshots.restore("x")


async def test_a_reset_is_the_beginning(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create()
    sandbox.faults.add(status=503)
    sandbox.clock.advance(days=3)
    sandbox.reset()
    assert await org.sessions.list().collect() == []
    assert (sandbox.clock(), sandbox.faults.unused, len(sandbox.journal)) == (START, [], 1)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--help"], 0, "usage: asp [-h] SUBCOMMAND"),
        (["--help"], 0, "serve a double of the platform on this machine"),
        ([], 2, "usage: asp [-h] SUBCOMMAND"),
        (["sandbx"], 2, "invalid choice: 'sandbx'"),
        (["sandbox", "--help"], 0, "usage: asp sandbox [-h] [--port PORT]"),
        (["sandbox", "--prot", "1"], 2, "asp sandbox: error: unrecognized arguments: --prot 1"),
    ],
)
def test_the_command_says_what_it_can_do(arguments: list[str], code: int, said: str) -> None:
    command = [sys.executable, "-c", "from agent_session_platform.cli.main import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True)


async def test_a_fault_in_the_sandbox_leaves_the_retry_to_the_client(sandbox: Sandbox) -> None:
    sandbox.faults.add(status=429, retry_after=0, times=3)
    async with sandbox.client(retry=QUICK) as platform:
        await platform.enterprise.blueprints.list()
    assert [entry.status for entry in sandbox.journal] == [429, 429, 429, 200]
