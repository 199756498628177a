"""A client for code without an event loop, such as Celery tasks, Flask views and scripts: copy this file.

One event loop runs in a daemon thread and has the one client of the process, so that all threads share its
connections and its rate limiter. In a checkout `pip install .` installs what it needs.

    from sync_client import SyncClient

    client = SyncClient()
    org = client.platform.organization()
    session = client.run(org.sessions.create(assistant_mode="fast", prompt="Fix the flaky test"))
    for session in client.iterate(org.sessions.list()):
        print(session.session_id)

Make the client in the process that uses it, because a forked process has no threads of its parent. With Celery's
prefork pool, make the client in the signal `worker_process_init`.
"""

import asyncio
import threading
from collections.abc import AsyncIterable, Coroutine, Generator
from typing import Any, TypeVar

from agent_session_platform import AgentPlatform

T = TypeVar("T")


class SyncClient:
    """A client in an event loop that runs in a separate thread.

    Args:
        platform: The client to use, which `close` closes; by default one with the settings of the environment.
    """

    def __init__(self, platform: AgentPlatform | None = None) -> None:
        self.platform = platform or AgentPlatform()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="agent-platform", daemon=True)
        self._thread.start()

    def run(self, call: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Wait for a call and return its result; after *timeout* seconds cancel it and raise TimeoutError."""
        future = asyncio.run_coroutine_threadsafe(call, self._loop)
        try:
            return future.result(timeout)
        except BaseException:
            # Cancel also for errors of this thread, such as KeyboardInterrupt or Celery's SoftTimeLimitExceeded.
            future.cancel()
            raise

    def iterate(self, items: AsyncIterable[T]) -> Generator[T]:
        """Yield the items of a list, page by page."""
        iterator = aiter(items)

        async def following() -> tuple[T] | None:
            async for item in iterator:
                return (item,)
            return None

        while (found := self.run(following())) is not None:
            yield found[0]

    def close(self) -> None:
        """Close the client and stop the thread."""
        self.run(self.platform.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
