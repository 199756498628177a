"""The operations that a program names, found by reading it: too many rather than too few. Nothing of it is run.

Whatever names a resource and a verb of the catalogue is a use: `.sessions.create`, a name that is bound to `.sessions`
and then `.create`, a constant text in `getattr` or `attrgetter`. Which scope it is, is read from what its name is bound
to anywhere in the program; where that does not show it, it is both. A place where a client, a scope or a resource is
handed to code that was not read, or where a name is computed, is undecided. The journal of a sandbox is exact.
"""

from __future__ import annotations

import ast
import builtins
import os
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import attrs
from agent_session_platform import InvalidArgumentError, Operation, RequiredPermissions, operations

# Folders that are not part of the program, such as a copy of the SDK; hidden ones and environments are not either.
FOREIGN = frozenset(
    {
        *("__pycache__", "node_modules", "site-packages"),
        *("agent_session_platform", "agent_session_platform_api", "agent_session_platform_sandbox"),
    }
)

SDK = frozenset({"agent_session_platform", "agent_session_platform_jobs", "agent_session_platform_sandbox"})

SCOPES = ("organization", "enterprise")
CLIENT, UNKNOWN = "client", "unknown"

# Methods of containers, queues and exit stacks: what they take is kept, and given back by others of them.
KEEPING = frozenset(
    {
        *("add", "append", "appendleft", "extend", "insert", "put", "put_nowait", "set", "setdefault", "update"),
        *("enter_context", "enter_async_context", "push", "push_async_exit"),
    }
)

GIVING = frozenset({"get", "get_nowait", "pop", "popleft", "popitem", "values", "items", "copy"})

# Stands for what is passed to a parameter from elsewhere.
FREE = ast.Constant(None)

# Calls that look a name up; `eval` and `exec` run text.
COMPUTING = frozenset({"getattr", "attrgetter", "methodcaller", "__getattribute__", "eval", "exec"})


class Resource(NamedTuple):
    """A resource of one scope."""

    scope: str
    name: str


Kinds: TypeAlias = frozenset[str | Resource]
"""What an expression may be: CLIENT, a scope, a resource; UNKNOWN if it may be anything; nothing for plain data."""

ANYTHING: Kinds = frozenset({UNKNOWN})
DATA: Kinds = frozenset()

METHODS: dict[Resource, dict[str, list[Operation]]] = defaultdict(lambda: defaultdict(list))
for each in operations:
    for method in filter(None, (each.verb, each.job)):
        METHODS[Resource(each.scope, each.resource)][method].append(each)
RESOURCES = {each.name for each in METHODS}

# Names whose objects are known, the fixtures of the pytest plugin included.
KNOWN: dict[str, Kinds] = {
    **dict.fromkeys(("AgentPlatform", "agent_platform", "agent_platform_factory"), frozenset({CLIENT})),
    **{f"{scope.title()}Scope": frozenset({scope}) for scope in SCOPES},
    **{f"{each.scope}_{each.name}".title().replace("_", ""): frozenset({each}) for each in METHODS},
}


@attrs.frozen(order=True)
class Place:
    """A place in a program.

    Attributes:
        file: The file.
        line: The line, from 1.
        what: The name of the operation; of a place that is undecided, the reason.
        optional: Whether the operation is called where the credential may, and not missed: the list that waits share.
    """

    file: str
    line: int
    what: str
    optional: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}{' (optional)' if self.optional else ''}"


@attrs.frozen
class ProgramUse:
    """The operations that a program names, and the places that reading does not decide."""

    files: tuple[str, ...]
    uses: tuple[Place, ...]
    undecided: tuple[Place, ...]

    @property
    def permissions(self) -> RequiredPermissions:
        """The permissions that the operations of `uses` require."""
        required, optional = (
            [operations[each.what] for each in self.uses if each.optional is o] for o in (False, True)
        )
        return RequiredPermissions(required, optional=(each for each in optional if each not in required))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        return {
            "files": [*self.files],
            "uses": [
                {"file": each.file, "line": each.line, "operation": each.what, "optional": each.optional}
                for each in self.uses
            ],
            "permissions": self.permissions.to_dict(),
            "undecided": [{"file": each.file, "line": each.line, "reason": each.what} for each in self.undecided],
        }

    def __str__(self) -> str:
        sections = {"Operations": self.uses, "Undecided": self.undecided}
        uses, undecided = ("\n  ".join([f"{name}:", *(map(str, each or ["none"]))]) for name, each in sections.items())
        return f"{uses}\n{self.permissions}\n{undecided}"


def read_program(*paths: str | os.PathLike[str]) -> ProgramUse:
    """Find the operations that a program names.

    Args:
        paths: Files, and folders with all Python files below them but those of environments and hidden folders.

    Raises:
        InvalidArgumentError: There is no such file, or it is not Python; the message names the file and the line.
    """
    files = {os.path.abspath(path): path for given in paths for path in python_files(Path(given))}
    program = Program({str(path): parse(path) for path in files.values()})
    try:
        uses, undecided = program.read()
    except RecursionError:
        raise InvalidArgumentError("the program is nested too deeply to be read") from None
    return ProgramUse(tuple(program.trees), tuple(sorted(uses)), tuple(sorted(undecided)))


class Program:
    """The files of a program, and what each of its names is bound to.

    Args:
        trees: The syntax trees, by file.
    """

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        self.trees = trees
        self._nodes = [(file, node) for file, tree in trees.items() for node in ast.walk(tree)]
        # What is bound to a name of a file, and with None for the file, to an attribute or a name of any file.
        self._bound: dict[tuple[str | None, str], list[tuple[str, ast.expr]]] = defaultdict(list)
        self._kinds: dict[tuple[str | None, str], Kinds] = defaultdict(frozenset)
        # The parameters of functions and classes: those by position, and those that take all the others.
        self._parameters: dict[str, list[tuple[list[str], list[str]]]] = defaultdict(list)
        # What a file imports from the standard library and the SDK, which name no operation by themselves.
        self._trusted: dict[str, set[str]] = defaultdict(set)
        self._called_nodes = {id(node.func) for _, node in self._nodes if isinstance(node, ast.Call)}
        self._waits = False

    def read(self) -> tuple[set[Place], set[Place]]:
        """Return the uses, and the places that are undecided."""
        for file, node in self._nodes:
            self._note(file, node)
        for file, node in self._nodes:
            for target, value in self._bindings(file, node):
                self._bind(file, target, value)
        before = None
        while before != self._kinds:
            before = dict(self._kinds)
            for key, values in self._bound.items():
                self._kinds[key] |= DATA.union(*(self._kinds_of(file, value) for file, value in values))
        uses, undecided = set[Place](), set[Place]()
        for file, node in self._nodes:
            line = getattr(node, "lineno", 1)
            uses |= {Place(file, line, each.name, optional) for each, optional in self._named(file, node)}
            undecided |= {Place(file, line, reason) for reason in self._undecided(file, node)}
        return uses, undecided

    def _note(self, file: str, node: ast.AST) -> None:
        """Note functions, classes, trusted imports, and whether a batch waits."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._parameters[node.name].append(parameters_of(node.args))
            case ast.ClassDef(name=name, body=body):
                made = [each.args for each in body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
                fields = [last_name(each.target) for each in body if isinstance(each, ast.AnnAssign)]
                # What a class without a constructor of its own takes is shown by its bases, which may not be read.
                if made or not node.bases:
                    self._parameters[name] += map(parameters_of, made) if made else [(fields, [])]
            case ast.Import() | ast.ImportFrom():
                module = node.names[0].name if isinstance(node, ast.Import) else node.module or ""
                root = "." if getattr(node, "level", 0) else module.partition(".")[0]
                if root in sys.stdlib_module_names or root in SDK:
                    self._trusted[file] |= {(each.asname or each.name).split(".")[0] for each in node.names}
            case ast.keyword(arg="until"):
                self._waits = True
            case _:
                pass

    def _bindings(self, file: str, node: ast.AST) -> Iterator[tuple[ast.AST | None, ast.expr | None]]:
        """Yield what a statement or an expression binds to names, attributes and parameters."""
        match node:
            case ast.Assign():
                yield from ((target, node.value) for target in node.targets)
            case ast.AnnAssign():
                yield from ((node.target, node.value), (node.target, node.annotation))
            case ast.NamedExpr():
                yield node.target, node.value
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                yield node.target, node.iter
            case ast.withitem():
                yield node.optional_vars, node.context_expr
            case ast.Match():
                caught = [getattr(each, "name", None) for case in node.cases for each in ast.walk(case.pattern)]
                yield from ((ast.Name(name), node.subject) for name in caught if name)
            case ast.arguments():
                by_position = [*node.posonlyargs, *node.args]
                # Nobody may call it in the program, such as a handler of a framework.
                yield from ((ast.Name(each.arg), each.annotation or FREE) for each in [*by_position, *node.kwonlyargs])
                defaults = [*node.defaults[::-1], *node.kw_defaults]
                takers = [*by_position[::-1][: len(node.defaults)], *node.kwonlyargs]
                pairs = zip(takers, defaults, strict=True)
                yield from ((ast.Name(each.arg), value) for each, value in pairs if not is_none(value))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                results = [each.value for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield)]
                yield from ((ast.Name(node.name), each) for each in [*results, node.returns])
            case ast.ClassDef():
                yield from ((ast.Name(node.name), each) for each in node.bases)
            case ast.ImportFrom():
                yield from ((ast.Name(each.asname), ast.Name(each.name)) for each in node.names if each.asname)
            case ast.Call():
                yield from self._passed(node)
            case _:
                pass

    def _passed(self, call: ast.Call) -> Iterator[tuple[ast.AST, ast.expr]]:
        """Yield the parameters of functions of the program, or the container, with what a call passes to them."""
        given = [*call.args, *(each.value for each in call.keywords)]
        yield from ((ast.Name(each.arg), each.value) for each in call.keywords if each.arg)
        if isinstance(call.func, ast.Attribute) and call.func.attr in KEEPING:
            yield from ((call.func.value, each) for each in given)
        for names, others in self._parameters.get(last_name(call.func), ()):
            is_open = any(isinstance(each, ast.Starred) for each in call.args) or None in {e.arg for e in call.keywords}
            yield from ((ast.Name(name), each) for name in others + (names if is_open else []) for each in given)
            yield from ((ast.Name(name), each) for name, each in zip(names, call.args, strict=False))
        # A function that is passed to another one, such as `partial(run, org)`, may get all that is passed beside it.
        for function in given:
            found = [parameters_of(function.args)] if isinstance(function, ast.Lambda) else []
            for names, others in [*found, *self._parameters.get(last_name(function), ())]:
                yield from ((ast.Name(name), each) for name in names + others for each in given if each is not function)

    def _bind(self, file: str, target: ast.AST | None, value: ast.expr | None) -> None:
        while isinstance(target, ast.Subscript | ast.Starred):
            target = target.value
        if isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            for index, each in enumerate(target.elts):
                self._bind(file, each, parts[index] if len(parts) == len(target.elts) else value)
        elif value is not None and target is not None and last_name(target):
            self._bound[None, last_name(target)].append((file, value))
            if isinstance(target, ast.Name):
                self._bound[file, target.id].append((file, value))

    def _kinds_of(self, file: str, node: ast.expr | None) -> Kinds:
        """Return what an expression may be."""
        member = member_of(node)
        if node is not None and member is not None:
            owner = self._kinds_of(file, member[0])
            return owner if gives(node) else self._kinds_of_member(owner, member[1])
        match node:
            case ast.Name(id=name):
                return self._kinds_of_name(file, name)
            case ast.Call(func=func):
                if any(self._named(file, func)) and not gives(func):
                    return DATA
                given = [*node.args, *(each.value for each in node.keywords)]
                # What a function of the program returns is known; any other may return what it takes.
                is_known = last_name(func) in self._parameters and not last_name(func)[0].isupper()
                passed = DATA if is_known else self._kinds_of_all(file, given) - ANYTHING
                return self._kinds_of(file, func) | passed
            case ast.Constant(value=str() as text):
                # An annotation may be a text.
                return DATA.union(*(KNOWN.get(word, DATA) for word in re.findall(r"\w+", text)))
            case ast.BinOp(op=ast.BitOr()):
                return self._kinds_of_all(file, [node.left, node.right])
            case ast.Constant(value=None) | None:
                # Something else may take its place.
                return ANYTHING
            case ast.Constant() | ast.JoinedStr() | ast.Compare() | ast.BinOp():
                return DATA
            case ast.IfExp():
                return self._kinds_of_all(file, [node.body, node.orelse])
            case ast.Subscript():
                # Of an annotation, such as `list[OrganizationScope]`, the slice counts; an index is plain data.
                return self._kinds_of(file, node.value) | (self._kinds_of(file, node.slice) - ANYTHING)
            case _:
                return self._kinds_of_all(file, [e for e in ast.iter_child_nodes(node) if isinstance(e, ast.expr)])

    def _kinds_of_all(self, file: str, nodes: list[ast.expr]) -> Kinds:
        return DATA.union(*(self._kinds_of(file, each) for each in nodes))

    def _kinds_of_name(self, file: str, name: str) -> Kinds:
        if name in KNOWN:
            return KNOWN[name]
        values = self._bound.get((file, name), [])
        found = self._kinds[file, name]
        if not values and name in self._trusted[file]:
            return DATA
        if all(value is FREE for _, value in values):
            found = self._kinds[None, name] | ANYTHING
        elif any(value is FREE for _, value in values):
            found -= ANYTHING
        return found | resources_of(found, name) if UNKNOWN in found and name in RESOURCES else found

    def _kinds_of_member(self, owner: Kinds, name: str) -> Kinds:
        """Return what a member may be, by what its owner may be."""
        if name in SCOPES:
            return frozenset({name})
        if name in RESOURCES:
            return resources_of(owner, name)
        if not owner:
            return DATA
        return self._kinds[None, name] if (None, name) in self._bound else ANYTHING

    def _named(self, file: str, node: ast.AST) -> Iterator[tuple[Operation, bool]]:
        """Yield the operations that an expression names, and whether each is optional."""
        member = member_of(node)
        if member is not None:
            for resource in self._kinds_of(file, member[0]):
                if isinstance(resource, Resource):
                    yield from called(resource, member[1])
        elif isinstance(node, ast.Call) and last_name(node.func) == "request":
            yield from ((each, False) for each in self._requested(file, node))
        elif isinstance(node, ast.Call) and last_name(node.func) in COMPUTING:
            for text in (str(each.value) for each in node.args if isinstance(each, ast.Constant)):
                names = text.split(".")
                yield from (
                    use for each in METHODS if each.name in names for verb in names for use in called(each, verb)
                )
        elif isinstance(node, ast.Call) and last_name(node.func) == "Batch" and self._waits:
            # A batch that is run with `until` waits for what it has created.
            for argument in [*node.args, *(each.value for each in node.keywords)]:
                for resource in {Resource(each.scope, each.resource) for each, _ in self._named(file, argument)}:
                    yield from called(resource, "wait")

    def _requested(self, file: str, call: ast.Call) -> list[Operation]:
        """Return the operations that a call of `request` may be, as far as its method and path are constant."""
        given = [*call.args[:2], *(each.value for each in call.keywords if each.arg in ("method", "path"))]
        method, path = (self._text(file, each) for each in [*given, None, None][:2])
        if method is None or path is None:
            return []
        pattern = re.compile("[^/]+".join(map(re.escape, path.split("\0"))))
        return [
            each
            for each in operations
            if each.method == method.upper() and len(each.path.split("/")) == len(path.split("/"))
            if pattern.fullmatch(each.path) or operations.find(method, path.replace("\0", "x")) is each
        ]

    def _text(self, file: str, node: ast.expr | None) -> str | None:
        """Return a constant text, with a NUL for each part that is not constant; None if nothing of it is."""
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.JoinedStr():
                return "".join(self._text(file, each) or "\0" for each in node.values)
            case ast.BinOp(op=ast.Add()):
                return (self._text(file, node.left) or "\0") + (self._text(file, node.right) or "\0")
            case ast.Name(id=name) if len(self._bound[file, name]) == 1:
                return self._text(file, self._bound[file, name][0][1])
            case _:
                return None

    def _undecided(self, file: str, node: ast.AST) -> Iterator[str]:
        """Yield the reasons why reading does not decide a place."""
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from self._not_read(file, node)
        elif isinstance(node, ast.Name | ast.Attribute) and id(node) not in self._called_nodes:
            if last_name(node) in COMPUTING or self._is_request(file, node):
                yield f"{last_name(node)} is not called here, but passed on"
        elif isinstance(node, ast.Call) and member_of(node) is None:
            name = last_name(node.func)
            kinds = self._kinds_of_all(file, [*node.args, *(each.value for each in node.keywords)]) - ANYTHING
            if name in COMPUTING:
                yield f"{name} computes a name, or runs a text"
            elif name == "request" and self._is_request(file, node.func) and not any(self._named(file, node)):
                yield "the request is of no operation of the contract, or its method or path is not constant"
            elif kinds and not self._is_read(file, node.func):
                what = "a resource" if any(isinstance(each, Resource) for each in kinds) else "a client or a scope"
                yield f"{what} is passed to {name or 'a function'}, which was not read"

    def _is_request(self, file: str, node: ast.expr) -> bool:
        """Return whether an expression may be `AgentPlatform.request`."""
        if not isinstance(node, ast.Attribute) or node.attr != "request" or root_of(node) in self._trusted[file]:
            return False
        wanted = {CLIENT, UNKNOWN} if id(node) in self._called_nodes else {CLIENT}
        return bool(self._kinds_of(file, node.value) & wanted)

    def _is_read(self, file: str, func: ast.expr) -> bool:
        """Return whether a function is of the program, or of Python, which names no operation by itself."""
        name = last_name(func)
        of_python = root_of(func) in self._trusted[file] or (isinstance(func, ast.Name) and hasattr(builtins, name))
        return of_python or name in self._parameters or name in KNOWN or name in KEEPING or name == "organization"

    def _not_read(self, file: str, node: ast.ImportFrom | ast.Import) -> Iterator[str]:
        """Yield a reason for each import of a part of the program that was not read."""
        level = getattr(node, "level", 0)
        folder = Path(file).parents[max(0, level - 1)]
        module = getattr(node, "module", None)
        for name in [module] if module else [each.name for each in node.names]:
            path = folder.joinpath(*name.split("."))
            beside = [str(path.with_suffix(".py")), str(path / "__init__.py")]
            is_own = path.name not in FOREIGN and (level or any(map(os.path.isfile, beside)))
            if is_own and not any(each in self.trees for each in beside):
                yield f"imports {'.' * level}{name}, a part of the program that was not read"


def called(resource: Resource, verb: str) -> Iterator[tuple[Operation, bool]]:
    """Yield the operations that a method of a resource calls, and whether each is optional."""
    for each in METHODS[resource].get(verb, ()):
        yield each, False
        if each.job == verb and each.shared_list:
            yield operations[each.shared_list], True


def resources_of(owner: Kinds, name: str) -> Kinds:
    """Return the resource of a name in the scopes of its owner; in all of them where the owner shows none."""
    shown = owner.intersection(SCOPES) if UNKNOWN not in owner else frozenset(SCOPES)
    every = {each for each in METHODS if each.name == name}
    return frozenset({each for each in every if each.scope in shown} or every)


def member_of(node: ast.AST | None) -> tuple[ast.expr, str] | None:
    """Return owner and name of an attribute, also of a `getattr` with a constant name."""
    match node:
        case ast.Attribute():
            return node.value, node.attr
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str() as name), *_]):
            return owner, name
        case _:
            return None


def gives(node: ast.expr) -> bool:
    """Return whether an expression is a method by which a container gives what it keeps."""
    if not isinstance(node, ast.Attribute) or node.attr not in GIVING:
        return False
    return not any(each.name == last_name(node.value) and node.attr in METHODS[each] for each in METHODS)


def last_name(node: ast.AST) -> str:
    """Return the name of a name, an attribute, or of what is called; empty for anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def root_of(node: ast.AST) -> str:
    """Return the name at the beginning of `name.attribute.attribute`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return last_name(node)


def is_none(node: ast.expr | None) -> bool:
    """Return whether an expression is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None


def parameters_of(given: ast.arguments) -> tuple[list[str], list[str]]:
    """Return the parameters that are given by position, and those that take all the others."""
    names = [each.arg for each in [*given.posonlyargs, *given.args] if each.arg not in ("self", "cls")]
    return names, [each.arg for each in (given.vararg, given.kwarg) if each is not None]


def python_files(path: Path) -> Iterator[Path]:
    """Yield a file, or all Python files of a folder.

    Raises:
        InvalidArgumentError: There is nothing to read.
    """
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise InvalidArgumentError(f"there is no file or folder {str(path)!r}")
    found: list[Path] = []
    for place, folders, names in os.walk(path):
        # A virtual environment has a pyvenv.cfg.
        is_own = [
            not (each in FOREIGN or each[0] == "." or Path(place, each, "pyvenv.cfg").exists()) for each in folders
        ]
        folders[:] = [each for each, own in zip(folders, is_own, strict=True) if own]
        found += [Path(place, name) for name in names if name.endswith((".py", ".pyi"))]
    if not found:
        raise InvalidArgumentError(f"the folder {path} has no Python files")
    yield from sorted(found)


def parse(path: Path) -> ast.Module:
    """Parse a file.

    Raises:
        InvalidArgumentError: It is not Python, or cannot be read.
    """
    try:
        with tokenize.open(path) as file:
            return ast.parse(file.read())
    except OSError as error:
        raise InvalidArgumentError(f"{path} cannot be read: {error.strerror}") from error
    except SyntaxError as error:
        raise InvalidArgumentError(f"{path}:{error.lineno or 1}: it is not Python: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InvalidArgumentError(f"{path}: it is not Python that can be parsed: {error}") from error
