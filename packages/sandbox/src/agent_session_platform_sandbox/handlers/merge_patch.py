"""JSON merge patches (RFC 7396)."""

from __future__ import annotations

from typing import Any

from agent_session_platform.contract import is_object


def merge_patch(target: Any, patch: Any) -> Any:
    """Return *target* with a merge patch applied: members are replaced one by one, null removes a member."""
    if not is_object(patch):
        return patch
    result: dict[str, Any] = dict(target) if is_object(target) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), value)
    return result
