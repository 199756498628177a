"""A stateful double of the platform in memory: for tests and demos without an account.

    from agent_session_platform_sandbox import Sandbox

    sandbox = Sandbox()
    async with sandbox.client() as platform:                      # in process, no socket
        session = await platform.organization("org-acme").sessions.create(extra_body={"prompt": "Fix it"})

    with sandbox.serve() as address:                              # on a free port of the loopback interface
        platform = AgentPlatform(address, sandbox.token)

    sandbox.on_message(lambda message: Turn("Done.", after=600, fields={"status": "ready"}))
    sandbox.clock.advance(minutes=10)                             # what was planned happens; nothing sleeps

`python -m agent_session_platform_sandbox` serves one as a process of its own. `sandbox.assumptions` lists what it does
where the API's description is silent. It needs the extra: `pip install 'agent-session-platform[sandbox]'`.

The packages, each above those that it imports:

    sandbox, control      the ways into a sandbox: clients and servers, and its own HTTP API under /_sandbox
    application           state, time and behaviour of one sandbox
    population            how tests and seeds add things
    http                  the API over ASGI, faults and the rate limit
    resources             what the operations do, a module for each resource
    handlers, snapshots   calls and replies of handlers; states as JSON
    journal, validation   requests that were received; requests and documents that are valid
    state                 records, accounts and planned runs; the script of the assistant
    redaction             removal of secrets
    contract, assumptions the OpenAPI document; what is assumed beyond it
    problems, time        refusals and suggestions; the clock and its scheduler
"""

from __future__ import annotations

try:
    import cronsim as _cronsim  # noqa: F401  # pyright: ignore[reportUnusedImport]
    import jsonschema as _jsonschema  # noqa: F401  # pyright: ignore[reportUnusedImport]
    import starlette as _starlette  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the sandbox needs {error.name}: pip install 'agent-session-platform[sandbox]'", name=error.name
    ) from None

from .assumptions import Assumption, OpenGap
from .handlers import Call, Reply
from .http import RateLimit
from .problems import RefusedError
from .sandbox import Sandbox
from .state import Account, Organization, SentMessage, Turn, User
from .time import TooManyRunsError

# The earlier name of OpenGap.
Undecided = OpenGap

__all__ = (
    "Account",
    "Assumption",
    "Call",
    "OpenGap",
    "Organization",
    "RateLimit",
    "RefusedError",
    "Reply",
    "Sandbox",
    "SentMessage",
    "TooManyRunsError",
    "Turn",
    "Undecided",
    "User",
)
