"""Annotations: what they show of a value."""

from __future__ import annotations

import ast

from .expressions import Expressions
from .names import Names
from .values import NOTHING, OTHER, PLAIN, UNKNOWN, Maker, Simple, Values, join

# Types whose objects have nothing in them.
PLAIN_TYPES = frozenset({"str", "int", "float", "bool", "bytes", "complex", "Literal", "datetime", "timedelta", "Path"})
ANYTHING = frozenset({"Any", "object", "Self", "TypeVar", "Generic", "Protocol"})


class Annotations(Expressions):
    """Evaluates the annotations of a file, besides its expressions."""

    def annotated(self, node: ast.expr | None, names: Names) -> Values:
        """Return what an annotated name may stand for; nothing if the annotation does not show it."""
        found = self._shown(node, names) if node is not None else NOTHING
        return NOTHING if Simple.UNKNOWN in found else found

    def _shown(self, node: ast.expr, names: Names) -> Values:
        match node:
            case ast.Constant(value=str(text)):
                try:
                    return self._shown(ast.parse(text.strip(), mode="eval").body, names)
                except (SyntaxError, ValueError):
                    return UNKNOWN
            case ast.Constant():
                return PLAIN
            case ast.BinOp(left=left, right=right):
                return self._shown(left, names) | self._shown(right, names)
            case ast.Subscript(value=value, slice=index):
                return self._generic(_last_word(value), index.elts if isinstance(index, ast.Tuple) else [index], names)
            case ast.Name() | ast.Attribute():
                word = _last_word(node)
                if word in PLAIN_TYPES | ANYTHING:
                    return PLAIN if word in PLAIN_TYPES else UNKNOWN
                return join(map(_of_class, self.evaluate(node, names)))
            case _:
                return UNKNOWN

    def _generic(self, word: str, parts: list[ast.expr], names: Names) -> Values:
        if word in ("Literal", "Annotated"):
            return PLAIN if word == "Literal" else self._shown(parts[0], names)
        shown = join(
            self._shown(each, names)
            for each in (parts[-1:] if word == "Callable" else parts)
            if not isinstance(each, ast.List)
        )
        if word in ("Callable", "type", "Type"):
            return frozenset(
                each if isinstance(each, Simple) and each is not Simple.PLATFORM else Maker(each) for each in shown
            )
        return shown


def _of_class(value: object) -> Values:
    match value:
        case Maker(value=made, is_class=True):
            return frozenset({made})
        case Simple.OTHER | Simple.SDK:
            return OTHER
        case Simple.PLAIN:
            return PLAIN
        case _:
            return UNKNOWN


def _last_word(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]
