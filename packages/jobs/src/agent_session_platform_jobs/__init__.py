"""Jobs around the API: turns, batches, exports, and the changes of a list. They use public names of the SDK only.

    from agent_session_platform_jobs import Batch, States, ask, changes, export

Waiting for an object and following a list are methods of the SDK itself: `organization.sessions.wait(...)` and
`organization.sessions.follow_messages(...)`.

The packages are `turns` (`ask` and `resume`), `batch` and `lists` (exports and changes). The last two use `database`.
"""

from __future__ import annotations

from agent_session_platform import SET, States, any_of

from .batch.batch import Batch
from .batch.item import BatchItem, BatchStoppedError, BatchStore, BatchStoreError, IdTakenError
from .batch.row import NOT_SENT
from .lists.changes import Change, changes
from .lists.export import Exported, export
from .turns.ask import ask, resume
from .turns.turn import ResultError, Turn, TurnReason

__all__ = (
    "NOT_SENT",
    "SET",
    "Batch",
    "BatchItem",
    "BatchStoppedError",
    "BatchStore",
    "BatchStoreError",
    "Change",
    "Exported",
    "IdTakenError",
    "ResultError",
    "States",
    "Turn",
    "TurnReason",
    "any_of",
    "ask",
    "changes",
    "export",
    "resume",
)
