"""httpx: a request over HTTP/2 ends when the server makes its window smaller (RFC 9113, section 6.9.2)."""

import asyncio
from typing import Any

from h2.connection import H2Connection
from h2.events import DataReceived, SettingsAcknowledged, StreamEnded
from h2.settings import SettingCodes
from serving import httpx, serve
from serving_http2 import respond, speak_http2

SMALLER = {SettingCodes.INITIAL_WINDOW_SIZE: 1000}


class Server:
    """A server that makes its window smaller than what is under way, and then lets the rest come."""

    received = 0
    acknowledged = 0

    def handle(self, state: H2Connection, event: Any) -> None:
        """Take a request, and respond to it."""
        if isinstance(event, DataReceived):
            if not self.received:
                state.update_settings(SMALLER)
            self.received += event.flow_controlled_length
        elif isinstance(event, SettingsAcknowledged):
            self.acknowledged += 1
            # The first one was for the settings with which the connection began.
            if self.acknowledged == 2:
                state.increment_flow_control_window(1_000_000)
                state.increment_flow_control_window(1_000_000, 1)
        elif isinstance(event, StreamEnded):
            respond(state, event.stream_id)


async def main(url: str) -> None:
    async with httpx.AsyncClient(http1=False, http2=True, timeout=0.5, trust_env=False) as client:
        try:
            print((await client.post(url, content=bytes(200_000))).status_code)
        except httpx.TransportError as error:
            print(type(error).__name__)


with serve(speak_http2(Server().handle)) as address:
    asyncio.run(main(f"http://{address}"))
