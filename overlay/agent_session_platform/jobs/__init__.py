"""The jobs that people build around the API, each in a few lines; opt-in, and built on the public surface only.

Waiting for an object and following a list are methods of the facade: `organization.sessions.wait(...)` and
`organization.sessions.follow_messages(...)`.
"""

from .batch import Batch
from .batch_calls import NOT_SENT
from .batch_item import BatchItem, BatchStore, BatchStoreError
from .interface import Follower, Observation, Outcome

__all__ = (
    "NOT_SENT",
    "Batch",
    "BatchItem",
    "BatchStore",
    "BatchStoreError",
    "Follower",
    "Observation",
    "Outcome",
)
