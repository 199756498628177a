"""httpx: over HTTP/2 a status that is no number is a ValueError, no RemoteProtocolError (RFC 9113, section 8.3.2)."""

import asyncio
from typing import Any

from h2.connection import H2Connection
from h2.events import StreamEnded
from serving import httpx, serve
from serving_http2 import speak_http2


def send_no_number(state: H2Connection, event: Any) -> None:
    if isinstance(event, StreamEnded):
        # The check of the server itself is off.
        state.config.validate_outbound_headers = False
        state.send_headers(event.stream_id, [(":status", "abc")], end_stream=True)


async def main(url: str) -> None:
    async with httpx.AsyncClient(http1=False, http2=True, trust_env=False) as client:
        try:
            print((await client.get(url)).status_code)
        except (httpx.TransportError, ValueError) as error:
            print(type(error).__name__)


with serve(speak_http2(send_no_number)) as address:
    asyncio.run(main(f"http://{address}"))
