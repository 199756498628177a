"""One logical call: as many attempts as the retry policy allows, one outcome."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http import HTTPStatus
from inspect import isawaitable
from typing import Any, TypeVar

from ._api import Operation, ReceivedResponse, Request
from .catalogue import Catalogue
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    ConnectionFailedError,
    DeadlineExceededError,
    DecodeError,
    InvalidArgumentError,
    OutcomeUnknownError,
    RateLimitedError,
    ServerError,
)
from .options import RequestOptions, policy_of
from .rate_limit.interface import Permit
from .request.credentials import Renewal, preflight
from .request.prepare import PreparedRequest
from .response.decode import decode
from .response.outcome import (
    AttemptOutcome,
    ExchangeRecord,
    Failure,
    StreamedResponse,
    WholeResponse,
    collected,
    describe_response,
    report,
)
from .response.problem import judge
from .retry import IDEMPOTENT
from .runtime import Runtime, TimeUpError
from .text import truncate, type_name
from .transport.sender import Attempt

logger = logging.getLogger("agent_session_platform")

T = TypeVar("T")
E = TypeVar("E", bound=Exception)

# After these a POST or PATCH may have been carried out.
OUTCOME_UNKNOWN = (OutcomeUnknownError, ServerError, DecodeError)


class Call:
    """One logical call, with its own state.

    Args:
        runtime: The parts that the calls of a client share.
        request: The request of the facade, which makes the result of the response.
        prepared: The same as it is sent.
        options: Timeout and retry policy, where they are not the client's.
        read_state: Makes the function that reads, with this operation, what a write would have changed.

    Attributes:
        operation: The operation that is called.
        attempts: How many attempts were begun.
        waited: Seconds spent waiting, for a permit or between attempts.
    """

    def __init__(
        self,
        runtime: Runtime,
        request: Request[Any],
        prepared: PreparedRequest,
        options: RequestOptions,
        read_state: Callable[[Operation], Callable[[], Awaitable[Any]]],
    ) -> None:
        configuration = runtime.configuration
        self._runtime = runtime
        self._request = request
        self._prepared = prepared
        self._read_state = read_state
        policy = policy_of(options, configuration.retry)
        # A file that cannot be rewound is gone after the first attempt.
        self._policy = policy if prepared.repeatable else policy.with_attempts(1)
        self._timeout = options.timeout or configuration.timeout
        self._redact = configuration.redact
        self._began = runtime.loop.time()
        self._deadline = self._began + self._policy.deadline
        self._on_response = (configuration.on_response, options.on_response)
        self._on_send = options.on_send
        self.operation = prepared.operation
        source = configuration.credentials
        self._renewal: Renewal | None = None
        if source.fixed is not None:
            self._credential = source.fixed
        else:
            self._renewal = Renewal(source, self.operation, prepared.repeatable, self._deadline)
        # Drawn once: a refused call keeps its place before those that were made later.
        self._ticket = next(runtime.tickets)
        self.attempts = 0
        self.waited = 0.0
        # The response of the latest attempt; None while there is none.
        self._response: WholeResponse | StreamedResponse | None = None
        # What keeps the request from being sent.
        self._obstacle = ""
        # When the latest attempt was sent; None before, such as while it waits for a connection.
        self._sent_at: datetime | None = None
        # Why the attempt before failed.
        self._failed: Exception | None = None
        # Tokens of the retry quota that the retries of this call have taken.
        self._quota_tokens = 0.0

    async def run(self) -> Any:
        """Send the request, again where that is safe.

        Returns:
            The result of the operation; of one that is read as it comes, its StreamedResponse.

        Raises:
            AgentPlatformError: Why the last attempt failed, or its response could not be decoded.
        """
        try:
            response = await self._respond()
            return decode(self._request, response, self._redact) if isinstance(response, WholeResponse) else response
        except AgentPlatformError as error:
            if error.response is not None and error.response.request_id is not None:
                error.remark(f"request id {truncate(error.response.request_id)}")
            if self.operation.method not in IDEMPOTENT and isinstance(error, OUTCOME_UNKNOWN):
                reader = Catalogue().reader_of(self.operation)
                error.mark_unknown(reader, None if reader is None else self._read_state(reader))
            raise

    async def _respond(self) -> WholeResponse | StreamedResponse:
        """Return the first success, or raise why the last attempt failed."""
        while True:
            if self._renewal is not None:
                self._credential = await self._renewal.get()
            if self._runtime.configuration.preflight:
                preflight(self._credential, self.operation)
            outcome = await self._attempt(await self._acquire())
            if not isinstance(outcome, Failure):
                await self._succeed(outcome)
                return outcome
            if not await self._wait_to_retry(outcome):
                raise self._in_doubt(outcome.error)

    async def _acquire(self) -> Permit:
        """Wait for a permit."""
        self._sent_at, self._obstacle = None, "the rate limiter was closed or full"
        loop = self._runtime.loop
        started = loop.time()
        try:
            return await self._runtime.rate_limiter.acquire(self._ticket, self._deadline)
        except TimeoutError:
            raise self._reported(self._late()) from self._failed
        finally:
            self.waited += loop.time() - started

    async def _attempt(self, permit: Permit) -> AttemptOutcome:
        """Make one attempt, judge its response, and give the permit back."""
        runtime = self._runtime
        self._response = None
        try:
            if self._renewal is not None:
                # Another call may have renewed it while this one waited; one that is outdated is replaced after a 401.
                self._credential = self._renewal.latest()
            if self._on_send is not None:
                await self._await_on_send(self._on_send)
            self.attempts += 1
            started = runtime.loop.time()
            outcome = await self._send()
            self._response = outcome.response if isinstance(outcome, Failure) else outcome
            self._observe(outcome, runtime.loop.time() - started)
            if isinstance(outcome, StreamedResponse):
                runtime.hold(outcome)
            return self._judge(outcome, permit) if isinstance(outcome, WholeResponse) else outcome
        finally:
            accepted = self._response is not None and self._response.status != HTTPStatus.TOO_MANY_REQUESTS
            runtime.rate_limiter.release(permit, accepted=accepted)

    async def _await_on_send(self, on_send: Callable[[], Awaitable[None]]) -> None:
        """Await the caller's function, such as one that keeps a journal."""
        awaitable: Any = on_send()
        if not isawaitable(awaitable):
            raise InvalidArgumentError(f"on_send must be an async function, but returned {type_name(awaitable)}")
        self._obstacle = "on_send did not return"
        try:
            await self._in_time(awaitable)
        except TimeUpError:
            raise self._reported(self._late()) from self._failed

    async def _send(self) -> AttemptOutcome:
        """Send the request once."""
        self._obstacle = "no connection became free"
        attempt = Attempt(self.operation, self.attempts, self._timeout, self._began)
        sending = self._runtime.sender.send(self._prepared, self._credential, attempt, self._note_sending)
        try:
            return await self._in_time(sending)
        except TimeUpError:
            late = self._late()
            late.__cause__ = self._failed
            return Failure(late)
        except ClientClosedError as error:
            return Failure(error)

    async def _in_time(self, job: Awaitable[T]) -> T:
        """Await a job for as long as the call has time and the client is open."""
        return await self._runtime.while_open(job, max(0.0, self._time_left()))

    def _judge(self, response: WholeResponse, permit: Permit) -> AttemptOutcome:
        """Return a success as it is, and any other response as a failure; a 429 closes the rate limiter."""
        error = judge(response, self.operation, self._redact)
        if error is None:
            return response
        error.response = describe_response(response, self.operation, self._redact)
        closed_for = None
        if isinstance(error, RateLimitedError):
            # Beyond the cap this call fails at once: do not close the rate limiter for the others.
            hint = response.retry_after if self._policy.waits_for(response.retry_after) else 0.0
            closed_for = self._runtime.rate_limiter.refused(permit, hint, self._policy.backoff_after_429)
        return Failure(error, response, closed_for)

    def received(self) -> ReceivedResponse | None:
        """Return the response of the latest attempt; None if none came."""
        if isinstance(self._response, StreamedResponse):
            return self._response.received
        return None if self._response is None else describe_response(self._response, self.operation, self._redact)

    def _observe(self, outcome: AttemptOutcome, seconds: float) -> None:
        """Log a response that came, and tell `on_exchange` of the attempt."""
        request, response = self._prepared, self._response
        if logger.isEnabledFor(logging.DEBUG) and (received := self.received()) is not None:
            request_id = received.request_id
            shown = "" if request_id is None else f", request id {truncate(request_id)}"
            logger.debug(
                "%s %s %d in %.3f s (%s, attempt %d%s)",
                *(self.operation.method, request.path, received.status, seconds, self.operation, self.attempts, shown),
                extra={"request_id": request_id},
            )
        if self._runtime.configuration.on_exchange is None:
            return
        self._runtime.observe(
            ExchangeRecord(
                operation=self.operation,
                path=request.path,
                attempt=self.attempts,
                credential=self._credential.kind,
                query={name: value for name, value in request.query.items() if value is not None},
                request_body=request.content,
                request_type=request.media_type,
                status=None if response is None else response.status,
                headers=tuple(
                    (name.decode("latin-1"), value.decode("utf-8", "replace"))
                    for name, value in (() if response is None else response.headers)
                ),
                content=outcome.content if isinstance(outcome, WholeResponse) else None,
                seconds=seconds,
                error=outcome.error if isinstance(outcome, Failure) else None,
            )
        )

    async def _succeed(self, outcome: WholeResponse | StreamedResponse) -> None:
        """Give the tokens of the retries back, and tell the caller's functions of the response."""
        quota = self._runtime.rate_limiter.retry_quota
        if quota.used:
            quota.give_back(self._quota_tokens)
        if any(self._on_response) or collected.get() is not None:
            try:
                report(self.received(), self._on_response)
            except BaseException:
                # Nobody else would close it.
                if isinstance(outcome, StreamedResponse):
                    await outcome.aclose()
                raise

    async def _wait_to_retry(self, failure: Failure) -> bool:
        """Wait for another attempt, and return whether there is one."""
        error, renewal = failure.error, self._renewal
        if renewal is not None and isinstance(error, AuthenticationError):
            try:
                if await renewal.replace(error):
                    # This attempt is none of those that the policy allows.
                    self._policy = self._policy.with_attempts(self._policy.attempts + 1)
                    return True
            except AgentPlatformError as failed:
                self._reported(failed)
                raise
        decision = self._runtime.allow_retry(
            self._policy, self.operation, error, self.attempts, self._time_left(), failure.closed_for
        )
        if decision.delay is None:
            self._reported(error)
            return False
        self._quota_tokens += decision.tokens
        self._failed = error
        # After a 429 the call waits for its next permit, with its old ticket.
        if failure.closed_for is None:
            self.waited += decision.delay
            await self._runtime.while_open(asyncio.sleep(decision.delay))
        return True

    def _in_doubt(self, error: Exception) -> Exception:
        """Return the error of a final failure: an OutcomeUnknownError for a write that broke off after it was sent."""
        if self.operation.method in IDEMPOTENT or self._sent_at is None:
            return error
        broke_off = isinstance(error, ConnectionFailedError) and error.received
        if not broke_off and not isinstance(error, DeadlineExceededError | ClientClosedError):
            return error
        unknown = OutcomeUnknownError(self._message_of(error), operation=self.operation, sent_at=self._sent_at)
        unknown.__cause__ = error if broke_off else error.__cause__
        return unknown

    def _reported(self, error: E) -> E:
        """Return an error after telling the caller's functions of the response that it is about."""
        if isinstance(error, AgentPlatformError):
            report(error.response, self._on_response)
        return error

    def _late(self) -> DeadlineExceededError:
        """Make the error of the deadline, which tells of the failed attempt before."""
        failed, within = self._failed, f"within {self._policy.deadline:g} s"
        again = "" if failed is None else " again"
        what = f"no response {within}" if self._sent_at else f"not sent{again} {within}, because {self._obstacle}"
        error = DeadlineExceededError(what, operation=self.operation)
        if isinstance(failed, AgentPlatformError):
            error.remark(f"the attempt before: {self._message_of(failed)}")
            error.response = failed.response
        return error

    def _message_of(self, error: Exception) -> str:
        return str(error).removeprefix(f"{self.operation}: ")

    def _note_sending(self) -> None:
        self._sent_at = datetime.now(UTC)

    def _time_left(self) -> float:
        return self._deadline - self._runtime.loop.time()
