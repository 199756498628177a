"""The subcommand `asp sandbox`: the sandbox has options of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str], program: str) -> None:
    """Serve the sandbox until Ctrl-C.

    Args:
        arguments: The arguments after the name of the subcommand.
        program: The name of the subcommand, for its help.
    """
    try:
        from agent_session_platform_sandbox.__main__ import main as serve
    except ImportError as error:
        sys.exit(f"the sandbox needs its extra: pip install 'agent-session-platform[sandbox]' ({error})")
    serve([*arguments], program)
