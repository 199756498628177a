"""A function gives the credential: called once for all tasks, and again when the credential's time has passed."""

from __future__ import annotations

import asyncio
import functools
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    ClientClosedError,
    ConfigurationError,
    Credential,
    CredentialMismatchError,
    CredentialUnavailableError,
    DeadlineExceededError,
    RequestOptions,
    RetryPolicy,
)
from agent_session_platform.request import credentials
from agent_session_platform_sandbox import Sandbox

from tests.faults.exposure import leaks
from tests.fixtures import until
from tests.request.test_credentials import MALFORMED
from tests.request.test_token_file import Server

URL = "https://platform.example.com"
SECRET = "svc_never_show_this_9876543210"
SHORT = RequestOptions(retry=RetryPolicy(deadline=0.05))


class Vault:
    """An async function that gives new credentials, as often as it is called, when it is let go."""

    def __init__(self, lifetime: float | None = None) -> None:
        self.calls = 0
        self.lifetime = lifetime
        self.open = asyncio.Event()
        self.open.set()
        self.failure: BaseException | None = None

    async def __call__(self) -> Credential:
        self.calls += 1
        await self.open.wait()
        if self.failure is not None:
            raise self.failure
        expires_at = None if self.lifetime is None else datetime.now(UTC) + timedelta(seconds=self.lifetime)
        return Credential(f"svc_of_the_vault_{self.calls}", expires_at)


def client(token: Any, server: Server | None = None, **settings: Any) -> AgentPlatform:
    return AgentPlatform(URL, token, transport=server or Server(), **settings)


async def ask(platform: AgentPlatform, options: RequestOptions | None = None) -> Any:
    return await platform.request("GET", "/v3/x", options=options)


async def give(secret: str = "") -> str:
    return "svc_async"


GIVERS: dict[str, tuple[Callable[[], Any], str]] = {
    "async": (give, "svc_async"),
    "plain": (lambda: "svc_plain", "svc_plain"),
    "plain that returns a coroutine": (lambda: give(), "svc_async"),
    "partial of an async one": (functools.partial(give), "svc_async"),
    "plain with a credential": (lambda: Credential("svc_value"), "svc_value"),
}


@pytest.mark.parametrize(("giver", "token"), GIVERS.values(), ids=GIVERS)
async def test_a_function_gives_the_credential(giver: Any, token: str) -> None:
    server = Server()
    async with client(giver, server) as platform:
        await ask(platform)
    assert server.sent == [token]


async def test_a_plain_function_does_not_block_the_event_loop() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def fetch() -> str:
        asked.set()
        assert go_on.wait(20)
        return SECRET

    async with client(fetch) as platform:
        task = asyncio.create_task(ask(platform))
        await until(asked.is_set)
        go_on.set()
        await task


async def test_a_function_is_not_called_before_the_first_call() -> None:
    vault = Vault()
    async with client(vault):
        pass
    assert vault.calls == 0


async def test_100_calls_at_once_ask_once() -> None:
    vault, server = Vault(), Server()
    async with client(vault, server) as platform:
        await asyncio.gather(*(ask(platform) for _ in range(100)))
        await ask(platform)
    assert (vault.calls, set(server.sent), len(server.sent)) == (1, {"svc_of_the_vault_1"}, 101)


@pytest.mark.parametrize(("lifetime", "used_for"), [(300.0, 270.0), (50.0, 45.0)])
async def test_a_credential_is_asked_for_again_a_little_before_it_expires(
    lifetime: float, used_for: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """30 seconds, or a tenth of a short lifetime."""
    vault, server = Vault(lifetime), Server()
    async with client(vault, server) as platform:
        for seconds in (0.0, used_for - 5.0, used_for + 5.0):
            monkeypatch.setattr(credentials, "time", lambda seconds=seconds: time.time() + seconds)
            await ask(platform)
    assert server.sent == ["svc_of_the_vault_1", "svc_of_the_vault_1", "svc_of_the_vault_2"]


async def test_a_credential_that_has_expired_when_it_is_given_is_sent_and_asked_for_again() -> None:
    """The clock of this machine may be wrong: the server decides."""
    vault, server = Vault(lifetime=-5.0), Server()
    async with client(vault, server) as platform:
        await ask(platform)
        await ask(platform)
    assert server.sent == ["svc_of_the_vault_1", "svc_of_the_vault_2"]


async def test_a_cancelled_caller_does_not_lose_the_credential() -> None:
    vault = Vault()
    vault.open.clear()
    async with client(vault) as platform:
        task = asyncio.create_task(ask(platform))
        await until(lambda: vault.calls)
        task.cancel()
        await asyncio.wait((task,))
        vault.open.set()
        await ask(platform)
    assert vault.calls == 1


async def test_a_function_that_hangs_is_waited_for_until_the_deadline_of_the_call() -> None:
    vault = Vault()
    vault.open.clear()
    async with client(vault) as platform:
        with pytest.raises(DeadlineExceededError, match="no credential before the deadline of the call: .*Vault"):
            await ask(platform, SHORT)
        with pytest.raises(DeadlineExceededError):
            await platform.request("POST", "/v3/x", options=SHORT)
    assert vault.calls == 1
    go_on = threading.Event()
    async with client(go_on.wait) as platform:
        with pytest.raises(DeadlineExceededError):
            await ask(platform, SHORT)
    go_on.set()


async def test_a_function_that_hangs_is_given_up_and_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "LONGEST_SECONDS", 0.05)
    vault = Vault()
    vault.open.clear()
    async with client(vault) as platform:
        with pytest.raises(CredentialUnavailableError, match="gave no token within 0.05 s"):
            await ask(platform)
        calls = vault.calls
        vault.open.set()
        await ask(platform)
    assert vault.calls == calls + 1


async def test_closing_ends_the_calls_that_wait_for_a_credential() -> None:
    vault = Vault()
    vault.open.clear()
    platform = client(vault)
    task = asyncio.create_task(ask(platform))
    await until(lambda: vault.calls)
    await platform.aclose()
    with pytest.raises(ClientClosedError):
        await task


async def test_each_call_that_waits_gets_an_error_of_its_own_when_the_function_raises() -> None:
    vault = Vault()
    vault.failure = LookupError("no such role")
    async with client(vault) as platform:
        errors = await asyncio.gather(*(ask(platform) for _ in range(5)), return_exceptions=True)
        vault.failure = None
        await ask(platform)
    assert {type(error) for error in errors} == {CredentialUnavailableError}
    assert {str(error) for error in errors} == {
        "no credential: tests.request.test_token_function.Vault, which was passed as AgentPlatform(token=...), "
        "raised LookupError"
    }
    assert len({id(error) for error in errors}) == 5
    assert {id(error.__cause__) for error in errors} == {id(errors[0].__cause__)}  # type: ignore[union-attr]
    assert vault.calls == 2


class NoRoleError(CredentialUnavailableError):
    """An error of the caller's function, with arguments of its own."""

    def __init__(self, role: str, *, vault: str) -> None:
        super().__init__(f"{vault} has no role {role}")
        self.role = role


async def test_an_error_of_the_function_itself_stays_what_it_is() -> None:
    vault = Vault()
    vault.failure = NoRoleError("reader", vault="V")
    async with client(vault) as platform:
        with pytest.raises(NoRoleError, match="^V has no role reader$") as caught:
            await ask(platform)
    assert (caught.value.role, caught.value is vault.failure) == ("reader", False)


@pytest.mark.parametrize(
    "failure", [asyncio.CancelledError(), TimeoutError(), DeadlineExceededError("late"), OSError()]
)
@pytest.mark.parametrize("plain", [False, True])
async def test_whatever_the_function_raises_the_call_ends_with_an_error_of_the_sdk(
    failure: BaseException, plain: bool
) -> None:
    async def fetch() -> str:
        raise failure

    def fetch_plainly() -> str:
        raise failure

    async with client(fetch_plainly if plain else fetch) as platform:
        with pytest.raises(CredentialUnavailableError):
            await ask(platform)


async def test_a_function_that_fails_early_leaves_the_credential_until_it_expires(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault, server = Vault(lifetime=300.0), Server()
    async with client(vault, server) as platform:
        await ask(platform)
        vault.failure = OSError("gone")
        monkeypatch.setattr(credentials, "time", lambda: time.time() + 280.0)
        await ask(platform)
        monkeypatch.setattr(credentials, "time", lambda: time.time() + 301.0)
        with pytest.raises(CredentialUnavailableError):
            await ask(platform)
    assert server.sent == ["svc_of_the_vault_1"] * 2
    assert "raised OSError; the credential is used until it expires" in caplog.text


@pytest.mark.parametrize(("given", "message"), MALFORMED)
async def test_a_malformed_token_is_refused_with_its_function(given: Any, message: str) -> None:
    async with client(lambda: given) as platform:
        with pytest.raises(ConfigurationError) as caught:
            await ask(platform)
    assert str(caught.value).startswith(message)
    assert "it is taken from tests.request.test_token_function.test_a_malformed_token" in str(caught.value)
    assert leaks(caught.value, SECRET) == []


async def test_the_kind_of_the_current_credential_is_checked(sandbox: Sandbox) -> None:
    async with sandbox.client(lambda: sandbox.token) as platform:
        with pytest.raises(CredentialMismatchError):
            await platform.enterprise.repositories.list_index_status("org-acme")
    assert list(sandbox.journal) == []


async def test_a_failure_shows_nothing_of_what_the_function_has() -> None:
    class Fetch:
        async def __call__(self, secret: str) -> str:
            raise LookupError

    for function in (functools.partial(Fetch(), SECRET), lambda secret=SECRET: [][0]):
        async with client(function) as platform:
            with pytest.raises(CredentialUnavailableError) as caught:
                await ask(platform)
        assert leaks(caught.value, SECRET) == []


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (give, f"{__name__}.give"),
        (functools.partial(give, secret=SECRET), f"{__name__}.give"),
        (Vault(), f"{__name__}.Vault"),
        (Vault().__call__, f"{__name__}.Vault.__call__"),
    ],
)
def test_a_client_shows_the_name_of_its_function_only(function: Any, name: str) -> None:
    assert f"Credential(of {name}, [hidden])" in repr(client(function))
    assert SECRET not in repr(client(function))


def test_clients_with_the_same_function_share_a_rate_limit() -> None:
    keys = [client(function)._configuration.rate_limit_key for function in (give, functools.partial(give), Vault())]
    assert keys[0] == keys[1] != keys[2]
    assert keys[0] != AgentPlatform("https://other.example.com", give)._configuration.rate_limit_key
