"""`python -m agent_session_platform_cli`: the command `asp`."""

from __future__ import annotations

from .main import main

if __name__ == "__main__":
    main()
