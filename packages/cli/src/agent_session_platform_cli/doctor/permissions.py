"""Which permissions the credential is seen to have: by reads alone, so that most cannot be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import attrs
from agent_session_platform import Catalogue, Operation

from .finding import Finding, not_tried, ok, warning
from .reads import Read

PERMISSIONS: Final = "permissions"
SEEN: Final = "seen to have"
REFUSED: Final = "refused"
UNKNOWN: Final = "cannot be told"
ENDINGS: Final = ("-permission", "-level")


def judge_permissions(reads: Sequence[Read]) -> Finding:
    """Return which permissions the credential is seen to have, which are refused, and which cannot be told."""
    if not reads:
        return not_tried(PERMISSIONS, "no read could be sent with this credential")
    by_key: dict[tuple[str, str | None], list[Read]] = {}
    for each in reads:
        by_key.setdefault((each.operation.permission or each.operation.name, each.operation.level), []).append(each)
    by_name = {name_of([each.operation for each in found]): found for found in by_key.values()}
    verdicts = {name: verdict(found) for name, found in by_name.items()}
    counts = {state: sum(each == state for each in verdicts.values()) for state in (SEEN, REFUSED, UNKNOWN)}
    lines = tuple(
        f"{state:<14}  {name}: {', '.join(_with_status(each) for each in by_name[name])}"
        for state in counts
        for name in sorted(verdicts)
        if verdicts[name] == state
    )
    untried = unread({each.operation.permission for each in reads})
    left_out = f"not tried       {', '.join(untried)}: no read needs them, and no write is sent"
    text = f"{counts[SEEN]} seen to have, {counts[REFUSED]} refused, {counts[UNKNOWN]} cannot be told."
    facts: dict[str, Any] = {
        "permissions": [
            {
                "permission": found[0].operation.permission,
                "state": verdicts[name],
                "level": found[0].operation.level,
                "gaps": gaps_of(each.operation for each in found),
                "reads": {each.operation.name: each.status for each in found},
            }
            for name, found in sorted(by_name.items())
        ],
        "not_tried": untried,
    }
    remedy = "Give the service user a role with the permissions that `asp permissions PROGRAM` lists."
    finding = ok(PERMISSIONS, text, **facts) if counts[SEEN] else warning(PERMISSIONS, text, remedy, **facts)
    return attrs.evolve(finding, lines=(*lines, left_out) if untried else lines)


def verdict(reads: Iterable[Read]) -> str:
    """Return what reads that need one permission say of it; a refusal at one level is no refusal at the other."""
    found = [*reads]
    if any(each.succeeded for each in found):
        return SEEN
    return REFUSED if any(each.status == 403 for each in found) else UNKNOWN


def name_of(operations: Sequence[Operation]) -> str:
    """Return the permission of operations with its level, or what the description does not show of it."""
    gaps, first = ", ".join(gaps_of(operations)), operations[0]
    if first.permission is None:
        return f"permission not shown ({gaps})"
    return f"{first.permission} ({f'{first.level} level' if first.level else f'level not shown: {gaps}'})"


def gaps_of(operations: Iterable[Operation]) -> list[str]:
    """Return the ids of the gaps about the permission of operations."""
    return [gap.id for each in operations for gap in each.gaps if gap.id.endswith(ENDINGS)]


def unread(read: Iterable[str | None]) -> list[str]:
    """Return the permissions of the contract that no read has needed."""
    return sorted({each.permission for each in Catalogue() if each.permission} - {*read})


def _with_status(read: Read) -> str:
    if read.status is None:
        return f"{read.operation.name} (no response)"
    return read.operation.name if read.status < 400 or read.status == 403 else f"{read.operation.name} ({read.status})"
