"""The client: one base URL, one credential, and the two scopes of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self

from ._api import CallOptions, EnterpriseScope, OrganizationScope
from .call import Pipeline
from .client import Sender
from .configuration import Configuration, check_organization
from .errors import ConfigurationError
from .options import check_retry, check_timeout
from .rate_limit.interface import RateLimiter
from .rate_limit.local import LocalRateLimiter
from .request.arguments import raw_request
from .retry import RetryPolicy

if TYPE_CHECKING:
    from types import TracebackType

    import httpx

    from .catalogue import Catalogue

MAX_BODY = 64 * 1024 * 1024


class AgentPlatform:
    """A client of the Agent Session Platform API, for one event loop.

    `async with AgentPlatform() as platform:` closes it at the end; without it, `await platform.aclose()`.

    `base_url`, `token` and `organization` are taken from AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and
    AGENT_PLATFORM_ORG_ID when they are not given. `timeout` is seconds of silence of one try (connect, read, write),
    `retry` says how often and how long a call is tried, `max_connections` bounds the requests under way, `max_body` the
    bytes of an answer. With `preflight` a credential that an operation cannot accept is refused before sending.
    `transport` is "aiohttp" (with the extra of that name) or an httpx transport; `http_client` is an httpx client of
    your own, which you close yourself. `rate_limiter` is a RedisRateLimiter when several processes use one credential.

    Raises ConfigurationError when a setting is missing or malformed, InvalidArgumentError for a number out of range.
    """

    def __init__(
        self,
        base_url: str | None = None,
        token: str | None = None,
        *,
        organization: str | None = None,
        timeout: float = 30.0,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008  # immutable
        max_connections: int = 100,
        preflight: bool = True,
        transport: httpx.AsyncBaseTransport | Literal["aiohttp"] | None = None,
        http_client: httpx.AsyncClient | None = None,
        max_body: int = MAX_BODY,
        rate_limiter: RateLimiter | None = None,
    ) -> None:
        check_timeout(timeout)
        check_retry(retry)
        for name, value in (("max_connections", max_connections), ("max_body", max_body)):
            if not isinstance(value, int) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  # as above
                raise ConfigurationError(f"{name} must be a whole number of at least 1, not {value!r}")
        if transport is not None and http_client is not None:
            raise ConfigurationError("pass transport or http_client, not both: an httpx client has its own transport")
        if isinstance(transport, str) and transport != "aiohttp":
            raise ConfigurationError(f"transport must be 'aiohttp' or an httpx transport, not {transport!r}")
        if rate_limiter is not None and not isinstance(rate_limiter, RateLimiter):  # pyright: ignore[reportUnnecessaryIsInstance]  # as above
            raise ConfigurationError(
                f"rate_limiter must be a LocalRateLimiter or a RedisRateLimiter, not {type(rate_limiter).__name__}"
            )
        self._rate_limiter = chosen = rate_limiter or LocalRateLimiter()
        self._configuration = configuration = Configuration.resolve(base_url, token, organization)

        def make_pipeline() -> Pipeline:
            # Not at the top: httpx and an SSL context are most of the start-up, and a client is often made at import.
            from .transport.exchange import Transport

            sending = Transport(
                configuration,
                max_connections=max_connections,
                max_body=max_body,
                transport=transport,
                http_client=http_client,
            )
            chosen.open(max_connections, configuration.scope)
            return Pipeline(
                sending, configuration.credential, chosen, retry, timeout=timeout, check_credential=preflight
            )

        own = http_client is None and (transport is None or isinstance(transport, str))
        self._sender = Sender(make_pipeline, configuration.credential.redact, max_body, owns_connections=own)

    def organization(self, org_id: str | None = None) -> OrganizationScope:
        """The resources of one organization; without *org_id*, of the one that the client was made with.

        Raises InvalidOrganizationError when there is none, or it cannot be an id.
        """
        chosen = self._configuration.organization if org_id is None else org_id
        return OrganizationScope(self._sender, check_organization(chosen))

    @property
    def enterprise(self) -> EnterpriseScope:
        """The resources of the enterprise."""
        return EnterpriseScope(self._sender)

    @property
    def operations(self) -> Catalogue:
        """The catalogue of all operations that the contract knows."""
        from .catalogue import Catalogue

        return Catalogue()

    @property
    def rate_limiter(self) -> RateLimiter:
        """The gate that every request passes; `platform.rate_limiter.stats()` tells what it is doing."""
        return self._rate_limiter

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Any:
        """Send a request by method and path, the same way as any other: the decoded JSON as it came, or None.

        *path* begins with a slash and is quoted already. It may be one that the contract does not know; of one that it
        knows the permission and the credentials are known too. Raises what every operation raises.
        """
        return await self._sender.send(raw_request(method, path, query, body, self.operations.find), options)

    async def aclose(self) -> None:
        """Cancel what is in flight and close the connections; doing it again does nothing."""
        await self._sender.aclose()

    async def __aenter__(self) -> Self:
        self._sender.enter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        # While it is being made it may be shown by who shows the variables of a traceback.
        configuration = getattr(self, "_configuration", None)
        if configuration is None:
            return "<AgentPlatform unfinished>"
        sender = getattr(self, "_sender", None)
        state = sender.state if sender else "unfinished"
        return f"<AgentPlatform {configuration.base_url} {configuration.credential!r} {state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an AgentPlatform cannot be pickled or copied; make it anew where it is needed")
