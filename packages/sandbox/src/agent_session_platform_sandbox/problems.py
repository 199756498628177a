"""Errors that refuse a request (RFC 9457), a setting or an unknown name, and suggestions for unknown names."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, Final

import attrs
import httpx
from agent_session_platform import InvalidArgumentError
from starlette.responses import JSONResponse, Response

# The detail names only the first failures; the member `errors` has all of them.
MAX_FAILURES_IN_DETAIL: Final = 10
PROBLEM: Final = "application/problem+json"
# In characters. A longer detail is cut, because it may quote what was sent.
MAX_DETAIL: Final = 4000
# RFC 9110 has new names for these statuses, which older versions of Python do not have yet.
PHRASES: Final = {413: "Content Too Large", 416: "Range Not Satisfiable", 422: "Unprocessable Content"}
# No path can have one of these as a name or an id: programs that follow a URL take them out.
NO_NAMES: Final = ("", ".", "..")
# In characters. Longer names are not compared, because the time grows with the square of their length.
MAX_COMPARED: Final = 200


class RefusedError(Exception):
    """An error that refuses the request with an HTTP status.

    The sandbox responds with a problem detail, or with the validation form of schedules if the contract has that form.

    Args:
        status: HTTP status of the response, 400 to 599.
        detail: Explanation for a person; None leaves the member out.
        errors: Validation failures, each with `loc`, `msg` and `type`.
        headers: Headers to add to the response.
        members: Further members of the problem detail.
    """

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

    def body(self, instance: str, *, with_code: bool = False) -> dict[str, Any]:
        """Return the problem detail as JSON.

        Args:
            instance: Path of the request.
            with_code: Whether to add `error_code`, the title in snake_case.
        """
        title = phrase(self.status)
        body: dict[str, Any] = {"type": "about:blank", "title": title, "status": self.status, "instance": instance}
        if self.detail is not None:
            body["detail"] = self.detail if len(self.detail) <= MAX_DETAIL else f"{self.detail[:MAX_DETAIL]}..."
        if self.errors is not None:
            body["errors"] = self.errors
        if with_code:
            body["error_code"] = title.lower().replace(" ", "_")
        return body | self.members


class BrokenOffError(httpx.ReadError):
    """A fault breaks the connection off. A server aborts the connection; in process, the client gets this error."""

    def __init__(self) -> None:
        super().__init__("the sandbox broke the connection off")


def phrase(status: int) -> str:
    """Return the name of an HTTP status."""
    known = {each.value: each.phrase for each in HTTPStatus} | PHRASES
    return known.get(status, "Unknown status")


def problem_response(
    refusal: RefusedError, path: str, redact: Callable[[Any], Any], *, with_code: bool = False
) -> Response:
    """Return the problem detail of a refused request.

    Args:
        refusal: Why the request is refused.
        path: Path of the request.
        redact: A function that removes known credentials from JSON.
        with_code: True to add an `error_code`.
    """
    body = redact(refusal.body(path, with_code=with_code))
    return JSONResponse(body, refusal.status, refusal.headers, PROBLEM)


def invalid(*failures: tuple[list[str], str, str]) -> RefusedError:
    """Return the refusal (422) of an invalid request.

    Args:
        failures: Location, message and type of each failure.
    """
    errors = [{"loc": loc, "msg": msg, "type": type_} for loc, msg, type_ in failures]
    detail = "; ".join(f"{'.'.join(loc)}: {msg}" for loc, msg, _ in failures[:MAX_FAILURES_IN_DETAIL])
    if len(failures) > MAX_FAILURES_IN_DETAIL:
        detail += f"; and {len(failures) - MAX_FAILURES_IN_DETAIL} more"
    return RefusedError(422, detail, errors=errors)


class UnknownNameError(KeyError):
    """Nothing has the given name. The message suggests a known name, or lists the known names."""

    def __str__(self) -> str:
        # KeyError would show the message as a quoted string.
        return str(self.args[0])


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the closest known name, or an empty string.

    Example:
        >>> suggestion("sesions", ["sessions", "users"])
        "; did you mean 'sessions'?"
    """
    short = [] if len(name) > MAX_COMPARED else list(known)
    close = difflib.get_close_matches(name, short, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def must(be: str, accepts: Callable[[Any], bool]) -> Callable[[Any, attrs.Attribute[Any], Any], None]:
    """Return a validator with the error "<name> must <be>, not <value>"; the default is always accepted."""

    def validate(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value is not attribute.default and not accepts(value):
            raise InvalidArgumentError(f"{attribute.name} must {be}, not {value!r}")

    return validate


def is_seconds(value: Any, most: float = math.inf) -> bool:
    """Return whether a value is a finite number of seconds, not negative and at most *most*."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most and value < math.inf


def is_text(value: object) -> bool:
    """Return whether a value is text."""
    return isinstance(value, str)
