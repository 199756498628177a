"""Learn from a deployment what the API's description does not show: the form of what really comes, and no value of it.

`Observations` keeps the form of requests and responses in a file; `read_observations` reads such files, `report`
compares them with the contract of this build, `propose` makes an OpenAPI Overlay of what they show, and `check` asks a
deployment itself. The command `asp observations` does the same.

Example:
    from agent_session_platform.observe import Observations

    async with AgentPlatform(observe=Observations("observed.json")) as platform:
        ...
"""

from __future__ import annotations

from .observations import Observations, observations_of

__all__ = ("Observations", "observations_of")
