"""The end of a batch."""

from __future__ import annotations

import pytest
from agent_session_platform_cli.jobs.batch import Summary
from agent_session_platform_jobs import BatchItem

SETTLED = BatchItem(key="a", state="settled", reason="matched")
FAILED = BatchItem(key="b", state="failed")
UNKNOWN = BatchItem(key="c", state="unknown")
LATE = BatchItem(key="d", state="created", reason="deadline")
UNEXPECTED = BatchItem(key="e", state="settled", reason="unexpected")


def summary(*items: BatchItem) -> Summary:
    found = Summary("run.sqlite")
    for item in items:
        found.count(item)
    return found


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ([], 0),
        ([SETTLED, BatchItem(key="x", state="released"), BatchItem(key="y", state="settled")], 0),
        ([SETTLED, FAILED], 14),
        ([FAILED, LATE, UNKNOWN, UNEXPECTED], 7),
        ([SETTLED, LATE, UNEXPECTED], 13),
        ([SETTLED, UNEXPECTED], 10),
        ([BatchItem(key="x", state="settled", reason="gone")], 11),
        ([BatchItem(key="x", state="settled", reason="stalled")], 12),
    ],
)
def test_the_worst_end_is_the_exit_code(items: list[BatchItem], code: int) -> None:
    assert summary(*items).exit_code == code


def test_the_rows_are_counted_with_what_to_do() -> None:
    assert str(summary(SETTLED, SETTLED, UNEXPECTED, FAILED, UNKNOWN, LATE)).splitlines() == [
        "asp: rows: 1 created, 1 failed, 3 settled, 1 unknown (1 deadline, 1 unexpected); store: run.sqlite",
        "asp: what the server did is not known: asp batch unknown --store run.sqlite",
        "asp: the failed rows are sent again with --retry-failed",
        "asp: the same command goes on waiting",
    ]
