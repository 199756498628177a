"""Find the operations that a program uses, by reading its syntax trees. The program is not run.

The result may have too many operations, but should not miss any. A program uses an operation where it has
`.sessions.create`, or the same names as texts in `getattr`. If the program stores `.sessions` in a name, then `.create`
of any name that may be a resource is also a use. All files share one table of names. A name may have every value that
it gets in any file. If the scope is not clear, both scopes are listed.

A place is undecided if a client, a scope or a resource is passed to code that was not read, or if a name is computed.
For an exact list, run the program against the sandbox and read its journal.
"""

from __future__ import annotations

import ast
import builtins
import os
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError, Operation, RequiredPermissions, operations, permissions_for

# Folders that are not read, such as a copy of the SDK.
FOREIGN: Final = {
    *("__pycache__", "node_modules", "site-packages"),
    *("agent_session_platform", "agent_session_platform_api", "agent_session_platform_sandbox"),
}
# An expression may be a client, or be unknown. If its scope is known, the scope is a further kind of the expression.
CLIENT, UNKNOWN = "a client", "not known"
SCOPES: Final = {"organization", "enterprise"}
RESOURCES: Final = {each.resource for each in operations}
VERBS: Final = {name for each in operations for name in (each.verb, each.job) if name}
# Names of the client: its class, and the fixtures of the pytest plugin.
CLASSES: Final = {name: {CLIENT} for name in ("AgentPlatform", "agent_platform", "agent_platform_factory")}
CLASSES.update({f"{scope.title()}Scope": {CLIENT, scope} for scope in SCOPES})
# The classes of the resources, such as EnterpriseSessions, each with one of its operations.
OWNERS: Final = {f"{each.scope}_{each.resource}".title().replace("_", ""): each for each in operations}
CLASSES.update({name: {CLIENT, each.scope} for name, each in OWNERS.items()})

# Functions and attributes that look up a computed name, or run a text as code.
COMPUTING: Final = {
    *("getattr", "attrgetter", "methodcaller", "__getattribute__", "__getattr__", "__dict__", "vars", "locals"),
    *("setattr", "getattr_static", "getmembers", "getmembers_static", "import_module", "__import__", "globals"),
    *("eval", "exec", "run_path", "run_module"),
}
# Functions that do not call methods of their arguments.
LOOKING: Final = {
    *("print", "isinstance", "issubclass", "str", "repr", "len", "type", "id", "bool", "getattr", "fixture"),
    *("enumerate", "zip", "range", "list", "tuple", "set", "dict", "any", "all"),
}
# Functions of the jobs that take sessions, and the verbs that they call.
ASKING: Final = {"ask", "resume"}
ASKED: Final = {"create", "get", "send_message", "follow_messages", "wait"}
SELF: Final = {"self", "cls"}
# Stands for a value that cannot be seen in the program, such as the value of an argument.
FREE: Final = ast.Name("")


@attrs.frozen(order=True)
class Place:
    """A place in a program, with the operation that it uses, or the reason why it is undecided."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@attrs.frozen
class ProgramUse:
    """The operations that a program uses, and the undecided places."""

    files: tuple[str, ...]
    uses: tuple[Place, ...]
    undecided: tuple[Place, ...]

    @property
    def permissions(self) -> RequiredPermissions:
        """The permissions that the operations of `uses` require."""
        return permissions_for(*{each.text for each in self.uses})

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON types."""
        uses = [{"file": each.file, "line": each.line, "operation": each.text} for each in self.uses]
        undecided = [{"file": each.file, "line": each.line, "reason": each.text} for each in self.undecided]
        permissions = attrs.asdict(self.permissions)
        return {"files": self.files, "uses": uses, "undecided": undecided, "permissions": permissions}

    def __str__(self) -> str:
        uses, undecided = ("\n  ".join(map(str, each or ["none"])) for each in (self.uses, self.undecided))
        return f"Operations:\n  {uses}\n{format_permissions(self.permissions)}\nUndecided:\n  {undecided}"


def format_permissions(required: RequiredPermissions) -> str:
    """Return the permissions as text, a section for each level."""
    unknown: list[str] = []
    for name, permission in required.unknown.items():
        if permission is None:
            unknown.append(f"{name}: permission and level not shown")
        else:
            unknown.append(f"{name}: {permission}, level not shown")
    sections = {
        "Organization level": lines_of_level(required.organization),
        "Enterprise level": lines_of_level(required.enterprise),
        "Unknown": unknown,
        "Credentials that all of them accept": list(required.credentials),
    }
    lines: list[str] = []
    for title, entries in sections.items():
        lines.append(f"{title}:")
        lines += [f"  {entry}" for entry in entries or ["none"]]
    return "\n".join(lines)


def lines_of_level(permissions: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return a line for each permission, with the operations that require it."""
    return [f"{name}: {', '.join(users)}" for name, users in permissions.items()]


def read_program(*paths: str | os.PathLike[str]) -> ProgramUse:
    """Find the operations that a program uses.

    Args:
        paths: Files and folders. In a folder all Python files are read, except in environments and hidden folders.

    Raises:
        InvalidArgumentError: A file is missing, or is not Python. The message names the file and the line.
    """
    files = {os.path.abspath(path): path for given in paths for path in python_files(Path(given))}
    program = Program({str(path): parse(path) for path in files.values()})
    uses, undecided = set[Place](), set[Place]()
    for file, node in program.nodes:
        line = getattr(node, "lineno", 1)
        uses |= {Place(file, line, name) for name in program.named(node)}
        undecided |= {Place(file, line, reason) for reason in program.undecided(file, node)}
    return ProgramUse((*program.trees,), tuple(sorted(uses)), tuple(sorted(undecided)))


class Program:
    """The names of a program, and their kinds. All files share one table of names.

    Args:
        trees: The syntax trees, by file.
    """

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        self.trees = trees
        self.nodes = [(file, node) for file, tree in trees.items() for node in ast.walk(tree)]
        calls = [node for _, node in self.nodes if isinstance(node, ast.Call)]
        # The calls whose use is clear: `getattr` with a constant name, or `request` with a constant method and path.
        self._decided = {id(call.func) for call in calls if member_of(call)[0] is not FREE or requested(call)}
        self._waits = any(each.arg == "until" for call in calls for each in call.keywords)
        self._modules = {Path(file).stem for file in trees}
        # The values of each name. The name `run()` has the values that the function `run` returns. For a class, it has
        # the values that the class stores.
        self._bound: dict[str, list[ast.AST]] = defaultdict(list)
        # The names of the parameters of each function and class.
        self._parameters: dict[str, set[str]] = {}
        for _, node in self.nodes:
            self._define(node)
        self._kinds = {name: set[str]() for name in self._bound} | {name: {*kinds} for name, kinds in CLASSES.items()}
        before = None
        while before != self._kinds:
            before = {name: {*kinds} for name, kinds in self._kinds.items()}
            for name in self._bound.keys() - CLASSES.keys():
                self._kinds[name] |= self._kinds_of(*self._bound[name])
            for call in calls:
                passed = self._kinds_of(*given_to(call))
                if CLIENT in passed:
                    # The values may go to any parameter of the function, or to the object, as in `items.append(x)`.
                    owner, name = member_of(call.func)
                    for reached in {member_of(owner)[1], *self._parameters.get(name, ())} & self._bound.keys():
                        self._kinds[reached] |= passed
        # The operations of the resources that the program stores. Any name may be such a resource, if the program uses
        # a verb of the resource with it.
        owners = {id(member_of(node)[0]) for _, node in self.nodes if member_of(node)[1] in VERBS}
        self._loose = {each for _, node in self.nodes if id(node) not in owners for each in self._within(node)}

    def _define(self, node: ast.AST) -> None:
        """Store the values that a node gives to names."""
        targets, values = assigned(node)
        names = {member_of(each)[1] for target in targets for each in ast.walk(target)}
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bases, is_class = getattr(node, "bases", []), isinstance(node, ast.ClassDef)
                ends = [each for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom)]
                names, values = {f"{name}()"}, [*bases, getattr(node, "returns", None)]
                values += [getattr(each, "value", None) for each in (node.body if is_class else ends)]
                self._bound[name] += []
                # A class without its own constructor uses that of a base, which may be in code that is not read.
                if not bases or any(getattr(each, "name", "") == "__init__" for each in node.body):
                    self._parameters[name] = parameters_of(node)
            case ast.arg(arg=name):
                names, values = {name} - SELF, [node.annotation or FREE]
            case ast.Import() | ast.ImportFrom():
                for each in node.names:
                    self._import(getattr(node, "module", None) or each.name, each)
            case _:
                pass
        for name in names - {""}:
            self._bound[name] += [value for value in values if value is not None]

    def _import(self, module: str, imported: ast.alias) -> None:
        """Store the value of an imported name."""
        last = imported.name.rpartition(".")[2]
        if module.partition(".")[0] == "agent_session_platform_jobs" and last in ASKING:
            return
        values = self._bound[imported.asname or imported.name.partition(".")[0]]
        # A value of type Any may be a client.
        if module.partition(".")[0] not in sys.stdlib_module_names or last == "Any":
            values += [ast.Name(last)] if imported.asname else []
            values += [] if {last, module.rpartition(".")[2]} & {*self._modules, *CLASSES} else [FREE]

    def _kinds_of(self, *nodes: ast.AST) -> set[str]:
        """Return the kinds of some expressions; nothing for plain data."""
        found, left = set[str](), [*nodes]
        while left:
            node = left.pop()
            owner, name = member_of(node)
            if is_operation(node) or (isinstance(node, ast.Call) and is_operation(node.func)):
                continue
            if owner is not FREE and name in SCOPES:
                found |= {CLIENT, name}
            elif owner is not FREE and name in RESOURCES:
                found.add(CLIENT)
                left.append(owner)
            elif name in self._kinds:
                # A property or a fixture has the kinds of its result.
                kinds = self._kinds[name] | self._kinds.get(f"{name}()", set())
                found |= kinds & {CLIENT} if name in SELF else kinds
                found |= self._kinds_of(owner) & {UNKNOWN} if owner is not FREE else set()
            elif isinstance(node, ast.Name):
                is_known = name != "super" and (hasattr(builtins, name) or name in self._modules | SELF)
                found |= set() if is_known else {UNKNOWN}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                # An annotation may be written as a text.
                left += [ast.Name(word) for word in re.findall(r"\w+", node.value) if word in CLASSES]
            elif isinstance(node, ast.Call) and (made := f"{member_of(node.func)[1]}()") in self._kinds:
                # An object keeps the arguments of its class. A function may return other values than its arguments.
                left += [ast.Name(made), *([] if made[0].islower() else given_to(node))]
            else:
                left += ast.iter_child_nodes(node)
        return found

    def _within(self, node: ast.AST) -> set[Operation]:
        """Return the operations of the resource that a node names. If the scope is not clear, both scopes count."""
        owner, name = member_of(node)
        kinds = self._kinds_of(node)
        resource = OWNERS[name].resource if name in OWNERS else name
        found = {each for each in operations if each.resource == resource and (owner is not FREE or kinds)}
        within = {each for each in found if each.scope in kinds}
        return within if within and UNKNOWN not in kinds else found

    def named(self, node: ast.AST) -> set[str]:
        """Return the names of the operations that a node uses."""
        owner, verb = member_of(node)
        if isinstance(node, ast.Call) and member_of(node.func)[1] in ASKING and node.args:
            kinds = self._kinds_of(node.args[0])
            sessions = self._within(ast.Name("sessions"))
            possible = {each for each in sessions if each.scope in kinds} or sessions
            return self._called(possible if kinds else set(), ASKED)
        if owner is FREE or verb not in VERBS:
            return requested(node)
        # A batch with `until` waits for the objects that it creates.
        verbs = {verb, "wait"} if self._waits and verb == "create" else {verb}
        possible = self._within(owner) or (self._loose if self._kinds_of(owner) else set[Operation]())
        return self._called(possible, verbs)

    def _called(self, possible: Iterable[Operation], verbs: Set[str]) -> set[str]:
        """Return the names of the operations of some methods."""
        found = [each for each in possible if verbs & {each.verb, each.job}]
        # A method that waits may also read a list, which is another operation.
        shared = [operations[each.shared_list] for each in found if each.shared_list and each.job in verbs]
        return {each.name for each in (*found, *shared)}

    def undecided(self, file: str, node: ast.AST) -> Iterator[str]:
        """Yield the reasons why a node is undecided."""
        owner, name = member_of(node.func if isinstance(node, ast.Call) else node)
        targets, values = assigned(node)
        parts = [each for target in targets for each in ast.walk(target)]
        owned = [each.value for each in parts if isinstance(each, ast.Attribute | ast.Subscript)]
        if CLIENT in self._kinds_of(*values) and UNKNOWN in self._kinds_of(*owned):
            yield "a client or a resource is stored in an object that was not read"
        match node:
            case ast.Import() | ast.ImportFrom():
                dots = "." * getattr(node, "level", 0)
                for module in {getattr(node, "module", None) or each.name for each in node.names}:
                    if self._is_left_out(file, dots, module):
                        yield f"imports {dots}{module}, a part of the program that was not read"
            case ast.Name() | ast.Attribute() | ast.alias() if name in COMPUTING and id(node) not in self._decided:
                yield f"{name} computes a name, or runs a text"
            case ast.Attribute(attr="request") if id(node) not in self._decided and self._kinds_of(owner):
                yield "the request matches no operation of the contract, or its method or path is not constant"
            case ast.MatchClass(kwd_attrs=[_, *_]):
                yield "a pattern takes members of an object"
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if CLIENT in self._kinds[f"{node.name}()"]:
                users = [*node.decorator_list, *getattr(node, "bases", ())]
                if any(UNKNOWN in self._kinds_of(each) for each in users if member_of(each)[1] not in LOOKING):
                    yield f"a decorator or a base of {node.name} may use a client or a resource, and was not read"
            case ast.Call() if CLIENT in self._kinds_of(*given_to(node)) and not is_operation(node.func):
                kinds = self._kinds.get(name, set()) if owner is FREE else self._kinds_of(owner)
                known = self._parameters.keys() | ((LOOKING | ASKING) if owner is FREE else SCOPES)
                if name not in known or UNKNOWN in kinds:
                    yield f"a client or a resource is passed to {name or 'a function'}, which was not read"
            case _:
                pass

    def _is_left_out(self, file: str, dots: str, module: str) -> bool:
        """Return whether an imported module is a file of the program that was not read."""
        path = Path(file).parents[max(0, len(dots) - 1)].joinpath(*module.split("."))
        beside = [str(path.with_suffix(".py")), str(path / "__init__.py")]
        is_own = path.name not in FOREIGN and (dots or any(map(os.path.isfile, beside)))
        return bool(is_own) and not any(each in self.trees for each in beside)


def assigned(node: ast.AST) -> tuple[list[ast.AST], list[Any]]:
    """Return the targets and the values of an assignment, a loop or a `with`."""
    targets = [getattr(node, "target", None), getattr(node, "optional_vars", None), *getattr(node, "targets", ())]
    values = [getattr(node, name, None) for name in ("value", "iter", "context_expr", "annotation")]
    return [*filter(None, targets)], [each for each in values if isinstance(each, ast.AST)]


def parameters_of(node: ast.AST) -> set[str]:
    """Return the names of parameters and annotated attributes in a function or a class."""
    inner = [*ast.walk(node)]
    attributes = {member_of(each.target)[1] for each in inner if isinstance(each, ast.AnnAssign)}
    return (attributes | {each.arg for each in inner if isinstance(each, ast.arg)}) - SELF


def requested(node: ast.AST) -> set[str]:
    """Return the operation of a call of `request`, if its method and path are constant."""
    arguments = node.args[:2] if isinstance(node, ast.Call) and member_of(node.func)[1] == "request" else []
    constants = [each.value for each in arguments if isinstance(each, ast.Constant)]
    found = operations.find(*map(str, constants)) if len(constants) == 2 else None
    return {found.name} if found else set()


def member_of(node: ast.AST) -> tuple[ast.AST, str]:
    """Return the owner and the name of an attribute, or of a `getattr` with a constant name.

    The owner is FREE if the name has no owner.
    """
    match node:
        case ast.alias(name=name, asname=str()):
            return FREE, name
        case ast.Attribute():
            return node.value, node.attr
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str() as name), *_]):
            return owner, name
        case _:
            return FREE, node.id if isinstance(node, ast.Name) else ""


def is_operation(node: ast.AST) -> bool:
    """Return whether an expression ends with a resource and a verb of the resource, such as `x.sessions.create`."""
    owner, verb = member_of(node)
    return verb in VERBS and member_of(owner)[1] in RESOURCES and not isinstance(owner, ast.Name)


def given_to(call: ast.Call) -> list[ast.expr]:
    """Return all arguments of a call."""
    return [*call.args, *(each.value for each in call.keywords)]


def python_files(path: Path) -> list[Path]:
    """Return a file, or the Python files of a folder. Hidden folders, environments and copies of the SDK are left out.

    Raises:
        InvalidArgumentError: There are no Python files.
    """
    if path.is_file():
        return [path]
    left_out = {each.parent for each in path.rglob("pyvenv.cfg")}
    found: list[Path] = []
    for file in sorted(path.rglob("*.py")):
        folders = file.relative_to(path).parts[:-1]
        if not ({*folders} & FOREIGN or {*file.parents} & left_out or any(each.startswith(".") for each in folders)):
            found.append(file)
    if not found:
        raise InvalidArgumentError(f"there is no file or folder {str(path)!r} with Python")
    return found


def parse(path: Path) -> ast.Module:
    """Parse a file.

    Raises:
        InvalidArgumentError: The file is not Python.
        OSError: The file cannot be read.
    """
    try:
        with tokenize.open(path) as file:
            return ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, reason = getattr(error, "lineno", None) or 1, getattr(error, "msg", error)
        raise InvalidArgumentError(f"{path}:{line}: it is not Python: {reason}") from error
