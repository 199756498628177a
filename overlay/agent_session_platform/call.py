"""One logical call: as many attempts as the retry policy allows, and one result or error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from ._api import Operation, ReceivedResponse
from .catalogue import operations
from .credentials import Credential, check_kind
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    DeadlineExceededError,
    DecodeError,
    OutcomeUnknownError,
    ProblemDetail,
    ProblemError,
    RateLimitedError,
)
from .rate_limit.limiter import Place
from .request.prepare import PreparedRequest, path_ids
from .response.decode import decode
from .response.exchange import (
    Exchange,
    ExchangeRecord,
    Failure,
    Response,
    StreamedResponse,
    collected_responses,
    header_text,
)
from .response.problem import error_of
from .retry import IDEMPOTENT, Attempt, Fail, History, RetryEvent, doubt_after
from .runtime import Runtime, TimeUpError
from .text import truncate
from .transport.sender import AttemptContext

logger = logging.getLogger("agent_session_platform")


class Call:
    """One logical call, with its own state.

    `run` may be called again when the body of a download breaks off: the download is one call, whose retry policy
    counts its attempts.

    Args:
        runtime: The parts that the calls of a client share.
        prepared: The request as it is sent, with the options of the call.
        read_back: A function that reads the state after a write. It takes the operation to call and its path arguments.

    Attributes:
        runtime: The argument of the same name.
        prepared: The request; a download replaces it by the request of the rest of its file.
        operation: The operation that is called.
        timeout: Seconds without a byte after which an attempt fails.
        began: When the call began, by the clock of the event loop.
        attempts: How many attempts were begun.
        waited: Seconds spent waiting, for a permit or between attempts.
    """

    def __init__(
        self,
        runtime: Runtime,
        prepared: PreparedRequest,
        read_back: Callable[[Operation, Sequence[str]], Awaitable[Any]],
    ) -> None:
        options = prepared.options
        policy = options.retry or runtime.configuration.retry
        if options.attempts is not None:
            policy = policy.with_attempts(options.attempts)
        self.runtime = runtime
        self.prepared = prepared
        self.operation = prepared.operation
        self.timeout = options.timeout or runtime.configuration.timeout
        self.began = runtime.loop.time()
        self.attempts = 0
        self.waited = 0.0
        self._read_back = read_back
        self._policy = policy
        self._deadline = self.began + policy.deadline
        # How many tokens of the retry quota the retries have taken.
        self._tokens = 0.0
        # The credential that the server has refused with a 401. A call is sent again only once with another one.
        self._refused: tuple[Credential, Failure] | None = None
        # Time at which a write was sent whose result is still unknown; None if there is no such write.
        self._in_doubt_since: datetime | None = None
        self._previous_error: AgentPlatformError | None = None
        # What the call waits for: why the request is not sent if the deadline comes first.
        self._waits_for = ""
        # Of the latest attempt: the attempt as the sender gets it, its credential, its response, and its result after a
        # success.
        self._sent: AttemptContext | None = None
        self._credential: Credential
        self._response: Response | None = None
        self._result: Any = None

    async def run(self) -> Any:
        """Send the request, with retries where they are safe.

        Returns:
            The result of the operation; a StreamedResponse if the body is read as it comes.

        Raises:
            AgentPlatformError: The last attempt failed, or its response could not be decoded.
        """
        failed: Attempt | None
        try:
            async with self.runtime.rate_limiter.enter(self.operation) as place:
                failed = await self._attempt(place)
                while failed is not None and await self.attempts_again(failed):
                    failed = await self._attempt(place)
        except AgentPlatformError as error:
            # There was no attempt, or no credential for another one.
            failed = Attempt(error)
            if error.response is None:
                error.response = self.received_response()
        # Kept here, an error would stay in memory, because its traceback has this frame.
        self._previous_error = None
        self._refused = None
        if failed is None:
            self.runtime.has_succeeded = True
            quota = self.runtime.rate_limiter.retry_quota
            if quota.used and not isinstance(self._result, StreamedResponse):
                quota.give_back(self._tokens)
        try:
            self._report_response()
        except BaseException:
            # The caller never gets the stream, and so cannot close it.
            if isinstance(self._result, StreamedResponse):
                await self._result.aclose()
            raise
        if failed is None:
            return self._result
        try:
            raise self._final_error(failed.error)
        finally:
            # The traceback of the error has this frame. If the frame had the error, too, both would stay in memory, and
            # with them the request, until the garbage collector runs.
            del failed

    async def attempts_again(self, failed: Attempt) -> bool:
        """Decide by the retry policy what follows a failed attempt, and wait for it.

        The retry is reported to the log and to `on_retry`. If the failure is final, the message of its error says why.

        Returns:
            Whether the call is attempted again.

        Raises:
            ClientClosedError: The client was closed.
        """
        error = failed.error
        if not isinstance(error, AgentPlatformError):
            # The error of a function or a file of the caller is raised as it is.
            return False
        # The log and `on_retry` get the error before it is final.
        self.runtime.configuration.redact_error(error)
        method = self.operation.method
        self._in_doubt_since = doubt_after(method, failed, self._in_doubt_since)
        quota = self.runtime.rate_limiter.retry_quota
        history = History(
            attempts=self.attempts,
            time_left=self._deadline - self.runtime.loop.time(),
            quota_left=quota.left,
            may_renew=self._refused is None,
            repeatable=self.prepared.repeatable,
        )
        decision = self._policy.decide(method, failed, history)
        if isinstance(decision, Fail):
            if decision.reason is not None:
                error.remark(decision.reason)
            return False
        self._previous_error = error
        if decision.renews_credential:
            logger.info("%s; getting another credential", error)
            self._refused = (self._credential, Failure(error, self._response))
            return True
        quota.take(decision.cost)
        self._tokens += decision.cost
        logger.info("%s; waiting %.2f s before attempt %d", error, decision.delay, self.attempts + 1)
        if self._policy.on_retry is not None:
            self._policy.on_retry(RetryEvent(self.operation, self.attempts, error, decision.delay))
        if failed.closed_for is None:
            await self.runtime.while_open(asyncio.sleep(decision.delay))
            self.waited += decision.delay
        # Otherwise a 429 has closed the limit of the operation, and the call waits for its permit.
        return True

    def begin_again(self) -> None:
        """Count as after a first attempt, because the attempt has brought a part of the file."""
        self.attempts = 1
        self._refused = None
        self.runtime.rate_limiter.retry_quota.give_back(self._tokens)
        self._tokens = 0.0

    def extend_deadline(self, at_most: float) -> None:
        """Begin the deadline now: the time in which a body was read does not count.

        Args:
            at_most: How many seconds the download has left.
        """
        self._deadline = self.runtime.loop.time() + min(at_most, self._policy.deadline)

    async def _attempt(self, place: Place) -> Attempt | None:
        """Make one attempt, and report its end; return None after a success, whose result is kept."""
        runtime = self.runtime
        self._sent = None
        exchange: Exchange
        try:
            time_left = self._deadline - runtime.loop.time()
            exchange = await runtime.while_open(self._send(place), at_most=max(0.0, time_left))
        except TimeUpError:
            exchange = Failure(self._deadline_error())
        except ClientClosedError as closed:
            exchange = Failure(closed)
        response = exchange if isinstance(exchange, Response) else exchange.response
        self._response = response
        sent = self._sent
        sent_at = None
        if sent is not None:
            sent_at = sent.sent_at
            if runtime.configuration.on_exchange is not None or logger.isEnabledFor(logging.DEBUG):
                self._report_attempt(exchange, sent)
        error = self._judge(exchange)
        closed_for = None
        if response is None:
            place.failed()
        elif isinstance(error, RateLimitedError):
            closed_for = self._policy.closure(error.retry_after, place.closure_number)
            place.refused(closed_for)
        else:
            place.accepted()
        if error is None:
            return None
        return Attempt(error, sent_at, closed_for)

    async def _send(self, place: Place) -> Exchange:
        """Wait for a credential and a permit, and send the request once."""
        clock = self.runtime.loop.time
        # A credential that the operation cannot accept is refused before the call waits for a permit.
        await self._get_credential()
        # By this machine's clock a new one may have expired already: then the server decides.
        has_expired = self.runtime.configuration.credential_provider.has_expired
        if self._refused is not None:
            credential, failure = self._refused
            if self._credential.has_same_token(credential):
                return failure
        self._waits_for = "the rate limiter was closed or full"
        started = clock()
        try:
            closed_for = await place.permit(min(self._policy.max_retry_after, self._deadline - started))
        finally:
            self.waited += clock() - started
        if closed_for is not None:
            return Failure(closed_error(self.operation, closed_for))
        if not has_expired:
            # A credential that expires meanwhile is never sent.
            await self._get_credential()
        on_send = self.prepared.options.on_send
        if on_send is not None:
            self._waits_for = "on_send did not return"
            await on_send()
        self._waits_for = "no connection became free"
        self.attempts += 1
        self._sent = AttemptContext(self.operation, self.attempts, self.timeout, self.began, clock())
        return await self.runtime.sender.send(self.prepared, self._credential, self._sent)

    async def _get_credential(self) -> None:
        """Take the latest credential, a new one if that is due; refuse it if the operation cannot accept it."""
        configuration = self.runtime.configuration
        provider = configuration.credential_provider
        if provider.is_due:
            self._waits_for = f"there was no credential: {provider!r}"
            await provider.renew()
        self._credential = provider.latest
        if configuration.preflight:
            check_kind(self._credential, self.operation)

    def _judge(self, exchange: Exchange) -> Exception | None:
        """Keep the result of a success; return the error of any other exchange."""
        if isinstance(exchange, Failure):
            return exchange.error
        if isinstance(exchange, StreamedResponse):
            self.runtime.close_with_client(exchange)
            self._result = exchange
            return None
        if not 200 <= exchange.status < 300:
            error = error_of(exchange)
            if isinstance(error, AuthenticationError):
                self.runtime.configuration.credential_provider.mark_refused(self._credential)
            return error
        try:
            self._result = decode(self.prepared.request, exchange)
        except DecodeError as error:
            # The traceback would keep the frames of this call, which have the error.
            return error.with_traceback(None)
        return None

    def received_response(self) -> ReceivedResponse | None:
        """The response of the latest attempt; None if no response came."""
        if self._response is None:
            return None
        return self._response.to_received()

    def _report_response(self) -> None:
        """Report the response that ends the call, if there is one and somebody wants it: making it takes time."""
        responses = collected_responses.get()
        on_response = self.runtime.configuration.on_response
        if responses is None and on_response is None:
            return
        received = self.received_response()
        if received is None:
            return
        if on_response is not None:
            on_response(received)
        if responses is not None:
            responses.append(received)

    def _report_attempt(self, exchange: Exchange, sent: AttemptContext) -> None:
        """Log the response, if one came, and report the attempt to `on_exchange`."""
        runtime = self.runtime
        prepared = self.prepared
        redact = runtime.configuration.redact
        response = self._response
        seconds = runtime.loop.time() - sent.began
        status = None
        headers: list[tuple[str, str]] = []
        if response is not None:
            status = response.status
            headers = [(name.decode("latin-1"), header_text(value)) for name, value in response.headers]
            request_id = response.to_received().request_id
            logger.debug(
                "%s %s %d in %.3f s (%s, attempt %d, request id %s)",
                self.operation.method,
                redact(prepared.path),
                status,
                seconds,
                redact(str(self.operation)),
                sent.number,
                truncate(request_id or "unknown"),
                extra={"request_id": request_id},
            )
        on_exchange = runtime.configuration.on_exchange
        if on_exchange is None:
            return
        record = ExchangeRecord(
            operation=self.operation,
            path=prepared.path,
            attempt=sent.number,
            credential=self._credential.kind,
            query={name: value for name, value in prepared.query.items() if value is not None},
            request_body=prepared.body.content,
            request_type=prepared.body.media_type,
            status=status,
            headers=tuple(headers),
            content=exchange.content if isinstance(exchange, Response) else None,
            seconds=seconds,
            error=exchange.error if isinstance(exchange, Failure) else None,
        )
        runtime.call_on_exchange(on_exchange, record)

    def _final_error(self, error: Exception) -> Exception:
        """Return the error that the call raises; for a write it says whether the write may have been carried out."""
        if not isinstance(error, AgentPlatformError) or error.raised_by_call:
            # The error of the caller's own function, or of another call, such as one that `on_send` made.
            return error
        if self._in_doubt_since is not None:
            error = self._in_doubt(error, self._in_doubt_since)
        if error.response is not None and error.response.request_id is not None:
            error.remark(f"request id {truncate(error.response.request_id)}")
        self.runtime.configuration.redact_error(error)
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
            if self._sent is None or since != self._sent.sent_at:
                # The response is not about the attempt in doubt, which was sent earlier.
                doubtful.sent_at = since
        else:
            doubtful = OutcomeUnknownError(error.message, operation=self.operation, sent_at=since)
            doubtful.response = error.response
            doubtful.__cause__ = error
        reader = operations.reader_of(self.operation)
        read = None
        if reader is not None:
            read = partial(self._read_back, reader, path_ids(self.prepared, reader.path))
        was_sent_again = self.operation.method in IDEMPOTENT and self.attempts > 1
        doubtful.mark_unknown(reader, read, was_sent_again=was_sent_again)
        return doubtful

    def _deadline_error(self) -> DeadlineExceededError:
        """Make the error of a passed deadline; its message also names the failed attempt before the deadline."""
        previous = self._previous_error
        within = f"within {self._policy.deadline:g} s"
        message = f"not sent {within}, because {self._waits_for}"
        if self._sent is not None and self._sent.sent_at is not None:
            message = f"no response {within}"
        error = DeadlineExceededError(message, operation=self.operation)
        if previous is not None:
            error.remark(f"the attempt before: {previous.message}")
            error.response = previous.response
            error.__cause__ = previous
        return error


def closed_error(operation: Operation, closed_for: float) -> RateLimitedError:
    """Make the error of a call that is not sent, because the server has asked for a wait that is too long."""
    error = RateLimitedError(
        "not sent: 429 Too Many Requests came before",
        status=429,
        problem=ProblemDetail(title="Too Many Requests"),
        operation=operation,
        retry_after=closed_for,
    )
    error.retry_at = datetime.now(UTC) + timedelta(seconds=closed_for)
    return error
