"""The entry point of `asp`: what needs no library runs without one."""

from __future__ import annotations

import sys
from importlib import import_module

from ..version import VERSION
from .registry import THIN


def main() -> None:
    """Run the subcommand that the arguments of the process name, and exit with its code (`cli/exit_codes.py`)."""
    first, *rest = sys.argv[1:] or [""]
    if first == "--version":
        print(f"asp {VERSION}")
        return
    if first in THIN:
        import_module(f"{__package__}.commands.{first}").main(rest, f"asp {first}")
        return
    try:
        import click as click
    except ImportError:
        extra = "mcp" if first == "mcp" else "cli"
        sys.exit(f"asp needs its extra: pip install 'agent-session-platform[{extra}]'")
    from .group import asp

    asp.main(prog_name="asp")
