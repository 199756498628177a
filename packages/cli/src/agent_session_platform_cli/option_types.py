"""Options that several commands take, and their types, with messages in plain words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    # Generic in newer versions of click only.
    ParamType = click.ParamType


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


class Whole(click.IntRange):
    """A whole number between bounds."""

    name = "whole number"


class Target(click.Path):
    """A file to write, in a folder that exists: whatever takes long is not done in vain."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        found = super().convert(value, param, ctx)
        folder = os.path.dirname(os.fsdecode(found)) or os.curdir
        if not os.path.isdir(folder):
            self.fail(
                f"there is no folder {folder!r} to write {os.path.basename(os.fsdecode(found))!r} into", param, ctx
            )
        return found


SECONDS: Final = Seconds()
COUNT: Final = Whole(min=1)
TARGET: Final = Target()


def extra_query(*, hidden: bool = False) -> click.Option:
    """Return the option for query parameters that the contract does not name.

    Args:
        hidden: Whether help leaves it out.
    """
    text = "Send this query parameter, which the contract does not name  [repeatable]"
    return click.Option(["--extra-query"], multiple=True, metavar="NAME=VALUE", hidden=hidden, help=text)


def key_of_items() -> click.Option:
    """Return the option that says which field of an item is its id."""
    text = "Take FIELD as the id of an item, where the contract names none."
    return click.Option(["--key"], metavar="FIELD", help=text)
