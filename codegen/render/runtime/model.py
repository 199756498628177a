"""The base class of all models: a read-only view of one decoded JSON object.

A model holds the decoded object and nothing else. Reading an attribute looks up the wire name, so decoding a page is
cheap and lossless: unknown fields, unknown values and values of an unexpected type are kept, and `to_dict()` returns
them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self

from .encoding import UNSET, JsonView, NotAnObject, hashable, json_of, json_type, set_data, to_json
from .errors import MissingFieldError

# The greatest length of a value, and of a list, in the repr of a model.
SHOWN_LENGTH: Final = 60
SHOWN_MEMBERS: Final = 3

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Model(JsonView):
    """A read-only view of one JSON object, with an attribute for each field that the contract knows.

    Reading a field that the contract calls required, and not nullable, raises MissingFieldError if it is absent or
    null. Any other attribute is None if the field is absent or null. If the contract states a default, an absent field
    has this default. A value of an unexpected type is returned as it is. Models with equal class and content are equal.

    `model["name"]` and `"name" in model` find any member by its name in JSON. The value is the JSON value, with an
    OpenModel for an object. A member that the contract does not know is an attribute, too, but type checkers do not
    know it.

    A model is empty if the server sent something other than an object, such as null or a number: its repr shows only
    that value, and `to_json(model)` returns it.

    A field with a public name of this class gets another name, so this class has only few public names.
    """

    __slots__ = ()

    _fields: ClassVar[Mapping[str, str]] = {}
    """The names of the attributes, each with the name of its field in JSON."""
    _required: ClassVar[frozenset[str]] = frozenset()
    """The fields that the contract calls required."""
    _constants: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    """The possible values of fields that are constants or closed sets."""

    _arguments: ClassVar[tuple[str, ...]] = ()
    """The attributes that the constructor requires, in a model that request bodies contain."""
    _defaults: ClassVar[Mapping[str, Any]] = {}
    """The values of the required constants, in a model that request bodies contain."""

    def __init__(self, /, **fields: Any) -> None:
        if left_out := [name for name in self._arguments if fields.get(name, UNSET) is UNSET]:
            raise TypeError(f"{type(self).__name__} needs {', '.join(left_out)}")
        set_data(self, self._changed(dict(self._defaults), fields))

    @classmethod
    def _changed(cls, data: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
        """Write *changes* into *data*; the changes are named by attributes."""
        for argument, value in changes.items():
            if argument not in cls._fields:
                known = suggest(argument, cls._fields) or f"; it has {', '.join(cls._fields)}."
                advice = f"{cls.__name__}.from_dict() takes fields that the contract does not know"
                raise TypeError(f"{cls.__name__} has no field {argument!r}{known} {advice}")
            if value is UNSET:
                data.pop(cls._fields[argument], None)
            else:
                data[cls._fields[argument]] = to_json(value)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make a model from a copy of *data*, whose keys are the names in JSON; unknown fields are kept.

        Raises:
            TypeError: *data* is not a mapping, or JSON cannot express one of its values.
        """
        copy = to_json(data)
        if copy.__class__ is not dict:
            raise TypeError(f"{cls.__name__} is made of a JSON object, not of {type(data).__name__}")
        return cls.from_item(copy)

    @classmethod
    def from_item(cls, value: Any) -> Self:
        """Return a view of an item of a list. The item is neither copied nor checked, and need not be an object."""
        model = cls.__new__(cls)
        set_data(model, value if value.__class__ is dict else NotAnObject(value))
        return model

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return a view of the value of a field, as `from_item` does; None for null."""
        if value is None:
            return None
        return cls.from_item(value)

    def to_dict(self) -> dict[str, Any]:
        """Return exactly what the server sent, as a copy that may be changed; `{}` if that was not an object."""
        return {name: to_json(value) for name, value in self._data.items()}

    @property
    def unknown_fields(self) -> dict[str, Any]:
        """The fields that the contract does not know, as a copy."""
        known = set(self._fields.values())
        return {name: to_json(value) for name, value in self._data.items() if name not in known}

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        # For `dict(model)`: a method `keys` would also do, but then no field could have that name. A model with a field
        # `keys` has only `to_dict()`.
        return iter(self.to_dict().items())

    def __getitem__(self, name: Any) -> Any:
        """Return a member by its name in JSON, or by its index in an array."""
        value = json_of(self)
        if value.__class__ is list:
            return open_value(value[name])
        if name not in self._data:
            raise KeyError(self._absent(name))
        return open_value(self._data[name])

    def __contains__(self, name: object) -> bool:
        value = json_of(self)
        if value.__class__ is list:
            return name in value
        return name in self._data

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a member that the contract does not know; each field that it knows is a property."""
            if name == "_data" or name.startswith("__"):
                raise AttributeError(name)
            member = getattr(type(self), name, None)
            if isinstance(member, property):
                # Python calls this method, too, when the property has raised; raise that error again.
                return member.fget(self)
            if name == "keys" and self._data.__class__ is NotAnObject:
                # `dict(model)` must fail: an empty dict would be another value than the server sent.
                return self._refuse_keys
            if name not in self._data:
                raise AttributeError(self._absent(name))
            return open_value(self._data[name])

        @property
        def __pydantic_serializer__(self) -> Any:
            """How pydantic writes a model that is a value in a dict or a list of any type."""
            from .pydantic_schema import serializer

            return serializer()

        @property
        def __dict__(self) -> Any:
            """What the server sent, for `vars(model)`: FastAPI writes that if `dict(model)` fails."""
            return to_json(self)

    def _refuse_keys(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} has no members: the server sent {json_type(json_of(self))}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def _absent(self, name: object) -> str:
        return f"{type(self).__name__} has no member {name!r}{suggest(str(name), {*self._data, *self._fields})}"

    def __replace__(self, /, **changes: Any) -> Self:
        return self.from_item(self._changed(self.to_dict(), changes))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: {name} cannot be set; make a new one from to_dict()")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or other.__class__ is not self.__class__:
            return NotImplemented
        return bool(json_of(self) == json_of(other))

    def __hash__(self) -> int:
        return hash((type(self).__name__, hashable(json_of(self))))

    def __repr__(self) -> str:
        data, name = self._data, type(self).__name__
        if data.__class__ is NotAnObject:
            return f"{name}({format_value(data.value)})"
        shown: list[str] = []
        for field, wire in self._fields.items():
            if wire in data:
                shown.append(f"{field}={format_value(getattr(self, field, data[wire]))}")
        for field, value in self.unknown_fields.items():
            shown.append(f"{field}={format_value(value)}")
        return f"{name}({', '.join(shown)})"

    def __reduce__(self) -> tuple[Callable[[Any], Any], tuple[Any]]:
        return type(self).from_item, (json_of(self),)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from .pydantic_schema import schema_of

        return schema_of(cls, handler)


class OpenModel(Model):
    """A read-only view of a JSON value that the description does not show.

    Each member is an attribute of any type, and objects in it are OpenModels again. An absent member raises an
    AttributeError. Five names belong to methods: read a member `to_dict`, `from_dict`, `from_item`, `from_value` or
    `unknown_fields` as `model["to_dict"]`. Read a name that begins with an underscore in the same way.

    An OpenModel is equal to its JSON value, and has the same hash: that of an object or an array has none. An array is
    iterable and has a length, and `to_json(model)` returns it. An empty response is false, and so are an empty object
    and an empty array. `dict(model)` has the members, unless one of them is called `keys`.

    Example:
        playbook = await organization.playbooks.get("playbook-1")
        print(playbook.title, playbook["title"], "title" in playbook)
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    @classmethod
    def _changed(cls, data: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
        return {**data, **to_json(changes)}

    def __iter__(self) -> Iterator[Any]:
        value = json_of(self)
        if value.__class__ is list:
            return iter(open_value(value))
        return super().__iter__()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OpenModel):
            other = json_of(other)
        return bool(json_of(self) == other)

    def __hash__(self) -> int:
        # What is equal has the same hash: an object and an array have none.
        return hash(json_of(self))

    def __len__(self) -> int:
        value = json_of(self)
        if value.__class__ in (dict, list):
            return len(value)
        return 0

    def __bool__(self) -> bool:
        return bool(json_of(self))


class ListModel(Model):
    """A model that converts each of its arrays only once, so that `page.items[0] is page.items[0]`.

    These are the models with arrays that no other model contains, such as the page of a list. An item of a list has no
    room for converted arrays, because there may be millions of items.
    """

    __slots__ = ("_arrays",)

    def _once(self, name: str, convert: Callable[[], Any]) -> Any:
        """Return what *convert* returned at the first call with this name."""
        arrays: dict[str, Any]
        try:
            arrays = get_arrays(self)
        except AttributeError:
            arrays = {}
            set_arrays(self, arrays)
        if name not in arrays:
            arrays[name] = convert()
        return arrays[name]


# The slot, without the `__getattr__` and the `__setattr__` of the models.
get_arrays: Final[Callable[[ListModel], dict[str, Any]]] = ListModel.__dict__["_arrays"].__get__
set_arrays: Final[Callable[[ListModel, dict[str, Any]], None]] = ListModel.__dict__["_arrays"].__set__


def open_value(value: Any) -> Any:
    """Return a JSON value with an OpenModel for each object in it; scalars are kept."""
    if value.__class__ is list:
        return [open_value(member) for member in value]
    if value.__class__ is dict:
        return OpenModel.from_item(value)
    return value


def suggest(name: str, names: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the name that is probably meant, if there is one."""
    for close in get_close_matches(name, names, n=1):
        return f"; did you mean {close!r}?"
    return ""


def format_value(value: Any) -> str:
    """Return the text of a value as the constructor takes it; a long text is cut."""
    if value.__class__ is list:
        shown = ", ".join(map(format_value, value[:SHOWN_MEMBERS]))
        if len(value) > SHOWN_MEMBERS:
            shown += f", ... {len(value)} in all"
        return f"[{shown}]"
    if isinstance(value, JsonView):
        return repr(value)
    # JSON has no text for a datetime without a timezone.
    is_written = value.__class__ is dict or getattr(value, "tzinfo", value) is None
    text = repr(value if is_written else to_json(value))
    if len(text) > SHOWN_LENGTH:
        text = f"{text[: SHOWN_LENGTH - 4]}...{text[-1]}"
    return text


def missing(model: Model, field: str) -> MissingFieldError:
    """Make the error for a required field that is absent or null; its message shows no value.

    Args:
        model: The model that was read.
        field: The name of the field in JSON.
    """
    name, value = type(model).__name__, json_of(model)
    why = "absent, and the contract calls it required; to_dict() has what the server sent"
    if value.__class__ is not dict:
        why = f"absent, because the server sent {json_type(value)} instead of an object; to_json() returns it"
    elif field in value:
        why = "null, and the contract does not call it nullable; to_dict() has what the server sent"
    return MissingFieldError(f"{name}.{field} is {why}", model=name, field=field)


def unix_time(model: Model, field: str, value: float) -> datetime:
    """Return the time in UTC of a field that has seconds since 1970.

    Args:
        model: The model that was read.
        field: The name of the field in JSON.
        value: Its value, which may be of another type than the contract states.

    Raises:
        ValueError: The value is no number of seconds that a datetime can express, for example in milliseconds.
    """
    shown = json_type(value)
    if shown == "a number":
        try:
            return EPOCH + timedelta(seconds=value)
        except (OverflowError, ValueError):
            shown = format_value(value)
    wrong = f"{type(model).__name__}.{field} is {shown}, and not a time in seconds since 1970 up to the year 9999"
    raise ValueError(f"{wrong}; the contract calls it `unix-time`: read the field itself, and correct the contract")


def one_of(value: Any, models: Sequence[type[Model]]) -> Any:
    """Return a view of a JSON object, with the one of *models* that fits the object best.

    Null stays None. Any other value becomes an empty model of the first kind, which keeps the value.
    """
    if value.__class__ is not dict:
        return models[0].from_value(value)
    return max(models, key=lambda model: fitness(model, value)).from_item(value)


def discriminated(value: Any, key: str, by: Mapping[str, type[Model]], base: type[Model] = OpenModel) -> Any:
    """Return the view of a JSON object as the model that its discriminator names.

    Args:
        value: The JSON value; null stays None.
        key: The name of the discriminator.
        by: The model of each known value of the discriminator.
        base: The model for any other value.
    """
    tag = str(value.get(key)) if value.__class__ is dict else ""
    return by.get(tag, base).from_value(value)


def fitness(model: type[Model], value: dict[str, Any]) -> tuple[int, int, int]:
    """Rate how well a model fits an object: by its constants, then its required fields, then all its fields."""
    wrong = sum(value.get(name) not in (None, *allowed) for name, allowed in model._constants.items())  # pyright: ignore[reportPrivateUsage]  # its own module
    absent = sum(name not in value for name in model._required)  # pyright: ignore[reportPrivateUsage]  # its own module
    known = sum(name in value for name in model._fields.values())  # pyright: ignore[reportPrivateUsage]  # its own module
    return -wrong, -absent, known
