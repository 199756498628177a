"""One logical call: as many attempts as the retry policy allows, and one outcome."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
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
    ProblemDetail,
    ProblemError,
    RateLimitedError,
)
from .options import policy_of, timeout_of
from .rate_limit.limiter import Place
from .request.prepare import PreparedRequest, path_ids
from .response.decode import decode
from .response.outcome import (
    AttemptOutcome,
    ExchangeRecord,
    Failure,
    Response,
    StreamedResponse,
    collected_responses,
    response_of,
)
from .response.problem import error_of
from .retry import IDEMPOTENT, Again, Attempt, Fail, History, Retries
from .runtime import Runtime, TimeUpError
from .text import truncate, type_name
from .transport.sender import AttemptContext

logger = logging.getLogger("agent_session_platform")

T = TypeVar("T")

# Why a request was not sent before the deadline.
NO_CREDENTIAL = "there was no credential"
NO_PERMIT = "the rate limiter was closed or full"
NO_CONNECTION = "no connection became free"
ON_SEND = "on_send did not return"


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
        configuration = runtime.configuration
        options = prepared.options
        self._runtime = runtime
        self._prepared = prepared
        self._read_back = read_back
        self.operation = prepared.operation
        self._policy = policy_of(options, configuration.retry)
        self._retries = Retries(self._policy, self.operation, runtime.rate_limiter.retry_quota)
        self._timeout = timeout_of(options, configuration.timeout)
        self._began = runtime.loop.time()
        self._deadline = self._began + self._policy.deadline
        self._on_send = options.on_send
        self._credential_source = configuration.credential_source
        self.attempts = 0
        self.waited = 0.0
        # After a 401 a call is sent again only once, and only if its body can be sent again.
        self._may_renew = prepared.repeatable
        # When an attempt was sent that may have been carried out; see `RetryPolicy.decide`.
        self._in_doubt_since: datetime | None = None
        self._previous_error: Exception | None = None
        # Of the latest attempt: its credential, when it began and was sent, its response, its result after a success.
        self._credential: Credential
        self._attempt_began = self._began
        self._sent_at: datetime | None = None
        self._response: Response | None = None
        self._result: Any = None
        # What the call waits for: why the request is not sent if the deadline comes first.
        self._waits_for = NO_CREDENTIAL

    async def run(self) -> Any:
        """Send the request, with retries where they are safe.

        Returns:
            The result of the operation; a StreamedResponse if the body is read as it comes.

        Raises:
            AgentPlatformError: The last attempt failed, or its response could not be decoded.
        """
        error: Exception | None
        try:
            async with self._runtime.rate_limiter.enter(self.operation) as place:
                error = await self._attempt_until_done(place)
        except AgentPlatformError as raised:
            error = raised
        self._previous_error = None
        if error is None:
            self._collect_response()
            return self._result
        try:
            raise self._final_error(error)
        finally:
            # The traceback of the error has this frame. If the frame had the error, too, both would stay in memory, and
            # with them the request, until the garbage collector runs.
            del error

    async def _attempt_until_done(self, place: Place) -> Exception | None:
        """Attempt the call until it succeeds, and keep its result; return the error if it fails for good."""
        while True:
            failed = await self._attempt(place)
            if failed is None:
                self._retries.give_back()
                self._runtime.has_succeeded = True
                return None
            if isinstance(failed.error, AgentPlatformError):
                # The log and `on_retry` get the error before it is final.
                self._runtime.configuration.redact_error(failed.error)
            decision = self._retries.decide(failed, self._history())
            self._in_doubt_since = decision.in_doubt_since
            self._previous_error = failed.error
            match decision:
                case Fail():
                    return decision.error
                case Again(renews_credential=True):
                    if not await self._renew_credential(failed.error):
                        return failed.error
                case Again() if failed.closed_for is None:
                    await self._runtime.while_open(asyncio.sleep(decision.delay))
                    self.waited += decision.delay
                case Again():
                    # The attempt has closed the limit of the operation: the call waits for its permit.
                    pass

    def _history(self) -> History:
        return History(
            attempts=self.attempts,
            time_left=self._time_left(),
            in_doubt_since=self._in_doubt_since,
            may_renew=self._may_renew,
            repeatable=self._prepared.repeatable,
        )

    async def _attempt(self, place: Place) -> Attempt | None:
        """Make one attempt, and judge its response; return None after a success, whose result is kept."""
        self._sent_at = None
        self._response = None
        before = self.attempts
        try:
            outcome = await self._in_time(self._send_when_permitted(place))
        except (DeadlineExceededError, ClientClosedError) as error:
            # The error is not raised here, so that `on_exchange` sees the attempt. No policy retries these errors.
            outcome = Failure(error)
        self._response = response_of(outcome)
        if self.attempts > before:
            self._observe(outcome, self._runtime.loop.time() - self._attempt_began)
        return self._judge(outcome, place)

    async def _send_when_permitted(self, place: Place) -> AttemptOutcome:
        """Wait for a credential and a permit, and send the request once."""
        closed_for = await self._wait_for_permit(place)
        if closed_for is not None:
            return Failure(closed_error(self.operation, closed_for))
        self._credential = self._credential_to_send()
        if self._on_send is not None:
            self._waits_for = ON_SEND
            await self._await_on_send(self._on_send)
        self.attempts += 1
        self._attempt_began = self._runtime.loop.time()
        self._waits_for = NO_CONNECTION
        context = AttemptContext(self.operation, self.attempts, self._timeout, self._began)
        return await self._runtime.sender.send(self._prepared, self._credential, context, self._note_sending)

    async def _wait_for_permit(self, place: Place) -> float | None:
        """Wait for a credential and a permit; return the seconds of a closure that is too long to wait for, or None."""
        clock = self._runtime.loop.time
        source = self._credential_source
        while True:
            # A credential that the operation cannot accept is refused before the call waits for a permit.
            await self._wait_for_credential()
            # A new credential may have expired already by this machine's clock: then the server decides.
            was_just_renewed = source.is_due
            self._waits_for = NO_PERMIT
            started = clock()
            try:
                closed_for = await place.permit(min(self._policy.max_retry_after, self._time_left()))
            finally:
                self.waited += clock() - started
            # A credential that has expired meanwhile is never sent. The call keeps its place.
            if closed_for is not None or was_just_renewed or not source.is_due:
                return closed_for

    async def _wait_for_credential(self) -> Credential:
        """Wait until there is a credential to send, and return it."""
        if self._credential_source.is_due:
            self._waits_for = f"{NO_CREDENTIAL}: {self._credential_source!r}"
            await self._credential_source.renew()
        return self._credential_to_send()

    def _credential_to_send(self) -> Credential:
        """Return the latest credential; refuse it if the operation cannot accept it."""
        credential = self._credential_source.latest
        if self._runtime.configuration.preflight:
            check_kind(credential, self.operation)
        return credential

    async def _await_on_send(self, on_send: Callable[[], Awaitable[None]]) -> None:
        """Await the caller's `on_send`, which may write a journal, for example."""
        awaitable: Any = on_send()
        if not isawaitable(awaitable):
            raise InvalidArgumentError(f"on_send must be an async function, but returned {type_name(awaitable)}")
        await awaitable

    def _note_sending(self) -> None:
        self._sent_at = datetime.now(UTC)

    def _judge(self, outcome: AttemptOutcome, place: Place) -> Attempt | None:
        """Tell the rate limiter and the source of the credential of the response; return the attempt if it failed."""
        error: Exception | None = None
        match outcome:
            case Failure():
                error = outcome.error
                if outcome.response is None:
                    place.failed()
                else:
                    place.accepted()
            case StreamedResponse():
                place.accepted()
                self._runtime.close_with_client(outcome)
                self._result = outcome
            case Response():
                error = error_of(outcome)
                if isinstance(error, RateLimitedError):
                    closed_for = self._policy.closure(error.retry_after, place.closure_number)
                    place.refused(closed_for)
                    return Attempt(error, self._sent_at, closed_for)
                place.accepted()
                if isinstance(error, AuthenticationError):
                    self._credential_source.mark_refused(self._credential)
                if error is None:
                    error = self._decode(outcome)
        return None if error is None else Attempt(error, self._sent_at)

    def _decode(self, response: Response) -> DecodeError | None:
        """Keep the result of a success; return the error of a body that is not what the operation returns."""
        try:
            self._result = decode(self._prepared.request, response)
        except DecodeError as error:
            # The traceback would keep the frames of this call, which have the error.
            return error.with_traceback(None)
        return None

    async def _renew_credential(self, error: Exception) -> bool:
        """Get another credential after a 401; return whether there is another one.

        A request is sent again only once, and whatever its method and its retry policy are: a 401 means that nothing
        was carried out.
        """
        refused = self._credential
        self._may_renew = False
        self._sent_at = None
        try:
            credential = await self._in_time(self._wait_for_credential())
        except AgentPlatformError as failed:
            failed.response = self.received_response()
            raise
        if credential.has_same_token(refused):
            return False
        logger.info("%s; sending again with another credential", error)
        return True

    async def _in_time(self, job: Awaitable[T]) -> T:
        """Await a job for as long as the call has time and the client is open."""
        try:
            return await self._runtime.while_open(job, at_most=max(0.0, self._time_left()))
        except TimeUpError:
            raise self._deadline_error() from self._previous_error

    def received_response(self) -> ReceivedResponse | None:
        """The response of the latest attempt; None if no response came."""
        return None if self._response is None else self._response.to_received()

    def _observe(self, outcome: AttemptOutcome, seconds: float) -> None:
        """Log the response, if one came, and report the attempt to `on_exchange`."""
        configuration = self._runtime.configuration
        received = self.received_response() if logger.isEnabledFor(logging.DEBUG) else None
        if received is not None:
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
            kind = self._credential.kind
            record = ExchangeRecord.of(self._prepared, self.attempts, kind, outcome, seconds)
            self._runtime.call_on_exchange(configuration.on_exchange, record)

    def _collect_response(self) -> None:
        """Add the response to those that `AgentPlatform.with_response` collects."""
        responses = collected_responses.get()
        # Make the ReceivedResponse, which takes time, only if somebody wants it.
        if responses is not None and (received := self.received_response()) is not None:
            responses.append(received)

    def _final_error(self, error: Exception) -> Exception:
        """Return the error that the call raises; for a write it says whether the write may have been carried out."""
        if not isinstance(error, AgentPlatformError) or error.raised_by_call:
            # The error of the caller's own function, or of another call, such as one that `on_send` made.
            return error
        self._collect_response()
        if self._in_doubt_since is not None:
            error = self._in_doubt(error, self._in_doubt_since)
        if error.response is not None and error.response.request_id is not None:
            error.remark(f"request id {truncate(error.response.request_id)}")
        self._runtime.configuration.redact_error(error)
        error.raised_by_call = True
        return error

    def _in_doubt(self, error: AgentPlatformError, since: datetime) -> AgentPlatformError:
        """Return the error of a write that may have been carried out; one without a response is an OutcomeUnknownError.

        Args:
            error: The error of the last attempt, or of a wait before the next one.
            since: When the attempt in doubt was sent.
        """
        doubtful: ProblemError | DecodeError | OutcomeUnknownError
        if isinstance(error, ProblemError | DecodeError):
            doubtful = error
            if since != self._sent_at:
                # The response is not about the attempt in doubt, which was sent earlier.
                doubtful.sent_at = since
        else:
            doubtful = OutcomeUnknownError(error.message, operation=self.operation, sent_at=since)
            doubtful.response = error.response
            doubtful.__cause__ = error if isinstance(error, ConnectionFailedError) else error.__cause__
        reader = operations.reader_of(self.operation)
        read = None if reader is None else partial(self._read_back, reader, path_ids(self._prepared, reader.path))
        was_sent_again = self.operation.method in IDEMPOTENT and self.attempts > 1
        doubtful.mark_unknown(reader, read, was_sent_again=was_sent_again)
        return doubtful

    def _deadline_error(self) -> DeadlineExceededError:
        """Make the error of a passed deadline; its message also names the failed attempt before the deadline."""
        previous = self._previous_error
        within = f"within {self._policy.deadline:g} s"
        again = "" if previous is None else " again"
        message = f"not sent{again} {within}, because {self._waits_for}"
        if self._sent_at is not None:
            message = f"no response {within}"
        error = DeadlineExceededError(message, operation=self.operation)
        if isinstance(previous, AgentPlatformError):
            error.remark(f"the attempt before: {previous.message}")
            error.response = previous.response
        return error

    def _time_left(self) -> float:
        return self._deadline - self._runtime.loop.time()


def closed_error(operation: Operation, closed_for: float) -> RateLimitedError:
    """Make the error of a call that is not sent, because the server has asked for a wait that is too long."""
    status = HTTPStatus.TOO_MANY_REQUESTS
    error = RateLimitedError(
        f"not sent: {status.value} {status.phrase} came before",
        status=status.value,
        problem=ProblemDetail(title=status.phrase),
        operation=operation,
        retry_after=closed_for,
    )
    error.retry_at = datetime.now(UTC) + timedelta(seconds=closed_for)
    return error
