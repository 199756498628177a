"""The figure "how a call travels": the modules in the order in which a call reaches them, by room (package folder)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from docs.figures.call_trace import SESSION, Step, Trace, trace
from docs.figures.drawing import INK, LINE, PAPER, QUIET, RULE, WIDTH, Drawing, wrap

TITLE: Final = "How a call travels"

MARGIN: Final = 12
PADDING: Final = 12
INSIDE: Final = WIDTH - 2 * (MARGIN + PADDING)
GAP: Final = 24

# The functions are smaller than the other text, but still 12 units at least.
CODE: Final = 15

# A room has the same color each time the call is in it.
COLORS: Final = ("#e8f0fe", "#f1f3f5", "#fff4e0", "#fde8e8", "#e6f6ec", "#f1eafd")


def svg() -> str:
    """Return the figure as SVG."""
    call = trace()
    drawing = Drawing(TITLE, describe(call))
    rooms = list(dict.fromkeys(room_of(step) for step in call.steps))
    drawing.text(WIDTH / 2, 34, TITLE, size=20, bold=True, anchor="middle")
    y = _band(drawing, 50, f'await org.sessions.get("{SESSION}")', "the call of a user")
    known: set[str] = set()
    for returning, way in groupby(call.steps, lambda step: step.returning):
        if returning:
            drawing.arrow(WIDTH / 2, y - GAP + 2, y - 1)
            y = _band(drawing, y, call.request, "the request is sent, and the response comes")
        for room, modules in by_room(way):
            y = _room(drawing, y, room, COLORS[rooms.index(room) % len(COLORS)], modules, known)
            known.update(modules)
    drawing.arrow(WIDTH / 2, y - GAP + 2, y - 1)
    return drawing.svg(_band(drawing, y, call.result, "the result of the call") - GAP + MARGIN)


def room_of(step: Step) -> str:
    """Return the folder of a module; all of the generated package is one room."""
    root, _, folder = step.package.partition(".")
    return f"{folder}/" if folder and not root.endswith("_api") else f"{root}/"


def label_of(module: str, room: str) -> str:
    """Return a module as it is called in its room."""
    return module.partition(".")[2].removeprefix(room.replace("/", ".")).replace(".", "/")


def by_room(steps: Iterable[Step]) -> list[tuple[str, dict[str, list[Step]]]]:
    """Return the modules of steps with their functions, in the order in which they are reached, grouped by room."""
    modules: dict[str, list[Step]] = {}
    for step in steps:
        modules.setdefault(step.module, []).append(step)
    rooms = groupby(modules.items(), lambda item: room_of(item[1][0]))
    return [(room, dict(items)) for room, items in rooms]


def functions_of(steps: Iterable[Step]) -> list[str]:
    """Return the names of functions as words of a line; only the first of a class has its class before it."""
    words: list[str] = []
    before = ""
    for step in steps:
        owner, _, name = step.function.rpartition(".")
        words.append(f".{name}," if owner and owner == before else f"{step.function},")
        before = owner or step.function
    return [*words[:-1], words[-1].rstrip(",")]


def describe(call: Trace) -> str:
    """Return the figure as text."""
    out, back = ([step for step in call.steps if step.returning is way] for way in (False, True))
    return f"On the way out: {_in_words(out)}. Then {call.request} is sent. On the way back: {_in_words(back)}."


def _in_words(steps: Iterable[Step]) -> str:
    return ", ".join(dict.fromkeys(step.module for step in steps))


def _band(drawing: Drawing, top: float, code: str, meaning: str) -> float:
    """Draw what is outside of the SDK, and return where what follows begins."""
    lines = wrap(re.split("(?<=/)", code), INSIDE, CODE, "mono", joint="")
    height = 32 + 20 * len(lines)
    drawing.rectangle(MARGIN, top, WIDTH - 2 * MARGIN, height, fill=INK, stroke=INK)
    for number, line in enumerate(lines):
        drawing.text(WIDTH / 2, top + 21 + number * 20, line, size=CODE, font="mono", fill=PAPER, anchor="middle")
    drawing.text(WIDTH / 2, top + height - 11, meaning, fill=RULE, anchor="middle")
    return top + height + GAP


def _room(
    drawing: Drawing, top: float, room: str, color: str, modules: dict[str, list[Step]], known: set[str]
) -> float:
    """Draw a room with its modules, and return where what follows begins."""
    x, y = MARGIN + PADDING, top + 24
    texts: list[tuple[float, str, str]] = []
    for module, steps in modules.items():
        y += LINE + 4
        texts.append((y, label_of(module, room), "module"))
        # The second time the reader knows what a module is for.
        for line in wrap(() if module in known else steps[0].purpose.split(), INSIDE):
            y += LINE
            texts.append((y, line, "purpose"))
        for line in wrap(functions_of(steps), INSIDE, CODE, "mono"):
            y += LINE
            texts.append((y, line, "functions"))
        y += 6
    drawing.arrow(WIDTH / 2, top - GAP + 2, top - 1)
    drawing.rectangle(MARGIN, top, WIDTH - 2 * MARGIN, y + 8 - top, fill=color)
    drawing.text(x, top + 24, room, font="mono", bold=True, fill=QUIET)
    for place, text, kind in texts:
        if kind == "functions":
            drawing.text(x, place, text, size=CODE, font="mono", fill="#0b4f8a")
        else:
            drawing.text(x, place, text, bold=kind == "module")
    return y + 8 + GAP
