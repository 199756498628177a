"""httpx: a client does not learn that a connection of HTTP/2 may have requests again, for it reads only during one."""

import asyncio
import threading
from typing import Any

from h2.connection import H2Connection
from h2.events import RequestReceived, SettingsAcknowledged
from h2.settings import SettingCodes
from serving import httpx, serve
from serving_http2 import respond, speak_http2

lifted = threading.Event()
acknowledged: list[SettingsAcknowledged] = []


def pause(state: H2Connection, event: Any) -> None:
    """Respond to a request, allow none, and when the client knows that, allow a hundred again."""
    if isinstance(event, RequestReceived):
        respond(state, event.stream_id)
        state.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: 0})
    elif isinstance(event, SettingsAcknowledged):
        acknowledged.append(event)
        # The first one was for the settings with which the connection began.
        if len(acknowledged) == 2:
            state.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: 100})
            lifted.set()


async def main(url: str) -> None:
    async with httpx.AsyncClient(http1=False, http2=True, timeout=0.5, trust_env=False) as client:
        await client.get(url)
        await asyncio.to_thread(lifted.wait)
        await asyncio.sleep(0.05)
        try:
            print((await client.get(url)).status_code)
        except httpx.TransportError as error:
            print(f"{type(error).__name__}: {error}")


with serve(speak_http2(pause)) as address:
    asyncio.run(main(f"http://{address}"))
