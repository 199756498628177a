"""Learn from a deployment what the API's description does not show: the form of what really comes, and no value of it.

`Observations` keeps the form of requests and responses in a file; `read_observations` reads such files, `make_report`
compares them with the contract of this build, `propose_overlay` makes an OpenAPI Overlay of what they show, and
`check_deployment` asks a deployment itself. The command `asp observations` does the same.

Example:
    from agent_session_platform.observe import Observations

    async with AgentPlatform(observe=Observations("observed.json")) as platform:
        ...
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .observations import Observations, observations_of

if TYPE_CHECKING:
    from .check import Check, check_deployment
    from .file import read_observations
    from .propose import propose_overlay
    from .report import Line, Report, make_report

# Imported when they are first used: a program that is observed needs none of them.
LATER: Final = {
    "Check": "check",
    "Line": "report",
    "Report": "report",
    "check_deployment": "check",
    "make_report": "report",
    "propose_overlay": "propose",
    "read_observations": "file",
}


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(import_module(f"{__name__}.{LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = (
    "Check",
    "Line",
    "Observations",
    "Report",
    "check_deployment",
    "make_report",
    "observations_of",
    "propose_overlay",
    "read_observations",
)
