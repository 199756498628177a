"""Bare httpx2, which has the same classes as httpx."""

from __future__ import annotations

from . import TOKEN, bare_httpx


class Peer(bare_httpx.Peer):
    START = "import httpx2; client = httpx2.AsyncClient()"

    async def open(self, url: str, connections: int) -> None:
        import httpx2

        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.client = httpx2.AsyncClient(base_url=url, limits=limits, headers=headers, timeout=30)
