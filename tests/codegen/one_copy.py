"""Use one copy of the SDK and of the sandbox, and print the results. The arguments are its package and its place."""

import asyncio
import sys
from importlib import import_module

from httpx import AsyncClient


async def main(name: str, place: str = "") -> None:
    platform, models = import_module(name), import_module(f"{name}.models")
    assert str(platform.__file__).startswith(place)
    sandbox = import_module(f"{name}_sandbox").Sandbox()
    async with sandbox.client() as client:
        org = client.organization()
        made = await org.sessions.create(title="Fix it")
        assert isinstance(made, models.Session)
        assert await org.sessions.list().collect() == [made]
        try:
            await org.sessions.get("nobody")
        except platform.NotFoundError as error:
            print(error.title, type(error).__module__)
    async with AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as browser:
        print("<html" in (await browser.get("/")).text)
    print(len(platform.operations) > 50, len(platform.gaps) > 100)


asyncio.run(main(*sys.argv[1:]))
