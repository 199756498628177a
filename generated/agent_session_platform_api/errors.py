# Copied from codegen/render/runtime/ by codegen/render/generate.py: change that folder, not this file.
"""The root of all exceptions of the SDK, and the exception that a model raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from .operation import Operation, ReceivedResponse


class AgentPlatformError(Exception):
    """Root of all exceptions of the SDK.

    Catch it to catch every error of the SDK; the message says what to do.

    Attributes:
        operation: The operation that failed; None if no operation was called.
        cursor: Where to resume (`after=`) a list that failed in the middle; None means the beginning of the list, or
            that there is no list.
        response: The status, headers, attempts and duration of the response that the error is about; None if no
            response came.
        outcome_unknown: Whether the call was a write that may or may not have been carried out.
        is_complete: Whether a call has raised the error. If another call passes it on, nothing is added to it.
    """

    operation: Operation | None = None
    cursor: str | None = None
    response: ReceivedResponse | None = None
    outcome_unknown: bool = False
    is_complete: bool = False

    def __init__(self, message: str, *, operation: Operation | None = None) -> None:
        super().__init__(message if operation is None else f"{operation}: {message}")
        self.operation = operation

    def remark(self, text: str) -> Self:
        """Add a remark to the end of the message, in brackets."""
        self.args = (f"{self} ({text})",)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__new__, (type(self), *self.args), self.__dict__


class MissingFieldError(AgentPlatformError, AttributeError):
    """A required field was read, but the server did not send it.

    The error is an AttributeError, so `getattr(model, "field", None)` returns None, and `hasattr` returns False.

    Attributes:
        model: The name of the model's class.
        field: The name of the field in JSON.
    """

    def __init__(self, message: str, *, model: str, field: str) -> None:
        super().__init__(message)
        self.model = model
        self.field = field
        # Otherwise Python keeps the model in the exception, and suggests a field with a similar name.
        self.name = field
