"""The subcommand `asp sandbox`: the sandbox has options of its own."""

from __future__ import annotations

from collections.abc import Sequence

from agent_session_platform_sandbox.__main__ import main as serve


def main(arguments: Sequence[str], program: str) -> None:
    """Serve the sandbox until Ctrl-C.

    Args:
        arguments: The arguments after the name of the subcommand.
        program: The name of the subcommand, for its help.
    """
    serve([*arguments], program)
