"""Where the bytes of a download come from: the operation's response, or what it redirects to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..errors import AgentPlatformError, ClientClosedError, DecodeError
from ..next_attempt import plan_attempt
from ..options import policy_of
from ..response.judge import judge
from ..response.problem import make_problem
from ..response.redirect import RedirectTarget, parse_redirect
from ..response.response import REDIRECTS, Failure, Response, StreamedResponse
from ..runtime import run_attempt

if TYPE_CHECKING:
    from ..configuration import Configuration
    from ..options import RequestOptions
    from ..request.prepare import PreparedRequest
    from ..response.response import Outcome
    from ..runtime import ClientRuntime
    from .options import DownloadOptions

MAX_REDIRECTS = 5


class Source:
    """The sender of a download's requests.

    Args:
        request: The request of the operation.
        options: Timeout and retry policy, where they are not the client's.
        configuration: The settings of the client.
        run: Runs a call.
        open_runtime: Returns the runtime of the client.

    Attributes:
        operation: The operation of the download.
        policy: How often and how long is attempted.
        max_body: What `read` holds in memory by default.
        resumable: Whether the rest of the file can be asked for: with a GET, unless the caller asks for a range.
    """

    def __init__(
        self,
        request: PreparedRequest,
        options: RequestOptions,
        configuration: Configuration,
        run: Callable[[PreparedRequest, RequestOptions], Awaitable[Response | StreamedResponse]],
        open_runtime: Callable[[], ClientRuntime],
    ) -> None:

        def send(headers: Mapping[str, str]) -> Awaitable[Response | StreamedResponse]:
            redirects = request.operation.method == "GET"
            return run(request._replace(headers={**request.headers, **headers}, redirects=redirects), options)

        def fetch(
            redirect_target: RedirectTarget, headers: Mapping[str, str], timeout: float
        ) -> Coroutine[Any, Any, Outcome]:
            return open_runtime().exchange.fetch(request, redirect_target, headers, timeout)

        # Functions, in which an error reporter finds nothing of the request.
        self._send, self._fetch_from = send, fetch
        self._url = (configuration.base_url + request.target).__str__
        self._open_runtime = open_runtime
        self._redact = configuration.redact
        self._timeout = options.timeout or configuration.timeout
        self.operation = request.operation
        self.policy = policy_of(options, configuration.retry)
        self.max_body = configuration.max_body
        self.resumable = self.operation.method == "GET" and "range" not in request.headers

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the client, which must be the running one."""
        return self._open_runtime().loop

    @property
    def id(self) -> str:
        """A name of what is downloaded that reveals nothing of it."""
        # Imported here because it takes milliseconds.
        import hashlib

        return hashlib.sha256(self._url().encode()).hexdigest()

    async def open(self, options: DownloadOptions, headers: Mapping[str, str]) -> StreamedResponse:
        """Send the request, and follow its redirects if the caller wants that.

        Args:
            options: Whether a redirect is followed, and to which hosts.
            headers: Headers besides those of the call, such as Range; they go to the hosts of redirects as well.

        Raises:
            DecodeError: A redirect is not followed.
            AgentPlatformError: What every operation raises.
        """
        response = await self._send(headers)
        assert isinstance(response, StreamedResponse), "the operation is streamed"
        return response if response.status not in REDIRECTS else await self._follow(response, options, headers)

    async def pause(self, error: AgentPlatformError, attempt: int, time_left: float) -> float | None:
        """Wait before another attempt; if there is none, the message of the error says why.

        Args:
            error: The error of the attempt.
            attempt: Its number, from 1.
            time_left: Seconds until the deadline.

        Returns:
            The tokens of the retry quota that the next attempt takes; None if there is none.
        """
        runtime = self._open_runtime()
        decision = plan_attempt(runtime, self.policy, self.operation, error, attempt, time_left)
        if decision.delay is None:
            return None
        await runtime.pause(decision.delay)
        return decision.tokens

    def give_back(self, tokens: float) -> None:
        """Give back what `pause` took, after a success; its calls have given back their own, or the token of a success.

        Args:
            tokens: The sum of what `pause` returned.
        """
        if not tokens:
            return
        # A client that was closed after the last byte has no use for them.
        with suppress(ClientClosedError):
            self._open_runtime().rate_limiter.retry_quota.give_back(tokens)

    async def _follow(
        self, response: StreamedResponse, options: DownloadOptions, headers: Mapping[str, str]
    ) -> StreamedResponse:
        """Follow redirects to the hosts that the caller names, without anything that only the API should see."""
        base = RedirectTarget("", self._url())
        for _ in range(MAX_REDIRECTS):
            await response.aclose()
            found = parse_redirect(base.url, response.fields.get("location", ""))
            if not options.follow:
                raise self._not_followed(response, found)
            if isinstance(found, str):
                raise self._error(response.status, f"with a redirect {found}, which is not followed")
            if found.authority not in options.hosts:
                named = ", ".join(sorted(options.hosts))
                raise self._error(
                    response.status,
                    f"with a redirect to {self._redact(found.authority)}, which is not one of hosts ({named})",
                )
            base, response = found, await self._fetch(found, headers)
            if response.status not in REDIRECTS:
                return response
        await response.aclose()
        raise self._error(response.status, f"with another redirect after {MAX_REDIRECTS}, which is not followed")

    def _not_followed(self, response: StreamedResponse, found: RedirectTarget | str) -> AgentPlatformError:
        """Make the error of a redirect without `follow=True`; it shows nothing of the query."""
        location = response.fields.get("location", "")
        error = judge(Response(response.status, location=location), self.operation, self._redact)
        assert error is not None, "no redirect is a success"
        if isinstance(found, RedirectTarget):
            error.because(
                f"follow=True, hosts=[{self._redact(found.authority)!r}] would follow it without the credential"
            )
        return error

    async def _fetch(self, redirect_target: RedirectTarget, headers: Mapping[str, str]) -> StreamedResponse:
        """Send a GET to another server, again as the retry policy allows."""
        loop = self._open_runtime().loop
        deadline = loop.time() + self.policy.deadline
        attempt, tokens = 0, 0.0
        while True:
            attempt += 1
            outcome = await self._attempt(redirect_target, headers, max(0.0, deadline - loop.time()))
            if isinstance(outcome, StreamedResponse):
                self.give_back(tokens)
                return outcome
            error = outcome.error if isinstance(outcome, Failure) else self._refused(outcome, redirect_target)
            left = deadline - loop.time()
            taken = await self.pause(error, attempt, left) if isinstance(error, AgentPlatformError) else None
            if taken is None:
                try:
                    raise error
                finally:
                    # The error, its traceback and this frame would keep each other alive.
                    del error, outcome
            tokens += taken

    async def _attempt(self, redirect_target: RedirectTarget, headers: Mapping[str, str], time_left: float) -> Outcome:
        """Make one attempt."""
        runtime = self._open_runtime()
        fetch = self._fetch_from(redirect_target, headers, min(self._timeout, time_left))
        outcome = await run_attempt(runtime, fetch, self.operation, self.policy.deadline, time_left)
        if isinstance(outcome, StreamedResponse):
            runtime.hold(outcome)
        return outcome

    def _refused(self, response: Response, redirect_target: RedirectTarget) -> AgentPlatformError:
        """Make the error of another server's status; its body was not read, because it may quote the signed URL."""
        if response.status < 400:
            return self._error(response.status, f"with no file from {self._redact(redirect_target.authority)}")
        error = make_problem(response, self.operation)
        error.args = (
            f"{self.operation}: {response.status} {error.title} from {self._redact(redirect_target.authority)}, to "
            "which the download was redirected",
        )
        return error

    def _error(self, status: int, why: str) -> DecodeError:
        return DecodeError(f"{status} {why}", operation=self.operation, status=status)
