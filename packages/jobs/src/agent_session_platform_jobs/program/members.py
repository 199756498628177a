"""Calls of functions and attributes of objects of the program itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from .facade import sdk_attribute
from .names import parameters
from .program import FunctionInfo, Program
from .values import NOTHING, File, Function, Instance, Maker, Value, Values, join


def attribute(program: Program, value: Value, name: str, seen: frozenset[int] = frozenset()) -> Values:
    """Return what an attribute of a value may be.

    Raises:
        NoSuchAttributeError: A scope has no such resource, or a resource no such method.
    """
    if isinstance(value, Instance):
        return _member(program, value.number, name, seen)
    if isinstance(value, Maker) and isinstance(value.value, Instance):
        return _member(program, value.value.number, name, seen)
    if isinstance(value, Function):
        # Such as `work.delay(org)`, which calls it in the end.
        return frozenset({value})
    if isinstance(value, File):
        return join(each.own(name) for each in program.named(value))
    return sdk_attribute(value, name)


def enter(program: Program, function: Function, positional: Sequence[Values], keywords: Mapping[str, Values]) -> Values:
    """Pass arguments to a function of the program, and return what it may return.

    The keyword without a name stands for `*args` and `**kwargs`, which may be any parameter.
    """
    info = program.functions[function.number]
    given = info.node.args
    places = [each.arg for each in (*given.posonlyargs, *given.args)][1 if function.bound else 0 :]
    for place, values in zip(places, positional, strict=False):
        _pass(program, info, place, values)
    if given.vararg is not None:
        _pass(program, info, given.vararg.arg, join(positional[len(places) :]))
    named = {each.arg for each in parameters(info.node)}
    for name, values in keywords.items():
        if not name:
            for each in (*places[len(positional) :], *(each.arg for each in given.kwonlyargs)):
                _pass(program, info, each, values)
        elif name in named:
            _pass(program, info, name, values)
        elif given.kwarg is not None:
            _pass(program, info, given.kwarg.arg, values)
    return frozenset(info.returned)


def construct(program: Program, number: int, positional: Sequence[Values], keywords: Mapping[str, Values]) -> None:
    """Pass arguments to a class of the program: to `__init__`, or to its fields."""
    info = program.classes[number]
    makers = [each for each in _member(program, number, "__init__", frozenset()) if isinstance(each, Function)]
    for each in makers:
        enter(program, each, positional, keywords)
    if not makers:
        for name, values in (*zip(info.fields, positional, strict=False), *keywords.items()):
            if not info.fields.get(name):
                program.add(info.attributes.setdefault(name, set()), values)


def _pass(program: Program, info: FunctionInfo, name: str, values: Values) -> None:
    if name not in info.annotated:
        program.name(info.names, name, values)


def _member(program: Program, number: int, name: str, seen: frozenset[int]) -> Values:
    found = _own(program, number, name)
    if found is None:
        bases = [each.value if isinstance(each, Maker) else each for each in program.classes[number].bases]
        inner = [] if number in seen else [attribute(program, each, name, seen | {number}) for each in bases]
        found = join(inner)
    # An instance may be one of a class that is made of this one.
    return found.union(*(_own(program, each, name) or NOTHING for each in _heirs(program, number)))


def _own(program: Program, number: int, name: str) -> Values | None:
    """Return what an attribute of a class is, without its bases; None if it does not have it."""
    info = program.classes[number]
    given = frozenset(info.attributes.get(name, NOTHING))
    if info.names.has(name):
        return given.union(*(_bind(program, each) for each in info.names.own(name)))
    return given or None


def _heirs(program: Program, number: int) -> set[int]:
    found: set[int] = set()
    waiting = [number]
    while waiting:
        heirs = program.classes[waiting.pop()].heirs - found
        found |= heirs
        waiting += heirs
    return found


def _bind(program: Program, value: Value) -> Values:
    """Return what a name of a class is as an attribute of an instance."""
    if not isinstance(value, Function):
        return frozenset({value})
    info = program.functions[value.number]
    if info.decorators & {"property", "cached_property"}:
        return frozenset(info.returned)
    return frozenset({attrs.evolve(value, bound="staticmethod" not in info.decorators)})
