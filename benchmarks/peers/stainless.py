"""What Stainless builds: the machinery of the openai package, with models of the contract's shape."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from . import TOKEN


class Peer:
    START = "import openai; client = openai.AsyncOpenAI(api_key='x', base_url='https://platform.example.com')"

    async def open(self, url: str, connections: int) -> None:
        import openai
        from openai import DefaultAsyncHttpxClient

        from .stainless_models import Session, SessionPage

        self.session, self.page = Session, SessionPage
        http_client = DefaultAsyncHttpxClient()
        self.client = openai.AsyncOpenAI(api_key=TOKEN, base_url=url, http_client=http_client)

    async def get(self, organization: str) -> Any:
        path = f"/v3/organizations/{organization}/sessions/assistant-1"
        return await self.client.get(path, cast_to=self.session)

    async def items(self, organization: str) -> AsyncIterator[Any]:
        path = f"/v3/organizations/{organization}/sessions"
        options: Any = {"params": {"first": 200}}
        async for session in self.client.get_api_list(
            path, page=self.page[self.session], model=self.session, options=options
        ):
            assert session.session_id
            yield session

    async def aclose(self) -> None:
        await self.client.close()
