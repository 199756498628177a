"""Statements: what they bind, return and import."""

from __future__ import annotations

import ast

from .imports import Imports
from .members import attribute
from .names import Names, bound_names, parameters
from .program import FIXTURES, ClassInfo, FunctionInfo
from .values import NOTHING, PLAIN, UNKNOWN, Function, Instance, Maker, Value, Values, join, leads_to_operations


class Statements(Imports):
    """Reads the statements of a file."""

    def read(self) -> None:
        """Read the whole file once."""
        self._visit_all(self.source.tree.body, self.program.modules[self.source])

    def _visit_all(self, nodes: list[ast.stmt], names: Names) -> None:
        for each in nodes:
            self._visit(each, names)

    def _visit(self, node: ast.AST, names: Names) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._define(node, names)
            case ast.ClassDef():
                self._class(node, names)
            case ast.Return(value=value):
                self.hand_out(PLAIN if value is None else self.evaluate(value, names), names)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value, names)
            case ast.AnnAssign():
                self._annotated_assignment(node, names)
            case ast.AugAssign(target=target, value=value):
                self.put(target, self.evaluate(value, names), names)
            case ast.For(target=target, iter=iterable) | ast.AsyncFor(target=target, iter=iterable):
                self.bind(target, self.evaluate(iterable, names), names)
                self._visit_all([*node.body, *node.orelse], names)
            case ast.withitem(context_expr=context, optional_vars=target):
                entered = join(self._entered(each) for each in self.evaluate(context, names))
                if target is not None:
                    self.bind(target, entered, names)
            case ast.Import():
                self.import_modules(node, names)
            case ast.ImportFrom():
                self.import_names(node, names)
            case ast.Match(subject=subject):
                found = self.evaluate(subject, names)
                for name in bound_names(each.pattern for each in node.cases):
                    self.program.name(names, name, found)
                self._inside(node, names)
            case ast.expr():
                self.evaluate(node, names)
            case _:
                self._inside(node, names)

    def _inside(self, node: ast.AST, names: Names) -> None:
        for each in ast.iter_child_nodes(node):
            self._visit(each, names)

    def _assign(self, target: ast.expr, value: ast.expr, names: Names) -> None:
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            parts = [*target.elts, *value.elts]
            if len(target.elts) == len(value.elts) and not any(isinstance(each, ast.Starred) for each in parts):
                pairs = list(zip(target.elts, value.elts, strict=True))
        for each, given in pairs:
            self.bind(each, self.evaluate(given, names), names)

    def _annotated_assignment(self, node: ast.AnnAssign, names: Names) -> None:
        shown = self.annotated(node.annotation, names)
        given = self.evaluate(node.value, names) if node.value is not None else NOTHING
        if names.is_class and names.owner is not None and isinstance(node.target, ast.Name):
            self.program.classes[names.owner].fields[node.target.id] = any(map(leads_to_operations, shown))
        self.bind(node.target, shown or given, names)

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, names: Names) -> None:
        number = self.function(node, names)
        info = self.program.functions[number]
        for each in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.evaluate(each, names)
        self._parameters(node, info, names)
        if shown := self.annotated(node.returns, names):
            info.annotated.add("return")
            self.program.add(info.returned, shown)
        if "fixture" in info.decorators:
            self.program.fixtures.setdefault(node.name, set()).add(number)
        self._visit_all(node.body, info.names)
        if not info.has_result:
            self.program.add(info.returned, PLAIN)
        self.program.name(names, node.name, frozenset({Function(number)}))

    def _parameters(self, node: ast.FunctionDef | ast.AsyncFunctionDef, info: FunctionInfo, names: Names) -> None:
        given = [*node.args.posonlyargs, *node.args.args]
        defaults = dict(zip([each.arg for each in given[::-1]], node.args.defaults[::-1], strict=False))
        defaults |= {
            each.arg: value for each, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value
        }
        for place, each in enumerate(parameters(node)):
            if shown := self.annotated(each.annotation, names):
                info.annotated.add(each.arg)
            elif place == 0 and info.of_class is not None and "staticmethod" not in info.decorators:
                instance = Instance(info.of_class)
                is_class = "classmethod" in info.decorators or node.name in ("__new__", "__init_subclass__")
                shown = frozenset({Maker(instance, is_class=True) if is_class else instance})
            else:
                shown = self._fixture(each.arg, node, info) | self._default(defaults.get(each.arg), names)
            self.program.name(info.names, each.arg, shown)
            if self.program.strict and not info.names.own(each.arg):
                self.program.name(info.names, each.arg, UNKNOWN)

    def _default(self, node: ast.expr | None, names: Names) -> Values:
        # Without a value of its own, such a parameter has that of its callers.
        return NOTHING if node is None or isinstance(node, ast.Constant) else self.evaluate(node, names)

    def _fixture(self, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef, info: FunctionInfo) -> Values:
        if not node.name.startswith("test") and "fixture" not in info.decorators:
            return NOTHING
        if numbers := self.program.fixtures.get(name):
            return join(frozenset(self.program.functions[each].returned) for each in numbers)
        return frozenset({FIXTURES[name]}) if name in FIXTURES else NOTHING

    def _class(self, node: ast.ClassDef, names: Names) -> None:
        if node not in self.numbers:
            self.numbers[node] = len(self.program.classes)
            scope = Names(bound_names(node.body), names, is_class=True, owner=len(self.program.classes))
            self.program.classes.append(ClassInfo(scope))
        number = self.numbers[node]
        info = self.program.classes[number]
        for extra in (*node.decorator_list, *(keyword.value for keyword in node.keywords)):
            self.evaluate(extra, names)
        for base in node.bases:
            self.program.add(info.bases, self.evaluate(base, names))
        for each in info.bases:
            if isinstance(each, Maker) and isinstance(each.value, Instance):
                self.program.classes[each.value.number].heirs.add(number)
        self._visit_all(node.body, info.names)
        self.program.name(names, node.name, frozenset({Maker(Instance(number), is_class=True)}))

    def _entered(self, value: Value) -> Values:
        """Return what `with value as name` binds."""
        if isinstance(value, Instance):
            entering = join(attribute(self.program, value, name) for name in ("__aenter__", "__enter__"))
            functions = [each for each in entering if isinstance(each, Function)]
            found = join(frozenset(self.program.functions[each.number].returned) for each in functions)
            return found - PLAIN or frozenset({value})
        return frozenset({value})
