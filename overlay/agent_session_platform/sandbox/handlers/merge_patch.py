"""JSON merge patches (RFC 7396)."""

from __future__ import annotations

from typing import Any, cast


def merge_patch(target: Any, patch: Any) -> Any:
    """Return *target* with a merge patch applied: members are replaced one by one, null removes a member."""
    if not isinstance(patch, dict):
        return patch
    result: dict[str, Any] = dict(cast("dict[str, Any]", target)) if isinstance(target, dict) else {}
    for name, value in cast("dict[str, Any]", patch).items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), value)
    return result
