"""What start-up to the first response costs, as a ratio to the bare library: fresh interpreters in turn.

Wall and CPU, with the interpreter's own start. `compare.py` measures the import and the first client alone.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time

from page_server import page_server

PAIRS = 30

# Compiled modules are kept, as they are wherever a package is installed: some machines are told not to.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

# As the users of each library would write it.
PATH = "/v3/organizations/org-1-0/sessions/assistant-1"
HTTPX_RESPONSE = f"""
import asyncio, json, httpx
async def main():
    async with httpx.AsyncClient(base_url=URL, headers={{"Authorization": "Bearer svc_x"}}) as client:
        response = await client.get("{PATH}")
        response.raise_for_status()
        print(json.loads(response.content)["session_id"])
asyncio.run(main())
"""
AIOHTTP_RESPONSE = f"""
import asyncio, json, aiohttp
async def main():
    async with aiohttp.ClientSession(URL, headers={{"Authorization": "Bearer svc_x"}}) as client:
        async with client.get("{PATH}") as response:
            response.raise_for_status()
            print(json.loads(await response.read())["session_id"])
asyncio.run(main())
"""
SDK_RESPONSE = """
import asyncio
from agent_session_platform import AgentPlatform
async def main():
    async with AgentPlatform(URL, "svc_x", transport=TRANSPORT) as platform:
        session = await platform.organization("org-1-0").sessions.get("assistant-1")
        print(session.session_id)
asyncio.run(main())
"""


def fresh(code: str) -> str:
    """What an interpreter of its own prints that runs *code*."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout


def used(code: str) -> tuple[float, float]:
    """Wall and CPU seconds of an interpreter that runs *code*."""
    wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    fresh(code)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare_responses(library: str, bare: str, url: str) -> None:
    """Print the medians of the ratios of wall and CPU, from the start of the interpreter to the first response."""
    named = f"URL = {url!r}\nTRANSPORT = {library!r}\n"
    fresh(named + SDK_RESPONSE)
    pairs = [(used(named + bare), used(named + SDK_RESPONSE)) for _ in range(PAIRS)]
    wall, cpu = (statistics.median(own[figure] / base[figure] for base, own in pairs) for figure in (0, 1))
    print(f"to the first response, ratio to {library:<12} wall {wall:.2f}   CPU {cpu:.2f}")


if __name__ == "__main__":
    with page_server() as address:
        compare_responses("httpx", HTTPX_RESPONSE, address)
        compare_responses("aiohttp", AIOHTTP_RESPONSE, address)
