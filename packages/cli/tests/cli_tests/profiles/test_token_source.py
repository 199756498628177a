"""Where the token of a profile comes from: a call sends it, and no error shows it."""

from __future__ import annotations

import sys

import pytest
from agent_session_platform import AgentPlatform, ConfigurationError
from agent_session_platform_cli import profiles

from cli_tests.profiles.conftest import SECRET, Write, arguments_of
from tests.servers.fault_server import fault_server
from tests.servers.scripts import EMPTY_LIST


def command(code: str, *words: str) -> str:
    return f"token_command = {[sys.executable, '-c', code, *words]!r}"


@pytest.fixture(autouse=True)
def token(config: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the token in a variable, and in a file beside the profiles."""
    monkeypatch.setenv("MY_TOKEN", SECRET)
    (config("").parent / "token").write_text(f"{SECRET}\n")


async def sent(config: Write, line: str) -> str | None:
    """Return the credential of a call with a profile."""
    async with fault_server(EMPTY_LIST) as server:
        config(f'[profiles.a]\nbase_url = "{server.base_url}"\n{line}\n')
        async with AgentPlatform(**arguments_of("a")) as platform:
            await platform.enterprise.blueprints.list()
    return server.requests[0].headers.get("authorization")


PRINT = "import os; print('', os.environ['MY_TOKEN'], '')"


@pytest.mark.parametrize("line", ["token_variable = 'MY_TOKEN'", "token_file = 'token'", command(PRINT)])
async def test_a_token_comes_from_a_variable_a_file_or_a_command(config: Write, line: str) -> None:
    assert await sent(config, line) == f"Bearer {SECRET}"


async def test_a_command_is_run_without_a_shell(config: Write) -> None:
    assert await sent(config, command("import sys; print(sys.argv[1])", "$(echo)*")) == "Bearer $(echo)*"


FAILURES = {
    "a status": (command(f"{PRINT}; raise SystemExit(3)"), "has failed (CalledProcessError); run it yourself"),
    "no program": ("token_command = ['/nowhere/pass']", "has failed (FileNotFoundError)"),
    "several lines": (command(f"{PRINT}; {PRINT}"), "must print one line with the token"),
    "nothing": (command("pass"), "must print one line with the token"),
    "no end": (command("import time; time.sleep(60)"), "has failed (TimeoutExpired)"),
}


@pytest.mark.parametrize(("line", "message"), FAILURES.values(), ids=FAILURES)
async def test_a_command_that_fails_is_reported_without_its_output(
    config: Write, line: str, message: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "Timeout" in message:
        monkeypatch.setattr(profiles, "COMMAND_SECONDS", 0.5)
    with pytest.raises(ConfigurationError) as caught:
        await sent(config, line)
    assert message in str(caught.value)
    assert "profile 'a'" in str(caught.value)
    assert SECRET not in f"{caught.value}{capfd.readouterr()}"


async def test_what_a_command_writes_to_stderr_is_not_shown(config: Write, capfd: pytest.CaptureFixture[str]) -> None:
    await sent(config, command(f"import sys; print('noise', file=sys.stderr); {PRINT}"))
    assert "noise" not in capfd.readouterr().err
