"""Credentials that a function of the caller gives: one request for all tasks, again when their time has passed."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from inspect import isawaitable, iscoroutinefunction
from typing import Any, NamedTuple, TypeAlias

from ..errors import ClientClosedError, ConfigurationError, CredentialUnavailableError
from ..text import type_name
from .credential_source import CredentialSource
from .credentials import FROM_CREDENTIAL, Credential, check_token, hidden

TokenProvider: TypeAlias = Callable[[], "str | Credential | Awaitable[str | Credential]"]

# A credential is asked for again so many seconds before it expires, or when a tenth of its time is left if that is
# later: a request is some time on its way, and the clocks of two machines differ.
MARGIN_SECONDS = 30.0
MARGIN_SHARE = 0.1

# A function that takes longer is given up, so that one that hangs once does not stop the client for good.
LONGEST_SECONDS = 60.0

logger = logging.getLogger("agent_session_platform")


class FailedRenewal(NamedTuple):
    """Why there is no credential: each call that waits gets an error of its own."""

    cls: type[ConfigurationError]
    message: str
    cause: BaseException | None = None

    def error(self) -> ConfigurationError:
        """Make the error of one call."""
        error = self.cls(self.message)
        error.__cause__ = self.cause
        error.__suppress_context__ = True
        return error


class TokenFunction(CredentialSource):
    """A source that asks a function of the caller, in a task of its own that no cancelled call takes along.

    Args:
        function: Returns a token or a `Credential`, or an awaitable of one. A plain function runs in a thread.
    """

    def __init__(self, function: TokenProvider) -> None:
        super().__init__()
        self._name = name_of(function)
        self._where = f"it is taken from {self._name}, which was passed as AgentPlatform(token=...)"
        # A function: error reporters show the attributes of objects, and a partial function may have a secret.
        self._call: Callable[[], Awaitable[Any]] = lambda: call(function)
        self._task: asyncio.Task[Credential | FailedRenewal] | None = None
        self._closed = False
        self._refused = False
        # When to ask again, by the wall clock and by the event loop's, whichever comes first: the one may be set, the
        # other may stand still while the machine sleeps.
        self._times: tuple[float, float] | None = None

    @property
    def identity(self) -> str:
        """The module and the name of the function."""
        return f"function {self._name}"

    def current(self) -> Credential | None:
        """Return the credential to send now; None if `get` must be awaited for one."""
        if self._refused:
            return None
        if self._times is not None:
            at, at_of_loop = self._times
            if time.time() >= at or asyncio.get_running_loop().time() >= at_of_loop:
                return None
        return self._latest

    async def get(self, deadline: float) -> Credential:
        """Return the credential to send now; see `CredentialSource.get`."""
        credential = self.current()
        if credential is not None:
            return credential
        if self._closed:
            raise closed()
        loop = asyncio.get_running_loop()
        task = self._task
        if task is None or task.done():
            self._task = task = loop.create_task(self._renew())
            task.add_done_callback(self._forget)
        elif task is asyncio.current_task():
            raise ConfigurationError(f"{self._name} gives the credential of a client, and cannot call that client")
        # It neither cancels the task nor raises its exception.
        await asyncio.wait((task,), timeout=max(0.0, deadline - loop.time()))
        if not task.done():
            raise TimeoutError
        if task.cancelled():
            raise closed()
        outcome = task.result()
        if isinstance(outcome, Credential):
            return outcome
        raise outcome.error()

    def refuse(self, credential: Credential) -> None:
        """Ask again before the next request, unless the credential was replaced already."""
        self._refused = self._refused or credential is self._latest

    def close(self) -> None:
        """End a function that is running."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()

    async def _renew(self) -> Credential | FailedRenewal:
        """Ask the function; what is wrong is a value, because nobody may be left to retrieve an exception."""
        outcome = await self._outcome()
        latest = self._latest
        if isinstance(outcome, Credential):
            self._keep(outcome)
            self._refused = False
            self._times = times_of(outcome)
        elif latest is not None and not self._refused and latest.expires_at and latest.expires_at > datetime.now(UTC):
            logger.warning("%s; the credential is used until it expires", outcome.message)
            return latest
        return outcome

    def _forget(self, task: asyncio.Task[Credential | FailedRenewal]) -> None:
        """Keep no failure, whose traceback has the frames of the function, longer than the calls that wait."""
        if self._task is task:
            self._task = None

    async def _outcome(self) -> Credential | FailedRenewal:
        limit = asyncio.timeout(LONGEST_SECONDS)
        try:
            async with limit:
                return self._checked(await self._call())
        except ConfigurationError as error:
            if error.__class__ is ConfigurationError and error.operation is None:
                return FailedRenewal(ConfigurationError, str(error).replace(FROM_CREDENTIAL, self._where))
            return self._failed(f"raised {type_name(error)}", error)
        except TimeoutError as error:
            if limit.expired():
                return self._failed(f"gave no credential within {LONGEST_SECONDS:g} s", None)
            return self._failed(f"raised {type_name(error)}", error)
        except asyncio.CancelledError as error:
            if self._closed:
                raise
            return self._failed("was cancelled", error)
        except Exception as error:
            return self._failed(f"raised {type_name(error)}", error)

    def _checked(self, given: Any) -> Credential:
        """Return what the function gave as a credential, a new object each time: calls compare them by identity."""
        try:
            if isinstance(given, Credential):
                return given.copy()
            check_token(given, self._where)
            return Credential(given)
        finally:
            # An error reporter shows the local variables of this frame.
            del given

    def _failed(self, what: str, cause: BaseException | None) -> FailedRenewal:
        message = f"no credential: {self._name}, which was passed as AgentPlatform(token=...), {what}"
        return FailedRenewal(CredentialUnavailableError, message, cause)

    def __repr__(self) -> str:
        return f"Credential(of {self._name}, [hidden])"


def closed() -> ClientClosedError:
    """Make the error of a call that waits for a credential when its client is closed."""
    return ClientClosedError("the client was closed while the call waited for a credential")


def times_of(credential: Credential) -> tuple[float, float] | None:
    """Return when to ask for another credential, by the wall clock and the event loop's; None for no time."""
    if credential.expires_at is None:
        return None
    left = (credential.expires_at - datetime.now(UTC)).total_seconds()
    wait = left - min(MARGIN_SECONDS, MARGIN_SHARE * left)
    return time.time() + wait, asyncio.get_running_loop().time() + wait


def name_of(function: Any) -> str:
    """Return the module and the name of a function, or of the class of an object that can be called."""
    while isinstance(function, functools.partial):
        function = function.func
    # An object that can be called has no name of its own.
    name = getattr(function, "__qualname__", None)
    module = getattr(function, "__module__", None) or "builtins"
    # In the processes that multiprocessing spawns, the main module has another name.
    module = "__main__" if module == "__mp_main__" else module
    return f"{module}.{name if isinstance(name, str) else function.__class__.__qualname__}"


async def call(function: Callable[[], Any]) -> Any:
    """Call a function of the caller: a plain one in a thread, because it may block, and await what it returns."""
    is_async = iscoroutinefunction(function) or iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004
    given = function() if is_async else await call_in_thread(function)
    return await given if isawaitable(given) else given


async def call_in_thread(function: Callable[[], Any]) -> Any:
    """Call a function in a thread that keeps no program from ending, as those of the event loop's pool would."""
    loop = asyncio.get_running_loop()
    finished: asyncio.Future[Callable[[], Any]] = loop.create_future()

    def finish(outcome: Callable[[], Any]) -> None:
        if not finished.done():
            finished.set_result(outcome)

    def run() -> None:
        try:
            outcome = hidden(function())
        except BaseException as error:
            outcome = functools.partial(reraise, error)
        # The event loop may be closed by now.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(finish, outcome)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name="agent-platform-token", daemon=True).start()
    return (await finished)()


def reraise(error: BaseException) -> Any:
    """Raise what a function raised in its thread; what is no Exception would end the event loop."""
    raise error if isinstance(error, Exception) else RuntimeError(type(error).__name__) from error
