"""Several small pools of connections instead of a large one.

For each request and each response httpx's pool looks through all of its connections, and again for each idle one. With
a hundred connections that is most of what a call costs; ten pools of ten look through ten.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable

import httpx

# Connections of one pool: few enough that looking through them costs nothing measurable.
POOL_SIZE = 10

# A pool that was not used for this long is closed. httpx closes an idle connection after the same time, but only when
# its pool is used again.
IDLE_SECONDS = 5.0


class Pool:
    """One pool with the number of its connections, how many are in use, and when it was last used."""

    def __init__(self, client: httpx.AsyncClient, size: int, address: httpx.URL) -> None:
        self.client = client
        # Private, but as old as httpx's mounts, and the only way to the environment's proxies; a test watches it.
        self.transport = client._transport_for_url(address)  # pyright: ignore[reportPrivateUsage]
        self.size = size
        self.in_use = 0
        self.used_at = 0.0

    def give_back(self) -> None:
        """Count one connection as free."""
        self.in_use -= 1
        self.used_at = time.monotonic()


class Pools(httpx.AsyncBaseTransport):
    """A transport that sends through the first pool with a free connection, so that open connections are used again.

    Args:
        make: Makes an httpx client with the given number of connections; its transport for `address` becomes a pool.
        address: Base URL of the server; the environment may name a proxy for it.
        connections: Number of connections of all pools. A pool is made when it is needed.
    """

    def __init__(self, make: Callable[[int], httpx.AsyncClient], address: httpx.URL, connections: int) -> None:
        self._make = make
        self._address = address
        self._connections = connections
        self._redirect_client: httpx.AsyncClient | None = None
        # The first pool is made now, so that a wrong setting is an error when the client is opened.
        self._pools: list[Pool | None] = [self._open(0)]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send once; the connection is in use until the stream of the response is closed."""
        pool = self._choose()
        pool.in_use += 1
        try:
            await self._close_idle()
            response = await pool.transport.handle_async_request(request)
        except BaseException:
            pool.give_back()
            raise
        if isinstance(response.stream, httpx.AsyncByteStream) and not response.is_closed:
            response.stream = PooledStream(response.stream, pool)
        else:
            # The response of a mock is complete: its stream is never closed.
            pool.give_back()
        return response

    def transport_to(self, url: httpx.URL) -> httpx.AsyncBaseTransport:
        """Return a transport to a redirect target, with as many connections of its own, and the proxy for its URL."""
        if self._redirect_client is None:
            self._redirect_client = self._make(self._connections)
        return self._redirect_client._transport_for_url(url)  # pyright: ignore[reportPrivateUsage]  # as above

    @property
    def in_use(self) -> int:
        """Number of connections in use."""
        return sum(pool.in_use for pool in self._pools if pool is not None)

    def _choose(self) -> Pool:
        for index, pool in enumerate(self._pools):
            if pool is None:
                self._pools[index] = pool = self._open(index)
            if pool.in_use < pool.size:
                return pool
        if len(self._pools) * POOL_SIZE < self._connections:
            self._pools.append(pool := self._open(len(self._pools)))
            return pool
        # More requests than connections: wait in the pool with the shortest queue.
        return min((pool for pool in self._pools if pool is not None), key=lambda pool: pool.in_use - pool.size)

    def _open(self, index: int) -> Pool:
        size = min(POOL_SIZE, self._connections - index * POOL_SIZE)
        return Pool(self._make(size), size, self._address)

    async def _close_idle(self) -> None:
        now = time.monotonic()
        for index, pool in enumerate(self._pools):
            if index and pool is not None and not pool.in_use and now - pool.used_at > IDLE_SECONDS:
                self._pools[index] = None
                await pool.client.aclose()

    async def aclose(self) -> None:
        """Close the connections of all pools."""
        if self._redirect_client is not None:
            await self._redirect_client.aclose()
        for pool in self._pools:
            if pool is not None:
                await pool.client.aclose()


class PooledStream(httpx.AsyncByteStream):
    """The stream of a response; closing it gives its connection back."""

    def __init__(self, stream: httpx.AsyncByteStream, pool: Pool) -> None:
        self._stream = stream
        self._pool: Pool | None = pool

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._stream)

    async def aclose(self) -> None:
        """Close the stream; closing again does nothing more."""
        try:
            await self._stream.aclose()
        finally:
            pool, self._pool = self._pool, None
            if pool is not None:
                pool.give_back()
