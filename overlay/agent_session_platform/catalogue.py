"""The catalogue of operations: what each needs, accepts and leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from ._api import PACKAGE, Gap, Operation


class Catalogue:
    """All operations that the contract knows: iterable, with `len`, and by id or name.

    `catalogue["organization.sessions.list"]` and `catalogue["list_organization_sessions"]` are the same. Each operation
    is imported when it is first used.
    """

    def __iter__(self) -> Iterator[Operation]:
        return (self._load(module) for module in _modules().values())

    def __len__(self) -> int:
        return len(_modules())

    def __contains__(self, name: object) -> bool:
        return any(name in (operation.id, operation.name) for operation in self)

    def __getitem__(self, name: str) -> Operation:
        modules = _modules()
        if name in modules:
            return self._load(modules[name])
        for operation in self:
            if operation.name == name:
                return operation
        raise KeyError(name)

    def find(self, method: str, path: str) -> Operation | None:
        """Return the operation of a request; None when the contract has none.

        Args:
            method: HTTP method.
            path: Path with its ids, quoted.
        """
        wanted = method.upper()
        fitting = [
            (template.count("{"), operation_id)
            for operation_id, (verb, template) in _routes().items()
            if verb == wanted and _pattern(template).fullmatch(path)
        ]
        # Of several that match, the one with the fewest parameters.
        return self[min(fitting)[1]] if fitting else None

    def reader_of(self, write: Operation) -> Operation | None:
        """Return the operation that reads what *write* changes: at its path, or at the one above; None without one."""
        readers = {path: operation_id for operation_id, (method, path) in _routes().items() if method == "GET"}
        for path in (write.path, write.path.rpartition("/")[0]):
            if path in readers:
                return self[readers[path]]
        return None

    def __repr__(self) -> str:
        return f"<Catalogue of {len(self)} operations>"

    @staticmethod
    def _load(module: str) -> Operation:
        operation: Operation = import_module(f"{PACKAGE}.{module}").OPERATION
        return operation


def load_gaps() -> tuple[Gap, ...]:
    """Return the registry of gaps."""
    gaps: tuple[Gap, ...] = import_module(f"{PACKAGE}.gaps").GAPS
    return gaps


def _routes() -> dict[str, tuple[str, str]]:
    routes: dict[str, tuple[str, str]] = import_module(f"{PACKAGE}.catalogue").ROUTES
    return routes


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))


def _modules() -> dict[str, str]:
    modules: dict[str, str] = import_module(f"{PACKAGE}.catalogue").MODULES
    return modules
