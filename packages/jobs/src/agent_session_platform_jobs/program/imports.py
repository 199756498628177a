"""Imports: modules of the program, the SDK, the standard library, and everything else."""

from __future__ import annotations

import ast
import sys

from .annotations import Annotations
from .facade import job_name, sdk_name
from .names import Names
from .sources import Source
from .values import NOTHING, OTHER, UNKNOWN, File, Maker, Simple, Values, join, sdk_classes

JOBS = "agent_session_platform_jobs"
SDK = {"agent_session_platform", "agent_session_platform_api", "agent_session_platform_sandbox", JOBS}


class Imports(Annotations):
    """Binds the names that a file imports."""

    def import_modules(self, node: ast.Import, names: Names) -> None:
        """Bind the names of `import module`."""
        for alias in node.names:
            parts = tuple(alias.name.split("."))
            bound = parts if alias.asname else parts[:1]
            found = self.program.find_module(bound)
            values = frozenset(File(each.name) for each in found) if found else self._foreign(node, parts, 0)
            self.program.name(names, alias.asname or parts[0], values)

    def import_names(self, node: ast.ImportFrom, names: Names) -> None:
        """Bind the names of `from module import name`."""
        parts = tuple(node.module.split(".")) if node.module else ()
        base = self.source.module if self._is_package() else self.source.module[:-1]
        whole = (*base[: len(base) - node.level + 1], *parts) if node.level else parts
        modules = self.program.find_module(whole, exact=node.level > 0)
        for alias in node.names:
            inside = self.program.find_module((*whole, alias.name), exact=node.level > 0)
            if alias.name == "*":
                for each in modules:
                    for name, values in self.program.modules[each].items():
                        self.program.name(names, name, values)
                continue
            self.program.name(
                names, alias.asname or alias.name, self._imported(node, alias.name, modules, inside, parts)
            )

    def _imported(
        self, node: ast.ImportFrom, name: str, modules: list[Source], inside: list[Source], parts: tuple[str, ...]
    ) -> Values:
        if modules and any(self.program.modules[each].has(name) for each in modules):
            return join(self.program.modules[each].own(name) for each in modules)
        if inside:
            return frozenset(File(each.name) for each in inside)
        if SDK & {*parts, name}:
            return job_name(name) if JOBS in parts else sdk_name(name)
        if name in sdk_classes():
            return frozenset({Maker(sdk_classes()[name], is_class=True)})
        return NOTHING if modules else self._foreign(node, parts or (name,), node.level)

    def _foreign(self, node: ast.Import | ast.ImportFrom, parts: tuple[str, ...], level: int) -> Values:
        if SDK & {*parts}:
            return frozenset({Simple.JOBS if JOBS in parts else Simple.SDK})
        if not level and parts[0] in sys.stdlib_module_names | {"__future__"}:
            return OTHER
        if level or self._is_beside(parts[0]):
            name = "." * level + ".".join(parts)
            self.program.undecide(self.source, node, f"imports {name}, a part of the program that was not read")
        return UNKNOWN

    def _is_package(self) -> bool:
        return self.source.path is not None and self.source.path.stem == "__init__"

    def _is_beside(self, name: str) -> bool:
        if self.source.path is None:
            return False
        folder = self.source.path.parent
        return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()
