"""The send path, in order: arguments, preflight, gate, the try, retry, and the error or the decoded answer."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .answer import Answer
from .arguments import Prepared, prepare
from .attempts import Attempts, DeadlinePassed
from .credentials import preflight
from .decode import decode
from .errors import (
    AgentPlatformError,
    ClientClosedError,
    ConnectionFailedError,
    DeadlineExceededError,
    OutcomeUnknownError,
)
from .options import resolved
from .problem import problem
from .retry import IDEMPOTENT, RetryEvent, RetryPolicy, gave_up_because
from .stream import Stream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ._api import CallOptions, Request
    from .credentials import Credential
    from .gate import Gate
    from .transport import Transport

T = TypeVar("T")
R = TypeVar("R", Answer, "Answer | Stream")

Exchange: TypeAlias = "Callable[[Prepared, float], Awaitable[R]]"

logger = logging.getLogger("agent_platform")


class Pipeline:
    """Sends the requests of one client, in one event loop, through one gate."""

    def __init__(
        self,
        transport: Transport,
        credential: Credential,
        gate: Gate,
        policy: RetryPolicy,
        *,
        timeout: float,
        check_credential: bool,
    ) -> None:
        self.gate = gate
        self._transport = transport
        self._credential = credential
        self._policy = policy
        self._timeout = timeout
        self._check_credential = check_credential
        self._loop = asyncio.get_running_loop()
        self._closing: asyncio.Future[None] = self._loop.create_future()
        self._attempts = Attempts(gate, policy)

    async def send(self, request: Request[T], options: CallOptions | None) -> T:
        """Send *request*, again where that is safe and useful, and decode its answer; raises an AgentPlatformError."""
        return decode(request, await self._deliver(request, options, self._transport.send), self._credential.redact)

    async def open(self, request: Request[Any], options: CallOptions | None) -> Stream:
        """The same for an answer that is a file, up to where its body begins; what follows has no deadline."""
        outcome = await self._deliver(request, options, self._transport.stream)
        if isinstance(outcome, Stream):
            return outcome
        # A redirect: raises a DecodeError.
        stream: Stream = decode(request, outcome, self._credential.redact)
        return stream

    async def _deliver(self, request: Request[Any], options: CallOptions | None, exchange: Exchange[R]) -> R:
        """Try until there is a success, or an error that is final."""
        options = resolved(options)
        prepared = prepare(request, options)
        if self._check_credential:
            preflight(self._credential, request.operation)
        policy: RetryPolicy = options.retry or self._policy
        if not prepared.repeatable:
            policy = policy.with_attempts(1)
        silence = options.timeout or self._timeout
        deadline = self._loop.time() + policy.deadline
        attempt = 1
        while True:
            outcome = await self._outcome(
                prepared, lambda timeout: exchange(prepared, timeout), silence, deadline, policy
            )
            if not isinstance(outcome, AgentPlatformError):
                return outcome
            delay = policy.delay(request.operation.method, outcome, attempt, deadline - self._loop.time())
            if delay is None:
                reason = gave_up_because(policy, request.operation.method, outcome, attempt)
                raise outcome if reason is None else outcome.because(reason)
            self._report(RetryEvent(request.operation, attempt, outcome, delay), policy)
            await self._pause(delay)
            attempt += 1

    async def _outcome(
        self,
        prepared: Prepared,
        exchange: Callable[[float], Awaitable[R]],
        silence: float,
        deadline: float,
        policy: RetryPolicy,
    ) -> R | AgentPlatformError:
        """One try: a success, or what may be worth another try; raises what is final whatever the policy."""
        operation = prepared.operation
        try:
            passage = await self.gate.enter(deadline)
        except TimeoutError:
            raise DeadlineExceededError(
                f"not sent within {policy.deadline:g} s, because the gate was closed or full", operation=operation
            ) from None
        sent_at = datetime.now(UTC)
        try:
            answer = await self._attempts.run(exchange, silence, deadline, passage)
        except ConnectionFailedError as error:
            if error.received and operation.method not in IDEMPOTENT:
                raise unknown_outcome(prepared, sent_at, str(error)) from error
            return error
        except DeadlinePassed:
            if operation.method not in IDEMPOTENT:
                raise unknown_outcome(prepared, sent_at, f"no answer within {policy.deadline:g} s") from None
            raise DeadlineExceededError(f"no answer within {policy.deadline:g} s", operation=operation) from None
        except ClientClosedError as error:
            if operation.method not in IDEMPOTENT:
                raise unknown_outcome(prepared, sent_at, "the client was closed meanwhile") from None
            raise error.of(operation) from None
        if isinstance(answer, Answer) and answer.status >= 400:
            return problem(answer, operation, self._credential.redact)
        return answer

    async def _pause(self, seconds: float) -> None:
        """Sleep, unless the client is closed meanwhile."""
        await asyncio.wait((self._closing,), timeout=seconds)
        if self._closing.done():
            raise ClientClosedError("the client was closed while the call waited for its next try")

    def _report(self, event: RetryEvent, policy: RetryPolicy) -> None:
        logger.info("%s; waiting %.2f s before try %d", event.error, event.delay, event.attempt + 1)
        if policy.on_retry is not None:
            policy.on_retry(event)

    async def aclose(self) -> None:
        """Send away who waits, cancel what is in flight and close the connections."""
        if not self._closing.done():
            self._closing.set_result(None)
        self.gate.dismiss()
        try:
            await self._attempts.aclose()
        finally:
            try:
                await self._transport.aclose()
            finally:
                await self.gate.aclose()


def unknown_outcome(prepared: Prepared, sent_at: datetime, why: str) -> OutcomeUnknownError:
    """The error of a write that may have been carried out."""
    operation = prepared.operation
    return OutcomeUnknownError(
        f"{why.removeprefix(f'{operation}: ')}; the write may have been carried out and was not sent again: "
        "read the state before you repeat it",
        operation=operation,
        sent_at=sent_at,
    )
