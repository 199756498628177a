"""The entry point of `asp`: what needs no library runs without one."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from agent_session_platform.version import VERSION

from .registry import THIN

NEEDED: Final = {"cli": ("click", "platformdirs", "rich"), "mcp": ("click", "mcp")}


def installed(module: str) -> bool:
    """Return whether a module can be imported, without importing it."""
    try:
        return find_spec(module) is not None
    except ValueError:
        return False


def main() -> None:
    """Run the subcommand that the arguments of the process name, and exit with its code (`cli/exit_codes.py`)."""
    first, *rest = sys.argv[1:] or [""]
    if first == "--version":
        print(f"asp {VERSION}")
        return
    if first in THIN:
        import_module(f"{__package__}.commands.{first}").main(rest, f"asp {first}")
        return
    # Others bring click as well, so that it alone does not tell.
    extra = "mcp" if first == "mcp" else "cli"
    if not all(map(installed, NEEDED[extra])):
        sys.exit(f"asp needs its extra: pip install 'agent-session-platform[{extra}]'")
    from .group import asp

    asp.main(prog_name="asp")
