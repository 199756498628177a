"""Arguments of calls, and what happens to them in functions that were not read."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from .members import enter
from .program import Program
from .values import NOTHING, OTHER, BatchOf, Function, Instance, Maker, Method, Value, Values, leads_to_operations


@attrs.frozen
class Arguments:
    """The arguments of a call: positional ones, and those with a name."""

    positional: list[Values]
    keywords: dict[str, Values]

    def all(self) -> Iterator[Values]:
        """Yield the values of each argument."""
        yield from self.positional
        yield from self.keywords.values()

    def take(self, place: int, name: str) -> Values:
        """Return the argument with this name, or at this place."""
        if place < len(self.positional):
            return self.positional[place]
        return self.keywords.get(name, NOTHING)


def pass_through(program: Program, given: Arguments) -> Values:
    """Return what a function of a library may return of its arguments, such as `functools.partial` or `map`.

    Functions of the program among the arguments are called with the arguments after them.
    """
    for place, values in enumerate(given.positional):
        for each in values:
            if isinstance(each, Function):
                enter(program, each, given.positional[place + 1 :], given.keywords)
    return frozenset(kept for values in given.all() for each in values for kept in _kept(each))


def batch_of(given: Arguments) -> Values:
    """Return the batches that a call of `Batch` may make: without `wait`, it waits as the resource of `create` does."""
    if given.keywords.get("wait"):
        return OTHER
    created = given.take(0, "create")
    return frozenset(
        BatchOf(each.scope, each.resource) if isinstance(each, Method) else next(iter(OTHER)) for each in created
    )


def _kept(value: Value) -> Values:
    if isinstance(value, Maker) and not value.is_class:
        return frozenset({value.value})
    is_kept = leads_to_operations(value) or isinstance(value, Method | BatchOf | Function | Instance)
    return frozenset({value}) if is_kept else NOTHING
