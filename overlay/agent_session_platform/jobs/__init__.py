"""The jobs that people build around the API, each in a few lines; opt-in, and built on the public surface only.

    from agent_session_platform.jobs import Batch, changes, export, permissions_for

Waiting for an object and following a list are methods of the facade: `organization.sessions.wait(...)` and
`organization.sessions.follow_messages(...)`.

The packages: `batch`, `wait`, `follow`, `lists` (exports and changes), `permissions`, `program` (reads a program);
waiting and following share `polling`, batches and lists share `worker_thread`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batch.batch import Batch
    from .batch.calls import NOT_SENT
    from .batch.item import BatchItem, BatchStoppedError, BatchStore, BatchStoreError, IdTakenError
    from .interface import Follower, Outcome, PolledChange
    from .lists.changes import Change, changes
    from .lists.export import Exported, export
    from .permissions import RequiredPermissions, UnknownPermission, permissions_for
    from .program import OperationUse, ProgramUse, Undecided, read_program
    from .wait.changed import changed

# Imported when they are first used: a program that waits needs no SQLite.
MODULES = {
    "batch.batch": ("Batch",),
    "batch.calls": ("NOT_SENT",),
    "batch.item": ("BatchItem", "BatchStoppedError", "BatchStore", "BatchStoreError", "IdTakenError"),
    "interface": ("Follower", "PolledChange", "Outcome"),
    "lists.changes": ("Change", "changes"),
    "lists.export": ("Exported", "export"),
    "permissions": ("RequiredPermissions", "UnknownPermission", "permissions_for"),
    "program": ("OperationUse", "ProgramUse", "Undecided", "read_program"),
    "wait.changed": ("changed",),
}


def __getattr__(name: str) -> Any:
    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = (
    "NOT_SENT",
    "Batch",
    "BatchItem",
    "BatchStoppedError",
    "BatchStore",
    "BatchStoreError",
    "Change",
    "Exported",
    "Follower",
    "IdTakenError",
    "OperationUse",
    "Outcome",
    "PolledChange",
    "ProgramUse",
    "RequiredPermissions",
    "Undecided",
    "UnknownPermission",
    "changed",
    "changes",
    "export",
    "permissions_for",
    "read_program",
)
