"""What the SDK costs beside bare httpx and its peers: all in one run, in turn, as medians and ratios to bare httpx.

`python compare.py FOLDER` measures in the environment that `environment.py FOLDER` has made, prints a table and writes
`figures.json` there, which `plot.py` draws; `--quick` takes a minute.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path

import peers
from environment import python, run
from page_server import page_server

# What runs in one process: memory is measured in processes of its own.
TOGETHER = (("calls", "at_once", "items", "blocked", "held"), ("peak",), ("late",))

# Title, unit, and how many of it a second or byte is.
SHOWN = {
    "start": ("import and first client", "ms", 1e3),
    "call_wall": ("wall of a call", "µs", 1e6),
    "call_cpu": ("CPU of a call", "µs", 1e6),
    "item_wall": ("wall of a listed item", "µs", 1e6),
    "item_cpu": ("CPU of a listed item", "µs", 1e6),
    "at_once_cold_wall": ("wall of a call among the first 100 at once", "µs", 1e6),
    "at_once_wall": ("wall of a call among 100 at once", "µs", 1e6),
    "at_once_cpu": ("CPU of a call among 100 at once", "µs", 1e6),
    "held": ("bytes of an item that is held", "B", 1),
    "peak": ("peak memory, 100 pages listed", "MB", 1e-6),
    "blocked": ("event loop blocked by one page", "ms", 1e3),
    "late_wall": ("pages of 20 ms latency, one by one", "s", 1),
    "late_busy_wall": ("the same, with 10 ms of pauses a page", "s", 1),
}

Runs = dict[str, list[dict[str, float]]]


class Comparison:
    """Runs each peer in processes of its own."""

    def __init__(self, folder: Path, url: str, *, quick: bool) -> None:
        self._folder = folder
        self._url = url
        self._late_pages = 20 if quick else 100

    def round(self, name: str) -> dict[str, float]:
        """All figures of one peer, once."""
        figures = {"start": self.start(name)}
        for together in TOGETHER:
            command = [str(Path(__file__).with_name("measure.py")), name, self._url, str(self._late_pages), *together]
            figures |= json.loads(self._run(name, command))
        return figures

    def start(self, name: str) -> float:
        """Seconds that the import and the first client take, the interpreter's own start not counted."""
        code = f"import time\nbegun = time.perf_counter()\n{peers.peer(name).START}\nprint(time.perf_counter() - begun)"
        return min(float(self._run(name, ["-c", code])) for _ in range(3))

    def _run(self, name: str, arguments: list[str]) -> str:
        found = [self._folder / "clients", Path(__file__).parent]
        if name in peers.WITH_SPEED:
            found.insert(0, self._folder / "speed")
        return run([python(self._folder), *arguments], found)


def medians(runs: Runs) -> dict[str, dict[str, float]]:
    """The median of each figure of each peer."""
    return {
        name: {figure: statistics.median(run[figure] for run in taken) for figure in SHOWN}
        for name, taken in runs.items()
    }


def ratios(runs: Runs) -> dict[str, dict[str, float]]:
    """The median of each figure's ratios to bare httpx in the same round: a machine is faster now and slower then."""
    return {
        name: {
            figure: statistics.median(
                run[figure] / base[figure] for run, base in zip(taken, runs[peers.BASE], strict=True)
            )
            for figure in SHOWN
        }
        for name, taken in runs.items()
    }


def table(base: dict[str, float], found: dict[str, dict[str, float]]) -> str:
    """A line for each figure: what bare httpx takes, and the ratio of each peer to that."""
    names = [name for name in found if name != peers.BASE]
    lines = [f"{'ratio to bare httpx':<44}{'bare httpx':>14}" + "".join(f"{peers.SHORT[name]:>12}" for name in names)]
    for figure, (title, unit, scale) in SHOWN.items():
        own = f"{base[figure] * scale:.1f} {unit}"
        lines.append(f"{title:<44}{own:>14}" + "".join(f"{found[name][figure]:12.2f}" for name in names))
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="one round instead of several")
    parser.add_argument("--rounds", type=int, default=5, help="how often each peer is measured (default: 5)")
    parser.add_argument("--peers", nargs="+", default=list(peers.NAMES), choices=list(peers.NAMES))
    given = parser.parse_args()
    names = list(dict.fromkeys([peers.BASE, *given.peers]))
    runs: Runs = {name: [] for name in names}
    with page_server() as url:
        comparison = Comparison(given.folder.resolve(), url, quick=given.quick)
        for number in range(1 if given.quick else given.rounds):
            for name in names:
                print(f"\rround {number + 1}, {peers.NAMES[name]:<40}", end="", file=sys.stderr, flush=True)
                runs[name].append(comparison.round(name))
    print("\r", end="", file=sys.stderr)
    taken, found = medians(runs), ratios(runs)
    print(table(taken[peers.BASE], found))
    told = {"medians": taken, "ratios": found, "runs": runs}
    (given.folder / "figures.json").write_text(json.dumps(told, indent=1), "utf-8")


if __name__ == "__main__":
    main()
