"""Bindings: what targets, parameters and functions get."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from .names import Names, bound_names, own_nodes
from .program import FunctionInfo, Program
from .sources import Source
from .values import File, Function, Instance, Maker, Method, Values, leads_to_operations


class Bindings(ABC):
    """Binds values to the targets of a file, and returns values from its functions.

    Args:
        program: The program that the file belongs to.
        source: The file.
    """

    def __init__(self, program: Program, source: Source) -> None:
        self.program = program
        self.source = source
        self.scopes: dict[ast.AST, Names] = {}
        self.numbers: dict[ast.AST, int] = {}

    @abstractmethod
    def evaluate(self, node: ast.expr | None, names: Names) -> Values:
        """Return what an expression may evaluate to; nothing as long as that is not known."""

    def bind(self, target: ast.expr, values: Values, names: Names) -> None:
        """Assign values to a target."""
        match target:
            case ast.Name(id=name):
                self.program.name(names, name, values)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self.bind(part, values, names)
            case ast.Starred(value=inner):
                self.bind(inner, values, names)
            case ast.Subscript(value=inner, slice=index):
                self.evaluate(index, names)
                self.put(inner, values, names)
            case ast.Attribute(value=inner, attr=name):
                for each in self.evaluate(inner, names):
                    owner = each.value if isinstance(each, Maker) else each
                    if isinstance(owner, Instance):
                        attributes = self.program.classes[owner.number].attributes
                        self.program.add(attributes.setdefault(name, set()), values)
                    elif isinstance(each, File):
                        for module in self.program.named(each):
                            self.program.name(module, name, values)
            case _:
                pass

    def put(self, container: ast.expr, values: Values, names: Names) -> None:
        """Add values to a container, if they matter."""
        self.evaluate(container, names)
        kept = frozenset(each for each in values if leads_to_operations(each) or isinstance(each, Method | Function))
        if kept and isinstance(container, ast.Name | ast.Attribute):
            self.bind(container, kept, names)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, names: Names) -> int:
        """Return the number of a function."""
        if node not in self.numbers:
            decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
            words = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in decorators}
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            given = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
            self.numbers[node] = len(self.program.functions)
            scope = Names(bound_names(body) | given, names, owner=len(self.program.functions))
            owner = names.owner if names.is_class else None
            has_result = any(isinstance(each, ast.Return | ast.Yield | ast.YieldFrom) for each in own_nodes(body))
            self.program.functions.append(FunctionInfo(node, scope, owner, frozenset(words), has_result))
        return self.numbers[node]

    def around(self, names: Names) -> FunctionInfo | None:
        """Return the function that a scope is in."""
        scope: Names | None = names
        while scope is not None and (scope.owner is None or scope.is_class):
            scope = scope.parent
        return None if scope is None or scope.owner is None else self.program.functions[scope.owner]

    def hand_out(self, values: Values, names: Names) -> None:
        """Add what the function around returns or yields."""
        info = self.around(names)
        if info is not None and "return" not in info.annotated:
            self.program.add(info.returned, values)
