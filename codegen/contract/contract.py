"""The contract: the document, and what its operations take, return and require."""

from __future__ import annotations

from pathlib import Path

from codegen.contract.document import PLACEHOLDER, Document
from codegen.contract.nodes import ContractError, child
from codegen.contract.operation_facts import OperationFacts, describe_operation
from codegen.contract.source import Source


class Contract(Document):
    """The contract at *path*.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Attributes:
        operations: The facts of each operation, by its id.

    Raises:
        ContractError: Something in it is wrong, or an operation cannot be sent or read by the SDK.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        super().__init__(path, source)
        self.operations: dict[str, OperationFacts] = {}
        self._routes: dict[tuple[str, str], OperationFacts] = {}
        for template, method, item in self.routes():
            try:
                facts = describe_operation(self, template, method, item)
            except ContractError as error:
                raise self.source.located(error, child(child("#/paths", template), method)) from error
            self.operations[item[method]["operationId"]] = facts
            self._routes[method, PLACEHOLDER.sub("{}", template)] = facts

    def operation(self, method: str, path: str) -> OperationFacts:
        """Return the operation of a route; the names of the path parameters do not matter."""
        return self._routes[method.lower(), PLACEHOLDER.sub("{}", path)]
