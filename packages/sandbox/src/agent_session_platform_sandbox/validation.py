"""JSON and schemas: parse JSON as a server must, describe and sample values, and validate them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from itertools import chain, islice
from typing import Any, Final, NoReturn, TypeAlias, cast

from agent_session_platform.contract import Contract, Node as Node, is_array, is_object, load
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend  # pyright: ignore[reportUnknownVariableType]  # it has no types

from .clock import parse_datetime
from .problems import suggestion

# Deeper JSON can be parsed, but copying and comparing it would exceed the recursion limit.
MAX_DEPTH: Final = 100
# More values than this take seconds to validate. Meanwhile the sandbox responds to no other request.
MAX_VALUES: Final = 200_000
MAX_SHOWN_LENGTH: Final = 80
# At most this many failures of one value are reported or compared.
MAX_FAILURES: Final = 1000
# In characters. A longer error message is cut, because it may quote the whole value.
MAX_MESSAGE: Final = 500
STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
FAILURE_TYPES: Final = {"required": "missing", "additionalProperties": "extra_forbidden", "format": "value_error"}

# The values of `done`, `waiting` and `failed`.
States: TypeAlias = Mapping[str, list[Any]]
# The place, the message and the type of a failure of validation.
Failure: TypeAlias = tuple[list[str], str, str]

TEXT: Final[Node] = {"type": "string"}
TEXTS: Final[Node] = {"type": "array", "items": TEXT}
FLAG: Final[Node] = {"type": "boolean"}

# The schema of any value.
ANY: Final[Node] = {}

OBJECT, ARRAY = "object", "array"
# The classes of the types.
CLASSES: Final[dict[str, type]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": float,
    "object": dict,
    "string": str,
}

# Only formats that need no optional package, so that every installation checks the same formats.
FORMATS: Final = FormatChecker(formats=("date", "email", "ipv4", "ipv6", "uuid"))

# `oneOf` is checked like `anyOf`: objects are open, so a value may fit several variants.
ANY_OF: Final[Any] = Draft202012Validator.VALIDATORS["anyOf"]
EXTEND: Final[Callable[..., type[Validator]]] = extend  # pyright: ignore[reportUnknownVariableType]
IS_TYPE: Final = Draft202012Validator.TYPE_CHECKER.is_type
VALIDATOR: Final = EXTEND(Draft202012Validator, {"oneOf": ANY_OF})

# Keywords that are not copied into the variants of a schema.
BESIDE_VARIANTS: Final = frozenset(
    {"oneOf", "anyOf", "discriminator", "title", "description", "default", "example", "examples"}
)
# How many levels are followed if a schema contains itself.
MAX_LEVELS: Final = 5


@FORMATS.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or bool(parse_datetime(value))


def states_of(operation: Node) -> States:
    """Return the states that `x-wait` of an operation names: `done`, `waiting` and `failed`, with their values."""
    states: Node = operation.get("x-wait", ANY).get("states", ANY)
    found: dict[str, list[Any]] = {}
    for name, values in states.items():
        # The values of one member, or those of several by their names.
        if is_object(values):
            values = [*chain.from_iterable(values.values())]
        found[name] = values
    return found


class SandboxContract(Contract):
    """A contract that returns the alternatives and the validator of a schema."""

    def alternatives(self, schema: Any, levels: int = MAX_LEVELS) -> list[Node]:
        """Return one flat schema for each variant, or the flat schema itself; a value must follow one of them."""
        flat = self.flatten(schema)
        variants = [*flat.get("oneOf", ()), *flat.get("anyOf", ())]
        if not variants:
            return [flat]
        rest = {key: value for key, value in flat.items() if key not in BESIDE_VARIANTS}
        found: list[Node] = []
        if levels:
            for variant in variants:
                found += self.alternatives({"allOf": [rest, variant]}, levels - 1)
        return found

    def shape(self, schema: Any) -> Shape:
        """Return the shape of a schema of the document, which is made only once."""
        # The shape refers to its schema, so no other schema can get the same id.
        return self._shapes.setdefault(id(schema), Shape(self, schema))

    def shape_of_any(self, schemas: list[Any]) -> Shape:
        """Return the shape of a value that follows one of several schemas; of any value if there is none."""
        if not schemas:
            return self.shape(ANY)
        if len(schemas) == 1:
            return self.shape(schemas[0])
        return Shape(self, {"anyOf": schemas})

    @cached_property
    def _shapes(self) -> dict[int, Shape]:
        return {}

    def validator(self, schema: Any) -> Validator:
        """Return a validator for a schema of the document."""
        # References are looked up from the root of the schema, so this schema needs the whole document.
        rooted = {**self.document, **(schema if is_object(schema) else {"allOf": [schema]})}
        return VALIDATOR(rooted, format_checker=FORMATS)


@cache
def load_contract() -> SandboxContract:
    """Return the contract of this build, loaded once."""
    return SandboxContract(load().document)


class Shape:
    """The form of a value according to its schema, computed on demand, because schemas may be recursive.

    Args:
        contract: The contract of the schema.
        schema: A schema, with or without references.
    """

    def __init__(self, contract: SandboxContract, schema: Any) -> None:
        self.contract = contract
        self.schema = schema

    @cached_property
    def validator(self) -> Validator:
        """The validator of the schema."""
        return self.contract.validator(self.schema)

    @cached_property
    def alternatives(self) -> list[Node]:
        """The flat schemas, one of which the value must follow."""
        return self.contract.alternatives(self.schema)

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types of the value; empty if the schema does not restrict them."""
        return frozenset[str]().union(*map(types_of, self.alternatives))

    @cached_property
    def items(self) -> Shape:
        """The shape of the items of an array."""
        return self.contract.shape_of_any([flat["items"] for flat in self.alternatives if "items" in flat])

    @cached_property
    def members(self) -> dict[str, Shape]:
        """The shapes of the members that the schema shows."""
        schemas: dict[str, list[Any]] = {}
        for flat in self.alternatives:
            for name, schema in flat.get("properties", {}).items():
                schemas.setdefault(name, []).append(schema)
        members: dict[str, Shape] = {}
        for name, of_name in schemas.items():
            members[name] = self.contract.shape_of_any(of_name)
        return members

    @cached_property
    def required(self) -> frozenset[str]:
        """The members that every variant requires."""
        required: frozenset[str] | None = None
        for flat in self.alternatives:
            of_variant = frozenset[str](flat.get("required", ()))
            required = of_variant if required is None else required & of_variant
        return required or frozenset()

    @cached_property
    def _accepted(self) -> frozenset[type]:
        """The classes of the values that are plausible whatever they are: null, and scalars of the types."""
        accepted: set[type] = {type(None)}
        if self.mark("enum") is None:
            for name in self.types or CLASSES:
                accepted.add(CLASSES[name])
        if float in accepted:
            accepted.add(int)
        return frozenset(accepted - {dict, list})

    def is_plausible(self, value: Any) -> bool:
        """Return whether a value has the required members and the types of the schema; null counts as any type.

        Validation would take most of the time of a long list.
        """
        if type(value) in self._accepted:
            return True
        if is_array(value):
            return (not self.types or ARRAY in self.types) and all(map(self.items.is_plausible, value))
        if not is_object(value):
            return value in (self.mark("enum") or ())
        if (self.types and OBJECT not in self.types) or not self.required <= value.keys():
            return False
        members = self.members
        for name, member in value.items():
            shape = members.get(name)
            # This loop runs for each member of each item of a list.
            if shape is not None and type(member) not in shape._accepted and not shape.is_plausible(member):
                return False
        return True

    @cached_property
    def is_open(self) -> bool:
        """True if the value may have members that the schema does not show.

        A schema that shows members shows all of them, unless it says otherwise.
        """
        is_object_type = False
        for flat in self.alternatives:
            if OBJECT not in (types_of(flat) or (OBJECT,)):
                continue
            is_object_type = True
            allows_others = flat.get("additionalProperties", False) is not False or "patternProperties" in flat
            # Other schemas extend a schema with a discriminator.
            if not flat.get("properties") or allows_others or "discriminator" in flat:
                return True
        return not is_object_type

    @property
    def examples(self) -> list[Any]:
        """The examples of the value."""
        found: list[Any] = []
        if len(self.alternatives) > 1:
            found += self.contract.examples(self.contract.flatten(self.schema))
        for flat in self.alternatives:
            found += self.contract.examples(flat)
        return found

    @property
    def is_secret(self) -> bool:
        """True if `x-secret` is on the schema."""
        return bool(self.mark("x-secret"))

    def member(self, name: str) -> Shape:
        """Return the shape of a member, also of a member that the schema does not show."""
        if name in self.members:
            return self.members[name]
        others = (flat.get("additionalProperties") for flat in self.alternatives)
        return self.contract.shape_of_any([*filter(is_object, others)])

    def mark(self, keyword: str) -> Any:
        """Return the value of a keyword of the schema; None if the schema does not have the keyword."""
        for flat in self.alternatives:
            if keyword in flat:
                return flat[keyword]
        return None

    @property
    def known_values(self) -> list[Any]:
        """The values that the schema allows, or else those that are known; empty if there are none."""
        return self.mark("enum") or self.mark("x-known-values") or []


def closed_values(schema: str, member: str) -> tuple[str, ...]:
    """Return all values that the contract allows for a member of a schema; empty if it does not limit them."""
    shape = Shape(load_contract(), {"$ref": f"#/components/schemas/{schema}"})
    return tuple(shape.member(member).mark("enum") or ())


def types_of(schema: Node) -> frozenset[str]:
    """Return the JSON types of a flat schema without alternatives; empty if it does not restrict them."""
    types: Any = schema.get("type")
    if isinstance(types, str):
        return frozenset([types])
    if types is not None:
        return frozenset(types)
    values: list[Any] = schema.get("enum", [])
    if "const" in schema:
        values = [schema["const"]]
    found: set[str] = set()
    for value in values:
        found.update(name for name in CLASSES if IS_TYPE(value, name))
    if not values and "items" in schema:
        found.add(ARRAY)
    if not values and not schema.keys().isdisjoint(("properties", "additionalProperties")):
        found.add(OBJECT)
    return frozenset(found)


def parse_json(content: bytes | str, max_depth: int = 2 * MAX_DEPTH, max_values: int = MAX_VALUES) -> Any:
    """Parse JSON.

    Args:
        content: The text; bytes must be UTF-8.
        max_depth: Maximum number of levels of arrays and objects. The default is also enough for a saved state,
            which wraps the JSON of requests.
        max_values: Maximum number of values, members and items included.

    Raises:
        ValueError: The text is not JSON, is nested too deeply, has too many values, repeats a member of an object, or
            has a number or a character that JSON cannot express.
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        if _separators(text) > max_values and _separators(STRING.sub("", text)) > max_values:
            raise ValueError(f"it has more than {max_values} values")
        document = json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite_float, object_pairs_hook=_unique_members
        )
        # Half of a surrogate pair cannot be encoded in UTF-8.
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except UnicodeEncodeError:
        raise ValueError("it contains half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if is_deeper_than(max_depth, document):
        raise ValueError(f"it is nested deeper than {max_depth} levels")
    return document


def is_deeper_than(levels: int, value: Any) -> bool:
    """Return whether JSON has more than *levels* levels of arrays and objects."""
    nodes = [value]
    for _ in range(levels + 1):
        containers = [node for node in nodes if is_array(node) or is_object(node)]
        if not containers:
            return False
        nodes = []
        for container in containers:
            nodes += container.values() if is_object(container) else container
    return True


def _separators(text: str) -> int:
    """Return the number of commas and opening brackets. A JSON text has at most one value more than this number."""
    return sum(map(text.count, ",[{"))


def excerpt(value: Any) -> str:
    """Return a value as JSON, cut to 80 characters."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > MAX_SHOWN_LENGTH:
        text = f"{text[:MAX_SHOWN_LENGTH]}..."
    return text


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite_float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{excerpt(text)} is too large")
    return number


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names, _ = zip(*pairs, strict=True)
        repeated = Counter(names).most_common(1)[0][0]
        raise ValueError(f"the member {excerpt(repeated)} is repeated in one object")
    return members


def failures_of(shape: Shape, value: Any, place: list[str]) -> list[Failure]:
    """Return the reasons why a value is not valid. Unknown members are failures if the schema shows all members."""
    failures: list[Failure] = []
    for error in islice(shape.validator.iter_errors(value), MAX_FAILURES):
        while error.context:
            # Report the variant that the value fits best. The failure of that variant is the deepest one, and it is
            # not about the type.
            error = max(error.context, key=lambda each: (len(each.absolute_path), each.validator != "type"))
        if not _is_set_by_server(shape, error):
            failures.append(_failure_of(error, place))
    if is_object(value) and not shape.is_open:
        for name in value:
            if name not in shape.members:
                message = f"unknown field{suggestion(name, shape.members)}"
                failures.append(([*place, name], message, "extra_forbidden"))
    return failures


def _failure_of(error: ValidationError, place: list[str]) -> Failure:
    """Return an error of the JSON schema validator in the form of the sandbox's problem details."""
    loc, kind = [*place, *map(str, error.absolute_path)], str(error.validator)
    if kind == "required":
        return [*loc, _missing(error)], "Field required", "missing"
    message, value = str(error.cause or error.message), repr(error.instance)
    if len(value) > MAX_SHOWN_LENGTH:
        message = message.replace(value, f"{value[:MAX_SHOWN_LENGTH]}...")
    if kind == "enum" and isinstance(error.instance, str):
        message += suggestion(error.instance, map(str, cast("Iterable[object]", error.validator_value)))
    return loc, message, FAILURE_TYPES.get(kind, kind)


def _missing(error: ValidationError) -> str:
    """Return the name of a missing member. Only the message of the error has it: 'name' is a required property."""
    return error.message.split("'")[1]


def _is_set_by_server(shape: Shape, error: ValidationError) -> bool:
    """Return whether the error is that a `readOnly` member is missing, which only responses must have."""
    if error.validator != "required":
        return False
    return bool(Shape(shape.contract, error.schema).member(_missing(error)).mark("readOnly"))


def closed_object(required: tuple[str, ...] = (), /, **properties: Node) -> Node:
    """Return the schema of an object that has no other members than *properties*."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def check_json(schema: Node, value: Any, where: str) -> None:
    """Validate *value* against *schema*.

    Args:
        schema: A JSON schema.
        value: JSON that a person or another program wrote.
        where: Name of the value in the error message.

    Raises:
        ValueError: The value is not valid. The message names the place and the reason.
    """
    # The outermost error comes first, because it may cause the errors inside.
    validator = cast("Validator", Draft202012Validator(schema))
    errors = islice(validator.iter_errors(value), MAX_FAILURES)
    error = min(errors, key=lambda error: len(error.absolute_path), default=None)
    if error is not None:
        place = where + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
        raise ValueError(f"{place}: {_reason(error)}")


def _reason(error: ValidationError) -> str:
    schema = cast("Node", error.schema)
    match error.validator:
        case "additionalProperties":
            known = list(schema["properties"])
            unknown = next(str(name) for name in cast("Node", error.instance) if name not in known)
            return f"there is no {unknown!r}{suggestion(unknown, known) or '; known: ' + ', '.join(known)}"
        case "required":
            return f"{_missing(error)!r} is missing"
        case "type":
            types: Any = schema["type"]
            wanted = types if isinstance(types, str) else " or ".join(types)
            return f"must be of type {wanted}, not {excerpt(error.instance)}"
        case "not":
            return "is set by the sandbox; leave it out"
        case "enum":
            return f"must be one of {', '.join(map(json.dumps, schema['enum']))}"
        case _:
            return error.message[:MAX_MESSAGE]
