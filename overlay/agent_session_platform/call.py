"""One logical call: as many attempts as the retry policy allows, and one result or error.

`Call.run` is the loop: an attempt, which waits for its permit, and the decision what follows it.

A traceback keeps its frames. A frame that keeps the error would make a cycle, which only the garbage collector frees.
So `run` deletes the error that it raises, and an error that is caught to become a value loses its traceback.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, cast

from ._api import Operation, ReceivedResponse
from .catalogue import operations
from .credentials import check_kind
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    DeadlineExceededError,
    DecodeError,
    InvalidArgumentError,
    OutcomeUnknownError,
    ProblemDetail,
    ProblemError,
    RateLimitedError,
)
from .rate_limit.limiter import Place
from .reporting import log_response, record_exchange
from .request.prepare import PreparedRequest, path_ids
from .response.decode import decode
from .response.exchange import Exchange, Failure, Response, StreamedResponse, collect_responses, collected_responses
from .response.problem import error_of
from .retry import (
    IDEMPOTENT_METHODS,
    Again,
    Decision,
    Fail,
    FailedAttempt,
    History,
    Renew,
    RetryEvent,
    RetryPolicy,
    doubt_after,
)
from .runtime import Runtime, TimeUpError
from .text import truncate, type_name
from .transport.sender import Attempt

logger = logging.getLogger("agent_session_platform")


class Retries:
    """The retries of a call: what they have used up, the decision about the next one, and the wait before it.

    All parts of a download share one, so that the retry policy counts their attempts together.

    Args:
        runtime: The parts that the calls of a client share.
        prepared: The request, with the options of the call.

    Attributes:
        runtime: The argument of the same name.
        policy: The retry policy of the call.
        began: When the call began, by the clock of the event loop.
        deadline: When the call ends at the latest, by the same clock.
        attempts: How many attempts were begun.
        waited: Seconds spent waiting, for a permit or between attempts.
        was_renewed: Whether the credential was renewed after a 401, which happens once in a call.
        in_doubt_since: When a write was sent of which it is unknown whether it was carried out; None if there is none.
    """

    def __init__(self, runtime: Runtime, prepared: PreparedRequest) -> None:
        options = prepared.options
        policy = options.retry or runtime.configuration.retry
        if options.attempts is not None:
            policy = policy.with_attempts(options.attempts)
        self.runtime = runtime
        self.policy = policy
        self.began = runtime.loop.time()
        self.deadline = self.began + policy.deadline
        self.attempts = 0
        self.waited = 0.0
        self.was_renewed = False
        self.in_doubt_since: datetime | None = None
        self._prepared = prepared
        self._quota_taken = 0.0

    def note(self, failed: FailedAttempt) -> None:
        """Note whether a write is in doubt after a failed attempt."""
        self.in_doubt_since = doubt_after(self._prepared.operation.method, failed, self.in_doubt_since)

    def decide(self, failed: FailedAttempt) -> Decision:
        """Decide by the retry policy what follows a failed attempt; the message of a final error says why it is final.

        Args:
            failed: The attempt.
        """
        configuration = self.runtime.configuration
        error = failed.error
        if not isinstance(error, AgentPlatformError) or error.raised_by_call:
            # The error of a function or a file of the caller, or of another call, is raised as it is.
            return Fail()
        # The log and `on_retry` get the error before it is final.
        configuration.redact_error(error)
        history = History(
            attempts=self.attempts,
            time_left=self.deadline - self.runtime.loop.time(),
            quota_left=self.runtime.rate_limiter.retry_quota.left,
            may_renew=configuration.credential_provider.can_renew and not self.was_renewed,
            repeatable=self._prepared.repeatable,
        )
        decision = self.policy.decide(self._prepared.operation.method, failed, history)
        if isinstance(decision, Fail) and decision.reason is not None:
            error.remark(decision.reason)
        return decision

    async def wait(self, failed: FailedAttempt, again: Again) -> None:
        """Wait for the next attempt, which takes its tokens and is reported to the log and to `on_retry`.

        Args:
            failed: The attempt before.
            again: The decision after it.

        Raises:
            ClientClosedError: The client was closed.
        """
        self.runtime.rate_limiter.retry_quota.take(again.cost)
        self._quota_taken += again.cost
        logger.info("%s; waiting %.2f s before attempt %d", failed.error, again.delay, self.attempts + 1)
        if self.policy.on_retry is not None:
            # Only after an error of the SDK there is another attempt.
            error = cast("AgentPlatformError", failed.error)
            event = RetryEvent(self._prepared.operation, self.attempts, error, again.delay)
            self.runtime.notify("on_retry", self.policy.on_retry, event)
        # After a 429 that has closed the limit of the operation, the call waits for its permit instead.
        if failed.closed_for is None:
            await self.runtime.while_open(asyncio.sleep(again.delay))
            self.waited += again.delay

    def count_progress(self) -> None:
        """Count as after a first attempt, because a part of a download has brought bytes."""
        self.attempts = 1
        self.was_renewed = False
        if self._quota_taken:
            self.give_back_quota()

    def complete_error(self, error: AgentPlatformError) -> AgentPlatformError:
        """Complete the error that ends the call: with the id of its request, and without a credential."""
        if error.response is not None and error.response.request_id is not None:
            error.remark(f"request id {truncate(error.response.request_id)}")
        self.runtime.configuration.redact_error(error)
        error.raised_by_call = True
        return error

    def give_back_quota(self) -> None:
        """Give back to the retry quota what the retries have taken, because the server works again."""
        self.runtime.rate_limiter.retry_quota.give_back(self._quota_taken)
        self._quota_taken = 0.0


class AttemptResult(NamedTuple):
    """What an attempt means.

    Attributes:
        attempt: The attempt.
        result: The result of a success.
        failed: Why it failed; None after a success.
    """

    attempt: Attempt
    result: Any = None
    failed: FailedAttempt | None = None


class Call:
    """One logical call.

    Args:
        runtime: The parts that the calls of a client share.
        prepared: The request as it is sent, with the options of the call.
        read_back: A function that reads the state after a write. It takes the operation to call and its path arguments.
        retries: The retries of the download that the call is a part of; None for any other call.

    Attributes:
        operation: The operation that is called.
        retries: The retries of the call.
    """

    def __init__(
        self,
        runtime: Runtime,
        prepared: PreparedRequest,
        read_back: Callable[[Operation, Sequence[str]], Awaitable[Any]],
        retries: Retries | None = None,
    ) -> None:
        self.operation = prepared.operation
        self.retries = retries or Retries(runtime, prepared)
        self._runtime = runtime
        self._prepared = prepared
        self._read_back = read_back
        # The response of the latest attempt.
        self._response: Response | None = None

    async def run(self) -> Any:
        """Send the request, with retries where they are safe.

        Returns:
            The result of the operation; a StreamedResponse if the body is read as it comes.

        Raises:
            AgentPlatformError: The last attempt failed, or its response could not be decoded.
        """
        retries = self.retries
        result: Any = None
        failed: FailedAttempt | None = None
        try:
            async with self._runtime.rate_limiter.enter(self.operation) as place:
                while True:
                    attempt, result, failed = await self._attempt(place, failed)
                    if failed is None:
                        break
                    retries.note(failed)
                    match retries.decide(failed):
                        case Fail():
                            break
                        case Renew():
                            if not await self._renew_credential(attempt, failed):
                                break
                        case Again() as again:
                            await retries.wait(failed, again)
        except AgentPlatformError as error:
            # There was no attempt, or no credential for another one.
            failed = FailedAttempt(error)
            if error.response is None and not error.raised_by_call:
                error.response = self.received_response()
        final_error = self._finish(result, failed)
        if final_error is None:
            return result
        try:
            raise final_error
        finally:
            # This frame must not keep the error that it raises, see the top of this module.
            del failed, final_error

    def _finish(self, result: Any, failed: FailedAttempt | None) -> Exception | None:
        """Report the end of the call, and return the error that it raises; None after a success.

        Args:
            result: The result of a success.
            failed: The last attempt, or the wait after it, if it failed.
        """
        runtime = self._runtime
        if failed is None:
            runtime.has_succeeded = True
            if isinstance(result, StreamedResponse):
                runtime.streams.add(result)
            elif runtime.rate_limiter.retry_quota.used:
                self.retries.give_back_quota()
        if runtime.configuration.on_response is not None or collected_responses.get() is not None:
            self._report_response()
        if failed is None:
            return None
        return self._final_error(failed)

    async def _attempt(self, place: Place, previous: FailedAttempt | None) -> AttemptResult:
        """Make an attempt: wait for a permit, send the request once, and report what came of it.

        Args:
            place: The place of the call before the rate limiter.
            previous: The attempt before this one; None for the first.
        """
        runtime = self._runtime
        retries = self.retries
        timeout = self._prepared.options.timeout or runtime.configuration.timeout
        attempt = Attempt(self.operation, timeout, retries.began)
        exchange: Exchange
        try:
            time_left = retries.deadline - runtime.loop.time()
            sending = self._send(place, attempt)
            exchange = await runtime.while_open(sending, at_most=max(0.0, time_left))
        except TimeUpError:
            waited_for = None
            if attempt.sent_at is None:
                waited_for = attempt.waits_for
            exchange = Failure(self._deadline_error(previous, waited_for=waited_for))
        except ClientClosedError as closed:
            exchange = Failure(closed.with_traceback(None))
        response = exchange if isinstance(exchange, Response) else exchange.response
        self._response = response
        is_watched = runtime.configuration.on_exchange is not None or logger.isEnabledFor(logging.DEBUG)
        if attempt.number and is_watched:
            self._report_attempt(attempt, exchange)
        judged = judge(self._prepared, attempt, exchange, retries.policy, place)
        failed = judged.failed
        if response is None:
            place.failed()
        elif failed is not None and failed.closed_for is not None:
            place.refused(failed.closed_for)
        else:
            place.accepted()
        if failed is not None and isinstance(failed.error, AuthenticationError):
            runtime.configuration.credential_provider.mark_refused(attempt.credential)
        return judged

    async def _send(self, place: Place, attempt: Attempt) -> Exchange:
        """Wait for a credential and a permit, and send the request once."""
        retries = self.retries
        clock = self._runtime.loop.time
        # A credential that the operation cannot accept is refused before the call waits for a permit.
        await self._get_credential(attempt)
        # A new credential may have expired by the clock of this machine, which may be wrong: it is sent.
        may_expire = not self._runtime.configuration.credential_provider.has_expired
        attempt.waits_for = "the rate limiter was closed or full"
        started = clock()
        try:
            closed_for = await place.permit(min(retries.policy.max_retry_after, retries.deadline - started))
        finally:
            retries.waited += clock() - started
        if closed_for is not None:
            return Failure(closed_error(self.operation, closed_for))
        if may_expire:
            # One that has expired while the call waited is replaced.
            await self._get_credential(attempt)
        on_send = self._prepared.options.on_send
        if on_send is not None:
            attempt.waits_for = "on_send did not return"
            preparation = on_send()
            check_awaitable(preparation)
            await preparation
        attempt.waits_for = "no connection became free"
        retries.attempts += 1
        attempt.number = retries.attempts
        attempt.began = clock()
        return await self._runtime.sender.send(self._prepared, attempt)

    async def _get_credential(self, attempt: Attempt) -> None:
        """Take the latest credential, a new one if that is due; refuse it if the operation cannot accept it."""
        configuration = self._runtime.configuration
        provider = configuration.credential_provider
        if provider.is_due:
            attempt.waits_for = f"there was no credential: {provider!r}"
            await provider.renew()
        attempt.credential = provider.latest
        if configuration.preflight:
            check_kind(attempt.credential, self.operation)

    async def _renew_credential(self, unauthorized: Attempt, failed: FailedAttempt) -> bool:
        """Get another credential after a 401, if that is due; return whether there is another one.

        Args:
            unauthorized: The attempt that got the 401.
            failed: Its failure.

        Raises:
            DeadlineExceededError: The deadline came before.
        """
        logger.info("%s; getting another credential", failed.error)
        self.retries.was_renewed = True
        provider = self._runtime.configuration.credential_provider
        time_left = self.retries.deadline - self._runtime.loop.time()
        try:
            if provider.is_due:
                await self._runtime.while_open(provider.renew(), at_most=max(0.0, time_left))
        except TimeUpError:
            raise self._deadline_error(failed, waited_for=f"there was no credential: {provider!r}") from None
        return not provider.latest.has_same_token(unauthorized.credential)

    def received_response(self) -> ReceivedResponse | None:
        """The response of the latest attempt; None if no response came."""
        if self._response is None:
            return None
        return self._response.to_received()

    def _report_response(self) -> None:
        """Report the response that ends the call, if there is one, to `on_response` and `with_response`."""
        received = self.received_response()
        if received is None:
            return
        on_response = self._runtime.configuration.on_response
        if on_response is not None:
            self._runtime.notify("on_response", on_response, received)
        collect_responses((received,))

    def _report_attempt(self, attempt: Attempt, exchange: Exchange) -> None:
        """Report an attempt to the log and to `on_exchange`."""
        runtime = self._runtime
        on_exchange = runtime.configuration.on_exchange
        seconds = runtime.loop.time() - attempt.began
        if self._response is not None and logger.isEnabledFor(logging.DEBUG):
            log_response(self._prepared, attempt, self._response, seconds)
        if on_exchange is not None:
            record = record_exchange(self._prepared, attempt, exchange, self._response, seconds)
            runtime.notify("on_exchange", on_exchange, record)

    def _final_error(self, failed: FailedAttempt) -> Exception:
        """Return the error that the call raises; for a write it says whether the write may have been carried out."""
        error = failed.error
        if not isinstance(error, AgentPlatformError) or error.raised_by_call:
            # The error of the caller's own function, or of another call, such as one that `on_send` made.
            return error
        in_doubt_since = self.retries.in_doubt_since
        if in_doubt_since is not None:
            error = self._error_in_doubt(error, in_doubt_since)
            if isinstance(error, ProblemError | DecodeError) and failed.sent_at != in_doubt_since:
                # The response is not about the attempt in doubt, which was sent earlier.
                error.sent_at = in_doubt_since
        return self.retries.complete_error(error)

    def _error_in_doubt(self, error: AgentPlatformError, since: datetime) -> AgentPlatformError:
        """Return the error of a write that may have been carried out; one without a response is an OutcomeUnknownError.

        Args:
            error: The error of the last attempt, or of a wait before the next one.
            since: When the attempt in doubt was sent.
        """
        doubtful: ProblemError | DecodeError | OutcomeUnknownError
        if isinstance(error, ProblemError | DecodeError):
            doubtful = error
        else:
            doubtful = OutcomeUnknownError(error.message, operation=self.operation, sent_at=since)
            doubtful.response = error.response
            doubtful.__cause__ = error
        reader = operations.reader_of(self.operation)
        read = None
        if reader is not None:
            read = partial(self._read_back, reader, path_ids(self._prepared, reader.path))
        was_sent_again = self.operation.method in IDEMPOTENT_METHODS and self.retries.attempts > 1
        doubtful.mark_unknown(reader, read, was_sent_again=was_sent_again)
        return doubtful

    def _deadline_error(self, previous: FailedAttempt | None, *, waited_for: str | None) -> DeadlineExceededError:
        """Make the error of a passed deadline; its message also names the failed attempt before the deadline.

        Args:
            previous: The attempt before; None if there was none.
            waited_for: What the call waited for; None if its request was sent.
        """
        within = f"within {self.retries.policy.deadline:g} s"
        message = f"no response {within}"
        if waited_for is not None:
            message = f"not sent {within}, because {waited_for}"
        error = DeadlineExceededError(message, operation=self.operation)
        if previous is not None:
            before = previous.error
            error.__cause__ = before
            if isinstance(before, AgentPlatformError):
                error.remark(f"the attempt before: {before.message}")
                error.response = before.response
        return error


def judge(
    prepared: PreparedRequest, attempt: Attempt, exchange: Exchange, policy: RetryPolicy, place: Place
) -> AttemptResult:
    """Return what an exchange means: the result of a success, or why the attempt failed. Nothing is changed.

    Args:
        prepared: The request.
        attempt: The attempt.
        exchange: What came of it.
        policy: Says for how long a 429 closes the limit of the operation.
        place: The place of the call before the rate limiter, which knows how often the limit was closed.
    """
    if isinstance(exchange, StreamedResponse):
        return AttemptResult(attempt, exchange)
    if isinstance(exchange, Failure):
        failed = FailedAttempt(exchange.error, attempt.sent_at)
        return AttemptResult(attempt, failed=failed)
    closed_for = None
    if not 200 <= exchange.status < 300:
        error = error_of(exchange)
        if isinstance(error, RateLimitedError):
            closed_for = policy.backoff_after_429(error.retry_after, place.closure_number)
    else:
        try:
            return AttemptResult(attempt, decode(prepared.request, exchange))
        except DecodeError as undecodable:
            error = undecodable.with_traceback(None)
    failed = FailedAttempt(error, attempt.sent_at, closed_for)
    return AttemptResult(attempt, failed=failed)


def check_awaitable(returned: object) -> None:
    """Check what a call of `on_send` has returned.

    Raises:
        InvalidArgumentError: It cannot be awaited.
    """
    if not isinstance(returned, Awaitable):
        raise InvalidArgumentError(f"on_send must be an async function: it returned {type_name(returned)}")


def closed_error(operation: Operation, closed_for: float) -> RateLimitedError:
    """Make the error of a call that is not sent, because the server has asked for a wait that is too long."""
    error = RateLimitedError(
        "not sent: 429 Too Many Requests came before",
        problem=ProblemDetail(title="Too Many Requests"),
        operation=operation,
        retry_after=closed_for,
    )
    error.retry_at = datetime.now(UTC) + timedelta(seconds=closed_for)
    return error
