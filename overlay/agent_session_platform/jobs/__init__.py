"""The jobs that people build around the API, each in a few lines; opt-in, and built on the public surface only.

Waiting for an object and following a list are methods of the facade: `organization.sessions.wait(...)` and
`organization.sessions.follow_messages(...)`.
"""

from .changed import changed
from .interface import Follower, Observation, Outcome

__all__ = ("Follower", "Observation", "Outcome", "changed")
