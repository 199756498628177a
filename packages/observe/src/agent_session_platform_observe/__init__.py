"""Learn from a deployment what the API's description does not show: the form of real responses, without their values.

`Observations` keeps the form of requests and responses in a file; `read_observations` reads such files, `make_report`
compares them with the contract of this build, `propose_overlay` makes an OpenAPI Overlay from them, and
`check_deployment` calls a deployment itself. The command `asp observations` does the same.

Example:
    from agent_session_platform_observe import Observations

    async with AgentPlatform(on_exchange=Observations("observed.json")) as platform:
        ...
"""

from __future__ import annotations

from .check import Check, check_deployment
from .facts import Line
from .file import read_observations
from .har import HarImport, import_har
from .observations import Observations, observations_from_environment, observations_of
from .report import Report, make_report, propose_overlay

__all__ = (
    "Check",
    "HarImport",
    "Line",
    "Observations",
    "Report",
    "check_deployment",
    "import_har",
    "make_report",
    "observations_from_environment",
    "observations_of",
    "propose_overlay",
    "read_observations",
)
