"""The figure of the matrix of `benchmarks/limits.py`: how long 500 calls take at eighty servers, by client."""

from __future__ import annotations

import random
from functools import cache
from statistics import fmean
from typing import Final

from benchmarks.limits import CLIENTS, LIMITS, MATRIX, Outcome, measure
from docs.figures.drawing import LINE, QUIET, RULE, WIDTH, Drawing

TITLE: Final = "500 calls at eighty servers"

LEFT: Final = 26.0
RIGHT: Final = WIDTH - 20.0
TOP: Final = 56.0
MOST: Final = 4.0
DOT: Final = 6.0

# One for each kind of limit, in rows of their own.
COLORS: Final = ("#0b4f8a", "#b42318", "#8a5a00", "#2f6b3a")

NAMES: Final = {
    "this SDK": "this SDK",
    "semaphore": "a semaphore of 50, with retries",
    "stamina": "retries of stamina",
    "botocore": "adaptive mode of botocore",
}


@cache
def outcomes(client: str) -> list[Outcome]:
    """Return the outcome of each cell; the random numbers of the process stay as they were."""
    state = random.getstate()
    try:
        return [measure(cell, CLIENTS[client], seed=1) for cell in MATRIX]
    finally:
        random.setstate(state)


def svg() -> str:
    """Return the figure as SVG: a dot for each server."""
    drawing = Drawing(TITLE, "; ".join(f"{name}: {_result(client)}" for client, name in NAMES.items()))
    drawing.text(WIDTH / 2, 28, TITLE, size=18, bold=True, anchor="middle")
    rows = len(LIMITS) * (DOT + 4)
    bottom = TOP + len(NAMES) * (rows + 2 * LINE + 10)
    for ratio in range(1, int(MOST) + 1):
        drawing.line([(_x(ratio), TOP - 8), (_x(ratio), bottom)], stroke=RULE)
        drawing.text(_x(ratio), bottom + 20, f"{ratio} x" if ratio > 1 else "ideal", fill=QUIET, anchor="middle")
    y = TOP
    for client, name in NAMES.items():
        drawing.text(LEFT - 12, y + 12, name, bold=client == "this SDK")
        drawing.text(LEFT - 12, y + 12 + LINE, _result(client), fill=QUIET)
        y += 2 * LINE
        for cell, outcome in zip(MATRIX, outcomes(client), strict=True):
            kind = list(LIMITS).index(cell.limit)
            x = _x(min(outcome.ratio, MOST)) - DOT / 2
            drawing.rectangle(x, y + kind * (DOT + 4), DOT, DOT, fill=COLORS[kind], stroke=COLORS[kind])
        y += rows + 10
    y = bottom + 32
    for label, color in zip(LIMITS, COLORS, strict=True):
        y += LINE
        drawing.rectangle(LEFT, y - 10, DOT + 4, DOT + 4, fill=color, stroke=color)
        drawing.text(LEFT + 20, y, label)
    return drawing.svg(y + 16)


def table() -> str:
    """Return the figures as a table in Markdown."""
    rows = ["| how | mean | worst | refused requests of 40,000 | failed calls |", "|---|---|---|---|---|"]
    for client, name in NAMES.items():
        mean, worst, refused, failed = _figures(client)
        rows.append(f"| {name} | {mean:.2f} | {worst:.2f} | {refused:,} | {failed:,} |")
    return "\n".join(rows) + "\n"


def _figures(client: str) -> tuple[float, float, int, int]:
    found = outcomes(client)
    ratios = [outcome.ratio for outcome in found]
    refused, failed = (sum(numbers) for numbers in zip(*((each.refused, each.failed) for each in found), strict=True))
    return fmean(ratios), max(ratios), refused, failed


def _result(client: str) -> str:
    mean, worst, refused, failed = _figures(client)
    return f"{mean:.2f}, worst {worst:.2f}; {refused:,} refused, {failed:,} failed"


def _x(ratio: float) -> float:
    return LEFT + (RIGHT - LEFT) * (ratio - 1) / (MOST - 1)
