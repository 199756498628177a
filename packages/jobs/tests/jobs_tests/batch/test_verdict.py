"""The error of a create decides about its row and the run: errors that no other test of batches meets."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import errors as tree
from agent_session_platform._api import Operation
from agent_session_platform_jobs import Batch
from agent_session_platform_jobs.batch.row import describe, judge

from jobs_tests.batch.batches import rows, run

OPERATION = Operation(id="make", method="POST", path="/things", scope="organization", resource="things", verb="create")


def problem(cls: type[tree.ProblemError], status: int, message: str = "no") -> tree.ProblemError:
    return cls(message, status=status, operation=OPERATION)


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (tree.PoolTimeoutError("full"), "postponed"),
        (problem(tree.PermissionDeniedError, 403), "stop"),
        (tree.CredentialMismatchError("no", operation=OPERATION, kind="a", accepted=()), "stop"),
        (tree.ClientClosedError("closed"), "stop"),
        (tree.InvalidOrganizationError("none"), "stop"),
        (tree.ConnectionFailedError("refused"), "stop"),
        (tree.CertificateError("expired"), "stop"),
        (problem(tree.ConflictError, 409), "failed"),
        (problem(tree.ProblemError, 418), "failed"),
        (tree.InvalidArgumentError("first must be less"), "failed"),
        (tree.OutcomeUnknownError("who knows", operation=OPERATION, sent_at=datetime.now(UTC)), "unknown"),
        (tree.ConnectionFailedError("reset", may_have_arrived=True), "unknown"),
        (tree.MissingFieldError("absent", model="M", field="f"), "unknown"),
        (ValueError("the caller's"), "unknown"),
    ],
    ids=lambda value: f"{type(value).__name__} {getattr(value, 'status', '')}".strip(),
)
def test_only_what_was_not_carried_out_is_sent_again_or_failed(error: Exception, verdict: str) -> None:
    assert judge(error) == verdict


def test_the_text_of_an_error_that_is_not_of_the_sdk_is_not_kept() -> None:
    assert describe(ValueError("svc_secret")) == "ValueError"


async def test_an_error_that_cannot_be_written_is_kept_with_escapes(store: Path) -> None:
    async def create(**members: Any) -> Any:
        raise problem(tree.UnprocessableContentError, 422, "no \ud83d")

    items = await run(Batch(create, store=store, id="id"), rows(1))
    assert items["row-0"].state == "failed"
    assert "no \\ud83d" in str(items["row-0"].error)
