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
    ├── TransportError                      no response, or not all of it
    │   ├── ConnectionFailedError           not connected, or broken off where another attempt was safe
    │   │   └── CertificateError            the server's certificate was refused
    │   ├── DeadlineExceededError           the total deadline of the call has passed
    │   ├── OutcomeUnknownError             a write broke off: it may or may not have been carried out
    │   └── PoolTimeoutError                no connection became free
    ├── DecodeError                         the response is not an error, but cannot be used
    ├── FileTooLargeError                   a download has more than `max_bytes`
    ├── PagingError                         a list cannot be followed; has the cursor to resume from
    └── MissingFieldError                   a model has no value for a required field (also an AttributeError)

The message of an error of an operation reads `operation: what happened`. No message contains a credential or a whole
body. All errors can be pickled, and each class makes an error from a text alone, which programs need that keep errors
as JSON.

`error.outcome_unknown` is True for every error of a write that may have been carried out: an OutcomeUnknownError, a
ServerError or a DecodeError of a write, and any other error that came after an attempt whose response was lost, such as
the 404 of a DELETE. Then `await error.read()` reads the state.

Where a new attribute goes:

    of every error              AgentPlatformError, in `codegen/render/runtime/errors.py`; then `make generate`, which
                                copies it into the generated package, whose models raise MissingFieldError
    of every error of a call    _CallError, here; `Call._final_error` in `call.py` knows the attempts
    of an error with a status   ProblemError or the class of the status, here; `make_problem` in `response/problem.py`
                                sets it
    a member of the body        ProblemDetail, here; ProblemError.__init__ repeats it as an attribute of the error
    of a broken connection      TransportError or a class of it, here; `ErrorTranslator` in `transport/failures.py`
                                sets it
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

import attrs

from ._api import AgentPlatformError as AgentPlatformError, MissingFieldError as MissingFieldError, Operation

__all__ = (
    "AgentPlatformError",
    "AuthenticationError",
    "BadRequestError",
    "CertificateError",
    "ClientClosedError",
    "ConfigurationError",
    "ConflictError",
    "ConnectionFailedError",
    "CredentialMismatchError",
    "CredentialUnavailableError",
    "DeadlineExceededError",
    "DecodeError",
    "EventLoopError",
    "FileTooLargeError",
    "IncompleteListWarning",
    "InvalidArgumentError",
    "InvalidOrganizationError",
    "MissingFieldError",
    "NotFoundError",
    "OutcomeUnknownError",
    "PagingError",
    "PermissionDeniedError",
    "PoolTimeoutError",
    "ProblemDetail",
    "ProblemError",
    "RateLimitedError",
    "ServerError",
    "TransportError",
    "UnprocessableContentError",
)

CLIENT_CLOSED = "the client is closed; make a new AgentPlatform"


class ConfigurationError(AgentPlatformError):
    """A client cannot be made or used like this; the message names the setting and what to do.

    Change the setting; a retry does not help.
    """


class InvalidArgumentError(AgentPlatformError, ValueError):
    """An argument was refused before anything was sent; the message names the argument and what it must be.

    Correct the argument; a retry does not help.
    """


class InvalidOrganizationError(ConfigurationError, InvalidArgumentError):
    """No organization was given, or its id is malformed.

    Pass it to `platform.organization()` or to the client, or set AGENT_PLATFORM_ORG_ID.
    """


class CredentialUnavailableError(ConfigurationError):
    """The function or the file that gives the credential has failed; the request was not sent, or was refused with 401.

    `__cause__` is what the function raised. The next call asks for a credential again.
    """


class ClientClosedError(ConfigurationError, RuntimeError):
    """The client was closed.

    Make a new client, or close the client only after the last call.
    """


class EventLoopError(ConfigurationError, RuntimeError):
    """The client belongs to another event loop, or the running loop is not asyncio's.

    Make a client for each event loop, inside it.
    """


class _CallError(AgentPlatformError):
    """Base of the errors of a call. After a write that may have been carried out, `read` the state first.

    Attributes:
        outcome_unknown: Whether it is unknown if a write was carried out. A POST or PATCH was not sent again, because
            the API shows no idempotency key. A PUT or DELETE may be sent again, but that does not tell its outcome.
        reader: The operation that reads what the write would have changed; None where the contract has none.
        sent_at: When the attempt was sent whose outcome is unknown (UTC); None if the error is about its response.
    """

    sent_at: datetime | None = None
    reader: Operation | None = None
    _was_sent_again: bool = False
    _read: Callable[[], Awaitable[Any]] | None = None

    def mark_unknown(
        self, reader: Operation | None, read: Callable[[], Awaitable[Any]] | None, *, was_sent_again: bool
    ) -> None:
        """Record that the write may have been carried out; the text of the error then ends with what to do.

        Args:
            reader: The operation that reads what the write would have changed, if there is one.
            read: Calls *reader*, with the client and the path arguments of the failed call.
            was_sent_again: Whether there was another attempt.
        """
        self.outcome_unknown = True
        self.reader = reader
        self._read = read
        self._was_sent_again = was_sent_again

    def __str__(self) -> str:
        if not self.outcome_unknown:
            return super().__str__()
        sent = ""
        if self.sent_at is not None:
            sent = f", sent at {self.sent_at:%Y-%m-%dT%H:%M:%S}Z,"
        again = ""
        if not self._was_sent_again:
            again = " and was not sent again"
        state = "of what it would have changed"
        if self.reader is not None:
            state = f"with {self.reader} (`await error.read()`)"
        warning = f"the write{sent} may have been carried out{again}: read the state {state} before you repeat it"
        return f"{super().__str__()}; {warning}"

    async def read(self) -> Any:
        """Call `reader` through the same client, with the path arguments of the failed call.

        Returns:
            What the method of `reader` returns; for a list, its first page. A file is still to be read.

        Raises:
            ConfigurationError: There is no `reader`, or the error was pickled or copied.
            AgentPlatformError: Reading failed; a ClientClosedError if the client was closed.
        """
        if self._read is not None:
            return await self._read()
        reason = "the contract has no operation that reads what this write would have changed"
        if self.reader is not None:
            reason = f"a copy of an error has no client to read with; call {self.reader} of a client"
        raise ConfigurationError(reason, operation=self.operation)

    def __reduce__(self) -> tuple[Any, ...]:
        make, arguments, state = super().__reduce__()
        kept = dict(state)
        kept.pop("_read", None)
        return make, arguments, kept


class CredentialMismatchError(AgentPlatformError):
    """The credential's prefix proves that the operation cannot accept it; nothing was sent.

    Use a credential of a kind in `accepted`; `AgentPlatform(preflight=False)` leaves the decision to the server.

    Attributes:
        kind: The kind of the credential (part Authentication of the API's description).
        accepted: The kinds that the operation accepts.
    """

    kind: str = ""
    accepted: tuple[str, ...] = ()


@attrs.frozen
class ProblemDetail:
    """The members of a problem detail (part Errors of the API's description); None for a member that is not text.

    Attributes:
        title: Short summary of the problem type. In an error it is the phrase of the status if the body has no title.
        detail: Explanation of this occurrence.
        type: URI reference of the problem type; `about:blank` when the body names none (RFC 9457, section 3.1.1).
        instance: The request path.
        errors: Field-level failures, as they came; the API has two forms of them.
        error_code: Code that some endpoints add; its values are not shown (gap `error-code-values`).
    """

    title: str | None = None
    detail: str | None = None
    type: str | None = None
    instance: str | None = None
    errors: tuple[Mapping[str, Any], ...] = ()
    error_code: str | None = None

    @classmethod
    def from_body(cls, body: Any) -> ProblemDetail:
        """Read the members of a decoded body; a member of an unexpected type is left out."""
        members: dict[str, Any] = {"type": "about:blank"}
        if body.__class__ is not dict:
            return cls(**members)
        for name in attrs.fields_dict(cls).keys() - {"errors"}:
            if isinstance(body.get(name), str):
                members[name] = body[name]
        # The API has two forms of field-level failures.
        for name in ("detail", "errors"):
            if body.get(name).__class__ is list:
                members["errors"] = tuple(failure for failure in body[name] if failure.__class__ is dict)
        return cls(**members)


class ProblemError(_CallError):
    """The server responded with a status of 400 or more (part Errors of the API's description; RFC 9457).

    Look at `detail` and `errors`, which have the reason that the server gives.

    The HTTP status decides the class, whatever the body claims. `title`, `detail`, `type`, `instance`, `errors` and
    `error_code` have the values that they have in `problem`.

    Attributes:
        status: HTTP status code; by default the status of the class, or 0.
        problem: The members of the problem detail, as far as the body has them.
        body: The decoded body. If the body is not JSON, is nested more than 100 levels deep or is larger than 64 KiB,
            its first 65,536 characters as text. The credential is taken out.
        retry_after: Seconds that the server asks to wait; None if it asks for no wait. They come from Retry-After; a
            date in it is compared with the response's own Date. After a 429 without Retry-After they come from
            RateLimit.
    """

    status: int = 0
    body: Any = None
    retry_after: float | None = None

    def __init__(self, message: str, *, problem: ProblemDetail = ProblemDetail(), **details: Any) -> None:
        super().__init__(message, **details)
        self.problem = problem
        self.title = problem.title
        self.detail = problem.detail
        self.type = problem.type
        self.instance = problem.instance
        self.errors = list(problem.errors)
        self.error_code = problem.error_code


class BadRequestError(ProblemError):
    """400: the request was refused; for example, the organization does not have the platform of a schedule.

    Correct the request as `detail` says; a retry does not help.
    """

    status: int = 400


class AuthenticationError(ProblemError):
    """401: the credential is missing or invalid.

    Replace the credential. If it expires, pass a function or a file that gives a new one (`token=`, `token_file=`).
    """

    status: int = 401


class PermissionDeniedError(ProblemError):
    """403: the credential lacks the permission that the operation needs.

    Give `permission` to the credential at `level`, or use another kind of credential that `credentials` lists.

    Attributes:
        permission: Name of the permission that the operation needs; None where the API's description does not show it.
        level: Level of that permission, enterprise or organization; None where the level is not shown.
        credentials: Kinds of credential that the operation accepts; they are inferred if a gap says that they are not
            shown.
    """

    status: int = 403
    permission: str | None = None
    level: str | None = None
    credentials: tuple[str, ...] = ()


class NotFoundError(ProblemError):
    """404: the resource does not exist, or this credential may not see it.

    Check the id, the organization, and what the credential may see.
    """

    status: int = 404


class ConflictError(ProblemError):
    """409: the request conflicts with the state of the resource.

    Read the resource, and decide again.
    """

    status: int = 409


class UnprocessableContentError(ProblemError):
    """422: the content is not valid; `errors` lists the failures, in one of two forms.

    Correct the fields that `errors` names; a retry does not help.
    """

    status: int = 422


class RateLimitedError(ProblemError):
    """429: too many requests, and another attempt was not allowed or did not help.

    Call again at `retry_at`, or allow more time: `RetryPolicy(deadline=..., max_retry_after=...)`.

    Attributes:
        retry_at: When the wait that the server asks for will be over (UTC); None when it asks for no wait.
    """

    status: int = 429
    retry_at: datetime | None = None


class ServerError(ProblemError):
    """500 and above: the server failed.

    Call again later. For a write the error's `outcome_unknown` is True, and its `read` reads the state. The SDK does
    not retry a POST or PATCH.
    """

    status: int = 500


STATUS_ERRORS: dict[int, type[ProblemError]] = {
    error.status: error
    for error in (
        BadRequestError,
        AuthenticationError,
        PermissionDeniedError,
        NotFoundError,
        ConflictError,
        UnprocessableContentError,
        RateLimitedError,
    )
}
"""The classes of single statuses. A status of 500 and above is a ServerError, any other one a plain ProblemError."""


class TransportError(_CallError):
    """No response came, or not all of it.

    Check the address and the network: `asp doctor` names the step that fails.
    """


class ConnectionFailedError(TransportError):
    """The server could not be reached, or the exchange broke off.

    Check the address, the proxy and the network: `asp doctor` names the step that fails. For a write that the server
    may have received, an OutcomeUnknownError is raised instead.

    Attributes:
        may_have_arrived: Whether the server may have received the request.
        timed_out: Whether the server took too long to connect or to respond.
        final: Whether a retry would not help, so that the call is not retried: a certificate was refused, or a proxy
            asks for another password.
    """

    may_have_arrived: bool = False
    timed_out: bool = False
    final: bool = False


class CertificateError(ConnectionFailedError):
    """The server's certificate was refused, and nothing was sent.

    It has expired, it is for another host name, or its authority is not trusted: pass the certificate of the authority
    with `verify=`, or correct the base URL. The call is not retried.
    """

    final: bool = True


class DeadlineExceededError(TransportError):
    """The deadline of the whole call (`RetryPolicy.deadline`) has passed, or the `timeout` of a download.

    Allow more time, or send fewer calls at once: the wait for the rate limiter counts, too.
    """


class PoolTimeoutError(TransportError):
    """No connection became free in time; nothing was sent.

    Send fewer calls at once, read streamed responses to their end or close them, or raise `max_connections`.
    """


class OutcomeUnknownError(TransportError):
    """A write broke off after the server may have received it: it may or may not have been carried out.

    Before you repeat the call, `read` the state. A POST or PATCH was not sent again, because the API shows no
    idempotency key. `sent_at` is the time at which the attempt in doubt was sent (UTC).
    """


class DecodeError(_CallError):
    """The response is not an error, but cannot be used: its body is not JSON, or it is a redirect.

    Look at `body`: a proxy, or another service at the base URL, may have responded instead of the API.

    Attributes:
        status: HTTP status code.
        body: The beginning of the body as text, at most 4,096 characters, without the credential; None if there is no
            body, or if the error is not about the body.
    """

    status: int = 0
    body: str | None = None


class FileTooLargeError(AgentPlatformError):
    """A download has more bytes than `max_bytes` allows; no part of it was kept.

    Pass a larger `max_bytes`, or None; `save` does not hold the file in memory.
    """


class PagingError(AgentPlatformError):
    """A list cannot be followed any further: a cursor is missing or came before, or 100 pages in a row had no items.

    Resume at `cursor` (`after=`); the items before this cursor are complete.
    """


class IncompleteListWarning(UserWarning):
    """A response was read that is not the whole list; the message says how to read the rest."""
