"""Refusals: how the sandbox says no, in the forms that the description shows."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any


class RefusedError(Exception):
    """The request is refused: becomes a problem detail with this status, or the schedule's validation form."""

    def __init__(
        self,
        status: int,
        detail: str | None = None,
        *,
        errors: list[dict[str, Any]] | None = None,
        headers: dict[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}
        self.members = members

    def body(self, instance: str, *, with_code: bool) -> dict[str, Any]:
        """The problem detail (RFC 9457)."""
        title = HTTPStatus(self.status).phrase.replace("Unprocessable Entity", "Unprocessable Content")
        body: dict[str, Any] = {"type": "about:blank", "title": title, "status": self.status, "instance": instance}
        if self.detail is not None:
            body["detail"] = self.detail
        if self.errors is not None:
            body["errors"] = self.errors
        if with_code:
            body["error_code"] = title.lower().replace(" ", "_")
        return body | self.members


def invalid(*failures: tuple[list[str], str, str]) -> RefusedError:
    """A validation failure: where, what and of which type."""
    errors = [{"loc": loc, "msg": msg, "type": type_} for loc, msg, type_ in failures]
    return RefusedError(422, "; ".join(f"{'.'.join(loc)}: {msg}" for loc, msg, _ in failures), errors=errors)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at what may have been meant, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
