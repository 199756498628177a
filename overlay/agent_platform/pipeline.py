"""The send path, in order: arguments, preflight, gate, the try, retry, and the error or the decoded answer."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from .arguments import Prepared, prepare
from .credentials import preflight
from .decode import decode
from .errors import (
    AgentPlatformError,
    ClientClosedError,
    ConnectionFailedError,
    DeadlineExceededError,
    OutcomeUnknownError,
    RateLimitedError,
)
from .gate import Gate
from .options import DEFAULTS, check_options
from .problem import problem
from .retry import IDEMPOTENT, RetryEvent, RetryPolicy, gave_up_because

if TYPE_CHECKING:
    from ._api import CallOptions, Request
    from .credentials import Credential
    from .transport import Answer, Transport

T = TypeVar("T")

logger = logging.getLogger("agent_platform")

# A cancelled request ends at once, unless a transport of the user's own does not let go.
CLOSING_SECONDS = 5.0


class Pipeline:
    """Sends the requests of one client, in one event loop, through one gate."""

    def __init__(
        self, transport: Transport, credential: Credential, gate: Gate, policy: RetryPolicy, *, check_credential: bool
    ) -> None:
        self.gate = gate
        self._transport = transport
        self._credential = credential
        self._policy = policy
        self._check_credential = check_credential
        self._clock = asyncio.get_running_loop().time
        self._tries: set[asyncio.Task[Answer | Exception]] = set()
        self._closed = False

    async def send(self, request: Request[T], options: CallOptions | None) -> T:
        """Send *request*, again where that is safe and useful, and decode its answer; raises an AgentPlatformError."""
        if options is None:
            options = DEFAULTS
        else:
            check_options(options)
        prepared = prepare(request, options)
        if self._check_credential:
            preflight(self._credential, request.operation)
        policy: RetryPolicy = options.retry or self._policy
        deadline = self._clock() + policy.deadline
        attempt = 1
        while True:
            outcome = await self._outcome(prepared, options.timeout, deadline, policy)
            if not isinstance(outcome, AgentPlatformError):
                return decode(request, outcome)
            delay = policy.delay(request.operation.method, outcome, attempt, deadline - self._clock())
            if isinstance(outcome, RateLimitedError):
                # Also for the other tasks, and when this one gives up.
                self.gate.close(delay if delay is not None else min(outcome.retry_after or 0.0, policy.max_retry_after))
            if delay is None:
                reason = gave_up_because(policy, request.operation.method, outcome, attempt)
                raise outcome if reason is None else outcome.because(reason)
            self._report(RetryEvent(request.operation, attempt, outcome, delay), policy)
            await asyncio.sleep(delay)
            attempt += 1

    async def _outcome(
        self, prepared: Prepared, timeout: float | None, deadline: float, policy: RetryPolicy
    ) -> Answer | AgentPlatformError:
        """One try: an answer below 400, or what may be worth another try; raises what is final whatever the policy."""
        operation = prepared.operation
        try:
            await self.gate.enter(deadline)
        except TimeoutError:
            raise DeadlineExceededError(
                f"not sent within {policy.deadline:g} s, because the gate was closed or full", operation=operation
            ) from None
        sent_at = datetime.now(UTC)
        try:
            answer = await self._shielded(prepared, timeout, deadline)
        except ConnectionFailedError as error:
            if error.received and operation.method not in IDEMPOTENT:
                raise unknown_outcome(prepared, sent_at, str(error)) from error
            return error
        except TimeoutError:
            if operation.method not in IDEMPOTENT:
                raise unknown_outcome(prepared, sent_at, f"no answer within {policy.deadline:g} s") from None
            raise DeadlineExceededError(f"no answer within {policy.deadline:g} s", operation=operation) from None
        except ClientClosedError:
            if operation.method not in IDEMPOTENT:
                raise unknown_outcome(prepared, sent_at, "the client was closed meanwhile") from None
            raise
        if answer.status != 429:
            self.gate.accepted()
        return answer if answer.status < 400 else problem(answer, operation)

    async def _shielded(self, prepared: Prepared, timeout: float | None, deadline: float) -> Answer:
        """Send in a task of its own, which goes on when the caller is cancelled: httpx would lose the connection.

        Raises TimeoutError at *deadline*, and ClientClosedError when the client is closed meanwhile.
        """
        if self._closed:
            self.gate.leave()
            raise ClientClosedError("the client is closed; make a new one", operation=prepared.operation)
        attempt = asyncio.create_task(self._try(prepared, timeout))
        self._tries.add(attempt)
        attempt.add_done_callback(self._finished)
        try:
            await asyncio.wait((attempt,), timeout=max(0.0, deadline - self._clock()))
        except asyncio.CancelledError:
            # Nobody waits any more, so nobody else would end it at the deadline.
            timer = asyncio.get_running_loop().call_at(deadline, attempt.cancel)
            attempt.add_done_callback(lambda _: timer.cancel())
            raise
        if not attempt.done():
            attempt.cancel()
            raise TimeoutError
        if attempt.cancelled():
            raise ClientClosedError("the client was closed during the call", operation=prepared.operation)
        outcome = attempt.result()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def _try(self, prepared: Prepared, timeout: float | None) -> Answer | Exception:
        # Returned and not raised: of a task that nobody waits for, asyncio would report a lost exception.
        try:
            return await self._transport.send(prepared, timeout)
        except Exception as error:
            return error

    def _finished(self, attempt: asyncio.Task[Any]) -> None:
        self._tries.discard(attempt)
        self.gate.leave()

    def _report(self, event: RetryEvent, policy: RetryPolicy) -> None:
        logger.info("%s; waiting %.2f s before try %d", event.error, event.delay, event.attempt + 1)
        if policy.on_retry is not None:
            policy.on_retry(event)

    async def aclose(self) -> None:
        """Cancel what is in flight and close the connections."""
        self._closed = True
        self.gate.dismiss()
        for attempt in self._tries:
            attempt.cancel()
        if self._tries:
            await asyncio.wait(self._tries, timeout=CLOSING_SECONDS)
        await self._transport.aclose()


def unknown_outcome(prepared: Prepared, sent_at: datetime, why: str) -> OutcomeUnknownError:
    """The error of a write that may have been carried out."""
    operation = prepared.operation
    return OutcomeUnknownError(
        f"{why.removeprefix(f'{operation}: ')}; the write may have been carried out and was not sent again: "
        "read the state before you repeat it",
        operation=operation,
        sent_at=sent_at,
    )
