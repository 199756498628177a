"""Types of options, and the options that several commands take."""

from __future__ import annotations

import os
from typing import Any, Final

import click


class Seconds(click.FloatRange):
    """A positive number of seconds."""

    name = "seconds"


class Target(click.Path):
    """A file to write, in a folder that exists: whatever takes long is not done in vain."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        folder = os.path.dirname(os.fsdecode(value)) or os.curdir
        if not os.path.isdir(folder):
            self.fail(f"there is no folder {folder!r}", param, ctx)
        return super().convert(value, param, ctx)


SECONDS: Final = Seconds(min=0, min_open=True)
COUNT: Final = click.IntRange(min=1)
TARGET: Final = Target(dir_okay=False)


def option(name: str, text: str, **settings: Any) -> click.Option:
    """Return an option with its help."""
    return click.Option([name], help=text, **settings)


def extra_query() -> click.Option:
    """Return the option for query parameters that the contract does not name."""
    text = "Send this query parameter, which the contract does not name  [repeatable]"
    return option("--extra-query", text, multiple=True, metavar="NAME=VALUE")


def state(text: str, *, required: bool = False) -> click.Option:
    """Return the option for the file with what a job has done so far."""
    return option("--state", text, type=TARGET, metavar="FILE", required=required)


def every(seconds: float) -> click.Option:
    """Return the option for the time between two polls."""
    return option("--every", f"Poll this often; the default is {seconds:g}.", type=SECONDS, default=seconds)


def conditions() -> list[click.Option]:
    """Return the options of a wait, also of those of a batch."""
    return [
        option("--until", "Wait for this value; A,B for one of them.", multiple=True, metavar="NAME=VALUE"),
        option("--unexpected", "End a wait here too, with exit code 10.", multiple=True, metavar="NAME=VALUE"),
        option("--timeout", "End a wait then; the default is 3600.", type=SECONDS, default=3600.0),
        every(10.0),
    ]
