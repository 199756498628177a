"""Settings of a single call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import InvalidArgumentError
from .retry import RetryPolicy


@dataclass(frozen=True, slots=True, repr=False)
class RequestOptions:
    """Settings of a single call; None means the client's.

    `timeout` is seconds of silence of one try (connect, read, write). `extra_query` and `extra_headers` are sent
    besides what the operation sends itself. Raises InvalidArgumentError for a value that cannot be meant.
    """

    timeout: float | None = None
    retry: RetryPolicy | None = None
    extra_query: Mapping[str, Any] | None = None
    extra_headers: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        check_timeout(self.timeout)
        if self.retry is not None:
            check_retry(self.retry)
        for argument, mapping in (("extra_query", self.extra_query), ("extra_headers", self.extra_headers)):
            if mapping is None:
                continue
            if not isinstance(mapping, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
                raise InvalidArgumentError(f"{argument} must be a mapping, not {type(mapping).__name__}")
            # A copy: what was checked is what is sent.
            object.__setattr__(self, argument, dict(mapping))
        for name, value in (self.extra_headers or {}).items():
            if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
                raise InvalidArgumentError(f"extra_headers[{name!r}] must be a string, not {type(value).__name__}")
            if name.lower() in ("authorization", "host", "content-length", "transfer-encoding"):
                raise InvalidArgumentError(f"extra_headers must not set {name}; the client does")
            if not (name.isascii() and name.isprintable()) or " " in name or ":" in name or not name:
                raise InvalidArgumentError(f"extra_headers has {name!r}, which is no name of a header")
            if not (value.isascii() and value.isprintable()):
                raise InvalidArgumentError(f"extra_headers[{name!r}] has characters that a header cannot carry")

    def __repr__(self) -> str:
        headers = sorted(self.extra_headers) if self.extra_headers else None
        return (
            f"RequestOptions(timeout={self.timeout!r}, retry={self.retry!r}, extra_query={self.extra_query!r}, "
            f"extra_headers={headers!r})"
        )


def check_timeout(timeout: object) -> None:
    """Refuse a timeout that is no positive number of seconds."""
    if timeout is None or (isinstance(timeout, int | float) and 0 < timeout < float("inf")):
        return
    raise InvalidArgumentError(f"timeout must be a positive number of seconds, not {timeout!r}")


def check_retry(retry: object) -> None:
    """Refuse what is no policy; a number of attempts is what one tends to pass."""
    if not isinstance(retry, RetryPolicy):
        raise InvalidArgumentError(f"retry must be a RetryPolicy such as RetryPolicy(attempts=3), not {retry!r}")


DEFAULTS = RequestOptions()


def resolved(options: object) -> RequestOptions:
    """The options of a call, or the defaults; a mapping is what one tends to pass, and refused."""
    if options is None:
        return DEFAULTS
    if not isinstance(options, RequestOptions):
        raise InvalidArgumentError(f"options must be RequestOptions(timeout=..., ...), not {type(options).__name__}")
    return options
