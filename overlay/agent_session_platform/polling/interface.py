"""Import what the facade's jobs take and give from the generated package: no other module of the jobs does."""

from __future__ import annotations

from agent_session_platform_api.polling import Follow, Follower, Outcome, OutcomeT, PolledChange, Reason, Until, Wait

__all__ = ("Follow", "Follower", "Outcome", "OutcomeT", "PolledChange", "Reason", "Until", "Wait")
