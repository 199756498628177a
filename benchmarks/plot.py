"""Draw what `compare.py`, `growth.py` and `limits.py` have measured: `plot.py FOLDER DOCS` draws what is in FOLDER."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean

import matplotlib as mpl
import peers

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

# Figures of the comparison that are drawn; the table has all.
DRAWN = {
    "start": "import and\nfirst client",
    "call_cpu": "CPU\na call",
    "item_cpu": "CPU a\nlisted item",
    "at_once_wall": "wall, a call\nof 100 at once",
    "held": "bytes a\nheld item",
    "late_busy_wall": "list with\nlatency and work",
}
OURS = ("#073763", "#0b5394", "#3d85c6", "#9fc5e8")
THEIRS = ("#4d3c00", "#7f6000", "#bf9000", "#f1c232", "#b7b7b7")

# The kinds of limits of the matrix, a row and a color for each.
LIMITS = {
    "token bucket 50/s": "#0b4f8a",
    "fixed window 50/s": "#b42318",
    "sliding window 50/s": "#8a5a00",
    "concurrency 10": "#2f6b3a",
}
# A column of the documentation site on a telephone: text of 11 points can be read there.
NARROW = {"svg.fonttype": "none", "svg.hashsalt": "limits", "font.size": 11.0, "font.sans-serif": ["DejaVu Sans"]}

# Of a client and a group of servers: for each server and seed the ratio, refused requests and failed calls.
Matrix = dict[str, dict[str, list[list[tuple[float, int, int]]]]]


def draw_ratios(found: dict[str, dict[str, float]], path: Path) -> None:
    """A group of bars for each figure, a bar for each peer: its ratio to bare httpx, which is the line at 1."""
    names = [name for name in found if name != peers.BASE]
    ours = iter(OURS)
    theirs = iter(THEIRS)
    figure, axes = plt.subplots(figsize=(11, 5), layout="constrained")
    width = 0.8 / len(names)
    for index, name in enumerate(names):
        ratios = [found[name][each] for each in DRAWN]
        places = [group + (index - (len(names) - 1) / 2) * width for group in range(len(DRAWN))]
        color = next(ours if name.startswith("sdk") else theirs)
        bars = axes.bar(places, ratios, width * 0.92, label=peers.NAMES[name], color=color)
        axes.bar_label(bars, [f"{ratio:.2f}" for ratio in ratios], fontsize=6, padding=1)
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_xticks(range(len(DRAWN)), list(DRAWN.values()))
    axes.set_ylabel("ratio to bare httpx (less is better)")
    axes.legend(fontsize=8, ncols=2)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_growth(points: dict[str, dict[str, dict[int, float]]], path: Path) -> None:
    """Three curves side by side: with the contract, with the list, with concurrency."""
    figure, (contract, pages, concurrency) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    for each, title in (("start", "import and first client"), ("call_cpu", "CPU of a call")):
        draw(contract, points[each]["sdk"], 1e3, title)
    name_axes(contract, "operations in the contract", "ms")
    for name, curve in points["item_cpu"].items():
        draw(pages, curve, 1e6, peers.NAMES[name])
    name_axes(pages, "pages of the list", "CPU of an item, µs")
    for name, curve in points["throughput"].items():
        draw(concurrency, curve, 1, peers.NAMES[name])
    name_axes(concurrency, "calls at once", "calls a second")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw(axes: Axes, curve: dict[int, float], scale: float, label: str) -> None:
    """One curve."""
    axes.plot(list(curve), [value * scale for value in curve.values()], marker="o", markersize=3, label=label)


def name_axes(axes: Axes, across: str, up: str) -> None:
    """What is along the axes."""
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.legend(fontsize=7)


def draw_limits(found: Matrix, path: Path) -> None:
    """A dot for each server, with the first seed: the time of all calls, by client."""
    with mpl.rc_context(NARROW):
        figure, panels = plt.subplots(len(found), sharex=True, figsize=(4.375, 6), layout="constrained")
        for axes, (name, groups) in zip(panels, found.items(), strict=True):
            ratios, refused, failed = zip(*(cell[0] for cell in groups["the eighty cells"]), strict=True)
            times = f"mean {fmean(ratios):.2f}, worst {max(ratios):.2f}"
            counts = f"{sum(refused):,} refused, {sum(failed):,} failed"
            axes.set_title(f"{name}\n{times}; {counts}", loc="left", fontsize=11)
            for row, (limit, color) in enumerate(LIMITS.items()):
                ratios = [cell[0][0] for cell in groups[limit]]
                axes.plot(ratios, [-row] * len(ratios), "o", markersize=4, markeredgewidth=0, color=color, label=limit)
            axes.set_frame_on(False)
            axes.set_yticks([])
            axes.margins(y=0.2)
            axes.tick_params(length=0)
            axes.grid(axis="x", color="#cbd2d9")
        panels[-1].set_xlabel("time as a multiple of the shortest possible")
        figure.legend(*panels[-1].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def main(folder: Path, docs: Path) -> None:
    """Draw what is there."""
    if (folder / "figures.json").exists():
        draw_ratios(json.loads((folder / "figures.json").read_text("utf-8"))["ratios"], docs / "benchmarks.png")
    if (folder / "growth.json").exists():
        points = json.loads((folder / "growth.json").read_text("utf-8"))
        curves = {
            figure: {name: {int(count): value for count, value in curve.items()} for name, curve in each.items()}
            for figure, each in points.items()
        }
        draw_growth(curves, docs / "growth.png")
    if (folder / "limits.json").exists():
        draw_limits(json.loads((folder / "limits.json").read_text("utf-8")), docs / "limits.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
