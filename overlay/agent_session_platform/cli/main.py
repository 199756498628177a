"""The subcommands of `asp`."""

from __future__ import annotations

import argparse
import sys


def main() -> None:
    """Run the subcommand; exit with status 2 on an unknown one."""
    parser = argparse.ArgumentParser(prog="asp", description="Tools of the agent-session-platform SDK.")
    subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
    for name, does in (
        ("sandbox", "serve a double of the platform on this machine; has options of its own"),
        ("observations", "what a deployment showed: report it, propose an OpenAPI Overlay of it, check a deployment"),
        ("permissions", "list the operations that a program calls and the permissions that they require"),
    ):
        subcommands.add_parser(name, add_help=False, help=does)
    chosen, rest = parser.parse_known_args(sys.argv[1:2])
    arguments = [*rest, *sys.argv[2:]]
    if chosen.subcommand == "permissions":
        from .permissions import main as list_permissions

        list_permissions(arguments, "asp permissions")
    elif chosen.subcommand == "observations":
        from .observations import main as tell_observations

        tell_observations(arguments, "asp observations")
    else:
        _serve(arguments)


def _serve(arguments: list[str]) -> None:
    try:
        from ..sandbox.__main__ import main as serve
    except ImportError as error:
        sys.exit(f"the sandbox needs its extra: pip install 'agent-session-platform[sandbox]' ({error})")
    serve(arguments, "asp sandbox")
