"""Every type that a user meets in a signature or an attribute can be imported from a public name."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import agent_session_platform
import attrs
import pytest
from agent_session_platform import contract, errors, legacy, models, resources

PACKAGES = ("agent_session_platform", "agent_session_platform_api")
# The modules from which users import, as VERSIONING.md lists them.
MODULES: tuple[ModuleType, ...] = (agent_session_platform, contract, errors, legacy, models, resources)

# Only the SDK calls these, with types of its own.
INTERNAL = {
    *("EnterpriseScope.__init__(client)", "OrganizationScope.__init__(client)", "PlatformScope.__init__(client)"),
    *("ResourceMethods.__init__(client)", "OrganizationMethods.__init__(client)"),
    *(
        "ExchangeRecord.of(prepared)",
        "ExchangeRecord.of(outcome)",
        "RetryPolicy.decide()",
        "RetryPolicy.decide(failed)",
        "RetryPolicy.decide(history)",
    ),
}


@attrs.frozen
class NamedType:
    """A type in an annotation: the place of the annotation, and where the type is defined.

    Attributes:
        place: Class and method, with the argument in brackets.
        module: The module that defines the type.
        name: Its name there.
    """

    place: str
    module: str
    name: str

    @property
    def value(self) -> Any:
        """The type itself."""
        return getattr(importlib.import_module(self.module), self.name)


def test_every_type_of_a_public_signature_or_attribute_is_public() -> None:
    public = [getattr(module, name) for module in MODULES for name in names_of(module)]
    hidden = {
        f"{named.place}: {named.name} of {named.module}"
        for value in public
        for named in types_of(value)
        # `Refused` is the type of keywords that nobody can pass.
        if named.name != "Refused" and named.place not in INTERNAL and not any(named.value is other for other in public)
    }
    assert sorted(hidden) == []


@pytest.mark.parametrize(
    "name",
    [
        *("agent_session_platform.ProblemDetail", "agent_session_platform.Until", "agent_session_platform.Unset"),
        "agent_session_platform.legacy.NoCurrentOperationError",
        *("agent_session_platform.resources.OrganizationSessions", "agent_session_platform.resources.SessionOutcome"),
    ],
)
def test_the_names_are_found_by_the_test_above(name: str) -> None:
    """Otherwise a mistake in it would let everything pass."""
    module, _, attribute = name.rpartition(".")
    assert attribute in names_of(importlib.import_module(module))
    found = {named.name for public in MODULES for each in names_of(public) for named in types_of(getattr(public, each))}
    assert {"ProblemDetail", "Until", "Unset", "Session", "Reason"} <= found


def names_of(module: ModuleType) -> list[str]:
    return list(getattr(module, "__all__", None) or dir(module))


def types_of(value: Any) -> Iterator[NamedType]:
    """Yield the types of the SDK in the annotations of a class, with its bases, or of a function."""
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return
    for defined in inspect.getmro(value) if inspect.isclass(value) else [value]:
        module = defined.__module__
        if not module.startswith(PACKAGES):
            continue
        definition = definitions(module)[defined.__name__]
        for place, annotation in annotations_of(definition):
            for name in type_names(annotation):
                if (origin := origin_of(module, name)) is not None:
                    yield NamedType(f"{defined.__name__}{place}", *origin)


@cache
def definitions(module: str) -> dict[str, ast.AST]:
    """Return what a module defines and imports, by name."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    found: dict[str, ast.AST] = {}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom():
                found |= {each.asname or each.name: node for each in node.names}
            case ast.Import():
                found |= {(each.asname or each.name).partition(".")[0]: node for each in node.names}
            case _:
                continue
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = node
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TypeVar"))):
                # Nobody imports the variable of a type.
                found.pop(name, None)
            case ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = node
            case _:
                continue
    return found


def origin_of(module: str, name: str) -> tuple[str, str] | None:
    """Return the module that defines a name, and the name there; None if that is Python or another library."""
    node = definitions(module).get(name)
    if node is None or isinstance(node, ast.Import):
        return None
    if not isinstance(node, ast.ImportFrom):
        return module, name
    package = importlib.import_module(module).__package__
    source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
    if not source.startswith(PACKAGES):
        return None
    original = next(each.name for each in node.names if name == (each.asname or each.name))
    return origin_of(source, original) or (source, original)


def annotations_of(definition: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield the annotations of a function, or of the public members of a class."""
    match definition:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            arguments = definition.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            for argument in filter(None, every):
                if argument.annotation is not None:
                    yield f"{inside}({argument.arg})", argument.annotation
            if definition.returns is not None:
                yield f"{inside}()", definition.returns
        case ast.AnnAssign(target=ast.Name()):
            yield inside, definition.annotation
        case ast.ClassDef() | ast.If():
            for member in definition.body:
                name = getattr(member, "name", None) or getattr(getattr(member, "target", None), "id", "")
                if name == "__init__" or not name.startswith("_"):
                    yield from annotations_of(member, f"{inside}.{name}" if name else inside)
        case _:
            return


def type_names(annotation: ast.AST) -> Iterator[str]:
    """Yield the names in an annotation, also in one that is text; those in a Literal are values."""
    match annotation:
        case ast.Constant(value=str(text)):
            yield from type_names(ast.parse(text, mode="eval"))
        case ast.Name(id=name):
            yield name
        case ast.Subscript(value=ast.Name(id="Literal")):
            return
        case _:
            for child in ast.iter_child_nodes(annotation):
                yield from type_names(child)
