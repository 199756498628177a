"""A stateful double of the platform in memory: for tests and demos without an account.

    from agent_session_platform_sandbox import Sandbox

    sandbox = Sandbox()
    async with sandbox.client() as platform:                      # in process, no socket
        session = await platform.organization("org-acme").sessions.create(prompt="Fix it")

    with sandbox.serve() as address:                              # on a free port of the loopback interface
        platform = AgentPlatform(address, sandbox.token)

    sandbox.on_message(lambda message: Turn("Done.", after=600, fields={"status": "ready"}))
    sandbox.clock.advance(minutes=10)                             # what was planned happens; nothing sleeps

`python -m agent_session_platform_sandbox` serves a sandbox in a separate process. `sandbox.assumptions` lists what the
sandbox does where the API's description is silent.

The modules, in pairs. A module imports only modules that stand below it:

    sandbox, __main__       the class that users create, and the command that serves a sandbox
    control                 the HTTP API of the sandbox itself under /_sandbox, and the page
    application             state, time and behaviour of one sandbox
    population              the methods by which tests and seeds add content
    api, faults             the API itself; scripted faults and the rate limit
    replies                 replies of resources in the form of a private build's contract
    resources, generic      handlers of operations that follow rules of their own; handlers of all other operations
    lists                   the form of a list, its filters and the size of its pages
    handlers, snapshots     the calls and replies of handlers; saved states
    server, journal         the server and its checks of requests; the list of the requests that were received
    parameters, bodies      reading and checking the parts of a request
    state, script           records, accounts and planned runs; what the assistant does after a message
    fields, fitting         members that tests give to records; values changed to fit a schema, and sample values
    validation, contract    schemas of JSON; what each operation takes, returns and requires
    assumptions, redaction  what is assumed beyond the contract; removal of secrets
    problems, clock         errors and suggestions; time, cron expressions and RRULEs
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .assumptions import Assumption, OpenGap
    from .clock import TooManyRunsError
    from .faults import RateLimit
    from .handlers import Call, Reply
    from .problems import RefusedError
    from .sandbox import Sandbox
    from .script import SentMessage, Turn
    from .state import Account, Organization, User

# These modules are imported when a name is first used, because pytest loads the plugin, and so this package, in every
# project.
_MODULES = ("sandbox", "assumptions", "clock", "faults", "handlers", "problems", "script", "state")
# A vendored copy of the sandbox comes without these libraries, so an error must say how to install them.
_REQUIREMENTS = {
    "cronsim": "cronsim>=2.5,<3",
    "jsonschema": "jsonschema>=4.18,<5",
    "python_multipart": "python-multipart>=0.0.22,<1",
    "starlette": "starlette>=1.3.1,<2",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        modules = [import_module(f"{__name__}.{module}") for module in _MODULES]
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in _REQUIREMENTS:
            raise
        raise ModuleNotFoundError(
            f"the sandbox needs {library}: pip install '{_REQUIREMENTS[library]}'", name=library
        ) from None
    return next(getattr(module, name) for module in modules if hasattr(module, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


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
    "User",
)
