"""`python -m agent_session_platform`: the command `asp`."""

from __future__ import annotations

from .cli.main import main

if __name__ == "__main__":
    main()
