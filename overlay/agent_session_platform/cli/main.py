"""The subcommands of `asp`."""

from __future__ import annotations

import argparse
import sys


def main() -> None:
    """Run the subcommand; exit with status 2 on an unknown one."""
    parser = argparse.ArgumentParser(prog="asp", description="Tools of the agent-session-platform SDK.")
    subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
    subcommands.add_parser(
        "sandbox", add_help=False, help="serve a double of the platform on this machine; has options of its own"
    )
    _, rest = parser.parse_known_args(sys.argv[1:2])
    try:
        from ..sandbox.__main__ import main as serve
    except ImportError as error:
        sys.exit(f"the sandbox needs its extra: pip install 'agent-session-platform[sandbox]' ({error})")
    serve([*rest, *sys.argv[2:]], "asp sandbox")
