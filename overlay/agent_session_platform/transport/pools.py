"""Several small pools of connections instead of a large one.

httpx's pool looks through all of its connections for each request and each answer, and through all of them again for
each that is idle: with a hundred, that is most of what a call costs. Of ten pools of ten each looks through ten.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable

import httpx

# So many connections a pool has: what looking through them takes does not show yet.
CONNECTIONS = 10

# A pool that nobody has used for so long is closed: httpx lets a connection go after as long, but only when its pool is
# used again.
IDLE_SECONDS = 5.0


class Pool:
    """One pool, how many connections it has, how many of them are in use, and when it was last used."""

    def __init__(self, client: httpx.AsyncClient, size: int, address: httpx.URL) -> None:
        self.client = client
        # As old as httpx's mounts, though private: the only way to the environment's proxies. A test watches it.
        self.transport = client._transport_for_url(address)  # pyright: ignore[reportPrivateUsage]
        self.size = size
        self.in_use = 0
        self.used_at = 0.0

    def give_back(self) -> None:
        """One connection is no longer in use."""
        self.in_use -= 1
        self.used_at = time.monotonic()


class Pools(httpx.AsyncBaseTransport):
    """Sends through the first pool that has a connection to spare, so that those that stand are used again.

    *make* makes an httpx client with so many connections, for the transport that it chooses for *address*;
    *connections* is how many there are in all. A pool is made when it is needed.
    """

    def __init__(self, make: Callable[[int], httpx.AsyncClient], address: httpx.URL, connections: int) -> None:
        self._make = make
        self._address = address
        self._sizes = [min(CONNECTIONS, connections - begin) for begin in range(0, connections, CONNECTIONS)]
        # The first one at once: who has set something wrong is told so when the client is opened.
        self._pools: list[Pool | None] = [self._made(self._sizes[0]), *(None for _ in self._sizes[1:])]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send once; the connection is in use until the answer's stream is closed."""
        pool = self._chosen()
        pool.in_use += 1
        try:
            await self._close_idle()
            response = await pool.transport.handle_async_request(request)
        except BaseException:
            pool.give_back()
            raise
        if isinstance(response.stream, httpx.AsyncByteStream) and not response.is_closed:
            response.stream = Lent(response.stream, pool)
        else:
            # One that came whole, as those of a mock do: its stream is never closed.
            pool.give_back()
        return response

    @property
    def in_use(self) -> int:
        """How many connections are in use."""
        return sum(pool.in_use for pool in self._pools if pool is not None)

    def _chosen(self) -> Pool:
        for index, pool in enumerate(self._pools):
            if pool is None:
                self._pools[index] = pool = self._made(self._sizes[index])
            if pool.in_use < pool.size:
                return pool
        # More than the gate lets through: they wait in the pool in which the fewest do.
        return min((pool for pool in self._pools if pool is not None), key=lambda pool: pool.in_use - pool.size)

    def _made(self, size: int) -> Pool:
        return Pool(self._make(size), size, self._address)

    async def _close_idle(self) -> None:
        now = time.monotonic()
        for index, pool in enumerate(self._pools):
            if index and pool is not None and not pool.in_use and now - pool.used_at > IDLE_SECONDS:
                self._pools[index] = None
                await pool.client.aclose()

    async def aclose(self) -> None:
        """Close the connections of all pools."""
        for pool in self._pools:
            if pool is not None:
                await pool.client.aclose()


class Lent(httpx.AsyncByteStream):
    """The stream of an answer; closing it gives its connection back."""

    def __init__(self, stream: httpx.AsyncByteStream, pool: Pool) -> None:
        self._stream = stream
        self._pool: Pool | None = pool

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._stream)

    async def aclose(self) -> None:
        """Close the stream; doing it again does nothing more."""
        try:
            await self._stream.aclose()
        finally:
            pool, self._pool = self._pool, None
            if pool is not None:
                pool.give_back()
