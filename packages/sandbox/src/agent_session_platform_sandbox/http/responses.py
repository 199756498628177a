"""Responses: replies in the form of the contract, ranges of files, problems without credentials, and rate limits."""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import attrs
from agent_session_platform.contract import is_array, is_object
from starlette.requests import Request
from starlette.responses import Response

from ..contract import Content, Kind, ResponseForm, Route, Sampler
from ..handlers import Reply
from ..problems import RefusedError

if TYPE_CHECKING:
    from starlette.types import Scope

# Rounding of sums of fractions must not cost a token.
TOLERANCE = 1e-6
# Beyond these, a waiting time or a number of tokens could not be expressed.
SLOWEST = 1e-6
FASTEST = 1e9


def _is_rate(limit: RateLimit, attribute: object, burst: int) -> None:
    if not (SLOWEST <= limit.per_second <= FASTEST and 1 <= burst <= FASTEST):
        raise ValueError(
            f"per_second must be positive (from {SLOWEST:f} to {FASTEST:.0f}) and burst at least 1 (and no more than "
            f"that), numbers that a float can hold, not {limit.per_second} and {burst}"
        )


def _is_form(limit: RateLimit, attribute: object, form: str | None) -> None:
    if form not in ("seconds", "fraction", None):
        raise ValueError(f"retry_after must be 'seconds', 'fraction' or None, not {form!r}")


@attrs.define
class RateLimit:
    """A token bucket that refuses requests beyond its rate with 429.

    Time is real by default, even if the sandbox's clock does not tick: a client waits for Retry-After in real
    time. The number of refused requests then depends on the machine. With `RateLimit(1, burst=2, clock=sandbox.clock)`
    the limit uses the sandbox's time, and a test is the same in every run: nothing more is admitted until
    `sandbox.clock.advance(seconds=1)`. The client still waits in real time, also in its rate limiter before the next
    call, and raises RateLimitedError after the attempts of its RetryPolicy; a high rate and `retry_after="fraction"`
    keep such a test short.

    Args:
        per_second: Requests per second in the long run; positive.
        burst: Requests that are admitted at once; at least 1.
        retry_after: Form of the Retry-After header: "seconds" (an integer), "fraction", or None for no header. A client
            that waits for this time, by *clock*, is admitted.
        clock: Returns seconds or date-times.

    Attributes:
        refused: Number of refused requests.

    Raises:
        ValueError: A setting is out of range.
    """

    per_second: float
    burst: int = attrs.field(default=1, validator=_is_rate)
    retry_after: str | None = attrs.field(default="seconds", validator=_is_form)
    clock: Callable[[], float | datetime] = time.monotonic
    refused: int = 0
    _tokens: float = attrs.field(init=False)
    _filled_at: float | datetime = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._tokens = float(self.burst)
        self._filled_at = self.clock()

    def admit(self) -> None:
        """Take a token.

        Raises:
            RefusedError: 429 if there is none.
        """
        now = self.clock()
        before = self._filled_at
        if isinstance(now, datetime) and isinstance(before, datetime):
            passed = (now - before).total_seconds()
        elif isinstance(now, datetime) or isinstance(before, datetime):
            raise TypeError("the clock of a RateLimit must return either seconds or date-times, not both")
        else:
            passed = now - before
        # A clock that was set back removes no tokens.
        self._tokens = min(float(self.burst), self._tokens + max(0.0, passed) * self.per_second)
        self._filled_at = now
        if self._tokens >= 1 - TOLERANCE:
            self._tokens -= 1
            return
        self.refused += 1
        wait = (1 - TOLERANCE - self._tokens) / self.per_second
        headers: dict[str, str] = {}
        if self.retry_after == "seconds":
            headers["Retry-After"] = str(math.ceil(wait))
        elif self.retry_after == "fraction":
            headers["Retry-After"] = f"{math.ceil(1000 * wait) / 1000:.3f}"
        raise RefusedError(429, "too many requests", headers=headers)


BYTES = "application/octet-stream"
# The media types of bodies where the contract declares a range, and the request names none.
OF_RANGES = {"text": "text/plain", "image": "image/png", "audio": "audio/mpeg", "video": "video/mp4"}
# A server may ignore any Range header: so are several ranges, the last bytes, other units, and what is malformed.
RANGE: Final = re.compile(r"bytes=(?P<first>[0-9]{1,18})-(?P<last>[0-9]{0,18})", re.IGNORECASE)


def json_response(
    body: Any, status: int, media_type: str = "application/json", headers: dict[str, str] | None = None
) -> Response:
    """Return a response with *body* as JSON."""
    return Response(_json(body), status, headers, media_type)


def problem_response(
    refusal: RefusedError, scope: Scope, redact: Callable[[Any], Any], *, with_code: bool = False
) -> Response:
    """Return the problem detail of a refused request.

    Args:
        refusal: Why the request is refused.
        scope: The ASGI scope of the request.
        redact: Removes known credentials from JSON.
        with_code: True to add an `error_code`.
    """
    body = redact(refusal.body(scope["path"], with_code=with_code))
    return json_response(body, refusal.status, "application/problem+json", refusal.headers)


def preferred(contents: Sequence[Content], accept: str) -> Content | None:
    """Return the content that the Accept header of a request names first, or else the first; None if there is none."""
    if len(contents) < 2:
        return next(iter(contents), None)
    return next((each for name in _named(accept) for each in contents if each.covers(name)), contents[0])


def reply_response(reply: Reply, route: Route, accept: str, now: Callable[[], str]) -> Response:
    """Return the response of a reply: in a media type that the contract declares and that fits the body.

    Args:
        reply: The reply.
        route: The operation.
        accept: The Accept header of the request.
        now: Returns the current time, as a date-time.
    """
    status = reply.status or route.success
    form = route.response(status)
    headers = _required_headers(form, now)
    writable = [each for each in (form.contents if form else ()) if _can_write(each, reply.body)]
    # After one of these statuses, a body would be read as the beginning of the next response.
    has_none = status < 200 or status in (204, 205, 304)
    if has_none or (reply.body is None and form is not None and not writable):
        return Response(None, status, headers)
    content = preferred(writable, accept)
    if content is None:
        kind, media_type = (Kind.BYTES, BYTES) if isinstance(reply.body, bytes) else (Kind.JSON, "application/json")
    else:
        kind, media_type = content.kind, _media_type(content, accept)
    return Response(_write(kind, reply.body), status, headers, media_type)


def _named(accept: str) -> list[str]:
    """Return the media types that an Accept header names, without ranges."""
    names = (each.partition(";")[0].strip().lower() for each in accept.split(","))
    return [name for name in names if name and "*" not in name]


def _media_type(content: Content, accept: str) -> str:
    if not content.is_range:
        return content.media_type
    main = content.media_type.partition("/")[0]
    return next(filter(content.covers, _named(accept)), OF_RANGES.get(main, BYTES))


def _can_write(content: Content, body: Any) -> bool:
    if isinstance(body, bytes):
        return content.kind is not Kind.JSON
    if content.is_range:
        return content.kind is Kind.TEXT and isinstance(body, str)
    if is_array(body):
        return content.kind in (Kind.JSON, Kind.JSON_LINES)
    is_scalar = body is not None and not is_object(body)
    return content.kind is Kind.JSON or isinstance(body, str) or (content.kind is Kind.TEXT and is_scalar)


def _write(kind: Kind, body: Any) -> str | bytes:
    if isinstance(body, bytes) or (isinstance(body, str) and kind is not Kind.JSON):
        return body
    if kind is Kind.JSON_LINES:
        return "".join(f"{_json(line)}\n" for line in body)
    return _json(body)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _required_headers(form: ResponseForm | None, now: Callable[[], str]) -> dict[str, str]:
    """Return the headers that the contract requires of a response, with minimal values."""
    if form is None or not form.headers:
        return {}
    samples = {name: Sampler(each.contract, now()).sample(each.schema) for name, each in form.headers.items()}
    return {name: value if isinstance(value, str) else _json(value) for name, value in samples.items()}


def file_response(whole: Response, request: Request) -> Response:
    """Return the response of a file with its ETag, or only the range that the request asks for (RFC 9110, section 14).

    Args:
        whole: The response with the whole file.
        request: The request; its method is GET or HEAD.

    Raises:
        RefusedError: The range begins behind the end of the file (416).
    """
    content = bytes(whole.body)
    # Strong: equal only for equal bytes.
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    whole.headers.update({"ETag": etag, "Accept-Ranges": "bytes"})
    match = RANGE.fullmatch(", ".join(request.headers.getlist("range")))
    # A date never fits, because the file has no Last-Modified; neither does a weak ETag.
    if match is None or int(match["last"] or match["first"]) < int(match["first"]):
        return whole
    if request.method != "GET" or request.headers.get("if-range", etag) != etag:
        return whole
    first, last = int(match["first"]), int(match["last"] or len(content) - 1)
    if first >= len(content):
        detail = f"the file has {len(content)} bytes, and none of the range {match[0]}"
        raise RefusedError(416, detail, headers={"Content-Range": f"bytes */{len(content)}"})
    part = content[first : last + 1]
    headers = {name: value for name, value in whole.headers.items() if name != "content-length"}
    headers["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{len(content)}"
    return Response(part, 206, headers)
