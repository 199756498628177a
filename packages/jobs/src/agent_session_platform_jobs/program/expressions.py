"""Expressions: what they may evaluate to, and the operations that they name on the way."""

from __future__ import annotations

import ast
import builtins
from functools import reduce
from itertools import product

from .bindings import Bindings
from .calls import Arguments, batch_of, pass_through
from .facade import NoSuchAttributeError, results, sdk_name
from .members import attribute, construct, enter
from .names import Names, bound_names
from .requests import requested
from .values import (
    CONTAINER_METHODS,
    NOTHING,
    OTHER,
    PLACEHOLDER,
    PLAIN,
    UNKNOWN,
    BatchOf,
    Function,
    Instance,
    Maker,
    Method,
    Resource,
    Simple,
    Text,
    Value,
    Values,
    called,
    join,
    leads_to_operations,
    resources,
    sdk_classes,
    shared,
    verbs,
)

# Characters of a constant that may be a name or a path.
LONGEST_TEXT = 300
# Combinations of constant methods and paths of one request.
MAX_REQUESTS = 50


# Attributes of a client that lead to a scope.
SPELLED = frozenset({"organization", "enterprise"})


class Expressions(Bindings):
    """Evaluates the expressions of a file."""

    def evaluate(self, node: ast.expr | None, names: Names) -> Values:
        """Return what an expression may evaluate to; nothing as long as that is not known."""
        found = NOTHING if node is None else self._value(node, names)
        return found or (UNKNOWN if self.program.strict else NOTHING)

    def _value(self, node: ast.expr, names: Names) -> Values:
        match node:
            case ast.Constant(value=str(text)) if len(text) <= LONGEST_TEXT:
                return frozenset({Text(text)})
            case ast.Constant() | ast.Compare() | ast.UnaryOp():
                self._all(node, names)
                return PLAIN
            case ast.Name(id=name):
                return _hint(name, self._name(name, names))
            case ast.Attribute(attr=name):
                return self._attribute(node, self.evaluate(node.value, names), name)
            case ast.Call():
                return self._call(node, names)
            case ast.NamedExpr(target=target, value=value):
                found = self.evaluate(value, names)
                self.bind(target, found, names)
                return found
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.evaluate(test, names)
                return self.evaluate(body, names) | self.evaluate(orelse, names)
            case ast.JoinedStr(values=parts):
                pieces = [self._piece(each, names) for each in parts]
                return NOTHING if None in pieces else frozenset({Text("".join(filter(None, pieces))[:LONGEST_TEXT])})
            case ast.BinOp(op=ast.Add()):
                return reduce(_concatenate, [self.evaluate(each, names) for each in _summands(node)])
            case ast.Lambda(body=body):
                number = self.function(node, names)
                info = self.program.functions[number]
                self.program.add(info.returned, self.evaluate(body, info.names))
                return frozenset({Function(number)})
            case ast.Yield(value=value) | ast.YieldFrom(value=value):
                self.hand_out(self.evaluate(value, names), names)
                return OTHER
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node, names)
            case ast.Subscript(value=value, slice=index):
                self.evaluate(index, names)
                return frozenset(
                    Simple.PLAIN if isinstance(each, Text) else each for each in self.evaluate(value, names)
                )
            case ast.Dict(keys=keys, values=parts):
                for key in keys:
                    self.evaluate(key, names)
                return join(self.evaluate(each, names) for each in parts) if parts else OTHER
            case _:
                return self._all(node, names)

    def _all(self, node: ast.expr, names: Names) -> Values:
        inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        return join([self.evaluate(each, names) for each in inner]) if inner else OTHER

    def _piece(self, part: ast.expr, names: Names) -> str | None:
        """Return the text of a part of an f-string; None as long as that is not known."""
        found = self.evaluate(part.value if isinstance(part, ast.FormattedValue) else part, names)
        texts = _texts(found)
        return None if not found else texts[0] if texts and len(texts) == 1 else PLACEHOLDER

    def _name(self, name: str, names: Names) -> Values:
        found = names.find(name)
        if found is None and name in sdk_classes():
            return sdk_name(name)
        return found if found is not None else OTHER if hasattr(builtins, name) else UNKNOWN

    def _attribute(self, node: ast.Attribute | ast.Call, receivers: Values, name: str) -> Values:
        if any(map(leads_to_operations, receivers)):
            receivers -= OTHER
        if receivers and all(each is Simple.PLAIN for each in receivers) and name in SPELLED | resources():
            # Something that was not read replaces this None.
            receivers = UNKNOWN
        found: set[Value] = set()
        for each in receivers:
            try:
                found |= attribute(self.program, each, name)
            except NoSuchAttributeError as error:
                self.program.undecide(self.source, node, str(error))
                found.add(Simple.PLAIN)
        values = _hint(name, frozenset(found))
        for each in values:
            if isinstance(each, Method):
                self._report(node, each)
        return values

    def _report(self, node: ast.Attribute | ast.Call, method: Method) -> None:
        operations = called(method.scope, method.resource, method.verb)
        if not method.scope:
            reason = f"the receiver of {method.resource}.{method.verb} is not known"
            self.program.undecide(self.source, node, reason, operations)
        elif isinstance(node, ast.Attribute) and node.end_lineno is not None and node.end_col_offset is not None:
            column = node.end_col_offset - len(node.attr.encode())
            self._found(node.end_lineno, column, method)
        else:
            self._found(node.lineno, node.col_offset, method)

    def _found(self, line: int, column: int, method: Method) -> None:
        place = (method.scope, method.resource, method.verb)
        self.program.found(self.source, line, column, called(*place))
        self.program.found(self.source, line, column, shared(*place), optional=True)

    def _call(self, node: ast.Call, names: Names) -> Values:
        given = Arguments(
            [self.evaluate(each, names) for each in node.args if not isinstance(each, ast.Starred)],
            {each.arg: self.evaluate(each.value, names) for each in node.keywords if each.arg},
        )
        starred = [each for each in node.args if isinstance(each, ast.Starred)]
        if spread := [*starred, *(each.value for each in node.keywords if not each.arg)]:
            given.keywords[""] = join([self.evaluate(each, names) for each in spread])
        if isinstance(node.func, ast.Name) and names.find(node.func.id) is None:
            if node.func.id == "getattr" and len(given.positional) >= 2:
                return self._getattr(node, *given.positional[:2])
            if node.func.id == "super":
                return self._super(names)
        functions = self.evaluate(node.func, names)
        if isinstance(node.func, ast.Attribute) and node.func.attr in CONTAINER_METHODS:
            self.put(node.func.value, join(given.all()), names)
        return join([self._result(node, each, given) for each in functions])

    def _result(self, node: ast.Call, function: Value, given: Arguments) -> Values:
        match function:
            case Function():
                return enter(self.program, function, given.positional, given.keywords)
            case Maker(value=Instance(number=number) as instance):
                construct(self.program, number, given.positional, given.keywords)
                return frozenset({instance})
            case Instance():
                inner = attribute(self.program, function, "__call__")
                return join(self._result(node, each, given) for each in inner if isinstance(each, Function))
            case Simple.REQUEST | Simple.MAYBE_REQUEST:
                self._request(node, given, is_sure=function is Simple.REQUEST)
                return OTHER if function is Simple.REQUEST else UNKNOWN
            case Simple.BATCH:
                pass_through(self.program, given)
                return batch_of(given)
            case BatchOf(scope=scope, resource=resource, run=True):
                if any(each.arg == "until" and not _is_none(each.value) for each in node.keywords):
                    self._report(node, Method(scope, resource, "wait"))
                pass_through(self.program, given)
                return OTHER
            case Simple.OTHER:
                return OTHER | pass_through(self.program, given)
            case Simple.UNKNOWN:
                pass_through(self.program, given)
                if any(leads_to_operations(each) for values in given.all() for each in values):
                    what = ast.unparse(node.func)[:LONGEST_TEXT]
                    reason = f"a client, a scope or a resource is passed to {what}, which was not read"
                    self.program.undecide(self.source, node, reason)
                return UNKNOWN
            case Resource(sure=False):
                return UNKNOWN
            case _:
                return results(function)

    def _request(self, node: ast.Call, given: Arguments, *, is_sure: bool) -> None:
        methods, paths = (_texts(given.take(place, name)) for place, name in enumerate(("method", "path")))
        if not methods or not paths or len(methods) * len(paths) > MAX_REQUESTS:
            if is_sure:
                self.program.undecide(self.source, node, "the method or the path of the request is not constant")
            return
        for method, path in product(methods, paths):
            operations = requested(method, path)
            if is_sure and len(operations) == 1:
                self.program.found(self.source, node.lineno, node.col_offset, operations)
            elif is_sure:
                shown = f"{method} {path.replace(PLACEHOLDER, '{...}')}"
                reason = (
                    f"{shown} may be several operations" if operations else f"no operation of the contract is {shown}"
                )
                self.program.undecide(self.source, node, reason, operations)
            elif operations:
                self.program.undecide(self.source, node, "the receiver of request is not known", operations)

    def _getattr(self, node: ast.Call, receivers: Values, attributes: Values) -> Values:
        names = _texts(attributes)
        if names is not None and not any(PLACEHOLDER in name for name in names):
            return join(self._attribute(node, receivers, name) for name in names)
        sure = [each for each in receivers if leads_to_operations(each)]
        known = [verbs()[each.scope, each.name].values() for each in sure if isinstance(each, Resource)]
        if sure:
            candidates = sorted({name for operations in known for name in operations})
            self.program.undecide(self.source, node, "getattr has a name that is not constant", candidates)
        return UNKNOWN

    def _super(self, names: Names) -> Values:
        info = self.around(names)
        if info is None or info.of_class is None:
            return OTHER
        bases = self.program.classes[info.of_class].bases
        return frozenset(each.value if isinstance(each, Maker) else each for each in bases) or OTHER

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, names: Names
    ) -> Values:
        if node not in self.scopes:
            self.scopes[node] = Names(bound_names(each.target for each in node.generators), names)
        inner = self.scopes[node]
        for each in node.generators:
            self.bind(each.target, self.evaluate(each.iter, inner), inner)
            for condition in each.ifs:
                self.evaluate(condition, inner)
        if isinstance(node, ast.DictComp):
            self.evaluate(node.key, inner)
            return self.evaluate(node.value, inner)
        return self.evaluate(node.elt, inner)


def _hint(name: str, values: Values) -> Values:
    """Take an unknown value for the resource that it is named after."""
    if Simple.UNKNOWN in values and name in resources():
        return values - UNKNOWN | {Resource("", name, sure=False)}
    return values


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _texts(values: Values) -> list[str] | None:
    """Return constants; None if a value is not one."""
    texts = [each.text for each in values if isinstance(each, Text)]
    return sorted(texts) if len(texts) == len(values) else None


def _summands(node: ast.expr) -> list[ast.expr]:
    """Return what is added; a long sum is nested deeper than Python allows calls to be."""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def _concatenate(left: Values, right: Values) -> Values:
    starts, ends = _texts(left), _texts(right)
    if not left or not right:
        return NOTHING
    if starts is None and ends is None:
        return left | right
    found = {start + end for start, end in product(starts or [PLACEHOLDER], ends or [PLACEHOLDER])}
    # A loop would make it longer for ever.
    is_bounded = len(found) <= MAX_REQUESTS and all(len(text) <= LONGEST_TEXT for text in found)
    return frozenset(map(Text, found)) if is_bounded else PLAIN
