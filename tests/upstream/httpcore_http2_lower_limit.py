"""httpx: requests hang when the server lowers how many a connection of HTTP/2 may have at once."""

import asyncio
from typing import Any

from h2.connection import H2Connection
from h2.events import RequestReceived, SettingsAcknowledged
from h2.settings import SettingCodes
from serving import httpx, serve, wait_for
from serving_http2 import respond, speak_http2

waiting: list[int] = []


def allow_one(state: H2Connection, event: Any) -> None:
    """Respond to a request; let the next two wait until the client knows that only one is allowed from now on."""
    if isinstance(event, RequestReceived) and event.stream_id == 1:
        respond(state, 1)
    elif isinstance(event, RequestReceived):
        waiting.append(event.stream_id)
        if len(waiting) == 2:
            state.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: 1})
    elif isinstance(event, SettingsAcknowledged) and waiting:
        for stream in waiting:
            respond(state, stream)


async def main(url: str) -> None:
    async with httpx.AsyncClient(http1=False, http2=True, timeout=0.1, trust_env=False) as client:
        await client.get(url)
        await wait_for(asyncio.gather(client.get(url), client.get(url)), httpx.TransportError)


with serve(speak_http2(allow_one)) as address:
    asyncio.run(main(f"http://{address}"))
