"""The form of the records that generic handlers keep: their members, their id, and an example."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import attrs
from agent_session_platform.contract import is_object

from ..contract import Parameter, Shape
from ..state import State

ID_ENDINGS: Final = ("_id", "Id")
NUMBERS: Final = frozenset({"integer", "number", "null"})


@attrs.frozen
class RecordForm:
    """The form of the records of a collection.

    Attributes:
        shape: A record as responses show it.
        example: The contract's example of a record.
        parameter: The id in paths; None if no path has it.
        id_member: Member of a record that is its id; None if the contract shows none.
        id_is_sent: True if a request may set the id.
    """

    shape: Shape
    example: Mapping[str, Any]
    parameter: Parameter | None
    id_member: str | None
    id_is_sent: bool

    @property
    def noun(self) -> str:
        """Name of a record in ids and errors: `git_permission` of `{git_permission_id}`."""
        name = self.parameter.name if self.parameter else self.id_member or "id"
        return next((name.removesuffix(each) for each in ID_ENDINGS if name.endswith(each) and name != each), name)

    @property
    def is_scalar(self) -> bool:
        """True if the records are no objects, such as tags."""
        return bool(self.shape.types) and "object" not in self.shape.types

    def with_id(self, key: Any) -> dict[str, Any]:
        """Return the id as the contract shows it; nothing if it shows none."""
        if self.id_member is None:
            return {}
        types = self.shape.member(self.id_member).types
        if isinstance(key, str) and key.isdecimal() and types and types <= NUMBERS:
            return {self.id_member: int(key)}
        return {self.id_member: str(key) if "string" in types else key}

    def example_id(self, state: State) -> Any:
        """Return the id of the contract's example of a record, else that of the parameter, else a new one."""
        examples = [self.example.get(self.id_member or ""), *(self.parameter.examples if self.parameter else ())]
        shown = next((each for each in examples if each is not None), None)
        return self.new_id(state) if shown is None else shown

    def new_id(self, state: State) -> Any:
        """Return the id of a new record: a number or a UUID where the contract says so; the same in every run."""
        text = state.new_id(self.noun.replace("_", "-"))
        number = text.rpartition("-")[2]
        shapes = [self.shape.member(self.id_member)] if self.id_member else []
        shapes += [self.parameter.shape] if self.parameter else []
        if any(each.mark("format") == "uuid" for each in shapes):
            return str(uuid5(NAMESPACE_URL, text))
        if any(each.types and each.types <= NUMBERS for each in shapes):
            return int(number)
        prefix = self.parameter.id_prefix if self.parameter else None
        return f"{prefix}{number}" if prefix else text


def record_form(
    shape: Shape, examples: Iterable[Any], parameter: Parameter | None, settable: Container[str]
) -> RecordForm:
    """Return the form of the records of a collection.

    Args:
        shape: A record as responses show it.
        examples: Examples of a record.
        parameter: The id in paths, if a path has it.
        settable: Members that a request may set.
    """
    of_shape = [each for flat in shape.alternatives for each in flat.get("examples", ())]
    example = next(filter(is_object, (*examples, *of_shape)), dict[str, Any]())
    # Of several alternatives, the example may be one that a request does not choose.
    shown = example if len(shape.alternatives) == 1 else {}
    id_member = _id_member(shape, shown, parameter, settable)
    return RecordForm(shape, shown, parameter, id_member, id_member is not None and id_member in settable)


def _id_member(
    shape: Shape, example: Mapping[str, Any], parameter: Parameter | None, settable: Container[str]
) -> str | None:
    marked = [name for name, each in shape.members.items() if each.mark("x-resource-id")]
    if parameter is not None:
        same = plain(parameter.name)
        marked += [name for name in shape.members if plain(name) == same]
        # A payload that is not shown has the id under its name in paths.
        if shape.is_open and not shape.members:
            marked.append(parameter.name)
    ids = [name for name in (*shape.members, *example) if name == "id" or name.endswith(ID_ENDINGS)]
    new = [name for name in ids if name not in settable and (name in shape.required or name in example)]
    return next(iter([*marked, *(name for name in ids if name == "id"), *new]), None)


def plain(name: str) -> str:
    """Return a name without its style: `box_id` and `boxId` are the same."""
    return name.replace("_", "").replace("-", "").lower()
