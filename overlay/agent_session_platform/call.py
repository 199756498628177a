"""One logical call: as many attempts as the retry policy allows, one outcome."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    ConnectionFailedError,
    DeadlineExceededError,
    RateLimitedError,
)
from .options import DEFAULTS, policy_of
from .response.judge import judge
from .response.received import collected, describe_response, report, report_success
from .response.response import Failure, StreamedResponse
from .retry import IDEMPOTENT
from .runtime import ClientRuntime, run_attempt

if TYPE_CHECKING:
    from .options import RequestOptions
    from .rate_limit.permit import Permit
    from .request.prepare import PreparedRequest
    from .request.renewal import Renewal
    from .response.response import Outcome, Response

# Give the HTTP library so much time after the deadline to end the attempt itself, and to keep its connection usable.
DEADLINE_GRACE_SECONDS = 0.5

logger = logging.getLogger("agent_session_platform")


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

    def __init__(self, runtime: ClientRuntime, request: PreparedRequest, options: RequestOptions) -> None:
        configuration = runtime.configuration
        self._runtime = runtime
        self._request = request
        policy = configuration.retry if options is DEFAULTS else policy_of(options, configuration.retry)
        # A file that cannot be rewound is gone after the first attempt.
        self._policy = policy if not request.files or request.repeatable else policy.with_attempts(1)
        self._timeout = options.timeout or configuration.timeout
        self._redact = configuration.redact
        self._began = runtime.loop.time()
        self._deadline = self._began + self._policy.deadline
        self._on_response = options.on_response
        self._on_send = options.on_send
        self._renewal: Renewal | None = None
        source = configuration.credentials
        if source.fixed is not None:
            self._credential = source.fixed
        else:
            # Imported here, because it would add to the start-up of every program.
            from .request.renewal import Renewal

            seconds = self._policy.deadline
            self._renewal = Renewal(source, request, configuration.preflight, seconds, self._deadline)
        # Drawn once: a refused call keeps its place before those that were made later.
        self._ticket = next(runtime.tickets)
        self.operation = request.operation
        self.attempts = 0
        self.waited = 0.0
        # Tokens of the retry quota that the retries of this call have taken.
        self._tokens = 0.0
        self._abandoned = False

    async def run(self) -> Response | StreamedResponse:
        """Send the request, again where that is safe.

        Returns:
            The first success.

        Raises:
            AgentPlatformError: Why the last attempt failed.
        """
        renewal = self._renewal
        while True:
            permit = await (self._acquire() if renewal is None else self._acquire_with(renewal))
            if self._on_send is not None:
                # Imported here, because it would add to the start-up of every program.
                from .before_sending import before_sending

                await before_sending(self._on_send, self._runtime.rate_limiter, permit)
            outcome = await self._attempt(permit)
            if not isinstance(outcome, Failure):
                quota = self._runtime.rate_limiter.retry_quota
                if quota.used:
                    quota.give_back(self._tokens)
                if self._on_response or self._runtime.configuration.on_response or collected.get() is not None:
                    functions = (self._runtime.configuration.on_response, self._on_response)
                    await report_success(outcome, self.operation, self._redact, functions)
                return outcome
            error = outcome.error
            if renewal is not None and isinstance(error, AuthenticationError) and await renewal.replace(error):
                continue
            # Imported with the first failure, because it would add to the start-up of every program.
            from .next_attempt import plan_attempt

            decision = plan_attempt(
                self._runtime,
                self._policy,
                self.operation,
                error,
                self.attempts - (renewal.resent if renewal is not None else 0),
                self._time_left(),
                outcome.closed_for,
            )
            if decision.delay is None:
                try:
                    if isinstance(error, AgentPlatformError) and error.response is not None:
                        report(error.response, (self._runtime.configuration.on_response, self._on_response))
                    raise error
                finally:
                    # The error, its traceback and this frame would keep each other alive.
                    del error, outcome
            self._tokens += decision.tokens
            # After a 429 the call waits for its next permit, with its old ticket.
            if outcome.closed_for is None:
                self.waited += decision.delay
                await self._runtime.pause(decision.delay)

    async def _acquire(self) -> Permit:
        """Wait for a permit."""
        loop = self._runtime.loop
        started = loop.time()
        try:
            return await self._runtime.rate_limiter.acquire(self._ticket, self._deadline)
        except TimeoutError:
            raise DeadlineExceededError(
                f"not sent within {self._policy.deadline:g} s, because the rate limiter was closed or full",
                operation=self.operation,
            ) from None
        finally:
            self.waited += loop.time() - started

    async def _acquire_with(self, renewal: Renewal) -> Permit:
        """Wait for a credential and for a permit; a credential whose time passes meanwhile is asked for again."""
        source, limiter = self._runtime.configuration.credentials, self._runtime.rate_limiter
        while True:
            credential = await renewal.get()
            was_current = source.current() is credential
            permit = await self._acquire()
            if not was_current or source.current() is not None:
                self._credential = renewal.latest()
                return permit
            # Given back as if it had not been asked for: others may send while this call waits.
            limiter.abandon(permit)
            limiter.release(permit, abandoned=True)

    async def _attempt(self, permit: Permit) -> Outcome:
        """Make one attempt; the failure of a write that may have been carried out has an unknown outcome."""
        self.attempts += 1
        time_left = max(0.0, self._time_left())
        sent_at = datetime.now(UTC)
        abandon = partial(self._abandon, permit)
        exchange = self._exchange(permit, min(self._timeout, time_left + DEADLINE_GRACE_SECONDS))
        outcome = await run_attempt(self._runtime, exchange, self.operation, self._policy.deadline, time_left, abandon)
        if not isinstance(outcome, Failure) or self.operation.method in IDEMPOTENT:
            return outcome
        error = outcome.error
        if isinstance(error, DeadlineExceededError | ClientClosedError) or (
            isinstance(error, ConnectionFailedError) and error.received
        ):
            # Imported here, because it would add to the start-up of every program.
            from .unknown_outcome import outcome_unknown

            return Failure(outcome_unknown(self.operation, error, sent_at))
        return outcome

    def _abandon(self, permit: Permit) -> None:
        """Give the permit back at once, because the caller is gone."""
        self._abandoned = True
        self._runtime.rate_limiter.abandon(permit)

    async def _exchange(self, permit: Permit, timeout: float) -> Outcome:
        """Send once, judge the response and tell the rate limiter."""
        runtime = self._runtime
        accepted = held = False
        try:
            if runtime.abandoned:
                await runtime.make_room()
            started = runtime.loop.time()
            outcome = await runtime.exchange.send(self._request, self._credential, self.attempts, timeout, self._began)
            if isinstance(outcome, Failure):
                return outcome
            method, path, seconds = self.operation.method, self._request.path, runtime.loop.time() - started
            logger.debug(
                "%s %s %d in %.3f s (%s, attempt %d)",
                *(method, path, outcome.status, seconds, self.operation, self.attempts),
            )
            if (observer := runtime.configuration.observe) is not None:
                observer.notify(self._request, self._credential.kind, outcome)
            if isinstance(outcome, StreamedResponse):
                accepted = True
                if not self._abandoned:
                    runtime.hold(outcome, permit)
                    held = True
                return outcome
            error = judge(outcome, self.operation, self._redact)
            if error is None:
                accepted = True
                return outcome
            error.response = describe_response(outcome, self.operation, self._redact)
            if isinstance(error, RateLimitedError):
                # Beyond the cap this call fails at once: do not close the rate limiter for the others.
                hint = outcome.retry_after if self._policy.waits_for(outcome.retry_after) else 0.0
                return Failure(error, runtime.rate_limiter.refused(permit, hint))
            accepted = True
            return Failure(error)
        except Exception as error:
            # A value, because the caller may be cancelled: asyncio would log an exception that is never retrieved.
            return Failure(error)
        except BaseException as error:
            # A KeyboardInterrupt leaves the event loop from here.
            from .tracebacks import clear_locals

            clear_locals(error)
            if not held:
                if not self._abandoned:
                    self._abandon(permit)
                runtime.rate_limiter.release(permit, abandoned=True)
                held = True
            # An error reporter shows the local variables of this frame.
            del self
            raise
        finally:
            if not held:
                runtime.rate_limiter.release(permit, accepted=accepted, abandoned=self._abandoned)  # pyright: ignore[reportPossiblyUnboundVariable]  # then held is True

    def _time_left(self) -> float:
        return self._deadline - self._runtime.loop.time()
