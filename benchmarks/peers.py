"""The clients that are compared: each does the same work, written as its own users would write it.

A client imports its library when it is opened, so that a process imports only the library that is measured.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T")
TOKEN = "svc_benchmark_0123456789"
SESSIONS = "/v3/organizations/{}/sessions"


class Peer:
    """A client that returns plain dictionaries. Subclasses override methods that differ for their library."""

    async def open(self, url: str) -> None:
        """Make the client, with 100 connections."""
        raise NotImplementedError

    async def fetch(self, path: str, query: dict[str, Any]) -> Any:
        """Send a GET and decode the response."""
        raise NotImplementedError

    async def close(self) -> None:
        """Close the client."""
        raise NotImplementedError

    async def get(self, organization: str) -> Any:
        """Get one session."""
        return await self.fetch(f"{SESSIONS.format(organization)}/assistant-1", {})

    async def items(self, organization: str) -> AsyncIterator[Any]:
        """Yield the sessions of all pages, after reading the id of each session."""
        query: dict[str, Any] = {"first": 200}
        while True:
            page = await self.fetch(SESSIONS.format(organization), query)
            for session in page["items"]:
                assert session["session_id"]
                yield session
            if not page["has_next_page"]:
                return
            query["after"] = page["end_cursor"]


class Httpx(Peer):
    """Bare httpx, or httpx2, which has the same classes."""

    def __init__(self, library: str) -> None:
        self.library = library

    async def open(self, url: str) -> None:
        library = import_module(self.library)
        limits = library.Limits(max_connections=100, max_keepalive_connections=100)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.client = library.AsyncClient(base_url=url, limits=limits, headers=headers, timeout=30)

    async def fetch(self, path: str, query: dict[str, Any]) -> Any:
        response = await self.client.get(path, params=query)
        response.raise_for_status()
        return json.loads(response.content)

    async def close(self) -> None:
        await self.client.aclose()


class Aiohttp(Peer):
    """Bare aiohttp."""

    async def open(self, url: str) -> None:
        import aiohttp

        connector = aiohttp.TCPConnector(limit=100)
        self.client = aiohttp.ClientSession(url, connector=connector, headers={"Authorization": f"Bearer {TOKEN}"})

    async def fetch(self, path: str, query: dict[str, Any]) -> Any:
        async with self.client.get(path, params=query) as response:
            response.raise_for_status()
            return json.loads(await response.read())

    async def close(self) -> None:
        await self.client.close()


class Sdk(Peer):
    """The SDK; it uses the extra `speed` if that is installed."""

    def __init__(self, transport: Any = None) -> None:
        self.transport = transport

    async def open(self, url: str) -> None:
        from agent_session_platform import AgentPlatform

        self.platform = AgentPlatform(url, TOKEN, transport=self.transport)

    async def get(self, organization: str) -> Any:
        return await self.platform.organization(organization).sessions.get("assistant-1")

    async def items(self, organization: str) -> AsyncIterator[Any]:
        async for session in self.platform.organization(organization).sessions.list(first=200):
            assert session.session_id
            yield session

    async def close(self) -> None:
        await self.platform.aclose()


class Stainless(Peer):
    """The client core of the openai package, with models of the contract's shape."""

    async def open(self, url: str) -> None:
        import openai
        from openai._base_client import BaseAsyncPage, BasePage, PageInfo
        from pydantic import Field, create_model

        from benchmarks.page_server import SESSION

        class Page(BaseAsyncPage[T], BasePage[T], Generic[T]):
            items: list[T]
            end_cursor: str | None = None
            # The name in the contract, `has_next_page`, is already the name of a method.
            more: bool | None = Field(alias="has_next_page", default=None)

            def _get_page_items(self) -> list[T]:
                return self.items

            def has_next_page(self) -> bool:
                return bool(self.more)

            def next_page_info(self) -> PageInfo | None:
                return PageInfo(params={"after": self.end_cursor}) if self.end_cursor else None

        fields: dict[str, Any] = {
            name: (type(value) | None if value is not None else Any, None) for name, value in SESSION.items()
        }
        self.session, self.page = create_model("Session", __base__=openai.BaseModel, **fields), Page
        self.client = openai.AsyncOpenAI(api_key=TOKEN, base_url=url)

    async def get(self, organization: str) -> Any:
        return await self.client.get(f"{SESSIONS.format(organization)}/assistant-1", cast_to=self.session)

    async def items(self, organization: str) -> AsyncIterator[Any]:
        options: Any = {"params": {"first": 200}}
        async for session in self.client.get_api_list(
            SESSIONS.format(organization), page=self.page[self.session], model=self.session, options=options
        ):
            assert session.session_id
            yield session

    async def close(self) -> None:
        await self.client.close()


BASE = "httpx"
PEERS: dict[str, Callable[[], Peer]] = {
    BASE: lambda: Httpx("httpx"),
    "httpx2": lambda: Httpx("httpx2"),
    "aiohttp": Aiohttp,
    "SDK": Sdk,
    "[speed]": Sdk,
    "[httpx2,speed]": lambda: Sdk("httpx2"),
    "[aiohttp,speed]": lambda: Sdk("aiohttp"),
    "Stainless": Stainless,
}
