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
from typing import Any, TypeAlias

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

SCOPES = frozenset({"organization", "enterprise"})
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
COMPUTING = frozenset(
    {
        *("getattr", "attrgetter", "methodcaller", "__getattribute__", "__getattr__", "__dict__", "vars"),
        *("eval", "exec", "import_module", "__import__"),
    }
)


Kinds: TypeAlias = frozenset[str]
"""What an expression may be: CLIENT, scopes, resources; UNKNOWN if it may be anything; nothing for plain data."""

ANYTHING: Kinds = frozenset({UNKNOWN})
DATA: Kinds = frozenset()

METHODS: dict[str, list[Operation]] = defaultdict(list)
KNOWN: dict[str, Kinds] = {
    **dict.fromkeys(("AgentPlatform", "agent_platform", "agent_platform_factory"), frozenset({CLIENT})),
    **{f"{scope.title()}Scope": frozenset({scope}) for scope in SCOPES},
}
"""Names whose objects are known, the fixtures of the pytest plugin included."""
for each in operations:
    KNOWN[f"{each.scope}_{each.resource}".title().replace("_", "")] = frozenset({each.scope, each.resource})
    for method in filter(None, (each.verb, each.job)):
        METHODS[method].append(each)
RESOURCES = frozenset(each.resource for each in operations)


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
    trees = {str(path): parse(path) for path in files.values()}
    try:
        uses, undecided = Program(trees).read()
    except RecursionError:
        raise InvalidArgumentError("the program is nested too deeply to be read") from None
    return ProgramUse(tuple(trees), tuple(sorted(uses)), tuple(sorted(undecided)))


class Program:
    """The files of a program, and what each of its names may be.

    A name is the same thing in all of a file, and an attribute in all files: that finds too much, never too little.

    Args:
        trees: The syntax trees, by file.
    """

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        self._trees = trees
        self._nodes = [(file, node) for file, tree in trees.items() for node in ast.walk(tree)]
        self._called = {id(node.func) for _, node in self._nodes if isinstance(node, ast.Call)}
        self._waits = any(isinstance(node, ast.keyword) and node.arg == "until" for _, node in self._nodes)
        # The parameters of functions, and the fields of classes, by their names.
        self._parameters: dict[str, set[str]] = defaultdict(set)
        # What a file imports from the standard library and the SDK, which names no operation by itself.
        self._trusted: dict[str, set[str]] = defaultdict(set)
        self._bound: dict[tuple[str, str], list[tuple[str, ast.expr]]] = defaultdict(list)
        self._kinds: dict[tuple[str, str], Kinds] = {}
        # The parameters of all functions that are called, or passed on: what is passed comes from any file.
        self._given = set[str]()

    def read(self) -> tuple[set[Place], set[Place]]:
        """Return the uses, and the places that are undecided."""
        for file, node in self._nodes:
            self._note(file, node)
        called_or_passed = {
            last_name(each) for _, call in self._nodes if isinstance(call, ast.Call) for each in callees(call)
        }
        self._given = set[str]().union(*(self._parameters[name] for name in called_or_passed & {*self._parameters}))
        for file, node in self._nodes:
            for target, value in self._bindings(node):
                self._bind(file, target, value)
        self._kinds = dict.fromkeys(self._bound, DATA)
        before = None
        while before != self._kinds:
            before = self._kinds.copy()
            self._kinds = {
                name: DATA.union(*(self._kinds_of(file, value) for file, value in values))
                for name, values in self._bound.items()
            }
        uses, undecided = set[Place](), set[Place]()
        for file, node in self._nodes:
            line = getattr(node, "lineno", 1)
            uses |= {Place(file, line, each.name, optional) for each, optional in self._named(file, node)}
            undecided |= {Place(file, line, reason) for reason in self._undecided(file, node)}
        return uses, undecided

    def _note(self, file: str, node: ast.AST) -> None:
        """Note functions, classes and trusted imports."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._parameters[node.name] |= parameters_of(node.args)
            case ast.ClassDef(name=name, body=body):
                made = [each.args for each in body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
                # What a class without a constructor of its own takes is shown by its bases, which may not be read.
                if made or not node.bases:
                    fields = {last_name(each.target) for each in body if isinstance(each, ast.AnnAssign)}
                    self._parameters[name] |= fields.union(*map(parameters_of, made))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=given)):
                self._parameters[name] |= parameters_of(given)
            case ast.Import() | ast.ImportFrom():
                module = node.names[0].name if isinstance(node, ast.Import) else node.module or ""
                root = "" if getattr(node, "level", 0) else module.partition(".")[0]
                if root in sys.stdlib_module_names or root in SDK:
                    self._trusted[file] |= {(each.asname or each.name).split(".")[0] for each in node.names}
            case _:
                pass

    def _bindings(self, node: ast.AST) -> Iterator[tuple[ast.AST | None, ast.expr | None]]:
        """Yield what a statement or an expression binds to names, attributes, functions and parameters."""
        match node:
            case ast.Assign():
                yield from ((target, node.value) for target in node.targets)
            case ast.AnnAssign():
                yield from ((node.target, each) for each in (node.value, node.annotation))
            case ast.AugAssign() | ast.NamedExpr():
                yield node.target, node.value
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                yield node.target, node.iter
            case ast.With() | ast.AsyncWith():
                yield from ((each.optional_vars, each.context_expr) for each in node.items)
            case ast.Match():
                names = [getattr(each, "name", None) or getattr(each, "rest", None) for each in ast.walk(node)]
                yield from ((ast.Name(each), node.subject) for each in names if each)
            case ast.MatchClass():
                for attribute, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
                    yield ast.Name(getattr(pattern, "name", None) or ""), ast.Name(attribute)
            case ast.alias(name=name, asname=str() as alias):
                yield ast.Name(alias), ast.Name(name.split(".")[-1])
            case ast.ClassDef():
                yield from ((ast.Name(node.name), each) for each in node.bases)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                given = [each for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom)]
                yield from ((ast.Name(node.name), each) for each in [node.returns, *(each.value for each in given)])
            case ast.arg(arg=name) if name not in ("self", "cls"):
                # Whoever calls a function that is not called here was not read.
                yield ast.Name(name), node.annotation or (ast.Attribute(FREE, name) if name in self._given else FREE)
            case ast.arguments():
                positional = reversed([*node.posonlyargs, *node.args])
                found = [
                    *zip(positional, reversed(node.defaults), strict=False),
                    *zip(node.kwonlyargs, node.kw_defaults, strict=True),
                ]
                yield from (
                    (ast.Name(each.arg), default) for each, default in found if default and not is_none(default)
                )
            case ast.Call():
                yield from self._passed(node)
            case _:
                pass

    def _passed(self, call: ast.Call) -> Iterator[tuple[ast.AST, ast.expr]]:
        """Yield what a call binds: each parameter of the function, or of one that is passed, may be each value."""
        given = given_to(call)
        yield from ((ast.Name(each.arg), each.value) for each in call.keywords if each.arg)
        if isinstance(call.func, ast.Attribute) and call.func.attr in KEEPING:
            yield from ((call.func.value, each) for each in given)
        for function in callees(call):
            names = self._parameters.get(last_name(function), ())
            if isinstance(function, ast.Lambda):
                names = parameters_of(function.args)
            yield from ((ast.Name(name), each) for name in names for each in given if each is not function)

    def _bind(self, file: str, target: ast.AST | None, value: ast.expr | None) -> None:
        while isinstance(target, ast.Subscript | ast.Starred):
            target = target.value
        if isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            for index, each in enumerate(target.elts):
                self._bind(file, each, parts[index] if len(parts) == len(target.elts) else value)
        elif value is not None and target is not None and last_name(target):
            self._bound["", last_name(target)].append((file, value))
            if isinstance(target, ast.Name):
                self._bound[file, target.id].append((file, value))

    def _kinds_of(self, file: str, node: ast.expr) -> Kinds:
        """Return what an expression may be."""
        member = member_of(node)
        if member is not None:
            owner = self._kinds_of(file, member[0])
            if member[1] in SCOPES:
                return frozenset({member[1]})
            if member[1] in RESOURCES:
                return owner - RESOURCES - {CLIENT} | {member[1]}
            if gives(node):
                return owner
            return self._kinds.get(("", member[1]), ANYTHING) if owner else DATA
        match node:
            case ast.Name(id=name):
                return self._kinds_of_name(file, name)
            case ast.Call(func=func):
                if any(self._named(file, func)) and not gives(func):
                    return DATA
                # What a function of the program returns is known; any other may return what it takes.
                is_known = last_name(func) in self._parameters and not last_name(func)[0].isupper()
                taken = DATA if is_known else self._kinds_of_all(file, given_to(node)) - ANYTHING
                return self._kinds_of(file, func) | taken
            case ast.Constant(value=str() as text):
                # An annotation may be a text.
                return DATA.union(*(KNOWN.get(word, DATA) for word in re.findall(r"\w+", text)))
            case ast.Constant(value=None):
                # Something else may take its place.
                return ANYTHING
            case ast.BinOp(op=op) if not isinstance(op, ast.BitOr):
                return DATA
            case _:
                return self._kinds_of_all(file, [e for e in ast.iter_child_nodes(node) if isinstance(e, ast.expr)])

    def _kinds_of_all(self, file: str, nodes: list[ast.expr]) -> Kinds:
        return DATA.union(*(self._kinds_of(file, each) for each in nodes))

    def _kinds_of_name(self, file: str, name: str) -> Kinds:
        if name in KNOWN:
            return KNOWN[name]
        is_data = hasattr(builtins, name) or name in self._trusted[file]
        found = self._kinds.get((file, name))
        if found is None:
            found = DATA if is_data else self._kinds.get(("", name), ANYTHING)
        return found | {name} if UNKNOWN in found and name in RESOURCES else found

    def _named(self, file: str, node: ast.AST) -> Iterator[tuple[Operation, bool]]:
        """Yield the operations that an expression names, and whether each is optional."""
        member = member_of(node)
        if member is not None:
            yield from called(self._kinds_of(file, member[0]), member[1])
        elif isinstance(node, ast.Call) and last_name(node.func) == "request":
            yield from ((each, False) for each in requested(node))
        elif isinstance(node, ast.Call) and last_name(node.func) in COMPUTING:
            texts = [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
            names = {name for text in texts for name in text.split(".")}
            for verb in names:
                yield from called(frozenset(names & RESOURCES), verb)
        elif isinstance(node, ast.Call) and last_name(node.func) == "Batch" and self._waits:
            # A batch that is run with `until` waits for what it has created.
            for each in {each for argument in given_to(node) for each, _ in self._named(file, argument)}:
                yield from called(frozenset({each.scope, each.resource}), "wait")

    def _undecided(self, file: str, node: ast.AST) -> Iterator[str]:
        """Yield the reasons why reading does not decide a place."""
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from self._not_read(file, node)
        elif isinstance(node, ast.Name | ast.Attribute) and id(node) not in self._called:
            name = last_name(node)
            is_request = name == "request" and isinstance(node, ast.Attribute)
            if name in COMPUTING or (is_request and CLIENT in self._kinds_of(file, getattr(node, "value", FREE))):
                yield f"{name} is not called here, but passed on"
        elif isinstance(node, ast.Call) and member_of(node) is None:
            name = last_name(node.func)
            kinds = self._kinds_of_all(file, given_to(node)) - ANYTHING
            if name in COMPUTING:
                yield f"{name} computes a name, or runs a text"
            elif name == "request" and isinstance(node.func, ast.Attribute) and not any(self._named(file, node)):
                if self._kinds_of(file, node.func.value) & {CLIENT, UNKNOWN}:
                    yield "the request is of no operation of the contract, or its method or path is not constant"
            elif kinds and not self._is_read(file, node.func):
                what = "a resource" if kinds & RESOURCES else "a client or a scope"
                yield f"{what} is passed to {name or 'a function'}, which was not read"

    def _is_read(self, file: str, func: ast.expr) -> bool:
        """Return whether a function is of the program, or of Python, which names no operation by itself."""
        name = last_name(func)
        of_python = root_of(func) in self._trusted[file] or (isinstance(func, ast.Name) and hasattr(builtins, name))
        return of_python or name in self._parameters or name in KNOWN or name in KEEPING or name in SCOPES

    def _not_read(self, file: str, node: ast.ImportFrom | ast.Import) -> Iterator[str]:
        """Yield a reason for each import of a part of the program that was not read."""
        level = getattr(node, "level", 0)
        folder = Path(file).parents[max(0, level - 1)]
        module = getattr(node, "module", None)
        for name in [module] if module else [each.name for each in node.names]:
            path = folder.joinpath(*name.split("."))
            beside = [str(path.with_suffix(".py")), str(path / "__init__.py")]
            is_own = path.name not in FOREIGN and (level or any(map(os.path.isfile, beside)))
            if is_own and not any(each in self._trees for each in beside):
                yield f"imports {'.' * level}{name}, a part of the program that was not read"


def called(kinds: Kinds, verb: str) -> Iterator[tuple[Operation, bool]]:
    """Yield the operations that a method of a resource calls, and whether each is optional."""
    shown = kinds & SCOPES if UNKNOWN not in kinds else SCOPES
    found = [each for each in METHODS[verb] if each.resource in kinds]
    for each in [each for each in found if each.scope in shown] or found:
        yield each, False
        if each.job == verb and each.shared_list:
            yield operations[each.shared_list], True


def requested(call: ast.Call) -> list[Operation]:
    """Return the operations that a call of `request` may be, as far as its method and path are constant."""
    given = [*call.args[:2], *(each.value for each in call.keywords if each.arg in ("method", "path"))]
    method, path = ([*map(text_of, given), "", ""])[:2]
    pattern = re.compile("[^/]+".join(map(re.escape, path.split("\0"))))
    return [
        each
        for each in operations
        if each.method == method.upper() and len(each.path.split("/")) == len(path.split("/"))
        if pattern.fullmatch(each.path) or operations.find(method, path.replace("\0", "x")) is each
    ]


def text_of(node: ast.expr) -> str:
    """Return a constant text, with a NUL for each part that is not constant."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr():
            return "".join(map(text_of, node.values))
        case ast.BinOp(op=ast.Add()):
            return text_of(node.left) + text_of(node.right)
        case _:
            return "\0"


def member_of(node: ast.AST) -> tuple[ast.expr, str] | None:
    """Return owner and name of an attribute, also of a `getattr` with a constant name."""
    match node:
        case ast.Attribute():
            return node.value, node.attr
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str() as name), *_]):
            return owner, name
        case _:
            return None


def is_none(node: ast.expr) -> bool:
    """Return whether an expression is None, in whose place a caller gives something else."""
    return isinstance(node, ast.Constant) and node.value is None


def gives(node: ast.expr) -> bool:
    """Return whether an expression is a method by which a container gives what it keeps."""
    if not isinstance(node, ast.Attribute) or node.attr not in GIVING:
        return False
    return not any(each.resource == last_name(node.value) for each in METHODS[node.attr])


def given_to(call: ast.Call) -> list[ast.expr]:
    """Return all that a call passes, by position and by name."""
    return [*call.args, *(each.value for each in call.keywords)]


def callees(call: ast.Call) -> list[ast.expr]:
    """Return what a call may run: its function, and those that it passes, such as of `partial(run, org)`."""
    return [call.func, *given_to(call)]


def last_name(node: ast.AST) -> str:
    """Return the name of a name, an attribute, or of what is called; empty for anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def root_of(node: ast.AST) -> str:
    """Return the name at the beginning of `name.attribute.attribute`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return last_name(node)


def parameters_of(given: ast.arguments) -> set[str]:
    """Return the names of parameters."""
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {each.arg for each in every if each is not None} - {"self", "cls"}


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
