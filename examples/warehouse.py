"""Load sessions and audit logs into DuckDB with dlt, and compute the usage per organization and month.

`python examples/warehouse.py` does this against a sandbox in this process, in a new folder: no account is needed. In
your program, call `load` once a day, shortly before midnight UTC, with a function that returns your `AgentPlatform`. In
a checkout `pip install . ./packages/jobs ./packages/sandbox dlt duckdb` installs what it imports.

- A run loads only what is new or has changed. `changes` keeps what it has seen in state files. They replace the earlier
  ones only after dlt has written the rows to the disk: after a crash rows may come twice, but none is lost.
- `acus_consumed` is a running total, which cannot be split by date afterwards. So each run stores a snapshot of the
  totals that have changed. What was consumed between two runs counts for the month of the later run; a month begins at
  00:00 UTC. Counting begins at the totals of the first run, because it is not known when they were consumed.
- A total that is null or absent is unknown, and not 0: `unknown` counts these totals.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

# Set before dlt is imported, so that it sends no reports of its use.
os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"

import dlt
import duckdb
from agent_session_platform import AgentPlatform
from agent_session_platform_jobs import changes
from agent_session_platform_sandbox import Sandbox

USAGE = """
    WITH snapshots AS (
        SELECT
            *,
            lag(acus_consumed IGNORE NULLS) OVER session AS before,
            row_number() OVER session = 1 AS is_first,
            taken_at = min(taken_at) OVER () AS is_baseline
        FROM platform.snapshots
        WINDOW session AS (PARTITION BY session_id ORDER BY taken_at)
    ), used AS (
        SELECT *, CASE WHEN is_first THEN acus_consumed ELSE acus_consumed - before END AS acus
        FROM snapshots
        WHERE NOT is_baseline
    )
    SELECT org_id, taken_at[:7] AS month, sum(acus) AS acus, count(*) FILTER (acus IS NULL) AS unknown
    FROM used
    GROUP BY org_id, month
    ORDER BY org_id, month
"""


@dlt.source(max_table_nesting=0)
def platform_source(connect: Callable[[], AgentPlatform], folder: Path, at: datetime) -> Any:
    """Return what is new or has changed since the states in *folder*."""

    @dlt.resource(
        primary_key="session_id", write_disposition="merge", columns={"acus_consumed": {"data_type": "double"}}
    )
    async def sessions() -> AsyncIterator[Any]:
        # dlt has an event loop of its own, and a client belongs to one event loop.
        async with connect() as platform:
            async for change in changes(platform.enterprise.sessions.list, state=folder / "sessions.state"):
                yield change.after

    @dlt.transformer(
        data_from=sessions,
        write_disposition="append",
        columns={"acus_consumed": {"data_type": "double"}, "taken_at": {"data_type": "text"}},
    )
    def snapshots(session: Any) -> Iterator[Any]:
        names = ("org_id", "session_id", "acus_consumed")
        yield {
            "taken_at": at.astimezone(UTC).isoformat(timespec="seconds"),
            **{name: session.get(name) for name in names},
        }

    @dlt.resource(write_disposition="append")
    async def audit_logs() -> AsyncIterator[Any]:
        async with connect() as platform:
            logs = partial(platform.enterprise.audit_logs.list, order="asc")
            async for change in changes(logs, state=folder / "audit_logs.state"):
                yield change.after

    return sessions, snapshots, audit_logs


def load(connect: Callable[[], AgentPlatform], folder: Path, at: datetime) -> None:
    """Load what is new into `warehouse.duckdb` in *folder*; *at* is the time of the snapshots."""
    states, new = folder / "states", folder / "states.new"
    pipeline = dlt.pipeline(
        "agent_session_platform",
        pipelines_dir=str(folder / "pipeline"),
        destination=dlt.destinations.duckdb(str(folder / "warehouse.duckdb")),
        dataset_name="platform",
    )
    shutil.rmtree(new, ignore_errors=True)
    if states.exists():
        shutil.copytree(states, new)
    new.mkdir(exist_ok=True)
    pipeline.extract(platform_source(connect, new, at))
    # The rows are on the disk now: if they cannot be loaded, the next run loads them. Each state is replaced in one
    # step, so that after a crash between two states only the changes of the second state come again.
    states.mkdir(exist_ok=True)
    for state in new.glob("*.state"):
        state.replace(states / state.name)
    pipeline.normalize()
    pipeline.load()


def usage(folder: Path) -> list[tuple[str, str, float | None, int]]:
    """Return organization, month, compute units, and how many totals are unknown."""
    with duckdb.connect(str(folder / "warehouse.duckdb"), read_only=True) as warehouse:
        return warehouse.execute(USAGE).fetchall()


async def work(sandbox: Sandbox, acus: float) -> None:
    """Create a session, and let all sessions of a sandbox consume compute units."""
    async with sandbox.client() as platform:
        await platform.organization("org-acme").sessions.create(prompt="Fix the flaky test")
    for org_id in sandbox.state.organizations:
        for session in sandbox.state.collection("sessions", org_id).values():
            session.fields["acus_consumed"] += acus


def main() -> None:
    sandbox, folder = Sandbox(), Path(mkdtemp(prefix="warehouse-"))
    sandbox.add_session("org-acme", acus_consumed=100)
    sandbox.add_session("org-globex", acus_consumed=7)
    for _ in range(4):
        load(sandbox.client, folder, sandbox.clock())
        asyncio.run(work(sandbox, 1.5))
        sandbox.clock.advance(days=20)
    print("organization  month    ACUs  unknown")
    for org_id, month, acus, unknown in usage(folder):
        print(f"{org_id:12}  {month}  {'?' if acus is None else acus:5}  {unknown}")
    print(f"The tables sessions, snapshots and audit_logs are in {folder / 'warehouse.duckdb'}.")


if __name__ == "__main__":
    main()
