"""Instructions instead of seconds: what a call and a listed item cost on a machine that is busy with other things, too.

`python instructions.py FOLDER [PEER...]` runs each peer under valgrind's callgrind (Debian: `valgrind`), in the
environment of `environment.py`, with less and with more work: the difference is what the work costs, without the start.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import re
import shutil
import sys
from pathlib import Path

import peers
from environment import python, run
from measure import listed
from page_server import page_server
from shapes import ITEMS

HERE = Path(__file__).parent
# Less and more work, and what is counted in one unit of it.
WORK = {"call": (40, 120, 1), "item": (2, 12, ITEMS), "at_once": (1, 3, 100)}
COLLECTED = re.compile(r"Collected : (\d+)")


async def work(name: str, what: str, amount: int, url: str) -> None:
    """Do the work that is measured."""
    client = peers.peer(name)
    await client.open(url, 100)
    await client.get("org-1-0")
    # A full collection goes through all that was ever imported, and whether one more of them happens is chance.
    gc.collect()
    gc.freeze()
    if what == "item":
        await listed(client, f"org-{amount}-0")
    for _ in range(amount if what == "call" else 0):
        await client.get("org-1-0")
    for _ in range(amount if what == "at_once" else 0):
        await asyncio.gather(*(client.get("org-1-0") for _ in range(100)))
    await client.aclose()


def instructions(folder: Path, name: str, what: str, amount: int, url: str) -> int:
    """How many instructions a process takes for the work."""
    found = [folder / "clients", HERE, HERE.parent]
    if name in peers.WITH_SPEED:
        found.insert(0, folder / "speed")
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1"]
    command = [*valgrind, python(folder), __file__, "--work", name, what, str(amount), url]
    told = COLLECTED.search(run(command, found))
    if told is None:
        raise RuntimeError(f"valgrind has counted nothing for {name}")
    return int(told[1])


def main(folder: Path, names: list[str]) -> None:
    """Count, and print a line for each peer and kind of work."""
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is needed (Debian: apt-get install valgrind)")
    with page_server() as url:
        for what, (less, more, units) in WORK.items():
            base = 0.0
            for name in names:
                counted = [instructions(folder, name, what, amount, url) for amount in (less, more)]
                cost = (counted[1] - counted[0]) / (more - less) / units
                base = base or cost
                print(f"{what:<10}{peers.NAMES[name]:<40}{cost / 1e3:10.1f} k instructions   ratio {cost / base:.2f}")


if __name__ == "__main__":
    if sys.argv[1] == "--work":
        asyncio.run(work(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("folder", type=Path)
        parser.add_argument("peers", nargs="*", default=["bare_httpx", "sdk", "sdk_speed", "sdk_aiohttp"])
        given = parser.parse_args()
        main(given.folder.resolve(), given.peers)
