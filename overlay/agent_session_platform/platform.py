"""The client as its users see it: one base URL, one credential, and the scopes of the API."""

from __future__ import annotations

import os
import ssl
from asyncio import Future
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeAlias, TypeVar

from ._api import CallOptions, EnterpriseScope, OrganizationScope, PlatformScope, ReceivedResponse
from .catalogue import Catalogue, operations
from .client import Client
from .configuration import (
    DEFAULT_MAX_CONNECTIONS,
    DEFAULT_TIMEOUT,
    Configuration,
    parse_organization,
    read_credentials,
    switch_logging_on,
)
from .credentials import Hidden, TokenProvider
from .errors import InvalidArgumentError
from .rate_limit.limiter import RateLimiter, check_rate_limiter
from .rate_limit.local import LocalRateLimiter
from .request.prepare import raw_request
from .response.body_limits import DEFAULT_MAX_BODY
from .response.exchange import ExchangeRecord, collect_responses, collected_responses
from .retry import RetryPolicy
from .text import type_name
from .transport.choose import TransportName, choose_transport

if TYPE_CHECKING:
    import aiohttp
    import httpx
    import httpx2

    PassedTransport: TypeAlias = httpx.AsyncBaseTransport | httpx2.AsyncBaseTransport
    PassedClient: TypeAlias = httpx.AsyncClient | httpx2.AsyncClient | aiohttp.ClientSession
else:
    # Frameworks that inject dependencies read the annotations, and a library may be missing.
    PassedTransport = PassedClient = Any

T = TypeVar("T")


class AgentPlatform(PlatformScope):
    """A client of the Agent Session Platform API, for one event loop.

    Args:
        base_url: Address of the server; by default AGENT_PLATFORM_BASE_URL.
        token: The credential; by default AGENT_PLATFORM_TOKEN. Or a function, plain or async, that returns the token or
            a `Credential`: it is called at the first call, before the credential expires, and after a 401.
        organization: Id of the organization to use when none is named; by default AGENT_PLATFORM_ORG_ID, if it is set.
        timeout: Seconds without a byte after which an attempt fails (connect, read, write); more than 0,
            by default 30.
        retry: How often and how long a call is attempted.
        max_connections: How many requests may be in flight; at least 1, by default 100.
        preflight: Whether to refuse a credential before sending when its prefix proves that the operation cannot
            accept it.
        transport: "httpx" (the default); "httpx2" or "aiohttp", which need the extra of the same name; or a transport
            object of httpx or httpx2, which is closed with the client.
        http_client: A client of your own, which you close yourself, instead of `transport`: an httpx.AsyncClient, an
            httpx2.AsyncClient or an aiohttp.ClientSession.
        proxy: Address of the proxy, such as http://user:password@proxy.example.com:3128. Its scheme is
            http or https or, on httpx and httpx2, socks5 (needs the extra `socks`). By default HTTP_PROXY, HTTPS_PROXY,
            ALL_PROXY and NO_PROXY decide, but an http server of this machine needs no proxy.
        verify: Certificates of the authorities to trust: a file, a folder in the form of `openssl rehash`, or an
            ssl.SSLContext. By default the certificates that SSL_CERT_FILE and SSL_CERT_DIR name. Without these
            variables the certificates of the system are trusted if truststore is installed, or else those of certifi.
            False is refused. A client certificate is that of a context: see `ssl.SSLContext.load_cert_chain`. Give each
            client its own context, because httpx and httpx2 set the ALPN protocols of a context.
        default_headers: Headers of every call, for example for a gateway, checked like `RequestOptions.extra_headers`,
            which override them. A Content-Type has no effect.
        user_agent: Name of your program, such as "acme/1.0", which stands before the name of the SDK in User-Agent.
        max_body: Largest body of a response in bytes, after decompression; at least 1, by default 16 MiB.
        token_file: Path of a file with the credential, instead of `token`; by default AGENT_PLATFORM_TOKEN_FILE, if
            there is no AGENT_PLATFORM_TOKEN. It is read at the first call, then at most once a second, and after a 401.
        rate_limiter: A RedisRateLimiter where several processes use one credential; by default a LocalRateLimiter.
        allow_http: Whether the credential may be sent to another machine over http, where everybody on the network can
            read it.
        on_response: Called with the ReceivedResponse that ended a call, whatever its status. A plain function, which
            must be quick; what it raises is logged once.
        on_exchange: Called with the ExchangeRecord of every attempt, even without a response, but not for an attempt
            that the caller cancels. A plain function, which must be quick; what it raises is logged once.

    Raises:
        ConfigurationError: A setting is missing or malformed, or an extra is not installed.
        InvalidArgumentError: `timeout` or `retry` is of the wrong type or out of range; `default_headers` has a header
            that cannot be sent; `on_response` or `on_exchange` is not a plain function.

    Example:
        async with AgentPlatform() as platform:
            async for session in platform.organization("org-acme").sessions.list():
                print(session.title)

    `async with` closes the client at its end; without it call `await platform.aclose()`.
    """

    # The scope knows only what it needs of the client.
    _client: Client

    def __init__(
        self,
        base_url: str | None = None,
        token: str | TokenProvider | None = None,
        *,
        organization: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008  # immutable
        max_connections: int = DEFAULT_MAX_CONNECTIONS,
        preflight: bool = True,
        transport: PassedTransport | TransportName | None = None,
        http_client: PassedClient | None = None,
        proxy: str | None = None,
        verify: bool | str | os.PathLike[str] | ssl.SSLContext = True,
        default_headers: Mapping[str, str] | None = None,
        user_agent: str | None = None,
        max_body: int = DEFAULT_MAX_BODY,
        token_file: str | os.PathLike[str] | None = None,
        rate_limiter: RateLimiter | None = None,
        allow_http: bool = False,
        on_response: Callable[[ReceivedResponse], None] | None = None,
        on_exchange: Callable[[ExchangeRecord], None] | None = None,
    ) -> None:
        # Error reporters show local variables: none keeps a token or a password.
        if isinstance(token, str):
            token = Hidden(token)
        switch_logging_on()
        self._configuration = configuration = Configuration(
            base_url=base_url,
            credential_provider=read_credentials(token, token_file),
            organization=organization,
            timeout=timeout,
            retry=retry,
            max_connections=max_connections,
            max_body=max_body,
            preflight=preflight,
            allow_http=allow_http,
            default_headers=default_headers,
            user_agent=user_agent,
            proxy=proxy,
            verify=verify,
            on_response=on_response,
            on_exchange=on_exchange,
        )
        if rate_limiter is None:
            rate_limiter = LocalRateLimiter()
        check_rate_limiter(rate_limiter)
        chosen = choose_transport(configuration, transport, http_client)
        super().__init__(Client(configuration, chosen, rate_limiter))

    def organization(self, org_id: str | None = None) -> OrganizationScope:
        """Return the resources of an organization.

        Args:
            org_id: Id of the organization; by default the organization of the client.

        Raises:
            InvalidOrganizationError: No organization was given, or its id is malformed.
        """
        if org_id is None:
            org_id = self._configuration.organization
        return OrganizationScope(self._client, parse_organization(org_id))

    @cached_property
    def enterprise(self) -> EnterpriseScope:
        """The resources of the enterprise."""
        return EnterpriseScope(self._client)

    @property
    def operations(self) -> Catalogue:
        """The catalogue of all operations that the contract knows."""
        return operations

    @property
    def is_open(self) -> bool:
        """True from the first call, or the `async with`, until the client is closed."""
        return self._client.state == "open"

    @property
    def rate_limiter(self) -> RateLimiter:
        """The rate limiter of this client; its `stats()` returns its current state."""
        return self._client.rate_limiter

    def redact(self, text: str) -> str:
        """Replace the latest credentials of this client in a text, as they are and escaped."""
        return self._configuration.redact(text)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        options: CallOptions | None = None,
    ) -> Any:
        """Send a request by method and path; it is retried and limited like any other call.

        Args:
            method: HTTP method.
            path: Path below the base URL, percent-encoded; it begins with a slash. The path need not be in the
                contract.
            query: Query parameters.
            body: A JSON body, usually a mapping; text or bytes where the contract says so. None for no body.
            options: Timeout, retry policy, extra query or headers of this call: a `RequestOptions`.

        Returns:
            The decoded JSON as it came; None for an empty body.

        Raises:
            AgentPlatformError: The errors that every operation raises.
        """
        request = raw_request(method, path, query, body, options, self._configuration.redact)
        return await self._client.send(request)

    async def with_response(self, call: Awaitable[T]) -> tuple[T, ReceivedResponse | Any]:
        """Await a call, and return its result together with its response.

        Args:
            call: A call of the API that was not awaited yet.

        Returns:
            The result, and the `ReceivedResponse` with its status, headers, attempts, seconds and request id. Of
            several responses, as a pager or a wait has them, it is the last one. It is None if there was none, as for
            `collect(limit=0)`.

        Raises:
            InvalidArgumentError: *call* is a task, which runs already.
            AgentPlatformError: The error of the call; its `response` is the response.

        Example:
            session, response = await platform.with_response(org.sessions.get("assistant-1"))
            print(response.status, response.request_id, response.elapsed)
        """
        # A task runs already, in a context of its own.
        if isinstance(call, Future) or not hasattr(call, "__await__"):
            raise InvalidArgumentError(f"call must be the call itself, before it is awaited, not {type_name(call)}")
        responses: list[ReceivedResponse] = []
        # The methods of the facade return only the result, so the call adds its response to this list in a context
        # variable.
        before = collected_responses.set(responses)
        try:
            result = await call
        finally:
            collected_responses.reset(before)
            # This call may be inside another `with_response`.
            collect_responses(responses)
        latest = next(reversed(responses), None)
        return result, latest

    async def aclose(self) -> None:
        """End the calls in flight and close the connections; a second call only waits until that is done."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        self._client.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        provider = self._configuration.credential_provider
        return f"<AgentPlatform {self._configuration.base_url} {provider!r} {self._client.state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an AgentPlatform cannot be pickled or copied; make a new one where it is needed")
