"""Options, and a type of them, that several jobs share."""

from __future__ import annotations

from typing import Any, Final

import click

from ..call.values import ParamType


class Seconds(ParamType):
    """A positive number of seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        try:
            found = float(value)
        except ValueError:
            found = 0.0
        if not 0 < found < float("inf"):
            self.fail(f"{str(value)[:40]!r} is no positive number of seconds", param, ctx)
        return found


SECONDS: Final = Seconds()


def extra_query() -> click.Option:
    """Return the option for query parameters that the contract does not name."""
    text = "Another query parameter  [repeatable]"
    return click.Option(["--extra-query"], multiple=True, metavar="NAME=VALUE", help=text)
