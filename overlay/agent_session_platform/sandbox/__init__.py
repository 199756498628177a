"""A stateful double of the platform, in memory: for tests, demos and trying things out without an account.

    from agent_session_platform.sandbox import Sandbox

    sandbox = Sandbox()
    async with sandbox.client() as platform:                      # in process, no socket
        session = await platform.organization("org-acme").sessions.create(extra_body={"prompt": "Fix it"})

    with sandbox.serve() as address:                              # on a free port of the loopback interface
        platform = AgentPlatform(address, sandbox.token)

Or `python -m agent_session_platform.sandbox`. What it does where the API's description is silent is in `sandbox.assumptions`.
It needs the extra: `pip install 'agent-session-platform[sandbox]'`.
"""

from __future__ import annotations

try:
    import jsonschema as _jsonschema  # noqa: F401  # pyright: ignore[reportUnusedImport]
    import starlette as _starlette  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the sandbox needs {error.name}: pip install 'agent-session-platform[sandbox]'", name=error.name
    ) from None

from .assumptions import Assumption
from .http.call import Call, Reply
from .http.limiter import RateLimit
from .platform import Sandbox
from .problems import RefusedError
from .state.accounts import Account
from .state.state import Organization, User
from .time.clock import TooManyRunsError
from .undecided import Undecided

__all__ = (
    "Account",
    "Assumption",
    "Call",
    "Organization",
    "RateLimit",
    "RefusedError",
    "Reply",
    "Sandbox",
    "TooManyRunsError",
    "Undecided",
    "User",
)
