"""Read the commands that parse their arguments with argparse, without running them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from agent_session_platform_cli import commands
from agent_session_platform_cli.registry import THIN

# Positional arguments have no other sign.
HELP: Final = "--help"


class Parser(NamedTuple):
    """A command, or one below it: its name, what it is for, its usage, and (name, meaning) of its arguments."""

    name: str
    about: str
    usage: str
    arguments: list[tuple[str, str]]


class _ParsedError(Exception):
    """Ends a command where it would parse its arguments."""


def parsers() -> dict[str, list[Parser]]:
    """Return the commands and those below them, by the name of the command."""
    return {name: [*_described(_parser_of(name), "")] for name in sorted(THIN)}


def _parser_of(name: str) -> argparse.ArgumentParser:
    found: list[argparse.ArgumentParser] = []

    def keep(parser: argparse.ArgumentParser, *_: Any) -> None:
        found.append(parser)
        raise _ParsedError

    with patch.object(argparse.ArgumentParser, "parse_args", keep):
        try:
            import_module(f"{commands.__name__}.{name}").main([], f"asp {name}")
        except _ParsedError:
            return found[0]
    raise AssertionError(f"asp {name} parses no arguments")


def _described(parser: argparse.ArgumentParser, about: str) -> Iterator[Parser]:
    actions: list[argparse.Action] = vars(parser)["_actions"]
    groups = [each for each in actions if isinstance(each.choices, dict)]
    plain = [each for each in actions if each not in groups and HELP not in each.option_strings]
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    text = parser.description or f"{about[:1].upper()}{about[1:]}."
    yield Parser(parser.prog, text, usage, [(_name(each), each.help or "") for each in plain])
    for group in groups:
        helps = {str(each.dest): each.help or "" for each in vars(group)["_choices_actions"]}
        for name, below in dict(group.choices or {}).items():
            yield from _described(below, helps[name])


def _name(action: argparse.Action) -> str:
    value = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    takes_value = action.nargs != 0
    return " ".join(
        [", ".join(action.option_strings), *([str(value)] if takes_value or not action.option_strings else [])]
    ).strip()
