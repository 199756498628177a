"""Refusals: how the sandbox says no, in the forms that the description shows."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

# So many failures stand in a detail; all are in `errors`.
MOST_TOLD: Final = 10


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
    detail = "; ".join(f"{'.'.join(loc)}: {msg}" for loc, msg, _ in failures[:MOST_TOLD])
    more = f"; and {len(failures) - MOST_TOLD} more" if len(failures) > MOST_TOLD else ""
    return RefusedError(422, detail + more, errors=errors)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at what may have been meant, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def nearest_path(path: str, templates: Iterable[str]) -> str:
    """A hint at the path of an operation that may have been meant, as the contract writes it, or nothing."""
    if path.endswith("/") and fits(path.rstrip("/"), templates):
        return "; leave the slash at its end out"
    given = path.split("/")
    # What stands in the place of a parameter is as good as any other.
    filled = {"/".join(_filled(template.split("/"), given)): template for template in templates}
    close = difflib.get_close_matches(path, filled, n=1, cutoff=0.5)
    return f"; did you mean {filled[close[0]]!r}?" if close else ""


def fits(path: str, templates: Iterable[str]) -> bool:
    """Whether a path is one of these, its parameters put in."""
    given = path.split("/")
    return any("/".join(_filled(template.split("/"), given)) == path for template in templates)


def _filled(parts: list[str], given: list[str]) -> Iterable[str]:
    return (given[index] if part.startswith("{") and index < len(given) else part for index, part in enumerate(parts))
