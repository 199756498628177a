"""What every source of credentials keeps to itself, and the name that it has for the rate limit."""

from __future__ import annotations

import functools
import gc
import logging
import weakref
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest
from agent_session_platform import AgentPlatform, BadRequestError, Credential, CredentialUnavailableError
from agent_session_platform.request.token_function import name_of

from tests.faults.exposure import exposed, leaks
from tests.request.test_token_function import SECRET, URL, Server, Vault, ask, client, give


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
        assert runtime.exchange._headers.cache_info().currsize == 1


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
