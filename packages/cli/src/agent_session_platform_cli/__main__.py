"""The entry point of `asp`, also as `python -m agent_session_platform_cli`."""

from __future__ import annotations

import gc
import sys
from typing import Any, Final

NONE: Final[Any] = None

# A third of the time that a call takes: nothing of what is imported is garbage, and httpx imports a command line of its
# own with rich and pygments, which it does without where these are not installed.
gc.set_threshold(50_000)
sys.modules.setdefault("httpx._main", NONE)

try:
    from .group import asp
except KeyboardInterrupt:
    # The code of Ctrl-C; `errors.py`, which has it, may not be imported yet.
    sys.exit(130)


def main() -> None:
    """Run the subcommand that the arguments of the process name, and exit with its code (`errors.py`)."""
    asp.main(prog_name="asp")


if __name__ == "__main__":
    main()
