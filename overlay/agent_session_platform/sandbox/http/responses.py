"""Responses: JSON, and problem details without credentials."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..problems import RefusedError


def json_response(
    body: Any, status: int, media_type: str = "application/json", headers: dict[str, str] | None = None
) -> Response:
    """Return a response with *body* as JSON."""
    content = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(content, status, headers, media_type)


def problem_response(
    refusal: RefusedError, request: Request, redact: Callable[[Any], Any], *, with_code: bool = False
) -> Response:
    """Return the problem detail of a refused request.

    Args:
        refusal: Why the request is refused.
        request: The request.
        redact: Removes known credentials from JSON.
        with_code: True to add an `error_code`.
    """
    body = redact(refusal.body(request.url.path, with_code=with_code))
    return json_response(body, refusal.status, "application/problem+json", refusal.headers)
