"""Where the token of a profile comes from: a call sends it, and no error shows it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, ConfigurationError
from agent_session_platform_cli import profiles
from agent_session_platform_cli.profiles import connection_of

from tests.servers.fault_server import fault_server
from tests.servers.scripts import EMPTY_LIST

Write = Callable[..., Path]
SECRET = "svc_never_show_this_0123456789"


def command(code: str) -> str:
    return f"token_command = {[sys.executable, '-c', code]!r}"


async def sent(config: Write, line: str) -> str | None:
    """Return the credential of a call with a profile."""
    async with fault_server(EMPTY_LIST) as server:
        config(f'[profiles.a]\nbase_url = "{server.base_url}"\n{line}\n')
        async with AgentPlatform(**connection_of("a")) as platform:
            await platform.enterprise.blueprints.list()
    return server.requests[0].headers.get("authorization")


async def test_a_variable(config: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", SECRET)
    assert await sent(config, "token_variable = 'MY_TOKEN'") == f"Bearer {SECRET}"


async def test_a_file_beside_the_profiles(config: Write, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{SECRET}\n")
    assert await sent(config, "token_file = 'token'") == f"Bearer {SECRET}"


async def test_the_output_of_a_command(config: Write) -> None:
    assert await sent(config, command(f"print(' {SECRET} ')")) == f"Bearer {SECRET}"


async def test_a_command_is_run_without_a_shell(config: Write) -> None:
    line = f"token_command = {[sys.executable, '-c', 'import sys; print(sys.argv[1])', '$(echo)*']!r}"
    assert await sent(config, line) == "Bearer $(echo)*"


async def test_the_keyring(config: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = {("platform", "me"): SECRET}
    keyring = SimpleNamespace(get_password=lambda service, user: stored.get((service, user)))
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert await sent(config, "token_keyring = { service = 'platform', user = 'me' }") == f"Bearer {SECRET}"


FAILURES = {
    "a status": (command(f"print('{SECRET}'); raise SystemExit(3)"), "it ended with status 3; run it yourself"),
    "no program": ("token_command = ['/nowhere/pass']", "it cannot be run: No such file"),
    "several lines": (
        command(f"print('{SECRET}\\n{SECRET}')"),
        "it printed 2 lines, and must print one line with the token",
    ),
    "nothing": (command("pass"), "it printed no lines"),
}


@pytest.mark.parametrize(("line", "message"), FAILURES.values(), ids=FAILURES)
async def test_a_command_that_fails_is_reported_without_its_output(
    config: Write, line: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        await sent(config, line)
    assert message in str(caught.value)
    assert "profile 'a'" in str(caught.value)
    assert SECRET not in f"{caught.value}{capfd.readouterr()}"


async def test_what_a_command_writes_to_stderr_is_not_shown(config: Write, capfd: pytest.CaptureFixture[str]) -> None:
    await sent(config, command(f"import sys; print('noise', file=sys.stderr); print('{SECRET}')"))
    assert "noise" not in capfd.readouterr().err


async def test_a_command_that_does_not_end_is_ended(config: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "COMMAND_SECONDS", 0.05)
    with pytest.raises(ConfigurationError, match=r"it did not end within 0.05 s"):
        await sent(config, command("import time; time.sleep(60)"))


def broken(service: str, user: str) -> Any:
    raise RuntimeError(SECRET)


@pytest.mark.parametrize(
    ("keyring", "message"),
    [
        (None, "for which keyring is needed: pip install keyring"),
        (SimpleNamespace(get_password=lambda service, user: None), "has no password; store it with"),
        (SimpleNamespace(get_password=broken), r"cannot be read \(RuntimeError\)"),
    ],
)
async def test_a_keyring_that_has_none_is_reported(
    config: Write, monkeypatch: pytest.MonkeyPatch, keyring: Any, message: str
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    with pytest.raises(ConfigurationError, match=message) as caught:
        await sent(config, "token_keyring = { service = 'platform', user = 'me' }")
    assert SECRET not in str(caught.value)
