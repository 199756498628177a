"""A file or a function gives the credential: when it is called, how long its credential is kept, what is shown."""

from __future__ import annotations

import asyncio
import functools
import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    Credential,
    LocalRateLimiter,
    Operation,
    RequestOptions,
    RetryEvent,
    RetryPolicy,
    credentials,
    errors,
)
from agent_session_platform_sandbox import Sandbox

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT, QUICK, ROOT, URL, all_transports, until
from tests.request.test_upload import Pipe
from tests.servers.fault_server import fault_server
from tests.servers.scripts import response
from tests.test_credentials import MALFORMED

OLD, NEW = "svc_never_show_this_old_1", "svc_never_show_this_new_2"


class Server(httpx.AsyncBaseTransport):
    """A server that refuses some tokens, keeps the requests, and responds to /v3/late when `late` is set."""

    def __init__(self, *refused: str) -> None:
        self.refused = set(refused)
        self.requests: list[httpx.Request] = []
        self.late = asyncio.Event()

    @property
    def sent(self) -> list[str]:
        """The tokens of all requests."""
        return [request.headers["authorization"].removeprefix("Bearer ") for request in self.requests]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.requests.append(request)
        status = 401 if self.sent[-1] in self.refused else 200
        if request.url.path == "/v3/late":
            await self.late.wait()
        return httpx.Response(status, json={})


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(f"{OLD}\n")
    return path


def client(server: Any = None, **settings: Any) -> AgentPlatform:
    return AgentPlatform(URL, transport=server or Server(), **settings)


async def ask(platform: AgentPlatform) -> Any:
    return await platform.request("GET", "/v3/x")


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
@pytest.mark.parametrize("kind", [str, Path])
async def test_the_token_is_read_at_the_first_call(tmp_path: Path, kind: type, ending: str, server: Server) -> None:
    async with client(server, token_file=kind(tmp_path / "token")) as platform:
        (tmp_path / "token").write_bytes(OLD.encode() + ending.encode())
        await ask(platform)
    assert server.sent == [OLD]


@pytest.mark.parametrize(
    ("environment", "given", "used"),
    [
        (["token_file"], [], OLD),
        (["token_file", "token"], [], NEW),
        (["token_file"], ["token"], NEW),
        (["token"], ["token_file"], OLD),
    ],
)
async def test_what_is_passed_comes_first_and_then_a_token_of_the_environment(
    file: Path, server: Server, environment: Any, given: Any, used: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values: Any = {"token": NEW, "token_file": str(file)}
    for name in environment:
        monkeypatch.setenv(f"AGENT_PLATFORM_{name.upper()}", values[name])
    async with AgentPlatform(URL, transport=server, **{name: values[name] for name in given}) as platform:
        await ask(platform)
    assert server.sent == [used]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"token": OLD, "token_file": "token"}, "pass token or token_file, not both"),
        ({"token_file": OLD}, "the path of a file; pass a credential as token="),
        *(
            ({"token_file": path}, "token_file must be the path of a file, such as")
            for path in ("", b"token", 5, True, ["token"])
        ),
    ],
)
def test_what_is_no_path_is_refused_when_the_client_is_made(settings: Any, message: str) -> None:
    with pytest.raises(errors.ConfigurationError, match=message) as caught:
        AgentPlatform(URL, **settings)
    assert OLD not in str(caught.value)


async def test_the_file_is_read_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    """Kubernetes changes a mounted secret by a symbolic link to another directory."""
    for name, token in (("1", OLD), ("2", NEW)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "token").write_text(token)
    (tmp_path / "..data").symlink_to("1")
    async with client(server, token_file=tmp_path / "..data" / "token") as platform:
        await ask(platform)
        (tmp_path / "..new").symlink_to("2")
        (tmp_path / "..new").rename(tmp_path / "..data")
        await ask(platform)
        monkeypatch.setattr(credentials, "time", lambda: time.time() + 1.1)
        await ask(platform)
    assert server.sent == [OLD, OLD, NEW]


async def test_the_file_is_read_after_a_401(file: Path) -> None:
    """The file is read again, even if it was read a moment ago."""
    server = Server(OLD)
    async with client(server, token_file=file) as platform:
        with pytest.raises(errors.AuthenticationError):
            await ask(platform)
        file.write_text(f"{NEW}\n")
        await ask(platform)
    assert server.sent == [OLD, OLD, NEW]


@pytest.mark.parametrize("content", [None, b"", b"\n", f"{NEW} {NEW}".encode()])
async def test_a_file_that_cannot_be_read_later_leaves_the_old_token(
    file: Path, content: bytes | None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    monkeypatch.setattr(credentials, "PAUSE_SECONDS", 0.0)
    async with client(server, token_file=file) as platform:
        await ask(platform)
        file.unlink()
        if content is not None:
            file.write_bytes(content)
        await ask(platform)
        await ask(platform)
        file.write_text(NEW)
        await ask(platform)
    assert server.sent == [OLD, OLD, OLD, NEW]
    [record] = caplog.records
    assert str(file) in record.getMessage()
    assert record.getMessage().endswith("; the last credential is used")
    assert "svc_" not in caplog.text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
async def test_a_byte_order_mark_of_a_file_is_ignored(file: Path, encoding: str, server: Server) -> None:
    file.write_text(f"{NEW}\r\n", encoding=encoding)
    async with client(server, token_file=file) as platform:
        await ask(platform)
    assert server.sent == [NEW]


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
async def test_what_is_no_regular_file_is_not_read(tmp_path: Path, kind: str, server: Server) -> None:
    os.mkfifo(tmp_path / "pipe")
    path = {"pipe": tmp_path / "pipe", "device": "/dev/zero", "folder": tmp_path}[kind]
    async with client(server, token_file=path) as platform:
        with pytest.raises(
            errors.ConfigurationError, match="token must be in a regular file; it is taken from the file"
        ):
            await ask(platform)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (None, errors.CredentialUnavailableError, "cannot be read: No such file or directory"),
        (f" {NEW}\n".encode(), errors.ConfigurationError, "token begins or ends with white space"),
        (b"svc_\xff", errors.ConfigurationError, "token has characters that no credential has"),
        (b"x" * 1_000_000, errors.ConfigurationError, "token has 65,544 characters; a header has room for 16,384"),
    ],
)
async def test_a_file_that_cannot_be_read_is_an_error_with_its_path_and_read_again_by_the_next_call(
    file: Path, content: bytes | None, error: type[Exception], message: str, server: Server
) -> None:
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    async with client(server, token_file=file) as platform:
        with pytest.raises(error, match=message) as caught:
            await ask(platform)
        file.write_text(NEW)
        await ask(platform)
    assert f"the file {str(file)!r} of" in str(caught.value)
    assert leaks(caught.value, NEW) == []
    assert server.sent == [NEW]


# A function gives the credential: called once for all tasks, and again when the credential's time has passed.

SECRET = "svc_never_show_this_9876543210"
FIRST, SECOND = "svc_of_the_vault_1", "svc_of_the_vault_2"
SHORT = RequestOptions(retry=RetryPolicy(deadline=0.05))


class Vault:
    """An async function that returns a new credential for each call, when the test lets it continue."""

    def __init__(self, lifetime: float = 300.0) -> None:
        self.calls = 0
        self.lifetime = lifetime
        self.open = asyncio.Event()
        self.open.set()
        self.failure: BaseException | None = None

    async def __call__(self) -> Credential:
        self.calls += 1
        await asyncio.sleep(0)
        await self.open.wait()
        if self.failure is not None:
            raise self.failure
        return Credential(f"svc_of_the_vault_{self.calls}", datetime.now(UTC) + timedelta(seconds=self.lifetime))


@pytest.fixture
def vault() -> Vault:
    return Vault()


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
async def test_a_function_gives_the_credential(giver: Any, token: str, server: Server) -> None:
    async with client(server, token=giver) as platform:
        await ask(platform)
    assert server.sent == [token]


async def test_a_plain_function_does_not_block_the_event_loop() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def fetch() -> str:
        asked.set()
        assert go_on.wait(20)
        return SECRET

    async with client(token=fetch) as platform:
        task = asyncio.create_task(ask(platform))
        await until(asked.is_set)
        go_on.set()
        await task


async def test_100_calls_at_once_ask_once_and_nobody_asks_before_them(vault: Vault, server: Server) -> None:
    async with client(server, token=vault) as platform:
        assert vault.calls == 0
        await asyncio.gather(*(ask(platform) for _ in range(100)))
        await ask(platform)
    assert (vault.calls, set(server.sent), len(server.sent)) == (1, {FIRST}, 101)


@pytest.mark.parametrize(
    ("lifetime", "asked_at", "sent"),
    [
        # A new credential is requested 30 seconds before the old one expires, or a tenth of a short lifetime before.
        # The call that requests it takes the old one.
        (300.0, (0.0, 265.0, 275.0, 276.0), [1, 1, 1, 2]),
        (300.0, (0.0, 265.0, 301.0), [1, 1, 2]),
        (50.0, (0.0, 40.0, 46.0, 47.0), [1, 1, 1, 2]),
        (50.0, (0.0, 40.0, 50.0), [1, 1, 2]),
        # The clock of this machine may be wrong: the server decides.
        (-5.0, (0.0, 0.0), [1, 2]),
    ],
)
async def test_a_credential_is_asked_for_again_a_little_before_it_expires(
    lifetime: float, asked_at: tuple[float, ...], sent: list[int], monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    async with client(server, token=Vault(lifetime)) as platform:
        for seconds in asked_at:
            monkeypatch.setattr(credentials, "time", lambda seconds=seconds: time.time() + seconds)
            await ask(platform)
            # Let a renewal end.
            for _ in range(9):
                await asyncio.sleep(0)
    assert server.sent == [f"svc_of_the_vault_{number}" for number in sent]


async def test_a_function_that_hangs_delays_no_call_while_the_old_token_is_valid(
    vault: Vault, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client(server, token=vault) as platform:
        await ask(platform)
        vault.open.clear()
        monkeypatch.setattr(credentials, "time", lambda: time.time() + 280.0)
        for _ in range(3):
            await platform.request("GET", "/v3/x", options=SHORT)
        monkeypatch.setattr(credentials, "time", lambda: time.time() + 301.0)
        with pytest.raises(errors.DeadlineExceededError):
            await platform.request("GET", "/v3/x", options=SHORT)
    assert (server.sent, vault.calls) == ([FIRST] * 4, 2)


async def test_a_cancelled_caller_does_not_lose_the_credential(vault: Vault) -> None:
    vault.open.clear()
    async with client(token=vault) as platform:
        task = asyncio.create_task(ask(platform))
        await until(lambda: vault.calls)
        task.cancel()
        await asyncio.wait((task,))
        vault.open.set()
        await ask(platform)
    assert vault.calls == 1


async def test_a_function_that_hangs_is_waited_for_until_the_deadline_of_the_call(vault: Vault) -> None:
    vault.open.clear()
    async with client(token=vault) as platform:
        for method in ("GET", "POST"):
            expected = r"not sent within 0\.05 s, because there was no credential: Credential\(of .*Vault"
            with pytest.raises(errors.DeadlineExceededError, match=expected):
                await platform.request(method, "/v3/x", options=SHORT)
    assert vault.calls == 1


async def test_a_hanging_function_is_given_up_and_called_again(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "MAX_TOKEN_WAIT", 0.05)
    vault.open.clear()
    async with client(token=vault) as platform:
        with pytest.raises(errors.CredentialUnavailableError, match="gave no token within 0.05 s"):
            await ask(platform)
        calls = vault.calls
        vault.open.set()
        await ask(platform)
    assert vault.calls == calls + 1


async def test_closing_ends_the_calls_that_wait_for_a_credential(vault: Vault) -> None:
    vault.open.clear()
    platform = client(token=vault)
    task = asyncio.create_task(ask(platform))
    await until(lambda: vault.calls)
    await platform.aclose()
    with pytest.raises(errors.ClientClosedError):
        await task


async def test_each_call_that_waits_gets_an_error_of_its_own_when_the_function_raises(vault: Vault) -> None:
    vault.failure = LookupError("no such role")
    async with client(token=vault) as platform:
        raised = await asyncio.gather(*(ask(platform) for _ in range(5)), return_exceptions=True)
        vault.failure = None
        await ask(platform)
    assert {type(error) for error in raised} == {errors.CredentialUnavailableError}
    message = f"no credential: {__name__}.Vault, which was passed as AgentPlatform(token=...), raised LookupError"
    assert {str(error) for error in raised} == {message}
    assert len({id(error) for error in raised}) == 5
    assert vault.calls == 2


async def test_an_sdk_error_of_the_function_keeps_its_class(vault: Vault) -> None:
    class NoRoleError(errors.CredentialUnavailableError):
        def __init__(self, role: str, *, vault: str) -> None:
            super().__init__(f"{vault} has no role {role}")
            self.role = role

    vault.failure = NoRoleError("reader", vault="V")
    async with client(token=vault) as platform:
        with pytest.raises(NoRoleError, match="^V has no role reader$") as caught:
            await ask(platform)
    assert (caught.value.role, caught.value is vault.failure) == ("reader", False)


@pytest.mark.parametrize(
    "failure", [asyncio.CancelledError(), TimeoutError(), errors.DeadlineExceededError("late"), OSError()]
)
async def test_whatever_the_function_raises_the_error_is_one_of_the_sdk(failure: BaseException, vault: Vault) -> None:
    def fetch_plainly() -> str:
        raise failure

    vault.failure = failure
    functions: list[Any] = [vault, fetch_plainly]
    for function in functions:
        async with client(token=function) as platform:
            with pytest.raises(errors.CredentialUnavailableError):
                await ask(platform)


async def test_a_function_that_fails_early_leaves_the_credential_until_it_expires(
    vault: Vault, server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client(server, token=vault) as platform:
        await ask(platform)
        vault.failure = OSError("gone")
        monkeypatch.setattr(credentials, "time", lambda: time.time() + 280.0)
        for _ in range(2):
            await ask(platform)
            await until(lambda: "raised OSError; the last credential is used" in caplog.text)
        # The function is called again only after a second.
        assert vault.calls == 2
        monkeypatch.setattr(credentials, "time", lambda: time.time() + 301.0)
        with pytest.raises(errors.CredentialUnavailableError):
            await ask(platform)
    assert server.sent == [FIRST] * 3


@pytest.mark.parametrize(("given", "message"), MALFORMED)
async def test_a_malformed_token_is_refused_with_its_function(given: Any, message: str) -> None:
    async with client(token=lambda: given) as platform:
        with pytest.raises(errors.ConfigurationError) as caught:
            await ask(platform)
    assert str(caught.value).startswith(message)
    assert "it is taken from tests.test_tokens.test_a_malformed_token" in str(caught.value)
    assert leaks(caught.value, SECRET) == []


async def test_the_kind_of_the_current_credential_is_checked(sandbox: Sandbox) -> None:
    async with sandbox.client(lambda: sandbox.token) as platform:
        with pytest.raises(errors.CredentialMismatchError):
            await platform.enterprise.repositories.list_index_status("org-acme")
    assert list(sandbox.journal) == []


async def test_the_kind_of_a_credential_that_changes_during_the_wait_for_a_permit_is_checked(server: Server) -> None:
    """Another call gets the new credential meanwhile."""

    class Changing(LocalRateLimiter):
        def enter(self, operation: Operation) -> Any:
            place = super().enter(operation)
            return Waiting(place) if operation.name == "organization.sessions.create" else place

    class Waiting:
        def __init__(self, place: Any) -> None:
            self.place = place

        async def __aenter__(self) -> Any:
            await platform.request("GET", "/v1/other")
            return await self.place.__aenter__()

        async def __aexit__(self, *error: Any) -> None:
            await self.place.__aexit__(*error)

    tokens = iter([Credential(OLD, datetime.now(UTC)), Credential("apk_user_of_another_kind")])
    async with client(server, token=lambda: next(tokens), rate_limiter=Changing()) as platform:
        with pytest.raises(errors.CredentialMismatchError):
            await platform.organization("org-acme").sessions.create(prompt="x")
    assert [request.url.path for request in server.requests] == ["/v1/other"]


async def test_a_credential_that_expires_during_the_wait_for_a_permit_is_not_sent(
    vault: Vault, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wait may begin when a renewal is due already."""

    class Slow(LocalRateLimiter):
        def enter(self, operation: Operation) -> Any:
            return Waiting(super().enter(operation))

    class Waiting:
        def __init__(self, place: Any) -> None:
            self.place = place

        async def __aenter__(self) -> Any:
            self.entered = await self.place.__aenter__()
            return self

        async def __aexit__(self, *error: Any) -> None:
            await self.place.__aexit__(*error)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.entered, name)

        async def permit(self, longest_closure: float) -> float | None:
            passed.append(waits)
            return await self.entered.permit(longest_closure)

    passed: list[float] = []
    waits = 280.0
    monkeypatch.setattr(credentials, "time", lambda: time.time() + sum(passed))
    async with client(server, token=vault, rate_limiter=Slow()) as platform:
        await ask(platform)
        waits = 30.0
        await ask(platform)
    assert server.sent == [FIRST, SECOND]


async def test_a_failure_shows_nothing_of_what_the_function_has() -> None:
    class Fetch:
        async def __call__(self, secret: str) -> str:
            raise LookupError

    for function in (functools.partial(Fetch(), SECRET), lambda secret=SECRET: [][0]):
        async with client(token=function) as platform:
            with pytest.raises(errors.CredentialUnavailableError) as caught:
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
def test_a_client_shows_the_name_of_its_function_or_file_only(function: Any, name: str, file: Path) -> None:
    assert f"Credential(of {name}, [hidden])" in repr(client(token=function))
    assert SECRET not in repr(client(token=function))
    assert f"Credential(of the file {str(file)!r}, [hidden])" in repr(client(token_file=file))


def test_clients_with_the_same_function_or_file_share_a_rate_limit(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    settings: list[Any] = [{"token": give}, {"token": give}]
    settings += [{"token_file": file}, {"token_file": "token"}, {"token_file": "other"}, {"token": Vault()}]
    keys = [client(**each)._configuration.rate_limit_key for each in settings]
    keys.append(AgentPlatform("https://other.example.com", give)._configuration.rate_limit_key)
    assert (keys[0], keys[2], len(set(keys))) == (keys[1], keys[3], 5)


def keys_of(*tokens: Any) -> list[str]:
    return [client(token=token)._configuration.rate_limit_key for token in tokens]


def closure(tenant: Any) -> Any:
    return lambda: give_to(tenant)


def give_to(tenant: Any) -> str:
    return f"svc_token_of_{tenant}"


def wrapped(tenant: Any) -> Any:
    """A closure over a closure, as decorators make them."""
    inner = closure(tenant)

    async def fetch() -> str:
        return str(inner())

    return fetch


class Account:
    """An object that gives tokens, and says of which account."""

    def __init__(self, identity: str) -> None:
        self.identity = identity

    def __call__(self) -> str:
        return self.fetch()

    def fetch(self) -> str:
        return give_to(self.identity)


def named_partial(tenant: str) -> Any:
    """A partial takes attributes, as any function does."""
    function: Any = functools.partial(give_to, tenant)
    function.identity = tenant
    return function


NAMED: dict[str, Callable[[str], Any]] = {
    "partial": named_partial,
    "object": Account,
    "method": lambda tenant: Account(tenant).fetch,
}
UNNAMED: dict[str, Callable[[str], Any]] = {
    "closure": closure,
    "closure of a closure": wrapped,
    "partial": lambda tenant: functools.partial(give_to, tenant),
    "default": lambda tenant: lambda given=tenant: give_to(given),
    "object": lambda tenant: Vault(),
    "method": lambda tenant: Vault().__call__,
}


@pytest.mark.parametrize("make", NAMED.values(), ids=NAMED)
def test_a_function_that_names_its_account_shares_the_limit_of_the_account(make: Callable[[str], Any]) -> None:
    acme, again, globex = keys_of(make("acme"), make("acme"), make("globex"))
    assert acme == again != globex


@pytest.mark.parametrize("make", UNNAMED.values(), ids=UNNAMED)
def test_a_function_that_names_no_account_has_a_limit_of_its_own(make: Callable[[str], Any]) -> None:
    functions = [make("acme"), make("acme"), make("globex")]
    assert len(set(keys_of(*functions))) == 3
    assert keys_of(*functions) == keys_of(*functions)


IN_ANOTHER_PROCESS = """
from agent_session_platform import AgentPlatform
from tests import test_tokens as tests
for make in (lambda tenant: tests.give, *tests.NAMED.values(), *tests.UNNAMED.values()):
    print(AgentPlatform(tests.URL, make("acme"))._configuration.rate_limit_key)
"""


def test_an_account_has_the_same_limit_in_every_process() -> None:
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    elsewhere = done.stdout.split()
    here = keys_of(give, *(make("acme") for make in NAMED.values()))
    assert elsewhere[: len(here)] == here
    assert not set(elsewhere[len(here) :]) & set(keys_of(*(make("acme") for make in UNNAMED.values())))


def test_no_identity_shows_what_a_function_carries() -> None:
    for make in (*NAMED.values(), *UNNAMED.values()):
        assert SECRET not in client(token=make(SECRET))._configuration.credential_provider.identity


# After a 401 a new credential is requested once, and the request is sent once more with it.


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("retry", [QUICK, ONE_ATTEMPT], ids=["retries", "none"])
async def test_a_401_is_sent_again_with_the_new_token(vault: Vault, method: str, retry: RetryPolicy) -> None:
    server = Server(FIRST)
    async with client(server, token=vault, retry=retry) as platform:
        await platform.request(method, "/v3/x", body=None if method == "GET" else {"a": 1})
    first, second = server.requests
    assert server.sent == [FIRST, SECOND]
    assert first.content == second.content
    assert [request.headers["x-agent-platform-attempt"] for request in server.requests] == ["1", "2"]


@pytest.mark.parametrize("token", [OLD, lambda: OLD], ids=["fixed", "the same"])
async def test_the_same_token_is_not_sent_again(token: Any) -> None:
    server = Server(OLD)
    async with client(server, token=token) as platform:
        with pytest.raises(errors.AuthenticationError) as caught:
            await platform.request("GET", "/v3/x")
    assert server.sent == [OLD]
    assert leaks(caught.value, OLD) == []


async def test_the_log_of_a_401_promises_another_credential_only_if_there_may_be_one(
    vault: Vault, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="agent_session_platform")
    for token, renewals in ((OLD, 0), (vault, 1)):
        caplog.clear()
        async with client(Server(OLD, FIRST, SECOND), token=token) as platform:
            with pytest.raises(errors.AuthenticationError):
                await ask(platform)
        assert caplog.text.count("getting another credential") == renewals


@pytest.mark.skipif(sys.version_info < (3, 12), reason="there are no eager tasks before Python 3.12")
async def test_eager_tasks_share_a_function_that_fails_without_waiting() -> None:
    calls = 0

    async def fail() -> str:
        nonlocal calls
        calls += 1
        raise OSError("no vault")

    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined, unused-ignore]
    async with client(token=fail) as platform:
        results = await asyncio.gather(*(ask(platform) for _ in range(20)), return_exceptions=True)
    assert {type(result) for result in results} == {errors.CredentialUnavailableError}
    assert calls == 1


async def test_a_call_is_sent_again_once_and_the_next_one_without_a_token_that_was_refused(vault: Vault) -> None:
    server = Server(FIRST, SECOND)
    async with client(server, token=vault) as platform:
        with pytest.raises(errors.AuthenticationError):
            await platform.request("GET", "/v3/x")
        await platform.request("GET", "/v3/x")
    assert server.sent == [FIRST, SECOND, "svc_of_the_vault_3"]


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (lambda: None, errors.ConfigurationError),
        (lambda: "apk_user_of_another_kind", errors.CredentialMismatchError),
        (asyncio.Event().wait, errors.DeadlineExceededError),
    ],
)
async def test_without_another_credential_the_error_has_the_response_of_the_401(second: Any, error: Any) -> None:
    functions = iter([lambda: OLD, second])
    async with client(Server(OLD), token=lambda: next(functions)(), retry=RetryPolicy(deadline=0.2)) as platform:
        with pytest.raises(error) as caught:
            await platform.organization("org-acme").sessions.create(prompt="x")
    assert caught.value.response.status == 401


async def test_100_refused_calls_ask_once(vault: Vault) -> None:
    server = Server()
    async with client(server, token=vault) as platform:
        await platform.request("GET", "/v3/x")
        server.refused = {FIRST}
        await asyncio.gather(*(platform.request("POST", "/v3/x") for _ in range(100)))
    assert vault.calls == 2
    assert server.sent.count(SECOND) == 100


async def test_a_call_whose_token_was_replaced_meanwhile_asks_nobody(vault: Vault) -> None:
    """The 401 of this call comes when another call already has the new token."""
    server = Server(FIRST)
    async with client(server, token=vault) as platform:
        task = asyncio.create_task(platform.request("GET", "/v3/late"))
        await until(lambda: server.requests)
        await platform.request("GET", "/v3/x")
        server.late.set()
        await task
    assert vault.calls == 2
    assert server.sent == [FIRST, FIRST, SECOND, SECOND]


async def test_a_file_that_cannot_be_rewound_is_not_sent_again_but_the_token_is_replaced(vault: Vault) -> None:
    server = Server(FIRST)
    async with client(server, token=vault) as platform:
        with pytest.raises(errors.AuthenticationError):
            await platform.organization("org-acme").attachments.upload(file=Pipe(b"once"))
        await platform.request("GET", "/v3/x")
    assert server.sent == [FIRST, SECOND]


@all_transports
async def test_a_file_that_can_be_rewound_is_sent_again(vault: Vault, transport: Any) -> None:
    async with fault_server(response(b"", "401 Unauthorized"), response({})) as server:
        platform = AgentPlatform(server.base_url, vault, transport=transport)
        await platform.organization("org-acme").attachments.upload(file=io.BytesIO(b"content"))
        await platform.aclose()
    assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {FIRST}", f"Bearer {SECOND}"]
    assert [b"content" in request.body for request in server.requests] == [True, True]


async def test_an_attempt_that_was_refused_with_401_counts(vault: Vault) -> None:
    events: list[RetryEvent] = []
    responses = iter([httpx.Response(401), httpx.Response(503), httpx.Response(503)])
    retry = RetryPolicy(attempts=3, backoff_base=0.0, on_retry=events.append)
    server = httpx.MockTransport(lambda request: next(responses))
    async with client(server, token=vault, retry=retry) as platform:
        with pytest.raises(errors.ServerError, match="given up after 3 attempts"):
            await platform.request("GET", "/v3/x")
    assert [(type(event.error), event.attempt) for event in events] == [(errors.ServerError, 2)]
