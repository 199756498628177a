"""Tests of the programs in this folder, with the fixtures of the sandbox: each runs against a scripted assistant."""

from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path

import alert_to_session
import chat_bridge
import httpx
import issue_to_pull_request
import nightly_job
import pytest
import questions_back
import release_notes
import review_bot
import side_by_side
import survive_a_restart
import web_form
from agent_session_platform import AgentPlatform, OrganizationScope
from agent_session_platform_sandbox import Sandbox, SentMessage, Turn

FOLDER = Path(__file__).parent
PULL_REQUEST = {"pr_url": "https://git.example.com/acme/shop/pull/7", "pr_state": "open"}
READY = {"status": "ready", "status_detail": "finished", "pull_requests": [PULL_REQUEST]}


@pytest.fixture(autouse=True)
def script(agent_platform_sandbox: Sandbox) -> None:
    """Let the assistant finish each task at once."""

    def respond(message: SentMessage) -> list[Turn]:
        if "docs" in message.text:
            return [Turn("Also the changelog?", fields={"status_detail": "question"})]
        return [Turn("On it."), Turn(f"Done: {message.text}", fields=READY)]

    agent_platform_sandbox.on_message(respond)


@pytest.fixture
async def platform(agent_platform_factory: Callable[..., AgentPlatform]) -> AsyncGenerator[AgentPlatform]:
    async with agent_platform_factory() as platform:
        yield platform


@pytest.fixture
def org(platform: AgentPlatform) -> OrganizationScope:
    return platform.organization()


@pytest.fixture
def environment(agent_platform_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Serve the sandbox, and name it in the environment."""
    with agent_platform_sandbox.serve() as base_url:
        monkeypatch.setenv("AGENT_PLATFORM_BASE_URL", base_url)
        monkeypatch.setenv("AGENT_PLATFORM_TOKEN", agent_platform_sandbox.token)
        monkeypatch.setenv("AGENT_PLATFORM_ORG_ID", "org-acme")
        yield


async def test_an_issue_becomes_a_pull_request(environment: None) -> None:
    assert await issue_to_pull_request.main("Login fails", "With an empty name.") == [PULL_REQUEST["pr_url"]]


async def test_an_alert_is_investigated(platform: AgentPlatform) -> None:
    told: list[str] = []

    async def notify(text: str) -> None:
        told.append(text)

    transport = httpx.ASGITransport(alert_to_session.make_app(platform, notify))
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as monitor:
        response = await monitor.post("/alerts", params={"alert": "Disk full"})
    assert response.status_code == 202
    assert told == ["Disk full: On it.\n\nDone: Find the cause: Disk full (assistant-1)"]


async def test_a_verdict_is_read(org: OrganizationScope, agent_platform_sandbox: Sandbox) -> None:
    output = {"decision": "approve", "remarks": ["Good tests"]}
    fields = {"status": "ready", "structured_output": output}
    agent_platform_sandbox.on_message(lambda message: [Turn("Reviewed.", fields=fields)])
    verdict = await review_bot.review(org, "https://git.example.com/acme/shop/pull/7")
    assert (verdict.decision, verdict.remarks) == ("approve", ["Good tests"])


async def test_a_verdict_of_another_shape_is_named(org: OrganizationScope, agent_platform_sandbox: Sandbox) -> None:
    fields = {"status": "ready", "structured_output": {"decision": "maybe", "remarks": ["?"]}}
    agent_platform_sandbox.on_message(lambda message: [Turn("Reviewed.", fields=fields)])
    with pytest.raises(RuntimeError, match="decision"):
        await review_bot.review(org, "https://git.example.com/acme/shop/pull/7")


@pytest.mark.parametrize(("status", "code"), [("ready", 0), ("failed", 1)])
async def test_a_job_ends_with_an_exit_code(
    environment: None, agent_platform_sandbox: Sandbox, status: str, code: int
) -> None:
    agent_platform_sandbox.on_message(lambda message: [Turn("Ended.", fields={"status": status})])
    assert await nightly_job.main() == code


async def test_a_form_is_answered(platform: AgentPlatform) -> None:
    transport = httpx.ASGITransport(web_form.make_app(platform))
    async with httpx.AsyncClient(transport=transport, base_url="http://form") as browser:
        response = await browser.post("/ask", data={"question": "Why?"})
    assert response.text == "On it.\n\nDone: Why?"


async def test_a_thread_is_a_session(org: OrganizationScope) -> None:
    posted: list[tuple[str, str]] = []

    async def post(thread: str, text: str) -> None:
        posted.append((thread, text))

    bridge = chat_bridge.Bridge(org, post)
    await bridge.receive("thread-1", "Fix it")
    await bridge.receive("thread-1", "And the tests")
    assert posted == [
        ("thread-1", "On it."),
        ("thread-1", "Done: Fix it"),
        ("thread-1", "On it."),
        ("thread-1", "Done: And the tests"),
    ]


async def test_notes_are_written(org: OrganizationScope, tmp_path: Path) -> None:
    assert await release_notes.write_notes(org, "2.1", tmp_path / "notes.md")
    assert (tmp_path / "notes.md").read_text() == "On it.\n\nDone: Write the notes of 2.1."


async def test_the_assistant_may_ask_back(environment: None) -> None:
    typed = iter(["Write the docs", "No"])
    assert await questions_back.main(lambda question: next(typed)) == "done: On it.\n\nDone: No"


async def test_a_restart_sends_nothing_again(
    org: OrganizationScope, agent_platform_sandbox: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "turn.json"
    first = await survive_a_restart.ask_once(org, "Fix it", file)
    second = await survive_a_restart.ask_once(org, "Fix it", file)
    assert (first.session_id, first.text) == (second.session_id, second.text)
    agent_platform_sandbox.journal.expect("organization.sessions.create", times=1)


async def test_many_tasks_run_side_by_side(org: OrganizationScope) -> None:
    outcomes = await side_by_side.upgrade(org, ["shop", "search", "mail"], at_once=2)
    assert outcomes["mail"] == "done: On it.\n\nDone: Upgrade mail to Python 3.13."


def test_each_program_is_short() -> None:
    programs = [file for file in FOLDER.glob("*.py") if file.name not in (Path(__file__).name, "deployment.py")]
    assert len(programs) == 10
    for file in programs:
        lines = [line for line in file.read_text().splitlines() if line.strip()]
        assert len(lines) < 25, file.name
