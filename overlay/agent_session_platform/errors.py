"""All exceptions of the SDK.

    AgentPlatformError
    ├── ConfigurationError                  the client cannot be made or used like this
    │   ├── InvalidOrganizationError        (also an InvalidArgumentError)
    │   ├── CredentialUnavailableError      the function or file that gives the credential has failed
    │   ├── ClientClosedError               (also a RuntimeError)
    │   └── EventLoopError                  (also a RuntimeError)
    ├── InvalidArgumentError                an argument is refused before anything is sent (also a ValueError)
    ├── CredentialMismatchError             the operation cannot accept a credential of this kind
    ├── ProblemError                        the server responded with a status of 400 or more
    │   ├── BadRequestError                 400
    │   ├── AuthenticationError             401
    │   ├── PermissionDeniedError           403
    │   ├── NotFoundError                   404
    │   ├── ConflictError                   409
    │   ├── UnprocessableContentError       422
    │   ├── RateLimitedError                429
    │   └── ServerError                     500 and above
    ├── TransportError                      no response
    │   ├── ConnectionFailedError           not connected, or broken off where another attempt was safe
    │   │   └── CertificateError            the server's certificate was refused
    │   ├── DeadlineExceededError           the total deadline of the call has passed
    │   ├── OutcomeUnknownError             a write may or may not have been carried out
    │   └── PoolTimeoutError                no connection became free
    ├── DecodeError                         a success that is not what it claims to be
    ├── PagingError                         a list cannot be followed; has the cursor to resume from
    └── MissingFieldError                   a model has no value for a required field (also an AttributeError)

The message of an error of an operation reads `operation: what happened`; `response.problem` writes that of a
ProblemError. None contains a credential or a whole body, and all can be pickled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._api import AgentPlatformError as AgentPlatformError
from ._api import MissingFieldError as MissingFieldError
from .configuration_errors import ClientClosedError as ClientClosedError
from .configuration_errors import ConfigurationError as ConfigurationError
from .configuration_errors import CredentialUnavailableError as CredentialUnavailableError
from .configuration_errors import EventLoopError as EventLoopError
from .configuration_errors import InvalidArgumentError as InvalidArgumentError
from .configuration_errors import InvalidOrganizationError as InvalidOrganizationError
from .transport_errors import CertificateError as CertificateError
from .transport_errors import ConnectionFailedError as ConnectionFailedError
from .transport_errors import DeadlineExceededError as DeadlineExceededError
from .transport_errors import PoolTimeoutError as PoolTimeoutError
from .transport_errors import TransportError as TransportError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from ._api import Operation


class CredentialMismatchError(AgentPlatformError):
    """The credential's prefix proves that the operation cannot accept it; nothing was sent.

    Use a credential of a kind in `accepted`; `AgentPlatform(preflight=False)` leaves the decision to the server.

    Attributes:
        kind: The kind of the credential (part Authentication of the API's description).
        accepted: The kinds that the operation accepts.
    """

    def __init__(self, message: str, *, operation: Operation, kind: str, accepted: tuple[str, ...]) -> None:
        super().__init__(message, operation=operation)
        self.kind = kind
        self.accepted = accepted


class ProblemError(AgentPlatformError):
    """The server responded with a status of 400 or more (part Errors of the API's description; RFC 9457).

    Look at `detail` and `errors`, which have the reason that the server gives.

    The HTTP status decides the class, whatever the body claims. `title`, `detail`, `type`, `instance`, `errors` and
    `error_code` are those of `problem`.

    Attributes:
        status: HTTP status code.
        problem: The members of the problem detail, as far as the body has them.
        body: The decoded body; what is nested deeper than 50 levels is None in it. The first 65,536 characters as text
            when it is not JSON, has more than about 10,000 names, values, commas and brackets, or is larger than the
            1 MiB that is read of it. The credential is taken out.
        retry_after: Seconds that the server asks to wait, None when it does not: from Retry-After, of which a date is
            compared with the response's own Date. A 429 without it: from RateLimit, RateLimit-Reset or
            X-RateLimit-Reset, in this order.
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
        # Imported with the first error, because it would add to the start-up of every program.
        from .problem_detail import ProblemDetail

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
    """400: the request was refused, such as a schedule for a platform that the organization does not have.

    Correct the request as `detail` says; no other attempt helps.
    """


class AuthenticationError(ProblemError):
    """401: the credential is missing or invalid.

    Replace the credential; one that expires is best given by a function or a file (`token=`, `token_file=`).
    """


class PermissionDeniedError(ProblemError):
    """403: the credential lacks the permission that the operation needs.

    Give `permission` to the credential, at `level`, or use one of another kind in `credentials`.
    """

    @property
    def permission(self) -> str | None:
        """Name of the permission that the operation needs; None where the API's description does not show it."""
        return self.operation.permission if self.operation else None

    @property
    def level(self) -> str | None:
        """Level of that permission, enterprise or organization; None where it is not shown."""
        return self.operation.level if self.operation else None

    @property
    def credentials(self) -> tuple[str, ...]:
        """Kinds of credential that it accepts; where a gap says that the kinds are not shown, they are inferred."""
        return self.operation.credentials if self.operation else ()


class NotFoundError(ProblemError):
    """404: the resource does not exist, or not for this credential.

    Check the id, the organization, and what the credential may see.
    """


class ConflictError(ProblemError):
    """409: the request conflicts with the state of the resource.

    Read the resource, and decide again.
    """


class UnprocessableContentError(ProblemError):
    """422: the content is not valid; `errors` lists the failures of either validation form.

    Correct the fields that `errors` names; no other attempt helps.
    """


class RateLimitedError(ProblemError):
    """429: too many requests, and another attempt was not allowed or did not help.

    Call again at `retry_at`, or allow more time: `RetryPolicy(deadline=..., max_retry_after=...)`.

    Attributes:
        retry_at: When the wait that the server asks for will be over (UTC); None when it asks for none.
    """

    retry_at: datetime | None = None


class ServerError(ProblemError):
    """500 and above: the server failed.

    Call again later. A POST or PATCH is not sent again by itself: read first whether it was carried out.
    """


class OutcomeUnknownError(TransportError):
    """A write broke off after the server may have received it: it may or may not have been carried out.

    Before you repeat the call, `read` the state. It was not sent again, because the API shows no idempotency key.

    Attributes:
        sent_at: When it was sent (UTC).
        reader: The operation that reads what it would have changed; None where the contract has none.
    """

    _read: Callable[[], Awaitable[Any]] | None = None

    def __init__(
        self, message: str, *, operation: Operation, sent_at: datetime, reader: Operation | None = None
    ) -> None:
        super().__init__(message, operation=operation)
        self.sent_at = sent_at
        self.reader = reader

    def connect(self, read: Callable[[], Awaitable[Any]]) -> None:
        """Set what `read` calls: the reader, with the client and the path arguments of the failed call."""
        self._read = read

    async def read(self) -> Any:
        """Call `reader` through the same client, with the path arguments of the failed call.

        Returns:
            What its method returns, of a list the first page; a file or JSON Lines are still to be read.

        Raises:
            ConfigurationError: There is no `reader`, or the error was pickled or copied.
            AgentPlatformError: Reading failed; a ClientClosedError if the client was closed.
        """
        if self._read is not None:
            return await self._read()
        reason = "the contract has no operation that reads what this write would have changed"
        if self.reader is not None:
            reason = f"a copy of an OutcomeUnknownError has no client to read with; call {self.reader} of a client"
        raise ConfigurationError(reason, operation=self.operation)

    def __reduce__(self) -> tuple[Callable[..., AgentPlatformError], tuple[Any, ...]]:
        restore, (cls, arguments, state) = super().__reduce__()
        return restore, (cls, arguments, {name: value for name, value in state.items() if name != "_read"})


class DecodeError(AgentPlatformError):
    """A response claims a success that it is not: a body that is not JSON, a redirect, a file beyond `max_bytes`.

    Look at `body`: a proxy, or a base URL of another service, responds in place of the API. For a larger file pass a
    larger `max_bytes`.

    Attributes:
        status: HTTP status code.
        body: The beginning of the body as text, at most 4,096 characters, without the credential; None where there is
            none, or where the error is not about the body.
    """

    def __init__(self, message: str, *, operation: Operation | None, status: int, body: str | None = None) -> None:
        super().__init__(message, operation=operation)
        self.status = status
        self.body = body


class PagingError(AgentPlatformError):
    """A list cannot be followed any further: the server's cursor leads nowhere, or 100 pages in a row had no items.

    Resume at `cursor` (`after=`); what came before it is complete.
    """

    def __init__(self, message: str, *, operation: Operation | None, cursor: str | None) -> None:
        super().__init__(message, operation=operation)
        self.cursor = cursor
