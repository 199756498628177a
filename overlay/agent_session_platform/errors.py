"""All exceptions of the SDK.

    AgentPlatformError
    ├── ConfigurationError                  the client cannot be made or used like this
    │   ├── InvalidOrganizationError        (also an InvalidArgumentError)
    │   ├── ClientClosedError               (also a RuntimeError)
    │   └── EventLoopError                  (also a RuntimeError)
    ├── InvalidArgumentError                an argument is refused before anything is sent (also a ValueError)
    ├── CredentialMismatchError             the operation cannot accept a credential of this kind
    ├── ProblemError                        the server answered with a status of 400 or more
    │   ├── BadRequestError                 400
    │   ├── AuthenticationError             401
    │   ├── PermissionDeniedError           403
    │   ├── NotFoundError                   404
    │   ├── ConflictError                   409
    │   ├── UnprocessableContentError       422
    │   ├── RateLimitedError                429
    │   └── ServerError                     500 and above
    ├── TransportError                      no answer
    │   ├── ConnectionFailedError           not connected, or broken off where trying again was safe
    │   ├── DeadlineExceededError           the total deadline of the call has passed
    │   ├── OutcomeUnknownError             a write may or may not have been carried out
    │   └── PoolTimeoutError                no connection became free
    ├── DecodeError                         a success that is not what it claims to be
    └── PagingError                         a list cannot be followed; has the cursor to resume from

The message of an error that an operation met reads `operation: what happened`. None contains a credential or a whole
body, and all can be pickled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .problem_detail import ProblemDetail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from typing import Self

    from ._api import Operation


class AgentPlatformError(Exception):
    """Root of all exceptions of this package; `operation` is the operation that failed, if it was one."""

    operation: Operation | None = None

    def __init__(self, message: str, *, operation: Operation | None = None) -> None:
        super().__init__(message if operation is None else f"{operation}: {message}")
        self.operation = operation

    def because(self, reason: str) -> Self:
        """Add to the message why this error is the end of the call."""
        self.args = (f"{self.args[0]} ({reason})", *self.args[1:])
        return self

    def __reduce__(self) -> tuple[Callable[..., AgentPlatformError], tuple[Any, ...]]:
        return _restore, (type(self), self.args, self.__dict__)


def _restore(cls: type[AgentPlatformError], arguments: tuple[Any, ...], state: dict[str, Any]) -> AgentPlatformError:
    error = cls.__new__(cls, *arguments)
    error.__dict__.update(state)
    return error


class ConfigurationError(AgentPlatformError):
    """The client cannot be made or used like this; the message names the setting and the way out."""


class InvalidArgumentError(AgentPlatformError, ValueError):
    """An argument is refused before anything is sent; the message names the argument and what it must be."""


class InvalidOrganizationError(ConfigurationError, InvalidArgumentError):
    """No organization is known, or its id cannot be one."""


class ClientClosedError(ConfigurationError, RuntimeError):
    """The client has been closed."""


class EventLoopError(ConfigurationError, RuntimeError):
    """The client belongs to another event loop than the one that runs."""


class CredentialMismatchError(AgentPlatformError):
    """The credential's prefix proves that the operation cannot accept it, so nothing was sent.

    `kind` is the credential's kind, `accepted` lists those that the operation accepts (part Authentication of the API's
    description). `AgentPlatform(preflight=False)` leaves the decision to the server.
    """

    def __init__(self, message: str, *, operation: Operation, kind: str, accepted: tuple[str, ...]) -> None:
        super().__init__(message, operation=operation)
        self.kind = kind
        self.accepted = accepted


class ProblemError(AgentPlatformError):
    """The server responded with a status of 400 or more (part Errors of the API's description; RFC 9457).

    The HTTP status decides the class, whatever the body claims. `title`, `detail`, `type`, `instance`, `errors` and
    `error_code` are those of `problem`.

    Attributes:
        status: HTTP status code.
        problem: The members of the problem detail, as far as the body has them.
        body: The decoded body, or its text when it is no JSON.
        retry_after: Seconds that the server asks to wait; None when it does not.
    """

    status: int = 0

    def __init__(
        self,
        message: str,
        *,
        status: int,
        title: str | None = None,
        detail: str | None = None,
        type: str | None = None,
        instance: str | None = None,
        errors: Sequence[Mapping[str, Any]] = (),
        error_code: str | None = None,
        body: Any = None,
        operation: Operation | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, operation=operation)
        self.status = status
        self.problem = ProblemDetail(title, detail, type, instance, errors, error_code)
        self.body = body
        self.retry_after = retry_after

    @property
    def title(self) -> str | None:
        """Short summary of the problem type."""
        return self.problem.title

    @property
    def detail(self) -> str | None:
        """Explanation of this occurrence."""
        return self.problem.detail

    @property
    def type(self) -> str | None:
        """URI reference of the problem type."""
        return self.problem.type

    @property
    def instance(self) -> str | None:
        """The request path."""
        return self.problem.instance

    @property
    def errors(self) -> list[Mapping[str, Any]]:
        """Field-level failures of either validation form, as they came."""
        return list(self.problem.errors)

    @property
    def error_code(self) -> str | None:
        """Code that some endpoints add; its values are not shown."""
        return self.problem.error_code


class BadRequestError(ProblemError):
    """400: the request is refused, such as a schedule for a platform that the organization does not have."""


class AuthenticationError(ProblemError):
    """401: the credential is missing or invalid."""


class PermissionDeniedError(ProblemError):
    """403: the credential lacks the permission; `permission`, `level` and `credentials` are what the operation needs.

    Each is None or empty where the API's description does not show it.
    """

    @property
    def permission(self) -> str | None:
        """Name of the permission that the operation needs."""
        return self.operation.permission if self.operation else None

    @property
    def level(self) -> str | None:
        """Level of that permission: enterprise or organization."""
        return self.operation.level if self.operation else None

    @property
    def credentials(self) -> tuple[str, ...]:
        """The kinds of credential that the operation accepts."""
        return self.operation.credentials if self.operation else ()


class NotFoundError(ProblemError):
    """404: there is no such thing, or not for this credential."""


class ConflictError(ProblemError):
    """409: the request conflicts with the state of the thing."""


class UnprocessableContentError(ProblemError):
    """422: the content is not valid; `errors` lists the failures, of either validation form."""


class RateLimitedError(ProblemError):
    """429: too many requests, and trying again was not allowed or did not help.

    `retry_after` is what the server asked to wait in seconds, `retry_at` the moment when that will have passed (UTC);
    both are None when the server gave no hint.
    """

    retry_at: datetime | None = None


class ServerError(ProblemError):
    """500 and above: the server failed."""


class TransportError(AgentPlatformError):
    """No answer came."""


class ConnectionFailedError(TransportError):
    """The server could not be reached, or the exchange broke off; `received` tells whether it may have got the request.

    Of a write that may have been received there is an OutcomeUnknownError instead.
    """

    def __init__(self, message: str, *, operation: Operation | None = None, received: bool = False) -> None:
        super().__init__(message, operation=operation)
        self.received = received


class DeadlineExceededError(TransportError):
    """The total deadline of the call (`RetryPolicy.deadline`) has passed."""


class OutcomeUnknownError(TransportError):
    """A write broke off after it may have been received: it may or may not have been carried out.

    It was not sent again, because the API shows no idempotency key. Read the state before you repeat the call:
    `reader` is the operation for that, or None where the contract has none, and `sent_at` (UTC) tells when it was sent.
    """

    def __init__(
        self, message: str, *, operation: Operation, sent_at: datetime, reader: Operation | None = None
    ) -> None:
        super().__init__(message, operation=operation)
        self.sent_at = sent_at
        self.reader = reader


class PoolTimeoutError(TransportError):
    """No connection of the pool became free in time; nothing was sent."""


class DecodeError(AgentPlatformError):
    """A success whose body is not what it claims to be; `status` is its HTTP status."""

    def __init__(self, message: str, *, operation: Operation | None, status: int) -> None:
        super().__init__(message, operation=operation)
        self.status = status


class PagingError(AgentPlatformError):
    """A list cannot be followed any further; `cursor` is where to resume (`after=`)."""

    def __init__(self, message: str, *, operation: Operation | None, cursor: str | None) -> None:
        super().__init__(message, operation=operation)
        self.cursor = cursor


STATUS_ERRORS: dict[int, type[ProblemError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableContentError,
    429: RateLimitedError,
}
"""The class for a status; 500 and above is ServerError, any other a plain ProblemError."""
