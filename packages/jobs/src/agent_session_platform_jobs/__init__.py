"""Jobs around the API: batches, exports, and the changes of a list. They use public names of the SDK only.

    from agent_session_platform_jobs import Batch, changes, export

Waiting for an object and following a list are methods of the SDK itself: `organization.sessions.wait(...)` and
`organization.sessions.follow_messages(...)`.

The packages are `batch` and `lists` (exports and changes). Both use `database`.
"""

from __future__ import annotations

from .batch.batch import Batch
from .batch.item import BatchItem, BatchStoppedError, BatchStore, BatchStoreError, IdTakenError
from .batch.row import NOT_SENT
from .lists.changes import Change, changes
from .lists.export import Exported, export

__all__ = (
    "NOT_SENT",
    "Batch",
    "BatchItem",
    "BatchStoppedError",
    "BatchStore",
    "BatchStoreError",
    "Change",
    "Exported",
    "IdTakenError",
    "changes",
    "export",
)
