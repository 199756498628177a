"""Problem details (RFC 9457), as far as a body has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs


def text_or_none(value: object) -> str | None:
    """Return *value* if it is text; anything else becomes None."""
    return value if isinstance(value, str) else None


def to_tuple(errors: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Return the failures as a tuple."""
    return tuple(errors)


@attrs.frozen
class ProblemDetail:
    """The members of a problem detail (part Errors of the API's description); None where the body has no such text.

    Attributes:
        title: Short summary of the problem type.
        detail: Explanation of this occurrence.
        type: URI reference of the problem type; `about:blank` when the body names none (RFC 9457, section 3.1.1).
        instance: The request path.
        errors: Field-level failures of either validation form, as they came.
        error_code: Code that some endpoints add; its values are not shown (gap `error-code-values`).
    """

    title: str | None = attrs.field(default=None, converter=text_or_none)
    detail: str | None = attrs.field(default=None, converter=text_or_none)
    type: str | None = attrs.field(default=None, converter=text_or_none)
    instance: str | None = attrs.field(default=None, converter=text_or_none)
    errors: tuple[Mapping[str, Any], ...] = attrs.field(default=(), converter=to_tuple)
    error_code: str | None = attrs.field(default=None, converter=text_or_none)

    @classmethod
    def from_body(cls, body: Any) -> ProblemDetail:
        """Read the members of a decoded body; a member of an unexpected type is left out, never an error."""
        members: dict[str, Any] = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
        return cls(
            title=members.get("title"),
            detail=members.get("detail"),
            type=text_or_none(members.get("type")) or "about:blank",
            instance=members.get("instance"),
            errors=field_errors(members),
            error_code=members.get("error_code"),
        )


def field_errors(members: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the failures of either validation form: `errors` of a problem detail, or `detail` as an array."""
    for name in ("errors", "detail"):
        if isinstance(members.get(name), list):
            return [failure for failure in members[name] if isinstance(failure, dict)]
    return []
