"""The entry point of `asp`: what parses its arguments itself runs without click."""

from __future__ import annotations

import sys
from importlib import import_module

from agent_session_platform import __version__

from .registry import THIN


def main() -> None:
    """Run the subcommand that the arguments of the process name, and exit with its code (`exit_codes.py`)."""
    first, *rest = sys.argv[1:] or [""]
    if first == "--version":
        print(f"asp {__version__}")
        return
    if first in THIN:
        import_module(f"{__package__}.commands.{first}").main(rest, f"asp {first}")
        return
    from .group import asp

    asp.main(prog_name="asp")
