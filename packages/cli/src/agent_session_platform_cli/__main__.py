"""The entry point of `asp`, also as `python -m agent_session_platform_cli`."""

from __future__ import annotations

import atexit
import gc
import sys
from typing import Any, Final

NONE: Final[Any] = None

# The search for garbage would take a third of the time of a call, and what is imported is no garbage.
gc.set_threshold(50_000)
atexit.register(gc.freeze)
# httpx imports a command line of its own, with rich and pygments. It works without.
sys.modules.setdefault("httpx._main", NONE)

from .group import asp  # noqa: E402  # after the above


def main() -> None:
    """Run the subcommand that the arguments of the process name, and exit with its code (`errors.py`)."""
    asp.main(prog_name="asp")


if __name__ == "__main__":
    main()
