"""The operations that a program names, found by reading its syntax trees. Nothing of it is run.

It names too much rather than too little. Whatever is spelled like a resource and a verb of the catalogue is a use:
`.sessions.create`, a text in `getattr`, and, once the program has put `.sessions` somewhere, every other `.create`,
too. The scope is read from what its name is bound to anywhere in the program; where that does not show it,
it is both. A place where a client, a scope or a resource is passed to code that was not read, or where a name is
computed, is undecided. The journal of a sandbox is exact.
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

# Folders that are not part of the program, such as a copy of the SDK.
FOREIGN = {
    *("__pycache__", "node_modules", "site-packages"),
    *("agent_session_platform", "agent_session_platform_api", "agent_session_platform_sandbox"),
}
METHODS: dict[str, list[Operation]] = defaultdict(list)
# Names of clients, scopes and resources, each with its scope and resource; two are fixtures of the pytest plugin.
CLASSES: dict[str, tuple[str, str]] = dict.fromkeys(
    ("AgentPlatform", "agent_platform", "agent_platform_factory"), ("", "")
)
for each in operations:
    CLASSES[f"{each.scope.title()}Scope"] = (each.scope, "")
    CLASSES[f"{each.scope}_{each.resource}".title().replace("_", "")] = (each.scope, each.resource)
    for method in filter(None, (each.verb, each.job)):
        METHODS[method].append(each)
SCOPES = {"organization", "enterprise"}
CLIENT, UNKNOWN = "client", "unknown"
RESOURCES = {each.resource for each in operations}

# What looks a name up, or runs a text.
COMPUTING = {
    *("getattr", "attrgetter", "methodcaller", "__getattribute__", "__getattr__", "__dict__", "vars"),
    *("setattr", "getattr_static", "getmembers", "getmembers_static", "import_module", "__import__"),
    *("eval", "exec", "run_path", "run_module"),
}
# These call nothing that they are passed.
LOOKING = {"print", "isinstance", "issubclass", "str", "repr", "len", "type", "id", "bool", "zip", "enumerate", "list"}
# Stands for a value that the program does not show.
FREE = ast.Name("")

Key: TypeAlias = tuple[str, str]
"""A name in a file; an attribute in the file `.`; any of both, for whoever takes it from another file, in no file."""


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
        required = {each.what for each in self.uses if not each.optional}
        optional = {each.what for each in self.uses} - required
        return RequiredPermissions(
            [operations[each] for each in required], optional=[operations[each] for each in optional]
        )

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
        uses = "\n  ".join(["Operations:", *map(str, self.uses or ["none"])])
        undecided = "\n  ".join(["Undecided:", *map(str, self.undecided or ["none"])])
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
    uses, undecided = set[Place](), set[Place]()
    for file, node in program.nodes:
        line = getattr(node, "lineno", 1)
        uses |= {Place(file, line, *each) for each in program.named(file, node)}
        undecided |= {Place(file, line, reason) for reason in program.undecided(file, node)}
    return ProgramUse(tuple(program.trees), tuple(sorted(uses)), tuple(sorted(undecided)))


class Program:
    """The files of a program, and what its names may be.

    A name is the same thing in all of a file, and an attribute in all files: that finds too much, never too little.

    Args:
        trees: The syntax trees, by file.
    """

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        self.trees = trees
        self.nodes = [(file, node) for file, tree in trees.items() for node in ast.walk(tree)]
        self._called = {id(node.func) for _, node in self.nodes if isinstance(node, ast.Call)}
        self._waits = any(isinstance(node, ast.keyword) and node.arg == "until" for _, node in self.nodes)
        # The parameters of functions and classes, by name.
        self._functions: dict[str, set[Key]] = defaultdict(set)
        # What a file imports from the library of Python.
        self._library: dict[str, set[str]] = defaultdict(set)
        self._bound: dict[Key, list[tuple[str, ast.AST]]] = defaultdict(list)
        for file, node in self.nodes:
            self._define(file, node)
        self._kinds = {key: set[str]() for key in self._bound}
        before = None
        while before != self._kinds:
            before = {key: {*kinds} for key, kinds in self._kinds.items()}
            self._spread_kinds()
        owners = {id(node.value) for _, node in self.nodes if isinstance(node, ast.Attribute)}
        # The resources that are put somewhere: their methods may be called by any name.
        self._loose = {word for _, node in self.nodes if id(node) not in owners for word in words_in(node) & RESOURCES}

    def _define(self, file: str, node: ast.AST) -> None:
        """Note what a node defines, imports and binds."""
        values = [getattr(node, name, None) for name in ("value", "iter", "context_expr", "annotation")]
        targets = [getattr(node, "target", None), getattr(node, "optional_vars", None), *getattr(node, "targets", ())]
        names = [each for target in targets if target for each in ast.walk(target)]
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._functions[name] |= parameters_of(file, node)
                results = [each for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom)]
                names, values = [ast.Name(name)], [node.returns, *(each.value for each in results)]
            case ast.ClassDef(name=name):
                kept = [each.value for each in ast.walk(node) if isinstance(each, ast.Assign)]
                names, values = [ast.Name(name)], [*node.bases, *kept]
                # What a class without a constructor of its own takes is shown by its bases, which may not be read.
                if not node.bases or any(getattr(each, "name", "") == "__init__" for each in node.body):
                    self._functions[name] |= parameters_of(file, node)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
                self._functions[name] |= parameters_of(file, node)
            case ast.arg(arg=name):
                names, values = [ast.Name(name)], [node.annotation or FREE]
            case ast.arguments():
                names = [ast.Name(name) for _, name in parameters_of(file, node)]
                values = [each for each in (*node.defaults, *node.kw_defaults) if not isinstance(each, ast.Constant)]
            case ast.alias(name=name, asname=str() as alias):
                names, values = [ast.Name(alias)], [ast.Name(name.rpartition(".")[2])]
            case ast.Import(names=imported) | ast.ImportFrom(names=imported, level=0):
                for module in imported:
                    if (getattr(node, "module", None) or module.name).partition(".")[0] in sys.stdlib_module_names:
                        self._library[file].add((module.asname or module.name).partition(".")[0])
            case _:
                pass
        for each in [each for each in names if member_of(each)[1]]:
            for place in [file, ""] if isinstance(each, ast.Name) else [".", ""]:
                self._bound[place, member_of(each)[1]] += [(file, value) for value in values if value is not None]

    def _spread_kinds(self) -> None:
        """Add to what each name may be: what it is bound to, what calls pass to it, what its object keeps."""
        for key, values in self._bound.items():
            self._kinds[key].update(*(self._kinds_of(*value) for value in values))
        for file, call in self.nodes:
            if isinstance(call, ast.Call) and CLIENT in (passed := self._kinds_of(file, *given_to(call))):
                # Each parameter of a function may be each value of a call that runs it, or passes it on.
                names = [member_of(each)[1] for each in (call.func, *given_to(call))]
                reached = [key for name in names for key in self._functions.get(name, ()) if key in self._kinds]
                for key in (*reached, *self._keys(file, member_of(call.func)[0])):
                    self._kinds[key] |= passed

    def _keys(self, file: str, node: ast.AST) -> set[Key]:
        """Return the keys of a name, which an attribute of another file may set, or of an attribute."""
        name = member_of(node)[1]
        is_own = isinstance(node, ast.Name) and (file, name) in self._bound
        return ({(file, name), (".", name)} if is_own else {("", name)}) & self._bound.keys()

    def _kinds_of(self, file: str, *nodes: ast.AST) -> set[str]:
        """Return what some expressions may be: CLIENT and scopes, UNKNOWN; nothing for plain data."""
        return set[str]().union(*(self._kinds_of_one(file, each) for each in nodes))

    def _kinds_of_one(self, file: str, node: ast.AST) -> set[str]:
        (owner, name), keys = member_of(node), self._keys(file, node)
        if is_operation(node):
            return set()
        if name in CLASSES:
            return {CLIENT, CLASSES[name][0]}
        if owner is not FREE and name in SCOPES:
            return {CLIENT, name}
        if owner is not FREE and name in RESOURCES:
            return {CLIENT, *self._kinds_of(file, owner)}
        if keys:
            return set[str]().union(*(self._kinds[key] for key in keys))
        match node:
            case ast.Name():
                return set() if hasattr(builtins, name) or name in self._library[file] else {UNKNOWN}
            case ast.Call(func=function):
                owner, name = member_of(function)
                if is_operation(function) or name == "request":
                    return set()
                if name in self._functions and name[0].islower():
                    return self._kinds_of(file, function)
                # Any function that was not read may return what it takes, and a method what its object keeps.
                source = function if owner is FREE or name in SCOPES else owner
                return self._kinds_of(file, source, *given_to(node))
            case ast.Constant(value=str() as text):
                # An annotation may be a text.
                return self._kinds_of(file, *(ast.Name(word) for word in re.findall(r"\w+", text) if word in CLASSES))
            case ast.Constant(value=None):
                # Something else may take its place.
                return {UNKNOWN}
            case ast.BinOp(op=ast.BitOr()):
                return self._kinds_of(file, node.left, node.right) - {UNKNOWN}
            case ast.BinOp():
                # A long sum is nested too deeply for recursion.
                return {UNKNOWN}
            case _:
                return self._kinds_of(file, *ast.iter_child_nodes(node))

    def named(self, file: str, node: ast.AST) -> Iterator[tuple[str, bool]]:
        """Yield the operations that a node names, and whether each is optional."""
        owner, verb = member_of(node)
        if owner is not FREE and verb in METHODS:
            name, kinds = member_of(owner)[1], self._kinds_of(file, owner)
            is_named = name in RESOURCES and not isinstance(owner, ast.Name)
            resources = {CLASSES.get(name, ("", name))[1]} if is_named or kinds else set[str]()
            if kinds and not (is_named and (".", name) not in self._bound):
                resources |= self._loose
            scopes = kinds & SCOPES if UNKNOWN not in kinds else SCOPES
            # A batch that is run with `until` waits for what it has created.
            for each in [verb, "wait"] if self._waits and id(node) not in self._called else [verb]:
                yield from called(resources, scopes, each)
        elif isinstance(node, ast.Call) and member_of(node.func)[1] == "request":
            yield from ((each.name, False) for each in requested(node))
        elif isinstance(node, ast.Call) and member_of(node.func)[1] in COMPUTING:
            for verb in words_in(node):
                yield from called(words_in(node) | self._loose, SCOPES, verb)

    def undecided(self, file: str, node: ast.AST) -> Iterator[str]:
        """Yield the reasons why reading does not decide a place."""
        owner, name = member_of(node.func if isinstance(node, ast.Call) else node)
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                dots = "." * getattr(node, "level", 0)
                for module in {getattr(node, "module", None) or each.name for each in names}:
                    if self._is_left_out(file, dots, module):
                        yield f"imports {dots}{module}, a part of the program that was not read"
            case ast.alias(name=name, asname=str()) if name in COMPUTING:
                yield f"{name} gets another name"
            case ast.Name() | ast.Attribute() if id(node) not in self._called:
                if name in COMPUTING or (name == "request" and CLIENT in self._kinds_of(file, owner)):
                    yield f"{name} is not called here, but passed on"
            case ast.Call() if name in COMPUTING and member_of(node)[0] is FREE:
                yield f"{name} computes a name, or runs a text"
            case ast.Call() if name == "request":
                if owner is not FREE and not requested(node):
                    yield "the request is of no operation of the contract, or its method or path is not constant"
            case ast.Call() if CLIENT in self._kinds_of(file, *given_to(node)):
                # What is of Python, or of its library, names no operation by itself, but may call what it is passed.
                callables = [each for each in given_to(node) if isinstance(each, ast.Name | ast.Attribute)]
                is_run = any(self._kinds_of(file, each) == {UNKNOWN} for each in callables) and name not in LOOKING
                is_foreign = UNKNOWN in self._kinds_of(file, node.func if owner is FREE else owner)
                if name not in self._functions and (is_foreign or is_run):
                    yield f"a client or a resource is passed to {name or 'a function'}, which was not read"
            case _:
                pass

    def _is_left_out(self, file: str, dots: str, module: str) -> bool:
        """Return whether an import is of a part of the program that was not read."""
        path = Path(file).parents[max(0, len(dots) - 1)].joinpath(*module.split("."))
        beside = [str(path.with_suffix(".py")), str(path / "__init__.py")]
        is_own = path.name not in FOREIGN and (dots or any(map(os.path.isfile, beside)))
        return bool(is_own) and not any(each in self.trees for each in beside)


def called(resources: set[str], scopes: set[str], verb: str) -> Iterator[tuple[str, bool]]:
    """Yield the operations that a method of some resources calls, and whether each is optional."""
    found = [each for each in METHODS[verb] if each.resource in resources]
    for each in [each for each in found if each.scope in scopes] or found:
        yield each.name, False
        if each.job == verb and each.shared_list:
            yield operations[each.shared_list].name, True


def requested(call: ast.Call) -> list[Operation]:
    """Return the operations that a call of `request` may be, as far as its method and path are constant."""
    given = [*call.args[:2], *(each.value for each in call.keywords if each.arg in ("method", "path"))]
    method, path = ([*map(text_of, given), "", ""])[:2]
    pattern = re.compile("[^/]+".join(map(re.escape, path.split("\0"))))
    found = [each for each in operations if each.method == method.upper() and pattern.fullmatch(each.path)]
    return found or [*filter(None, [operations.find(method, path.replace("\0", "x"))])]


def text_of(node: ast.AST) -> str:
    """Return a constant text, with a NUL for each part that is not constant."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(text_of, node.values))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "\0"


def member_of(node: ast.AST) -> tuple[ast.AST, str]:
    """Return owner and name of an attribute, also of a `getattr` with a constant name; a name has no owner."""
    match node:
        case ast.Attribute():
            return node.value, node.attr
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str() as name), *_]):
            return owner, name
        case _:
            return FREE, node.id if isinstance(node, ast.Name) else ""


def is_operation(node: ast.AST) -> bool:
    """Return whether an expression is a verb of a resource that is named beside it."""
    owner, verb = member_of(node)
    return verb in METHODS and member_of(owner)[1] in RESOURCES and not isinstance(owner, ast.Name)


def words_in(node: ast.AST) -> set[str]:
    """Return the resources that a node names, and all words of the texts in a call that computes a name."""
    names = [member_of(node)[1], getattr(node, "name", ""), *getattr(node, "kwd_attrs", ())]
    if isinstance(node, ast.Call) and member_of(node.func)[1] in COMPUTING:
        names += [word for each in node.args for word in text_of(each).split(".")]
    is_store = isinstance(getattr(node, "ctx", None), ast.Store)
    return {CLASSES.get(name, ("", name))[1] for name in names if not is_store}


def parameters_of(file: str, node: ast.AST) -> set[Key]:
    """Return the names of the parameters, and of the annotated attributes, in a function or class."""
    found = {(file, each.arg) for each in ast.walk(node) if isinstance(each, ast.arg)}
    return found | {("", member_of(each.target)[1]) for each in ast.walk(node) if isinstance(each, ast.AnnAssign)}


def given_to(call: ast.Call) -> list[ast.expr]:
    """Return all that a call passes, by position and by name."""
    return [*call.args, *(each.value for each in call.keywords)]


def python_files(path: Path) -> list[Path]:
    """Return a file, or all Python files of a folder.

    Raises:
        InvalidArgumentError: There is nothing to read.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InvalidArgumentError(f"there is no file or folder {str(path)!r}")
    found = [each for each in sorted(path.rglob("*.py*")) if each.suffix in (".py", ".pyi") and is_own(path, each)]
    if not found:
        raise InvalidArgumentError(f"the folder {path} has no Python files")
    return found


def is_own(root: Path, file: Path) -> bool:
    """Return whether a file below a folder is of the program: in no hidden folder, environment or copy of the SDK."""
    folders = [each for each in file.parents if each.is_relative_to(root) and each != root]
    return not any(
        each.name in FOREIGN or each.name.startswith(".") or (each / "pyvenv.cfg").exists() for each in folders
    )


def parse(path: Path) -> ast.Module:
    """Parse a file.

    Raises:
        InvalidArgumentError: It is not Python.
        OSError: It cannot be read.
    """
    try:
        with tokenize.open(path) as file:
            return ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, reason = getattr(error, "lineno", None) or 1, getattr(error, "msg", error)
        raise InvalidArgumentError(f"{path}:{line}: it is not Python: {reason}") from error
