"""What importing the SDK and making a client costs, as a ratio to httpx: fresh interpreters in turn."""

from __future__ import annotations

import statistics
import subprocess
import sys

from peers import peer

RUNS = 15

HTTPX = peer("bare_httpx").START
SDK = peer("sdk").START
# What the first request needs besides: httpx, the SSL context, the pool.
OPENED = f"""
import asyncio
{SDK}
async def main():
    async with client: pass
asyncio.run(main())
"""
HTTPX_OPENED = f"""
import asyncio
{HTTPX}
async def main():
    async with client: pass
asyncio.run(main())
"""


def seconds(code: str) -> float:
    """How long *code* takes in an interpreter of its own, the interpreter's start not counted."""
    timed = f"import time\nstart = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout)


def compare(title: str, bare: str, ours: str) -> None:
    """Print the medians and their ratio."""
    pairs = [(seconds(bare), seconds(ours)) for _ in range(RUNS)]
    base = statistics.median(first for first, _ in pairs)
    own = statistics.median(second for _, second in pairs)
    print(f"{title:<44} httpx {base * 1e3:6.1f} ms   SDK {own * 1e3:6.1f} ms   ratio {own / base:.2f}")


if __name__ == "__main__":
    compare("import and a client", HTTPX, SDK)
    compare("import, a client, opened in an event loop", HTTPX_OPENED, OPENED)
