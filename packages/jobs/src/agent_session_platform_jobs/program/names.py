"""Names of a program: which scope of the code has a name, and what it may stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from .values import NOTHING, Value, Values

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Names:
    """The names of a module, a class, a function or a comprehension. Names of classes are not seen in their methods.

    Args:
        bound: The names that are bound in it.
        parent: The scope around it.
        is_class: Whether it is that of a class.
        owner: The number of the class or function that it belongs to; None for others.
    """

    def __init__(
        self, bound: Iterable[str], parent: Names | None = None, *, is_class: bool = False, owner: int | None = None
    ) -> None:
        self._bound = set(bound)
        self._values: dict[str, set[Value]] = {}
        self.parent = parent
        self.is_class = is_class
        self.owner = owner

    def find(self, name: str) -> Values | None:
        """Return what a name may stand for; None if nothing binds it."""
        holder = self._holder(name)
        return None if holder is None else holder.own(name)

    def own(self, name: str) -> Values:
        """Return what a name of this scope itself may stand for."""
        return frozenset(self._values.get(name, NOTHING))

    def has(self, name: str) -> bool:
        """Return whether this scope itself binds a name."""
        return name in self._bound

    def items(self) -> Iterator[tuple[str, Values]]:
        """Yield the names of this scope itself, and what they may stand for."""
        return ((name, self.own(name)) for name in sorted(self._bound) if not name.startswith("_"))

    def add(self, name: str, values: Values) -> bool:
        """Add what a name may stand for, and return whether that is new."""
        holder = self._holder(name) or self._module()
        holder._bound.add(name)
        known = holder._values.setdefault(name, set())
        before = len(known)
        known.update(values)
        return len(known) > before

    def _holder(self, name: str) -> Names | None:
        scope: Names | None = self
        while scope is not None:
            if name in scope._bound and (scope is self or not scope.is_class):
                return scope
            scope = scope.parent
        return None

    def _module(self) -> Names:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


def bound_names(body: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements bind in their own scope, without global and nonlocal ones."""
    bound: set[str] = set()
    elsewhere: set[str] = set()
    for node in own_nodes(body):
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                elsewhere.update(names)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=asname):
                bound.add(asname or name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case _:
                pass
    return bound - elsewhere


def parameters(node: FunctionNode) -> list[ast.arg]:
    """Return the parameters of a function: positional ones first, then *args, keywords and **kwargs."""
    given = node.args
    extra = [each for each in (given.vararg, given.kwarg) if each is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *extra]


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of statements, without those inside nested functions, classes and comprehensions."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, COMPREHENSIONS):
            # Of a comprehension, only `:=` binds outside of it.
            stack.extend(each.target for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
        elif not isinstance(node, NESTED):
            stack.extend(ast.iter_child_nodes(node))
