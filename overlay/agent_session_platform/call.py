"""The send path, in order: arguments, preflight, rate_limiter, the try, retry, and the error or the decoded answer."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .attempt import Attempts, DeadlinePassed
from .errors import (
    AgentPlatformError,
    ClientClosedError,
    ConnectionFailedError,
    DeadlineExceededError,
    RateLimitedError,
)
from .options import resolved
from .request.arguments import Prepared, prepare
from .request.credentials import preflight
from .response.decode import decode
from .response.problem import problem
from .response.reconcile import unknown_outcome
from .response.response import Answer
from .response.stream import Stream
from .retry import IDEMPOTENT, RetryEvent, RetryPolicy, gave_up_because
from .transport.tracing import Tally, call_span, is_traced

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ._api import CallOptions, Request
    from .rate_limit.interface import RateLimiter
    from .request.credentials import Credential
    from .transport.exchange import Transport

T = TypeVar("T")
R = TypeVar("R", Answer, "Answer | Stream")

Exchange: TypeAlias = "Callable[[Prepared, int, float], Awaitable[R]]"

# How long each step of closing may take.
CLOSING_SECONDS = 5.0

logger = logging.getLogger("agent_session_platform")


class Pipeline:
    """Sends the requests of one client, in one event loop, through one rate_limiter."""

    def __init__(
        self,
        transport: Transport,
        credential: Credential,
        rate_limiter: RateLimiter,
        policy: RetryPolicy,
        *,
        timeout: float,
        check_credential: bool,
    ) -> None:
        self.rate_limiter = rate_limiter
        self._transport = transport
        self._credential = credential
        self._policy = policy
        self._timeout = timeout
        self._check_credential = check_credential
        self._loop = asyncio.get_running_loop()
        self._closing: asyncio.Future[None] = self._loop.create_future()
        self._attempts = Attempts(rate_limiter)
        self._tickets = count()

    async def send(self, request: Request[T], options: CallOptions | None) -> T:
        """Send *request*, again where that is safe and useful, and decode its answer; raises an AgentPlatformError."""
        answer = await self._deliver(request, options, self._transport.send)
        return await decode(request, answer, self._credential.redact)

    async def open(self, request: Request[Any], options: CallOptions | None) -> Stream:
        """The same for an answer that is a file, up to where its body begins; what follows has no deadline."""
        outcome = await self._deliver(request, options, self._transport.stream)
        if isinstance(outcome, Stream):
            return outcome
        # A redirect: raises a DecodeError.
        stream: Stream = await decode(request, outcome, self._credential.redact)
        return stream

    async def _deliver(self, request: Request[Any], options: CallOptions | None, exchange: Exchange[R]) -> R:
        """Try until there is a success, or an error that is final; in a span of its own where spans are made."""
        if not is_traced():
            return await self._tries(request, options, exchange, Tally())
        with call_span(request.operation) as tally:
            return await self._tries(request, options, exchange, tally)

    async def _tries(
        self, request: Request[Any], options: CallOptions | None, exchange: Exchange[R], tally: Tally
    ) -> R:
        options = resolved(options)
        prepared = prepare(request, options)
        if self._check_credential:
            preflight(self._credential, request.operation)
        policy: RetryPolicy = options.retry or self._policy
        if not prepared.repeatable:
            policy = policy.with_attempts(1)
        silence = options.timeout or self._timeout
        deadline = self._loop.time() + policy.deadline
        ticket = next(self._tickets)
        probes = 0
        while True:
            outcome = await self._outcome(prepared, exchange, silence, deadline, policy, tally, ticket)
            if not isinstance(outcome, AgentPlatformError):
                return outcome
            if isinstance(outcome, RateLimitedError) and self.rate_limiter.stats().waiting:
                # It was refused for all who wait behind it, and will be the next probe again: only the deadline counts.
                probes += 1
            attempt = tally.attempts - probes
            delay = policy.delay(request.operation.method, outcome, attempt, deadline - self._loop.time())
            if delay is None:
                reason = gave_up_because(policy, request.operation.method, outcome, attempt)
                try:
                    raise outcome if reason is None else outcome.because(reason)
                finally:
                    # Else the error, its traceback and this frame would keep each other alive.
                    del outcome
            self._report(RetryEvent(request.operation, attempt, outcome, delay), policy)
            # Only the rate limiter waits for a 429: the call keeps its ticket.
            if not isinstance(outcome, RateLimitedError):
                tally.waited += delay
                await self._pause(delay)

    async def _outcome(
        self,
        prepared: Prepared,
        exchange: Exchange[R],
        silence: float,
        deadline: float,
        policy: RetryPolicy,
        tally: Tally,
        ticket: int,
    ) -> R | AgentPlatformError:
        """One try: a success, or what may be worth another try; raises what is final whatever the policy."""
        operation = prepared.operation
        came_at = self._loop.time()
        try:
            permit = await self.rate_limiter.acquire(ticket, deadline)
        except TimeoutError:
            raise DeadlineExceededError(
                f"not sent within {policy.deadline:g} s, because the rate limiter was closed or full",
                operation=operation,
            ) from None
        finally:
            tally.waited += self._loop.time() - came_at
        tally.attempts += 1
        attempt = tally.attempts
        sent_at = datetime.now(UTC)
        try:
            answer = await self._attempts.run(
                lambda timeout: exchange(prepared, attempt, timeout),
                silence,
                deadline,
                permit,
                policy.max_retry_after,
            )
        except ConnectionFailedError as error:
            if error.operation is None:
                error.of(operation)
            if error.received and operation.method not in IDEMPOTENT:
                raise unknown_outcome(operation, sent_at, str(error)) from error
            return error
        except DeadlinePassed:
            if operation.method not in IDEMPOTENT:
                raise unknown_outcome(operation, sent_at, f"no answer within {policy.deadline:g} s") from None
            raise DeadlineExceededError(f"no answer within {policy.deadline:g} s", operation=operation) from None
        except ClientClosedError as error:
            if operation.method not in IDEMPOTENT:
                raise unknown_outcome(operation, sent_at, "the client was closed meanwhile") from None
            raise error.of(operation) from None
        logger.debug("%s: %d", operation, answer.status)
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
        self.rate_limiter.shut()
        # Bounded, whatever a transport or a gate of the user's own does.
        for step in (self._attempts.aclose, self._transport.aclose, self.rate_limiter.aclose):
            await bounded(step())


async def bounded(closing: Awaitable[None]) -> None:
    """Wait for *closing*, and not for ever; an error in it does not keep the rest from being closed."""
    task = asyncio.ensure_future(closing)
    await asyncio.wait((task,), timeout=CLOSING_SECONDS)
    if not task.done():
        task.cancel()
        logger.warning("closing takes longer than %g s, and is not waited for any more", CLOSING_SECONDS)
    elif not task.cancelled() and (error := task.exception()) is not None:
        logger.warning("closing failed (%s)", type(error).__name__)
