"""The root of all exceptions of the SDK, and the exception that a model raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .operation import Operation, ReceivedResponse


class AgentPlatformError(Exception):
    """Root of all exceptions of the SDK.

    Catch it to catch every error of the SDK; the message says what to do.

    Args:
        message: What happened.
        operation: The operation that failed.
        details: The other attributes of the class, by name.

    Attributes:
        operation: The operation that failed; None if no operation was called.
        cursor: Where to resume (`after=`) a list that failed in the middle; None means the beginning of the list, or
            that there is no list.
        response: The status, headers, attempts and duration of the response that the error is about; None if no
            response came.
        outcome_unknown: Whether the call was a write that may or may not have been carried out.
        raised_by_call: Whether a call has raised the error. If another call passes it on, nothing is added to it.
        operation_text: The text of the operation that failed; empty if no operation was called.
        message: What happened, and each remark in brackets.
    """

    operation: Operation | None = None
    cursor: str | None = None
    response: ReceivedResponse | None = None
    outcome_unknown: bool = False
    raised_by_call: bool = False
    operation_text: str = ""
    message: str = ""

    def __init__(self, message: str, *, operation: Operation | None = None, **details: Any) -> None:
        # The text is kept in parts, so that it can be completed and redacted.
        super().__init__()
        self.operation = operation
        self.operation_text = "" if operation is None else str(operation)
        self.message = message
        vars(self).update(details)

    if not TYPE_CHECKING:

        @property
        def args(self) -> tuple[str]:
            """The text alone: a program that keeps errors as JSON, such as Celery, makes the error again from it."""
            return (str(self),)

    def remark(self, text: str) -> None:
        """Add a remark to the end of the message, in brackets."""
        self.message += f" ({text})"

    def __str__(self) -> str:
        return f"{self.operation_text}: {self.message}" if self.operation_text else self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__new__, (type(self),), self.__dict__


class MissingFieldError(AgentPlatformError, AttributeError):
    """A required field was read, but the server did not send it.

    The error is an AttributeError, so `getattr(model, "field", None)` returns None, and `hasattr` returns False.

    Attributes:
        model: The name of the model's class.
        field: The name of the field in JSON.
    """

    model: str = ""
    field: str = ""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message, **details)
        # Otherwise Python keeps the model in the exception, and suggests a field with a similar name.
        self.name = self.field
