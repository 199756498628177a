"""The subcommand `asp observations`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from agent_session_platform_cli.errors import ExitCode
from agent_session_platform_cli.group import asp as command
from agent_session_platform_observe import Observations, observations_of
from agent_session_platform_observe.file import merge_into
from agent_session_platform_observe.shape import Tally
from agent_session_platform_sandbox import Sandbox
from observe_tests.deployment import observing, traffic

from cli_tests.conftest import Asp


def run(*arguments: str) -> int:
    """Run the subcommand, and return its exit status."""
    with pytest.raises(SystemExit) as end:
        command.main(["observations", *arguments])
    return int(end.value.code or 0)


@pytest.fixture
async def observed(tmp_path: Path) -> str:
    """Return a file without a contradiction."""
    async with observing(Sandbox(), Observations(tmp_path / "observed.json")) as platform:
        await platform.enterprise.roles.list()
    return str(tmp_path / "observed.json")


async def test_a_report_without_a_contradiction_is_a_success(
    observed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_OBSERVE", observed)
    assert [run("report", *named) for named in ([observed], [])] == [0, 0]
    shown = capsys.readouterr().out
    assert (shown.startswith("no contradictions\n"), shown.count("with evidence")) == (True, 2)


async def test_a_contradiction_is_an_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await traffic(tmp_path / "observed.json")
    assert run("report", str(tmp_path / "observed.json"), "--json") == 1
    assert len(json.loads(capsys.readouterr().out)["contradictions"]) == 4


async def test_a_proposal_is_written(observed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("propose", observed, "-o", str(tmp_path / "a.yaml")) == 0
    assert run("propose", observed) == 0
    assert (tmp_path / "a.yaml").read_text() == capsys.readouterr().out
    assert '"overlay":' in (tmp_path / "a.yaml").read_text()


def test_of_nothing_no_overlay_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    merge_into(tmp_path / "observed.json", Tally())
    output = tmp_path / "a.yaml"
    assert run("propose", str(tmp_path / "observed.json"), "-o", str(output)) == 0
    assert not output.exists()
    assert capsys.readouterr().err == "asp: nothing is written: the contract has all observed facts\n"


def test_a_check_that_reaches_nothing_exits_with_the_code_of_its_error(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_TOKEN", "svc_unknown")
    assert run("check", "--base-url", address, "--organization", "org-acme") == ExitCode.DENIED
    assert "svc_unknown" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report"], "no file of observations: name one, or set AGENT_PLATFORM_OBSERVE"),
        (["report", "missing.json"], "no file of observations: 'missing.json' (No such file or directory)"),
        (["propose", "a.json", "--at-least", "0"], "Invalid value for '--at-least': 0 is not in the range x>=1"),
        (["import", "a.har"], "no file of observations: name one with --into, or set AGENT_PLATFORM_OBSERVE"),
        (["import", "a.har", "--into", "o.json"], "no HAR file: 'a.har' (No such file or directory)"),
        (["check"], "no token: set AGENT_PLATFORM_TOKEN"),
    ],
)
def test_wrong_usage_says_what_to_do(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err


def test_a_deployment_is_checked(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sandbox: Sandbox
) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_TOKEN", sandbox.token)
    assert run("check", "--base-url", address, "--organization", "org-acme") == 0
    assert capsys.readouterr().out.startswith("## no contradictions with the contract\n")


def test_the_traffic_of_a_browser_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = {"method": "GET", "url": "https://acme.example/api/v3/enterprise/roles"}
    response = {"status": 200, "content": {"mimeType": "application/json", "text": "[]"}}
    entry = {"startedDateTime": "2026-11-20T09:00:00Z", "request": request, "response": response}
    other = entry | {"request": request | {"url": "https://cdn.example/a.js"}}
    har = tmp_path / "traffic.har"
    har.write_text(json.dumps({"log": {"entries": [entry, other]}}), encoding="utf-8")
    assert run("import", str(har), "--into", str(tmp_path / "observed.json")) == 0
    assert capsys.readouterr().out == (
        "1 response read from https://acme.example/api\n"
        "  enterprise.roles.list: 1\n"
        "1 request ignored\n"
        "  to another address: 1\n"
    )
    monkeypatch.setenv("AGENT_PLATFORM_OBSERVE", str(tmp_path / "observed.json"))
    assert run("import", str(har), "--base-url", "https://acme.example/api", "--json") == 0
    assert json.loads(capsys.readouterr().out)["read"] == {"enterprise.roles.list": 1}
    assert run("report") == 0
    assert "role-list-response: seen 2 times" in capsys.readouterr().out


READ = ("call", "organization.sessions.list", "--limit", "1")


def test_what_a_command_receives_is_observed(asp: Asp, tmp_path: Path) -> None:
    observed = tmp_path / "observed.json"
    assert asp(*READ, AGENT_PLATFORM_OBSERVE=str(observed)).exit_code == 0
    # In a real process this happens at its end.
    observations_of(str(observed)).close()
    assert json.loads(observed.read_text(encoding="utf-8"))["operations"]


@pytest.mark.parametrize(("file", "code"), [("", 0), ("observed.json", 2)])
def test_only_a_command_that_observes_needs_the_companion(
    asp: Asp, monkeypatch: pytest.MonkeyPatch, file: str, code: int
) -> None:
    monkeypatch.setitem(sys.modules, "agent_session_platform_observe", None)
    result = asp(*READ, AGENT_PLATFORM_OBSERVE=file)
    assert (result.exit_code, "run `pip install . ./packages/observe`" in result.stderr) == (code, bool(file))
