"""Requests by method and path: the operations that `AgentPlatform.request` may call."""

from __future__ import annotations

import re

from agent_session_platform import operations

from .values import PLACEHOLDER


def requested(method: str, path: str) -> list[str]:
    """Return the names of the operations that a request may call.

    Args:
        method: The HTTP method.
        path: The path; PLACEHOLDER stands for parts of a segment that are not constant.
    """
    if PLACEHOLDER not in path:
        found = operations.find(method, path)
        return [] if found is None else [found.name]
    segments = [_pattern(each) for each in path.split("/")]
    return [
        each.name
        for each in operations
        if each.method == method.upper()
        and len(template := each.path.split("/")) == len(segments)
        and all(
            literal.startswith("{") or segment.fullmatch(literal)
            for segment, literal in zip(segments, template, strict=True)
        )
    ]


def _pattern(segment: str) -> re.Pattern[str]:
    return re.compile("[^/]+".join(map(re.escape, segment.split(PLACEHOLDER))))
