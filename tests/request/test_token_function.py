"""A function gives the credential: one request of it for all tasks, and another one when its time has passed."""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import threading
import weakref
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    BadRequestError,
    ClientClosedError,
    ConfigurationError,
    Credential,
    CredentialMismatchError,
    CredentialUnavailableError,
    DeadlineExceededError,
    OutcomeUnknownError,
    RequestOptions,
    RetryPolicy,
)
from agent_session_platform.request import token_function
from agent_session_platform.request.token_function import name_of
from agent_session_platform.sandbox import Sandbox

from tests.faults.exposure import exposed, leaks
from tests.test_call import until

URL = "https://platform.example.com"
SECRET = "svc_never_show_this_9876543210"
SHORT = RequestOptions(retry=RetryPolicy(deadline=0.05))


class Server(httpx.AsyncBaseTransport):
    """A server that accepts every credential, and keeps those that it was sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request.headers["authorization"].removeprefix("Bearer "))
        return httpx.Response(200, json={"data": []})


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


async def give() -> str:
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
    assert (vault.calls, set(server.sent), len(server.sent)) == (1, {"svc_of_the_vault_1"}, 100)


async def test_a_token_without_an_expiry_is_kept() -> None:
    vault = Vault()
    async with client(vault) as platform:
        for _ in range(3):
            await ask(platform)
    assert vault.calls == 1


async def test_a_credential_is_asked_for_again_a_little_before_it_expires() -> None:
    vault, server = Vault(lifetime=300.0), Server()
    async with client(vault, server) as platform:
        await ask(platform)
        await ask(platform)
        at, at_of_loop = platform._configuration.credentials._times  # type: ignore[attr-defined]
        assert at_of_loop - asyncio.get_running_loop().time() == pytest.approx(270, abs=5)
        platform._configuration.credentials._times = (at, at_of_loop - 280)  # type: ignore[attr-defined]
        await ask(platform)
    assert server.sent == ["svc_of_the_vault_1", "svc_of_the_vault_1", "svc_of_the_vault_2"]


async def test_of_a_short_lifetime_a_tenth_is_the_margin() -> None:
    async with client(Vault(lifetime=50.0)) as platform:
        await ask(platform)
        _, at_of_loop = platform._configuration.credentials._times  # type: ignore[attr-defined]
        assert at_of_loop - asyncio.get_running_loop().time() == pytest.approx(45, abs=5)


async def test_a_credential_that_has_expired_when_it_is_given_is_sent_and_asked_for_again() -> None:
    """The clock of this machine may be wrong: the server decides."""
    vault, server = Vault(lifetime=-5.0), Server()
    async with client(vault, server) as platform:
        await ask(platform)
        await ask(platform)
    assert server.sent == ["svc_of_the_vault_1", "svc_of_the_vault_2"]


async def test_a_cancelled_caller_does_not_cancel_the_request_for_the_others() -> None:
    vault, server = Vault(), Server()
    vault.open.clear()
    async with client(vault, server) as platform:
        first, second = (asyncio.create_task(ask(platform)) for _ in range(2))
        await until(lambda: vault.calls)
        first.cancel()
        await asyncio.wait((first,))
        vault.open.set()
        await second
    assert (first.cancelled(), vault.calls, server.sent) == (True, 1, ["svc_of_the_vault_1"])


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
        with pytest.raises(DeadlineExceededError, match=r"no credential within 0\.05 s: .*Vault"):
            await ask(platform, SHORT)
        with pytest.raises(DeadlineExceededError):
            await platform.request("POST", "/v3/x", options=SHORT)
    assert vault.calls == 1


async def test_a_plain_function_that_hangs_is_waited_for_until_the_deadline_of_the_call() -> None:
    go_on = threading.Event()
    async with client(go_on.wait) as platform:
        with pytest.raises(DeadlineExceededError):
            await ask(platform, SHORT)
    go_on.set()


async def test_a_function_that_hangs_is_given_up_and_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_function, "LONGEST_SECONDS", 0.01)
    vault = Vault()
    vault.open.clear()
    async with client(vault) as platform:
        with pytest.raises(CredentialUnavailableError, match=r"gave no credential within 0\.01 s"):
            await ask(platform)
        vault.open.set()
        await ask(platform)
    assert vault.calls == 2


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


@pytest.mark.parametrize(
    "failure", [StopIteration(), asyncio.CancelledError(), TimeoutError(), DeadlineExceededError("late"), OSError()]
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
    caplog: pytest.LogCaptureFixture,
) -> None:
    vault, server = Vault(lifetime=300.0), Server()
    async with client(vault, server) as platform:
        await ask(platform)
        platform._configuration.credentials._times = (0.0, 0.0)  # type: ignore[attr-defined]
        vault.failure = OSError("gone")
        await ask(platform)
    assert server.sent == ["svc_of_the_vault_1"] * 2
    assert "raised OSError; the credential is used until it expires" in caplog.text


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "token is empty"),
        (f"{SECRET}\n", "token begins or ends with white space or a line break, strip it"),
        (f"Bearer {SECRET}", "token must be given without the word Bearer"),
        (f"{SECRET} {SECRET}", "token has characters that no credential has"),
        (SECRET.encode(), "token must be a string, not bytes"),
        (None, "token must be a string, not NoneType"),
    ],
)
@pytest.mark.parametrize("is_async", [False, True])
async def test_a_malformed_token_is_refused_with_its_function(given: Any, message: str, is_async: bool) -> None:
    async def fetch() -> Any:
        return given

    async with client(fetch if is_async else lambda: given) as platform:
        with pytest.raises(ConfigurationError) as caught:
            await ask(platform)
    assert str(caught.value).startswith(message)
    assert "it is taken from tests.request.test_token_function.test_a_malformed_token" in str(caught.value)
    assert leaks(caught.value, SECRET) == []


async def test_a_malformed_credential_is_refused_with_its_function() -> None:
    async def fetch() -> Credential:
        return Credential("")

    async with client(fetch) as platform:
        with pytest.raises(ConfigurationError, match=r"token is empty; it is taken from .*fetch, which was passed"):
            await ask(platform)


async def test_a_function_that_calls_its_own_client_is_refused() -> None:
    async def fetch() -> str:
        return str(await ask(platform))

    async with client(fetch) as platform:
        with pytest.raises(ConfigurationError, match="gives the credential of a client, and cannot call that client"):
            await ask(platform)


async def test_the_kind_of_the_current_credential_is_checked(sandbox: Sandbox) -> None:
    async with sandbox.client(lambda: sandbox.token) as platform:
        with pytest.raises(CredentialMismatchError):
            await platform.enterprise.repositories.list_index_status("org-acme")
    assert list(sandbox.journal) == []


def rotating() -> Iterator[Credential]:
    """Credentials that have expired: each call gets another one."""
    for number in range(100):
        yield Credential(f"svc_echoed_{number:010d}_pzq", datetime.now(UTC))


@pytest.mark.parametrize("age", [0, 1, 3])
async def test_an_echoed_credential_of_before_is_not_shown(age: int) -> None:
    sent: list[str] = []

    def echo(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["authorization"])
        oldest = sent[max(0, len(sent) - 1 - age)]
        return httpx.Response(400, json={"title": "No", "detail": f"{oldest} was refused"})

    given = rotating()
    async with AgentPlatform(URL, lambda: next(given), transport=httpx.MockTransport(echo)) as platform:
        for _ in range(age + 1):
            with pytest.raises(BadRequestError, match=r"Bearer \[credential\] was refused") as caught:
                await ask(platform)
            assert "pzq" not in exposed(caught.value)
    assert len(set(sent)) == age + 1


async def test_old_credentials_are_not_kept() -> None:
    given = rotating()
    async with client(lambda: next(given)) as platform:
        for _ in range(20):
            await ask(platform)
        runtime = platform._client.open()
        assert len(platform._configuration.credentials._known) == 4
        assert runtime.transport._cached_headers.cache_info().currsize == 1  # type: ignore[attr-defined]


def test_nothing_of_a_function_is_in_the_repr_of_a_client() -> None:
    async def fetch(secret: str) -> str:
        return secret

    shown = repr(client(functools.partial(fetch, SECRET)))
    assert "test_nothing_of_a_function_is_in_the_repr_of_a_client.<locals>.fetch, [hidden]" in shown
    assert SECRET not in shown


async def test_a_failure_shows_nothing_of_what_the_function_has() -> None:
    class Fetch:
        def __init__(self, secret: str) -> None:
            self.secret = secret

        async def __call__(self) -> str:
            raise LookupError

    async with client(functools.partial(Fetch(SECRET))) as platform:
        with pytest.raises(CredentialUnavailableError) as caught:
            await ask(platform)
    assert leaks(caught.value, SECRET) == []


async def test_a_failure_is_freed_when_the_caller_drops_it() -> None:
    vault = Vault()
    failures: list[weakref.ref[Exception]] = []
    async with client(vault) as platform:
        gc.disable()
        try:
            vault.failure = LookupError()
            try:
                await ask(platform)
            except CredentialUnavailableError as error:
                failures.append(weakref.ref(error))
            assert failures[0]() is None
        finally:
            gc.enable()


def test_the_name_for_the_rate_limit_is_that_of_the_function() -> None:
    first, second = client(give), client(functools.partial(give))
    assert first._configuration.rate_limit_key == second._configuration.rate_limit_key
    assert first._configuration.rate_limit_key != client(Vault)._configuration.rate_limit_key
    other = AgentPlatform("https://other.example.com", give)
    assert first._configuration.rate_limit_key != other._configuration.rate_limit_key


def test_the_name_of_a_function_is_the_same_in_spawned_processes() -> None:
    def fetch() -> str:
        return SECRET

    fetch.__module__, fetch.__qualname__ = "__mp_main__", "fetch"
    assert name_of(fetch) == "__main__.fetch"
    assert name_of(Vault.__call__) == "tests.request.test_token_function.Vault.__call__"
    assert name_of(Server()) == "tests.request.test_token_function.Server"


async def test_a_log_shows_no_credential(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with client(lambda: SECRET) as platform:
        await ask(platform)
    assert SECRET not in caplog.text


async def test_a_write_that_breaks_off_has_an_unknown_outcome_with_a_function_too() -> None:
    class Broken(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            raise httpx.ReadError("broke off")

    async with AgentPlatform(URL, give, transport=Broken()) as platform:
        with pytest.raises(OutcomeUnknownError):
            await platform.request("POST", "/v3/x")
