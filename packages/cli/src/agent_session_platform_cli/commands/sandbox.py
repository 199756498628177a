"""The subcommand `asp sandbox`: the sandbox has options of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..missing import to_install


def main(arguments: Sequence[str], program: str) -> None:
    """Serve the sandbox until Ctrl-C.

    Args:
        arguments: The arguments after the name of the subcommand.
        program: The name of the subcommand, for its help.
    """
    try:
        from agent_session_platform_sandbox.__main__ import main as serve
    except ModuleNotFoundError as error:
        sys.exit(f"asp sandbox needs agent-session-platform-sandbox ({error}): {to_install('sandbox')}")
    serve([*arguments], program)
