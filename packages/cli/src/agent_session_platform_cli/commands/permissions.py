"""The subcommand `asp permissions`: the permissions that a program needs, by reading it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from agent_session_platform import InvalidArgumentError

from ..program import read_program


def main(arguments: Sequence[str], program: str) -> None:
    """Print the operations that programs call, each with its place, and the permissions that these require.

    Exits with status 2 if a file is missing or is not Python.

    Args:
        arguments: The arguments after the name of the subcommand.
        program: The name of the subcommand, for its help.
    """
    parser = argparse.ArgumentParser(
        prog=program,
        description="Find the operations that a program names, and the permissions that they require: too many rather "
        "than too few. Nothing of it is run, and nothing is sent.",
    )
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", help="a Python file, or a folder with such files")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    try:
        use = read_program(*given.programs)
    except InvalidArgumentError as error:
        parser.error(str(error))
    print(json.dumps(use.to_dict(), indent=2) if given.json else use)
