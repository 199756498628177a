"""Write the signature of a function or of a class, as it is called."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any, Final

import griffe

LONGEST: Final = 88
POSITIONAL: Final = griffe.ParameterKind.positional_only
STARRED: Final = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}


def signature_of(found: griffe.Function, name: str) -> str:
    """Return the signature of a function or a method, over several lines where it is long.

    Args:
        found: The function.
        name: The name to call it by, such as `RetryPolicy.none`.
    """
    parameters = _parameters(
        found.parameters, is_method=isinstance(found.parent, griffe.Class) and "staticmethod" not in found.labels
    )
    returns = f" -> {found.returns}" if found.returns is not None else ""
    prefix = "async " if "async" in found.labels else ""
    return _joined(f"{prefix}def {name}", parameters, returns)


def class_signature(found: griffe.Class, name: str) -> str:
    """Return how an object of a class is made; for a protocol or an exception without arguments its name."""
    if any(base in ("Protocol", "TypedDict") for base in map(_bare, found.bases)):
        return f"class {name}"
    constructor = found.all_members.get("__init__")
    if isinstance(constructor, griffe.Alias):
        constructor = constructor.final_target
    if isinstance(constructor, griffe.Function):
        return _joined(f"class {name}", _parameters(constructor.parameters, is_method=True), "")
    module, _, rest = found.path.partition(f".{found.name}")
    cls: Any = getattr(import_module(module), found.name) if not rest else None
    if cls is None or not hasattr(cls, "__attrs_attrs__"):
        return f"class {name}"
    parameters = [_attrs_parameter(each) for each in inspect.signature(cls).parameters.values()]
    keyword = next(
        (at for at, each in enumerate(inspect.signature(cls).parameters.values()) if each.kind is each.KEYWORD_ONLY),
        None,
    )
    if keyword is not None:
        parameters.insert(keyword, "*")
    return _joined(f"class {name}", parameters, "")


def _bare(base: str | griffe.Expr) -> str:
    return str(base).partition("[")[0].rpartition(".")[2]


def _attrs_parameter(parameter: inspect.Parameter) -> str:
    kind = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
    if parameter.default is parameter.empty:
        return f"{parameter.name}{kind}"
    default = (
        "..."
        if type(parameter.default).__name__ == "_Nothing" or repr(parameter.default).startswith("<")
        else repr(parameter.default)
    )
    return f"{parameter.name}{kind} = {default}"


def _parameters(parameters: griffe.Parameters, *, is_method: bool) -> list[str]:
    written: list[str] = []
    starred = False
    given = [*parameters][1:] if is_method else [*parameters]
    for at, each in enumerate(given):
        if each.kind is griffe.ParameterKind.keyword_only and not starred:
            written.append("*")
        starred = starred or each.kind in (griffe.ParameterKind.keyword_only, griffe.ParameterKind.var_positional)
        kind = f": {each.annotation}" if each.annotation is not None else ""
        default = (
            f"{' = ' if kind else '='}{each.default}" if each.default is not None and each.kind not in STARRED else ""
        )
        written.append(f"{STARRED.get(each.kind, '')}{each.name}{kind}{default}") if each.kind else None
        if each.kind is POSITIONAL and (at + 1 == len(given) or given[at + 1].kind is not POSITIONAL):
            written.append("/")
    return written


def _joined(head: str, parameters: list[str], returns: str) -> str:
    line = f"{head}({', '.join(parameters)}){returns}"
    if len(line) <= LONGEST or not parameters:
        return line
    return "\n".join([f"{head}(", *(f"    {each}," for each in parameters), f"){returns}"])
