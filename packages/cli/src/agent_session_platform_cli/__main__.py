"""The entry point of `asp`, and of `python -m agent_session_platform_cli`."""

from __future__ import annotations

import atexit
import gc
import sys
from typing import Any, Final

NONE: Final[Any] = None

# Imported modules are never garbage. Looking for garbage in them would take a third of the time of a call.
gc.set_threshold(50_000)
atexit.register(gc.freeze)
# httpx would import its own command line, with rich and pygments. `asp` does not use that command line.
sys.modules.setdefault("httpx._main", NONE)

try:
    from .group import asp
except KeyboardInterrupt:
    # 130 is the exit code after Ctrl-C. The module with the exit codes may not be imported yet.
    sys.exit(130)


def main() -> None:
    """Run the command line of this process, and exit with one of the codes in `errors.py`."""
    asp.main(prog_name="asp")


if __name__ == "__main__":
    main()
