"""Tests of warehouse.py."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import dlt
import duckdb
import pytest
import warehouse
from agent_session_platform_sandbox import Sandbox

JANUARY, FEBRUARY, MARCH = (datetime(2030, month, 15, tzinfo=UTC) for month in (1, 2, 3))


def in_january() -> Sandbox:
    sandbox = Sandbox(now=JANUARY)
    sandbox.add_session("org-acme", acus_consumed=100)
    sandbox.add_session("org-globex", acus_consumed=7)
    return sandbox


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    yield in_january()
    # dlt keeps the latest pipeline active for its command line.
    dlt.current.pipeline().deactivate()


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Load once; tests that begin with a first run copy this folder, which is faster than a run."""
    folder = tmp_path_factory.mktemp("first")
    run(in_january(), folder, JANUARY)
    return folder


@pytest.fixture
def folder(first_run: Path, tmp_path: Path) -> Path:
    """Return a folder with the results of the run of January."""
    return shutil.copytree(first_run, tmp_path / "loaded")


def run(sandbox: Sandbox, folder: Path, at: datetime) -> None:
    sandbox.clock.advance_to(at)
    warehouse.load(sandbox.client, folder, sandbox.clock())


def consume(sandbox: Sandbox, org_id: str, total: float | None) -> None:
    for session in sandbox.state.collection("sessions", org_id).values():
        session.fields["acus_consumed"] = total


def select(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "warehouse.duckdb"), read_only=True) as database:
        return database.execute(query).fetchall()


def test_a_second_run_loads_only_what_has_changed(sandbox: Sandbox, folder: Path) -> None:
    consume(sandbox, "org-acme", 101.5)
    run(sandbox, folder, FEBRUARY)
    totals = select(folder, "SELECT org_id, acus_consumed FROM platform.snapshots ORDER BY taken_at, org_id")
    assert totals == [("org-acme", 100), ("org-globex", 7), ("org-acme", 101.5)]
    latest = select(folder, "SELECT org_id, acus_consumed FROM platform.sessions ORDER BY org_id")
    assert latest == [("org-acme", 101.5), ("org-globex", 7)]


def test_audit_logs_are_loaded_once(sandbox: Sandbox, tmp_path: Path) -> None:
    for expected, at in enumerate((JANUARY, FEBRUARY), start=1):
        asyncio.run(warehouse.work(sandbox, 1))
        run(sandbox, tmp_path, at)
        assert select(tmp_path, "SELECT count(*) FROM platform.audit_logs") == [(expected,)]


def test_usage_is_the_difference_between_the_totals_of_months(sandbox: Sandbox, folder: Path) -> None:
    for at, total in (
        (datetime(2030, 1, 31, 23, 59, 59, tzinfo=UTC), 103),
        (datetime(2030, 2, 1, tzinfo=UTC), 104),
        (datetime(2030, 2, 28, 23, tzinfo=UTC), 110),
    ):
        consume(sandbox, "org-acme", total)
        run(sandbox, folder, at)
    assert warehouse.usage(folder) == [("org-acme", "2030-01", 3, 0), ("org-acme", "2030-02", 7, 0)]


def test_a_session_that_came_later_counts_from_its_beginning(sandbox: Sandbox, folder: Path) -> None:
    sandbox.add_session("org-globex", acus_consumed=5)
    run(sandbox, folder, FEBRUARY)
    assert warehouse.usage(folder) == [("org-globex", "2030-02", 5, 0)]


def test_a_total_that_is_null_is_unknown(sandbox: Sandbox, folder: Path) -> None:
    consume(sandbox, "org-acme", None)
    run(sandbox, folder, FEBRUARY)
    consume(sandbox, "org-acme", 108)
    run(sandbox, folder, MARCH)
    assert warehouse.usage(folder) == [("org-acme", "2030-02", None, 1), ("org-acme", "2030-03", 8, 0)]


def test_what_could_not_be_loaded_comes_with_the_next_run(
    sandbox: Sandbox, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    consume(sandbox, "org-acme", 101)
    with monkeypatch.context() as failing:
        failing.setattr(dlt.Pipeline, "load", Mock(side_effect=OSError("no space left")))
        with pytest.raises(OSError, match="no space left"):
            run(sandbox, folder, FEBRUARY)
    consume(sandbox, "org-acme", 103)
    run(sandbox, folder, MARCH)
    assert warehouse.usage(folder) == [("org-acme", "2030-02", 1, 0), ("org-acme", "2030-03", 2, 0)]


# dlt stops the event loop of the other source without waiting for its client to close.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_could_not_be_read_comes_with_the_next_run(sandbox: Sandbox, folder: Path) -> None:
    consume(sandbox, "org-acme", 101)
    sandbox.faults.add("enterprise.audit_logs.list", status=403)
    with pytest.raises(Exception, match="403"):
        run(sandbox, folder, FEBRUARY)
    run(sandbox, folder, MARCH)
    assert warehouse.usage(folder) == [("org-acme", "2030-03", 1, 0)]


@pytest.mark.parametrize("replaced", [0, 1])
def test_after_a_crash_between_two_states_not_everything_comes_again(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: int
) -> None:
    asyncio.run(warehouse.work(sandbox, 0))
    run(sandbox, tmp_path, JANUARY)
    consume(sandbox, "org-globex", 8)
    moves: list[Path] = []

    def crash(move: Any) -> Any:
        def moved(path: Path, target: Path) -> Any:
            if path.parent.name == "states.new" or path.name == "states.new":
                moves.append(path)
                if len(moves) > replaced:
                    raise KeyboardInterrupt
            return move(path, target)

        return moved

    with monkeypatch.context() as crashing:
        for name in ("replace", "rename"):
            crashing.setattr(Path, name, crash(getattr(Path, name)))
        with pytest.raises(KeyboardInterrupt):
            run(sandbox, tmp_path, FEBRUARY)
    assert len(moves) == replaced + 1
    run(sandbox, tmp_path, MARCH)
    # The first run loaded the two sessions of org-acme and the entry of one creation; no other run repeats them.
    assert select(tmp_path, "SELECT count(*) FROM platform.snapshots WHERE org_id = 'org-acme'") == [(2,)]
    assert select(tmp_path, "SELECT count(*) FROM platform.audit_logs") == [(1,)]
    assert warehouse.usage(tmp_path)[-1][:3] in (("org-globex", "2030-02", 1), ("org-globex", "2030-03", 0))


def test_dlt_sends_no_reports_of_its_use(sandbox: Sandbox, tmp_path: Path) -> None:
    run(sandbox, tmp_path, JANUARY)
    assert dlt.current.pipeline().run_context.runtime_config.dlthub_telemetry is False


def test_the_example_runs_without_an_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    warehouse.main()
    assert "org-globex" in capsys.readouterr().out
