"""One logical call: as many attempts as the retry policy allows, one outcome; and what the calls of a client share."""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
from collections.abc import Awaitable, Coroutine
from datetime import UTC, datetime
from inspect import isawaitable
from typing import Any, TypeVar

import attrs

from ._api import Operation
from .configuration import Configuration
from .errors import (
    CLIENT_CLOSED,
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    ConnectionFailedError,
    DeadlineExceededError,
    InvalidArgumentError,
    OutcomeUnknownError,
    RateLimitedError,
)
from .rate_limit.interface import Permit, RateLimiter
from .request.credentials import Renewal
from .request.prepare import PreparedRequest
from .response.problem import judge
from .response.response import (
    Failure,
    Outcome,
    Response,
    StreamedResponse,
    collected,
    describe_response,
    report,
)
from .retry import IDEMPOTENT, Decision, RequestOptions, RetryEvent, RetryPolicy, policy_of
from .text import type_name
from .transport.exchange import Exchange

# How long each step of closing may take.
CLOSING_SECONDS = 5.0

logger = logging.getLogger("agent_session_platform")

T = TypeVar("T")


@attrs.frozen(repr=False)
class ExchangeRecord:
    """One attempt, as `AgentPlatform(on_exchange=...)` gets it: what was sent, and what came back.

    It has no header of the request, and so no credential. A body may have anything.

    Attributes:
        operation: The operation that was called.
        path: The path, with its ids.
        attempt: Number of the attempt within its call, from 1.
        credential: The kind of the credential, such as `serviceUser`; None if its prefix is unknown.
        query: The query arguments that were sent, by name.
        request_body: The body of the request; None for none, and for a form with files.
        request_type: The media type of that body.
        status: HTTP status code; None if no response came.
        headers: Name and value of each header of the response, as they came.
        content: The body of the response; None where it is read as it comes, could not be read, or did not come.
        seconds: How long the attempt took.
        error: Why no response came, or its body could not be read; None if one came.
    """

    operation: Operation
    path: str
    attempt: int
    credential: str | None
    query: dict[str, Any]
    request_body: bytes | None
    request_type: str | None
    status: int | None
    headers: tuple[tuple[str, str], ...]
    content: bytes | None
    seconds: float
    error: Exception | None

    def __repr__(self) -> str:
        return f"<ExchangeRecord {self.operation} attempt {self.attempt}: {self.status or 'no response'}>"


class Runtime:
    """The parts that the calls of an open client share, in one event loop.

    Args:
        configuration: The settings of the client.
        exchange: What requests are sent through.
        rate_limiter: What decides when they may be sent.

    Attributes:
        tickets: Numbers the calls in the order in which they were made.
        loop: The event loop.
        closing: Whether the client is being closed.
    """

    def __init__(self, configuration: Configuration, exchange: Exchange, rate_limiter: RateLimiter) -> None:
        self.configuration = configuration
        self.exchange = exchange
        self.rate_limiter = rate_limiter
        self.tickets = itertools.count()
        self.loop = asyncio.get_running_loop()
        self.closing = False
        self._under_way: set[asyncio.Timeout] = set()
        self._none_under_way = asyncio.Event()
        self._streams: dict[StreamedResponse, Permit | None] = {}
        self._has_warned = False

    async def in_time(self, job: Coroutine[Any, Any, T], seconds: float | None) -> T:
        """Await a job in the task of its caller, for as long as the client is open.

        Args:
            job: The job.
            seconds: How long it may take; None for as long as it wants.

        Raises:
            TimeoutError: It takes longer.
            ClientClosedError: The client is closed before its end.
        """
        if self.closing:
            job.close()
            raise ClientClosedError(CLIENT_CLOSED)
        timeout = asyncio.timeout(seconds)
        self._under_way.add(timeout)
        try:
            async with timeout:
                return await job
        except TimeoutError:
            if timeout.expired() and self.closing:
                raise ClientClosedError("the client was closed during the call; make a new AgentPlatform") from None
            raise
        finally:
            self._under_way.discard(timeout)
            if not self._under_way:
                self._none_under_way.set()

    def decide(
        self,
        policy: RetryPolicy,
        operation: Operation,
        error: Exception,
        attempt: int,
        time_left: float,
        closed_for: float | None = None,
    ) -> Decision:
        """Decide on another attempt, take its tokens of the retry quota, and report it; the wait is the caller's.

        A success gives the tokens back, which only the caller sees.

        Args:
            policy: How often and how long is attempted.
            operation: The operation that is called.
            error: The error of the attempt; if it is final, its message says why.
            attempt: Number of that attempt, from 1.
            time_left: Seconds until the deadline.
            closed_for: After a 429 the seconds until the rate limiter opens; None after any other failure.

        Returns:
            The decision; its `delay` is None when the failure is final.
        """
        quota = self.rate_limiter.retry_quota
        decision = policy.decide(operation.method, error, attempt, time_left, closed_for, tokens=quota.tokens)
        if decision.delay is None:
            if decision.reason and isinstance(error, AgentPlatformError):
                error.because(decision.reason)
            return decision
        if decision.tokens:
            quota.take(decision.tokens)
        logger.info("%s; waiting %.2f s before attempt %d", error, decision.delay, attempt + 1)
        if policy.on_retry is not None and isinstance(error, AgentPlatformError):
            policy.on_retry(RetryEvent(operation, attempt, error, decision.delay))
        return decision

    def hold(self, stream: StreamedResponse, permit: Permit | None = None) -> None:
        """End a stream with the client, and keep its permit until it is closed; one of another server needs none."""
        self._streams[stream] = permit
        stream.on_close = lambda: self._release(stream)
        stream.while_open = lambda job: self.in_time(job, None)
        if permit is not None:
            self.rate_limiter.stream_accepted(permit)

    def observe(self, record: ExchangeRecord) -> None:
        """Tell `on_exchange` of an attempt; what it raises is logged once."""
        assert self.configuration.on_exchange is not None, "the caller looked"
        try:
            self.configuration.on_exchange(record)
        except Exception:
            if not self._has_warned:
                self._has_warned = True
                logger.warning("on_exchange has failed; calls are not affected", exc_info=True)

    async def aclose(self) -> None:
        """Fail the waiting calls, end what is in flight and close the connections."""
        self.closing = True
        self.rate_limiter.shut()
        self.configuration.credentials.close()
        for step in (self._end_all, self.exchange.aclose, self.rate_limiter.aclose):
            await bounded(step())

    async def _end_all(self) -> None:
        if self._under_way:
            self._none_under_way.clear()
            for timeout in self._under_way:
                if not timeout.expired():
                    timeout.reschedule(self.loop.time())
            await self._none_under_way.wait()
        for stream in list(self._streams):
            await stream.aclose()

    def _release(self, stream: StreamedResponse) -> None:
        permit = self._streams.pop(stream)
        if permit is not None:
            self.rate_limiter.release(permit, streamed=True)


async def bounded(closing: Awaitable[None]) -> None:
    """Wait for a step of closing, for CLOSING_SECONDS at most; an error in it keeps no other step from running."""
    task = asyncio.ensure_future(closing)
    await asyncio.wait((task,), timeout=CLOSING_SECONDS)
    if not task.done():
        task.cancel()
        logger.warning("closing takes longer than %g s, and is not waited for any more", CLOSING_SECONDS)
    elif not task.cancelled() and (error := task.exception()) is not None:
        logger.warning("closing failed (%s)", type(error).__name__)


class Call:
    """One logical call, with its own state.

    Args:
        runtime: The parts that the calls of a client share.
        request: What to send.
        options: Timeout and retry policy, where they are not the client's.

    Attributes:
        operation: The operation that is called.
        attempts: How many attempts were begun.
        waited: Seconds spent waiting, for a permit or between attempts.
    """

    def __init__(self, runtime: Runtime, request: PreparedRequest, options: RequestOptions) -> None:
        configuration = runtime.configuration
        self._runtime = runtime
        self._request = request
        policy = policy_of(options, configuration.retry)
        # A file that cannot be rewound is gone after the first attempt.
        self._policy = policy if request.repeatable else policy.with_attempts(1)
        self._timeout = options.timeout or configuration.timeout
        self._redact = configuration.redact
        self._began = runtime.loop.time()
        self._deadline = self._began + self._policy.deadline
        self._functions = (configuration.on_response, options.on_response)
        self._on_send = options.on_send
        self._renewal: Renewal | None = None
        source = configuration.credentials
        if source.fixed is not None:
            self._credential = source.fixed
        else:
            self._renewal = Renewal(
                source, request.operation, request.repeatable, configuration.preflight, self._deadline
            )
        # Drawn once: a refused call keeps its place before those that were made later.
        self._ticket = next(runtime.tickets)
        self.operation = request.operation
        self.attempts = 0
        self.waited = 0.0
        # When the latest attempt was sent; None before, such as while it waits for a connection.
        self._sent_at: datetime | None = None
        # Why the attempt before failed.
        self._failed: Exception | None = None
        # Tokens of the retry quota that the retries of this call have taken.
        self._tokens = 0.0

    async def run(self) -> Response | StreamedResponse:
        """Send the request, again where that is safe.

        Returns:
            The first success.

        Raises:
            AgentPlatformError: Why the last attempt failed.
        """
        while True:
            if self._renewal is not None:
                await self._renewal.get()
            permit = await self._acquire()
            if self._renewal is not None:
                # Another call may have renewed it while this one waited; one that is outdated is replaced after a 401.
                self._credential = self._renewal.latest()
            await self._before_sending(permit)
            outcome = await self._attempt(permit)
            if not isinstance(outcome, Failure):
                await self._succeed(outcome)
                return outcome
            if not await self._goes_on(outcome):
                try:
                    raise outcome.error
                finally:
                    # The error, its traceback and this frame would keep each other alive.
                    del outcome

    async def _acquire(self) -> Permit:
        """Wait for a permit."""
        self._sent_at = None
        loop = self._runtime.loop
        started = loop.time()
        try:
            return await self._runtime.rate_limiter.acquire(self._ticket, self._deadline)
        except TimeoutError:
            late = self._late("because the rate limiter was closed or full")
            self._report(late)
            raise late from self._failed
        finally:
            self.waited += loop.time() - started

    async def _before_sending(self, permit: Permit) -> None:
        """Call the caller's function, such as one that keeps a journal; send nothing if the client is closed by now."""
        try:
            if self._on_send is not None:
                sending: Any = self._on_send()
                if not isawaitable(sending):
                    raise InvalidArgumentError(f"on_send must be an async function, but returned {type_name(sending)}")
                await sending
            if self._runtime.closing:
                raise ClientClosedError(CLIENT_CLOSED)
        except BaseException:
            self._runtime.rate_limiter.release(permit)
            raise

    async def _attempt(self, permit: Permit) -> Outcome:
        """Make one attempt; a write that broke off after it was sent may have been carried out."""
        self.attempts += 1
        time_left = max(0.0, self._time_left())
        outcome: Outcome
        try:
            outcome = await self._runtime.in_time(self._exchange(permit), None if time_left == math.inf else time_left)
        except TimeoutError:
            outcome = Failure(self._late("because no connection became free"))
            outcome.error.__cause__ = self._failed
        except ClientClosedError as error:
            outcome = Failure(error)
        sent_at = self._sent_at
        if not isinstance(outcome, Failure) or self.operation.method in IDEMPOTENT or sent_at is None:
            return outcome
        failed = outcome.error
        broke_off = isinstance(failed, ConnectionFailedError) and failed.received
        if not broke_off and not isinstance(failed, DeadlineExceededError | ClientClosedError):
            return outcome
        unknown = OutcomeUnknownError(self._message_of(failed), operation=self.operation, sent_at=sent_at)
        unknown.__cause__ = failed if broke_off else failed.__cause__
        return Failure(unknown)

    async def _exchange(self, permit: Permit) -> Outcome:
        """Send once, judge the response and tell the rate limiter."""
        runtime = self._runtime
        started = runtime.loop.time()
        accepted = held = False
        try:
            outcome = await runtime.exchange.send(
                self._request, self._credential, self.attempts, self._timeout, self._began, self._note_sent
            )
            received = outcome.unreadable if isinstance(outcome, Failure) else outcome
            method, path, seconds = self.operation.method, self._request.path, runtime.loop.time() - started
            if runtime.configuration.on_exchange is not None:
                runtime.observe(self._record(outcome, received, seconds))
            if received is not None:
                accepted = True
                logger.debug(
                    "%s %s %d in %.3f s (%s, attempt %d)",
                    *(method, path, received.status, seconds, self.operation, self.attempts),
                )
            if isinstance(outcome, Failure):
                return outcome
            if isinstance(outcome, StreamedResponse):
                held = True
                runtime.hold(outcome, permit)
                return outcome
            error = judge(outcome, self.operation, self._redact)
            accepted = not isinstance(error, RateLimitedError)
            if error is None:
                return outcome
            error.response = describe_response(outcome, self.operation, self._redact)
            return Failure(error, None if accepted else self._close_limiter(permit, outcome.retry_after))
        finally:
            if not held:
                runtime.rate_limiter.release(permit, accepted=accepted)

    def _close_limiter(self, permit: Permit, retry_after: float | None) -> float:
        """Close the rate limiter after a 429, and return the seconds until it opens."""
        # Beyond the cap this call fails at once: do not close the rate limiter for the others.
        hint = retry_after if self._policy.waits_for(retry_after) else 0.0
        return self._runtime.rate_limiter.refused(permit, hint, self._policy.backoff_after_429)

    def _record(self, outcome: Outcome, received: Response | StreamedResponse | None, seconds: float) -> ExchangeRecord:
        """Describe an attempt for `on_exchange`."""
        request = self._request
        headers = () if received is None else received.headers
        return ExchangeRecord(
            operation=self.operation,
            path=request.path,
            attempt=self.attempts,
            credential=self._credential.kind,
            query={name: value for name, value in request.query.items() if value is not None},
            request_body=request.content,
            request_type=request.media_type,
            status=None if received is None else received.status,
            headers=tuple((name.decode("latin-1"), value.decode("utf-8", "replace")) for name, value in headers),
            content=outcome.content if isinstance(outcome, Response) else None,
            seconds=seconds,
            error=outcome.error if isinstance(outcome, Failure) else None,
        )

    async def _succeed(self, outcome: Response | StreamedResponse) -> None:
        """Give the tokens of the retries back, and tell the caller's functions of the response."""
        quota = self._runtime.rate_limiter.retry_quota
        if quota.used:
            quota.give_back(self._tokens)
        if any(self._functions) or collected.get() is not None:
            if isinstance(outcome, Response):
                report(describe_response(outcome, self.operation, self._redact), self._functions)
                return
            try:
                report(outcome.received, self._functions)
            except BaseException:
                # Nobody else would close it.
                await outcome.aclose()
                raise

    async def _goes_on(self, failure: Failure) -> bool:
        """Return whether another attempt is made, after the wait for it."""
        error, renewal = failure.error, self._renewal
        if renewal is not None and isinstance(error, AuthenticationError):
            try:
                if await renewal.replace(error):
                    return True
            except AgentPlatformError as failed:
                self._report(failed)
                raise
        attempt = self.attempts - (renewal.resent if renewal is not None else 0)
        decision = self._runtime.decide(
            self._policy, self.operation, error, attempt, self._time_left(), failure.closed_for
        )
        if decision.delay is None:
            self._report(error)
            return False
        self._tokens += decision.tokens
        self._failed = error
        # After a 429 the call waits for its next permit, with its old ticket.
        if failure.closed_for is None:
            self.waited += decision.delay
            await self._runtime.in_time(asyncio.sleep(decision.delay), None)
        return True

    def _report(self, error: Exception) -> None:
        """Tell the caller's functions of the response that an error is about."""
        if isinstance(error, AgentPlatformError) and error.response is not None:
            report(error.response, self._functions)

    def _late(self, why_not_sent: str) -> DeadlineExceededError:
        """Make the error of the deadline, which tells of the failed attempt before."""
        failed, within = self._failed, f"within {self._policy.deadline:g} s"
        again = "" if failed is None else " again"
        what = f"no response {within}" if self._sent_at else f"not sent{again} {within}, {why_not_sent}"
        error = DeadlineExceededError(what, operation=self.operation)
        if isinstance(failed, AgentPlatformError):
            error.because(f"the attempt before: {self._message_of(failed)}")
            error.response = failed.response
        return error

    def _message_of(self, error: Exception) -> str:
        return str(error).removeprefix(f"{self.operation}: ")

    def _note_sent(self) -> None:
        self._sent_at = datetime.now(UTC)

    def _time_left(self) -> float:
        return self._deadline - self._runtime.loop.time()
