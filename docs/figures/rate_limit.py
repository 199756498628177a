"""The figure of 500 calls for a server with a rate limit: how many have succeeded after how many seconds."""

from __future__ import annotations

from typing import Final

from docs.figures.drawing import INK, LINE, QUIET, RULE, TEXT, WIDTH, Drawing
from docs.figures.simulation import CALLS, LIMIT, Limit, Way, ways

TITLE: Final = f"{CALLS} calls, {LIMIT.rate} a second accepted"

# A slower and a faster one, for which the same guesses are other ones.
OTHER_LIMITS: Final = (Limit(20, 5), Limit(200, 20))

LEFT: Final = 52.0
RIGHT: Final = WIDTH - 14.0
TOP: Final = 56.0
BOTTOM: Final = 316.0
SECONDS: Final = 18
TICK_SECONDS: Final = 6
TICK_CALLS: Final = 100

# The SDK's is the thick one; dashes tell the others apart where colors do not.
STYLES: Final = (
    ("#0b4f8a", 4.0, ""),
    ("#b42318", 2.0, ""),
    ("#8a5a00", 2.0, "7 4"),
    ("#b0477a", 2.0, "2 4"),
    ("#2f6b3a", 2.0, "9 3 2 3"),
    ("#5b4b9a", 2.0, "4 2"),
)


def svg() -> str:
    """Return the figure as SVG."""
    shown = ways()
    drawing = Drawing(TITLE, "; ".join(f"{way.name}: {_result(way)}" for way in shown))
    drawing.text(WIDTH / 2, 28, TITLE, size=18, bold=True, anchor="middle")
    for second in range(0, SECONDS + 1, TICK_SECONDS):
        drawing.line([(_x(second), TOP), (_x(second), BOTTOM)], stroke=RULE)
        drawing.text(_x(second), BOTTOM + 20, f"{second} s", fill=QUIET, anchor="middle" if second < SECONDS else "end")
    for number in range(0, CALLS + 1, TICK_CALLS):
        drawing.line([(LEFT, _y(number)), (RIGHT, _y(number))], stroke=RULE)
        drawing.text(LEFT - 6, _y(number) + 5, str(number), fill=QUIET, anchor="end")
    # The first one last, so that it is on top.
    for way, (color, width, dashes) in reversed(list(zip(shown, STYLES, strict=True))):
        drawing.line(_curve(way), stroke=color, width=width, dashes=dashes)
    y = BOTTOM + 36
    for number, (way, (color, width, dashes)) in enumerate(zip(shown, STYLES, strict=True)):
        y += LINE + 6
        drawing.line([(14, y - 5), (46, y - 5)], stroke=color, width=width, dashes=dashes)
        drawing.text(54, y, way.name, bold=number == 0, fill=INK)
        y += LINE
        drawing.text(54, y, _result(way), fill=QUIET)
    return drawing.svg(y + TEXT)


def table() -> str:
    """Return the numbers as a table in Markdown."""
    with_header = {way.name: way for way in ways(retry_after=True)}
    rows = [
        "| how | seconds | failed calls | refused requests | the same with Retry-After |",
        "|---|---|---|---|---|",
        *(
            f"| {way.name} | {way.seconds:.1f} | {way.failed} | {way.refused} | {_result(with_header[way.name])} |"
            for way in ways()
        ),
    ]
    return "\n".join(rows) + "\n"


def table_of_other_limits() -> str:
    """Return the results of the same ways for servers with other limits as a table in Markdown."""
    rows = [
        f"| how | {' | '.join(f'{limit.rate} a second, {limit.burst} at once' for limit in OTHER_LIMITS)} |",
        f"|---|{'---|' * len(OTHER_LIMITS)}",
        *(
            f"| {same[0].name} | {' | '.join(map(_result, same))} |"
            for same in zip(*map(ways, OTHER_LIMITS), strict=True)
        ),
    ]
    return "\n".join(rows) + "\n"


def _result(way: Way) -> str:
    return f"{way.seconds:.1f} s, {way.failed or 'none'} failed, {way.refused or 'none'} refused"


def _curve(way: Way) -> list[tuple[float, float]]:
    """Return every fifth point of the curve: as a drawing it is the same."""
    points = [(_x(end), _y(number)) for number, end in enumerate(way.ended, start=1)]
    return [(LEFT, BOTTOM), *points[::5], points[-1]]


def _x(seconds: float) -> float:
    return LEFT + (RIGHT - LEFT) * seconds / SECONDS


def _y(calls: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * calls / CALLS
