"""Names that samples of the documents use without defining them. Only type checkers read this; it never runs."""

from __future__ import annotations

from agent_session_platform import AgentPlatform
from agent_session_platform_sandbox import Sandbox

sandbox = Sandbox()
platform = AgentPlatform()
org = platform.organization()
