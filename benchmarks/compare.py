"""Compare the cost of the SDK and its peers with bare httpx: one run measures all clients in turn.

`python -m benchmarks.compare FOLDER` measures in the environment that `environment.py` has made in FOLDER, and prints
a table in Markdown; `--quick` takes a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.environment import ROOT, python
from benchmarks.page_server import page_server
from benchmarks.peers import BASE, PEERS

# Title, unit, and the factor from seconds or bytes to the unit.
FIGURES = {
    "first_cpu": ("CPU from the start of Python to the first response", "ms", 1e3),
    "call_wall": ("wall of a call", "µs", 1e6),
    "call_cpu": ("CPU of a call", "µs", 1e6),
    "item_cpu": ("CPU of a listed item", "µs", 1e6),
    "at_once_wall": ("wall of a call among 100 at once", "µs", 1e6),
    "held": ("bytes of an item that is held", "B", 1),
    "late_wall": ("a page of 20 ms latency, with 10 ms of pauses", "ms", 1e3),
}


def measure(folder: Path, name: str, url: str, pages: int) -> dict[str, float]:
    """Measure all figures of one peer once, in separate processes."""
    speed = [folder / "speed"] if name.endswith("speed]") else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*speed, ROOT]))}
    # Let Python keep compiled modules, as it does for every installed package.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(argument: str) -> str:
        command = [python(folder), "-m", "benchmarks.measure", name, url, argument]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout

    figures: dict[str, float] = json.loads(run(str(pages)))
    firsts: list[float] = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run("first")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        firsts.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return figures | {"first_cpu": min(firsts)}


def table(runs: dict[str, list[dict[str, float]]]) -> str:
    """Return a table of all figures: the median of bare httpx, and each peer's median ratio to bare httpx."""
    peers = [name for name in runs if name != BASE]
    lines = [" | ".join(["| ratio to bare httpx", BASE, *peers, ""]), "|---" * (len(peers) + 2) + "|"]
    for figure, (title, unit, scale) in FIGURES.items():
        base = [run[figure] for run in runs[BASE]]
        ratios = [
            statistics.median(run[figure] / own for run, own in zip(runs[name], base, strict=True)) for name in peers
        ]
        cells = [title, f"{statistics.median(base) * scale:.1f} {unit}", *(f"{ratio:.2f}" for ratio in ratios)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure each peer in turn, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="one round instead of five, with shorter lists")
    given = parser.parse_args()
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in PEERS}
    with page_server() as url:
        for number in range(1 if given.quick else 5):
            for name in PEERS:
                print(f"\rround {number + 1}, {name:<20}", end="", file=sys.stderr, flush=True)
                runs[name].append(measure(given.folder.resolve(), name, url, 20 if given.quick else 100))
    print("\r", end="", file=sys.stderr)
    print(table(runs))


if __name__ == "__main__":
    main()
