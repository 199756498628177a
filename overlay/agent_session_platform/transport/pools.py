"""Several small pools of connections instead of a large one.

For each request and each response the pool of httpx looks through all of its connections, and again for each idle one.
With a hundred connections that is most of what a call costs; ten pools of ten look through ten.
"""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, Any, Protocol

from .httpx_family import DirectTransport, closer, received
from .slots import Slots

if TYPE_CHECKING:
    from collections.abc import Callable

    from .interface import TransportRequest, TransportResponse

# Connections of one pool: few enough that looking through them costs nothing measurable.
POOL_SIZE = 10

# A pool that was not used for this long is closed. httpx closes an idle connection after the same time, but only when
# its pool is used again.
IDLE_SECONDS = 5.0


class Others(Protocol):
    """The transports to other servers."""

    def to(self, url: Any) -> Any:
        """Return the transport to a server."""
        ...

    async def aclose(self) -> None:
        """Close them."""
        ...


class Pool:
    """One pool with the number of its connections, how many are in use, and when it was last used.

    Args:
        transport: The transport of the library.
        size: How many connections it may have.
        slots: The connections of all pools.
    """

    def __init__(self, transport: Any, size: int, slots: Slots) -> None:
        self.transport = transport
        self.size = size
        self._slots = slots
        self.in_use = 0
        self.used_at = 0.0

    def give_back(self) -> None:
        """Count one connection as free."""
        self.in_use -= 1
        self.used_at = time.monotonic()
        self._slots.give_back()

    async def close(self, response: Any) -> None:
        """Close a response, and give its connection back."""
        try:
            await closer(response)()
        finally:
            self.give_back()


class PooledTransport(DirectTransport):
    """A transport through the first pool with a free connection, so that open connections are used again.

    Args:
        library: The module `httpx` or `httpx2`.
        make: Makes a transport of the library with the given number of connections: a pool, when it is needed.
        connections: Number of connections of all pools.
        others: Has the transports to other servers; closed with this one.
        one_pool: Whether one pool has all connections, as HTTP/2 needs: it has many requests on one connection.
    """

    def __init__(
        self,
        library: Any,
        make: Callable[[int], Any],
        connections: int,
        others: Others,
        *,
        one_pool: bool = False,
    ) -> None:
        super().__init__(library, None, others.to, owned=True)
        self._make = make
        self._connections = connections
        self._pool_size = connections if one_pool else POOL_SIZE
        self._others = others
        self._all_slots = Slots(library, connections)
        # The first pool is made now, so that a wrong setting is an error when the client is opened.
        self._pools: list[Pool | None] = [self._open(0)]

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`. The connection is in use until the response is closed."""
        if request.redirected:
            return await super().send(request)
        made = self._make_request(request)
        await self._all_slots.take(request.timeout)
        try:
            pool = self._choose()
        except BaseException:
            self._all_slots.give_back()
            raise
        pool.in_use += 1
        try:
            await self._close_idle()
            response = await pool.transport.handle_async_request(made)
        except BaseException:
            pool.give_back()
            raise
        response.request = made
        return received(response, functools.partial(pool.close, response))

    @property
    def in_use(self) -> int:
        """Number of connections in use."""
        return sum(pool.in_use for pool in self._pools if pool is not None)

    def _choose(self) -> Pool:
        """Return the first pool with a free connection; there is one, or a pool that is not open yet."""
        for index, pool in enumerate(self._pools):
            if pool is None:
                self._pools[index] = pool = self._open(index)
            if pool.in_use < pool.size:
                return pool
        self._pools.append(pool := self._open(len(self._pools)))
        return pool

    def _open(self, index: int) -> Pool:
        size = min(self._pool_size, self._connections - index * self._pool_size)
        return Pool(self._make(size), size, self._all_slots)

    async def _close_idle(self) -> None:
        now = time.monotonic()
        for index, pool in enumerate(self._pools):
            if index and pool is not None and not pool.in_use and now - pool.used_at > IDLE_SECONDS:
                self._pools[index] = None
                await pool.transport.aclose()

    async def aclose(self) -> None:
        """Close the connections of all pools, and those to other servers."""
        await self._others.aclose()
        for pool in self._pools:
            if pool is not None:
                await pool.transport.aclose()
