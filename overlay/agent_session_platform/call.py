"""One logical call: as many attempts as the retry policy allows, and one outcome."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from inspect import isawaitable
from typing import Any, TypeVar

from ._api import Operation, ReceivedResponse
from .catalogue import operations
from .credentials import Credential, check_kind
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
from .options import policy_of, timeout_of
from .rate_limit.interface import Permit
from .request.prepare import PreparedRequest, path_ids
from .response.decode import decode
from .response.outcome import (
    AttemptOutcome,
    ExchangeRecord,
    Failure,
    Response,
    StreamedResponse,
    call_on_response,
    collected_responses,
    response_of,
)
from .response.problem import error_of
from .retry import IDEMPOTENT, Retries
from .runtime import Runtime, TimeUpError
from .text import truncate, type_name
from .transport.sender import AttemptContext

logger = logging.getLogger("agent_session_platform")

T = TypeVar("T")

# After these errors a POST or PATCH may have been carried out.
DOUBTFUL_ERRORS = (OutcomeUnknownError, ServerError, DecodeError)


class Call:
    """One logical call, with its own state.

    Args:
        runtime: The parts that the calls of a client share.
        prepared: The request as it is sent, with the options of the call.
        read_back: A function that reads the state after a write. It takes the operation to call and its path arguments.

    Attributes:
        operation: The operation that is called.
        attempts: How many attempts were begun.
        waited: Seconds spent waiting, for a permit or between attempts.
    """

    def __init__(
        self,
        runtime: Runtime,
        prepared: PreparedRequest,
        read_back: Callable[[Operation, Sequence[str]], Awaitable[Any]],
    ) -> None:
        configuration, options = runtime.configuration, prepared.options
        self._runtime = runtime
        self._prepared = prepared
        self._read_back = read_back
        self.operation = prepared.operation
        policy = policy_of(options, configuration.retry)
        repeatable = prepared.repeatable
        if not repeatable:
            policy = policy.with_attempts(1)
        self._retries = Retries(policy, self.operation, runtime.rate_limiter.retry_quota)
        self._timeout = timeout_of(options, configuration.timeout)
        self._began = runtime.loop.time()
        self._deadline = self._began + policy.deadline
        given = (configuration.on_response, options.on_response)
        self._on_response = [on_response for on_response in given if on_response is not None]
        self._on_send = options.on_send
        self._credential_source = configuration.credential_source
        # The credential of the latest attempt.
        self._credential: Credential
        # After a 401 a call is sent again only once, and only if its body can be sent again.
        self._may_change_credential = repeatable
        # The ticket is taken only once, so that a refused call stays ahead of the calls that were made later.
        self._ticket = next(runtime.tickets)
        self.attempts = 0
        self.waited = 0.0
        # The response of the latest attempt; None before the first response.
        self._response: Response | None = None
        # When a request with an unknown outcome was sent. None before a request is sent, and as soon as the call knows
        # that the request was refused or may be repeated.
        self._in_doubt_since: datetime | None = None
        self._previous_error: Exception | None = None

    async def run(self) -> Any:
        """Send the request, with retries where they are safe.

        Returns:
            The result of the operation; a StreamedResponse if the body is read as it comes.

        Raises:
            AgentPlatformError: The last attempt failed, or its response could not be decoded.
        """
        try:
            response = await self._attempt_until_done()
            result = decode(self._prepared.request, response) if isinstance(response, Response) else response
        except AgentPlatformError as error:
            if error.raised_by_call:
                # The error of another call, such as one that `on_send` made.
                raise
            call_on_response(self.received_response(), self._on_response)
            complete = self._complete(error)
            # `from` hides the error that `complete` replaces, and keeps the cause of `complete`.
            raise complete from complete.__cause__
        await self._on_success(response)
        return result

    async def _attempt_until_done(self) -> Response | StreamedResponse:
        """Return the first success, or raise the error of the last attempt."""
        while True:
            # A credential that the operation cannot accept is refused before the call waits for a permit.
            await self._wait_for_credential()
            outcome = await self._attempt(await self._acquire())
            if not isinstance(outcome, Failure):
                self._retries.give_back()
                return outcome
            error = outcome.error
            if isinstance(error, AgentPlatformError):
                # The log and `on_retry` get the error before it is final.
                self._runtime.configuration.redact_error(error)
            if not (isinstance(error, AuthenticationError) and await self._replace_credential(error)):
                await self._wait_to_retry(outcome)

    async def _wait_for_credential(self) -> Credential:
        """Wait until there is a credential to send, and return it."""
        if self._credential_source.is_due:
            await self._in_time(
                self._credential_source.renew(), f"there was no credential: {self._credential_source!r}"
            )
        return self._credential_to_send()

    def _credential_to_send(self) -> Credential:
        """Return the latest credential; refuse it if the operation cannot accept it."""
        credential = self._credential_source.latest
        if self._runtime.configuration.preflight:
            check_kind(credential, self.operation)
        return credential

    async def _acquire(self) -> Permit:
        """Wait for a permit."""
        rate_limiter = self._runtime.rate_limiter
        if (permit := rate_limiter.acquire_now()) is not None:
            return permit
        started = self._runtime.loop.time()
        try:
            return await self._in_time(rate_limiter.acquire(self._ticket), "the rate limiter was closed or full")
        finally:
            self.waited += self._runtime.loop.time() - started

    async def _attempt(self, permit: Permit) -> AttemptOutcome:
        """Make one attempt, judge its response, and give the permit back."""
        runtime = self._runtime
        self._response = None
        try:
            # Another call may have renewed the credential while this call waited for its permit.
            self._credential = credential = self._credential_to_send()
            if self._on_send is not None:
                await self._await_on_send(self._on_send)
            self.attempts += 1
            started = runtime.loop.time()
            outcome = await self._exchange(credential)
            self._response = response_of(outcome)
            self._observe(outcome, credential, runtime.loop.time() - started)
            if isinstance(outcome, StreamedResponse):
                runtime.close_with_client(outcome)
            return self._judge(outcome, permit) if isinstance(outcome, Response) else outcome
        finally:
            accepted = self._response is not None and self._response.status != HTTPStatus.TOO_MANY_REQUESTS
            runtime.rate_limiter.release(permit, accepted=accepted)

    async def _await_on_send(self, on_send: Callable[[], Awaitable[None]]) -> None:
        """Await the caller's `on_send`, which may write a journal, for example."""
        awaitable: Any = on_send()
        if not isawaitable(awaitable):
            raise InvalidArgumentError(f"on_send must be an async function, but returned {type_name(awaitable)}")
        await self._in_time(awaitable, "on_send did not return")

    async def _exchange(self, credential: Credential) -> AttemptOutcome:
        """Send the request once."""
        attempt = AttemptContext(self.operation, self.attempts, self._timeout, self._began)
        sending = self._runtime.sender.send(self._prepared, credential, attempt, self._note_sending)
        try:
            return await self._in_time(sending, "no connection became free")
        except (DeadlineExceededError, ClientClosedError) as error:
            # The error is returned and not raised, so that `on_exchange` sees the attempt. No policy retries these
            # errors.
            return Failure(error)

    async def _in_time(self, job: Awaitable[T], reason: str) -> T:
        """Await a job for as long as the call has time and the client is open.

        Args:
            job: The job.
            reason: Why the request is not sent if the job takes too long, for the message.
        """
        try:
            return await self._runtime.while_open(job, at_most=max(0.0, self._time_left()))
        except TimeUpError:
            raise self._deadline_error(reason) from self._previous_error

    def _judge(self, response: Response, permit: Permit) -> AttemptOutcome:
        """Return a success as it is, and any other response as a failure; a 429 closes the rate limiter."""
        error = error_of(response)
        if error is None:
            return response
        closed_for = None
        if isinstance(error, RateLimitedError):
            # A Retry-After beyond `max_retry_after` ends only this call. To the other calls it is a Retry-After of 0.
            policy = self._retries.policy
            retry_after = response.retry_after if policy.waits_for(response.retry_after) else 0.0
            closed_for = self._runtime.rate_limiter.refused(permit, retry_after, policy.backoff_after_429)
        return Failure(error, response, closed_for)

    def received_response(self) -> ReceivedResponse | None:
        """The response of the latest attempt; None if no response came."""
        return None if self._response is None else self._response.to_received()

    def _observe(self, outcome: AttemptOutcome, credential: Credential, seconds: float) -> None:
        """Log the response, if one came, and report the attempt to `on_exchange`."""
        configuration = self._runtime.configuration
        if logger.isEnabledFor(logging.DEBUG) and (received := self.received_response()) is not None:
            request_id = received.request_id
            logger.debug(
                "%s %s %d in %.3f s (%s, attempt %d%s)",
                self.operation.method,
                configuration.redact(self._prepared.path),
                received.status,
                seconds,
                configuration.redact(str(self.operation)),
                self.attempts,
                "" if request_id is None else f", request id {truncate(request_id)}",
                extra={"request_id": request_id},
            )
        if configuration.on_exchange is not None:
            record = ExchangeRecord.of(self._prepared, self.attempts, credential.kind, outcome, seconds)
            self._runtime.call_on_exchange(configuration.on_exchange, record)

    async def _on_success(self, response: Response | StreamedResponse) -> None:
        """Report the response to the caller's functions."""
        # Make the ReceivedResponse, which takes time, only if somebody wants it.
        if self._on_response or collected_responses.get() is not None:
            try:
                call_on_response(self.received_response(), self._on_response)
            except BaseException:
                # The caller never gets the stream, and so cannot close it.
                if isinstance(response, StreamedResponse):
                    await response.aclose()
                raise

    async def _wait_to_retry(self, failure: Failure) -> None:
        """Wait before another attempt, or raise the error if this attempt was the last."""
        error = failure.error
        delay = self._retries.next_delay(error, self.attempts, self._time_left(), failure.closed_for)
        if delay is None:
            raise error
        # The outcome of this attempt is not in doubt: it was refused, or it may be repeated.
        self._in_doubt_since, self._previous_error = None, error
        # If the attempt has closed the rate limiter, the call waits for its next permit instead.
        if failure.closed_for is None:
            await self._runtime.while_open(asyncio.sleep(delay))
            self.waited += delay

    async def _replace_credential(self, error: AuthenticationError) -> bool:
        """Get another credential after a 401, and return whether to send the request again with it.

        A request is sent again only once, and whatever its method and its retry policy are: a 401 means that nothing
        was carried out.
        """
        self._in_doubt_since = None
        refused = self._credential
        self._credential_source.mark_refused(refused)
        if not self._may_change_credential:
            return False
        self._may_change_credential = False
        self._previous_error = error
        try:
            credential = await self._wait_for_credential()
        except AgentPlatformError as failed:
            failed.response = error.response
            raise
        if credential.has_same_token(refused):
            return False
        logger.info("%s; sending again with another credential", error)
        return True

    def _complete(self, error: AgentPlatformError) -> AgentPlatformError:
        """Return the error that the call raises; for a write it says whether the write may have been carried out."""
        is_idempotent = self.operation.method in IDEMPOTENT
        if not is_idempotent:
            error = self._as_outcome_unknown(error)
        if error.response is not None and error.response.request_id is not None:
            error.remark(f"request id {truncate(error.response.request_id)}")
        if not is_idempotent and isinstance(error, DOUBTFUL_ERRORS):
            reader = operations.reader_of(self.operation)
            read = None if reader is None else partial(self._read_back, reader, path_ids(self._prepared, reader.path))
            error.mark_unknown(reader, read)
        self._runtime.configuration.redact_error(error)
        error.raised_by_call = True
        return error

    def _as_outcome_unknown(self, error: AgentPlatformError) -> AgentPlatformError:
        """Return an OutcomeUnknownError for a write that broke off after it was sent; return other errors unchanged."""
        broke_off = isinstance(error, ConnectionFailedError) and error.may_have_arrived
        was_ended = isinstance(error, DeadlineExceededError | ClientClosedError)
        if self._in_doubt_since is None or not (broke_off or was_ended):
            return error
        unknown = OutcomeUnknownError(error.message, operation=self.operation, sent_at=self._in_doubt_since)
        unknown.response = error.response
        unknown.__cause__ = error if broke_off else error.__cause__
        return unknown

    def _deadline_error(self, reason: str) -> DeadlineExceededError:
        """Make the error of a passed deadline; its message also names the failed attempt before the deadline.

        Args:
            reason: Why the request was not sent, unless it was sent.
        """
        previous, within = self._previous_error, f"within {self._retries.policy.deadline:g} s"
        again = "" if previous is None else " again"
        message = f"not sent{again} {within}, because {reason}"
        if self._in_doubt_since is not None:
            message = f"no response {within}"
        error = DeadlineExceededError(message, operation=self.operation)
        if isinstance(previous, AgentPlatformError):
            error.remark(f"the attempt before: {previous.message}")
            error.response = previous.response
        return error

    def _note_sending(self) -> None:
        self._in_doubt_since = datetime.now(UTC)

    def _time_left(self) -> float:
        return self._deadline - self._runtime.loop.time()
