"""The interface of handlers: a handler gets a `Call` and returns a `Reply`. Also pages of lists, and merge patches."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cached_property
from operator import gt, lt
from typing import Any, Final, TypeAlias

import attrs
from agent_session_platform.contract import Node, is_array, is_object

from .contract import QUERY, Content, Route
from .fitting import NOTHING, TEXT_MEMBERS, Fitter
from .parameters import WHOLE_NUMBER
from .problems import invalid, suggestion
from .state import Account, Record, State, alive, find, is_list_of_text
from .validation import TEXT, TEXTS, Shape, excerpt

DEFAULT_SIZE: Final = 100
# The number of items of lists that are kept as the contract says.
MOST_FITTED: Final = 10_000


@attrs.frozen(slots=False)
class Call:
    """An authorized and valid request.

    Attributes:
        state: State of the sandbox.
        route: The operation.
        account: Holder of the credential.
        path: Path parameters with the types of the contract.
        query: Query parameters with the types of the contract.
        body: The parsed body: JSON, the fields of a form, text or bytes. Without a body, {} if the
            operation takes an object or no body, else None.
        strict: False if permissions are not checked.
        headers: Header parameters, with the types and the spelling of the contract.
        content: The media type of the response that fits the request best; None if a successful response has no body.
    """

    state: State
    route: Route
    account: Account
    path: dict[str, Any]
    query: dict[str, Any]
    body: Any
    strict: bool = True
    headers: dict[str, Any] = attrs.field(factory=lambda: dict[str, Any]())
    content: Content | None = None

    @property
    def org_id(self) -> str:
        """The organization in the path."""
        org_id: str = self.path["org_id"]
        return org_id

    def records(self, name: str) -> list[Record]:
        """Return the records of an enterprise's collection; if the path names an organization, only its records."""
        records = alive(self.state.collection(name))
        if "org_id" not in self.path:
            return records
        return [record for record in records if record.fields.get("org_id") == self.org_id]

    def find(self, collection: str, noun: str) -> Record:
        """Return the record whose id is in the path; refuse (404) an unknown one.

        Args:
            collection: Name of a collection: of the organization in the path, or else of the enterprise.
            noun: Name of the record: for `note`, the id is the path parameter `note_id`.
        """
        records = self.state.collection(collection, *filter(None, [self.path.get("org_id")]))
        return find(records, self.path[f"{noun}_id"], noun.replace("_", " "))

    @cached_property
    def fitter(self) -> Fitter:
        """What fits values to the contract; a required member that is lacking is taken from the request."""
        return Fitter(self.route.contract, self.state.timestamp(), {**self.query, **self.path})

    def fit_item(self, shape: Shape, item: Any) -> Any:
        """Return an item of a list as the contract says. Each is fitted once, because programs read lists often."""
        key = (shape, json.dumps([item, self.path]))
        known = self.state.fitted
        if key not in known:
            if len(known) >= MOST_FITTED:
                known.clear()
            # A parameter that selects items says nothing about an item that lacks the member.
            fitter = Fitter(self.route.contract, self.state.timestamp(), self.path)
            known[key] = fitter.fit(shape.schema, item)
        return known[key]

    def members(self) -> dict[str, Any]:
        """Return the members of the body; refuse (422) a body that is not an object, unless the contract has it."""
        if is_object(self.body):
            return self.body
        if self.route.takes_no_object:
            return {}
        raise invalid((["body"], "must be an object", "dict_type"))

    def text(self, name: str) -> str:
        """Return a member of the body as text.

        If the contract shows the body, another member stands in for one that the body lacks: the request is valid. If
        the contract does not show it, a value that is not text is refused (422).
        """
        members = self.members()
        value = members.get(name)
        if isinstance(value, str):
            return value
        if self.route.shows(name):
            read: str = self._read(TEXT, name, "")
            return read
        hint = ""
        for other in members:
            if name not in members and not hint and suggestion(other, [name]):
                hint = f"; the body has {other!r}, did you mean {name!r}?"
        raise invalid((["body", name], f"must be text{hint}", "string_type"))

    def texts(self, name: str) -> list[str]:
        """Return a member of the body as a list of text, as `text` does with a single one."""
        value = self.members().get(name)
        if is_list_of_text(value):
            return value
        if self.route.shows(name):
            read: list[str] = self._read(TEXTS, name, [])
            return read
        raise invalid((["body", name], "must be a list of text", "list_type"))

    def _read(self, schema: Node, name: str, default: Any) -> Any:
        """Return a member of a body that the contract shows as another type, or the first one that can be."""
        members = self.members()
        names = [name]
        if name not in members:
            names = [*TEXT_MEMBERS, *members]
        for each in names:
            value = self.fitter.similar(schema, members.get(each))
            if value is not NOTHING:
                return value
        return default

    def filter(self, name: str) -> str | None:
        """Return a query parameter as text, or None; refuse (422) a repeated one if the contract has no type for it."""
        value = self.query.get(name)
        if is_array(value) and self._has_type(name):
            value = next(iter(value), None)
        if is_array(value):
            raise invalid((["query", name], f"given {len(value)} times; it takes one value", "multiple_values"))
        if isinstance(value, bool):
            return str(value).lower()
        if value is None:
            return None
        return str(value)

    def flag(self, name: str) -> bool | None:
        """Return a query parameter as a boolean; refuse (422) values other than `true` and `false`.

        If the contract has another type for it, any other value counts as None.
        """
        value = self.filter(name)
        if value in ("true", "false"):
            return value == "true"
        if value is None or self._has_type(name):
            return None
        raise invalid((["query", name], f"must be true or false, not {value!r}", "bool_parsing"))

    def whole_number(self, name: str) -> int:
        """Return a query parameter as a whole number, 0 or more; 0 if the request does not have it.

        If the contract has no type for it, other text is refused (422).
        """
        value = self.filter(name)
        if value is None and name not in self.query:
            return 0
        text = value or ""
        if WHOLE_NUMBER.fullmatch(text) and not text.startswith("-"):
            return int(text)
        if self._has_type(name):
            return 0
        raise invalid((["query", name], f"must be a whole number, not {excerpt(text)}", "int_type"))

    def _has_type(self, name: str) -> bool:
        parameter = self.route.parameters[QUERY].get(name)
        return parameter is not None and bool(parameter.shape.types)


@attrs.frozen
class Reply:
    """The reply of a handler.

    Attributes:
        body: JSON, bytes or text. Bytes are sent as they are, and so is text if the contract declares text. None means
            no body if the contract declares none. A status such as 204 never has a body.
        status: HTTP status; None for the first success status in the contract.
    """

    body: Any
    status: int | None = None


Handler: TypeAlias = Callable[[Call], Reply]


def pick_members(values: Mapping[str, Any], names: Container[str]) -> dict[str, Any]:
    """Return the values that have one of some names."""
    return {name: value for name, value in values.items() if name in names}


def uploaded_file(value: Any) -> dict[str, Any] | None:
    """Return an uploaded file, or the first of several files: `name` and `content`. None if the value is no file."""
    files = value if is_array(value) else [value]
    for file in files:
        if is_object(file) and isinstance(file.get("content"), bytes):
            return file
    return None


def merge_patch(target: Any, patch: Any) -> Any:
    """Return *target* with a merge patch applied: members are replaced one by one, and null removes a member."""
    if not is_object(patch):
        return patch
    merged: dict[str, Any] = {}
    if is_object(target):
        merged |= target
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


def find_page(
    records: Iterable[Record],
    size: int,
    cursor: object,
    place: tuple[str, str] = ("query", "after"),
    *,
    is_text: bool = True,
) -> tuple[list[Record], dict[str, Any]]:
    """Return the records of one page, and the other members of the envelope.

    A cursor names the last record of its page, so records that are added or deleted meanwhile do not shift the next
    page.

    Args:
        records: All records of the list, in the order of creation or in the opposite order.
        size: The largest number of records on the page.
        cursor: The cursor of the page; None for the first page.
        place: Location of the cursor in the request.
        is_text: Whether a cursor is text, or a number.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    matching = list(records)
    rest = matching
    if cursor is not None:
        last_seen = _read_cursor(cursor, place)
        is_after = gt
        if matching and matching[0].number > matching[-1].number:
            is_after = lt
        rest = [record for record in matching if is_after(record.number, last_seen)]
    page = rest[:size]
    end_cursor: str | int | None = None
    if len(rest) > len(page):
        end_cursor = page[-1].number
        if is_text:
            end_cursor = _write_cursor(end_cursor)
    return page, {"end_cursor": end_cursor, "has_next_page": end_cursor is not None, "total": len(matching)}


def _write_cursor(number: int) -> str:
    return base64.urlsafe_b64encode(f"after:{number}".encode()).decode()


def _read_cursor(cursor: object, place: tuple[str, str]) -> int:
    if isinstance(cursor, int):
        return cursor
    try:
        number = int(base64.urlsafe_b64decode(str(cursor).encode()).decode().removeprefix("after:"))
    except ValueError:
        number = 0
    # Refuse other encodings of the same number.
    if number <= 0 or _write_cursor(number) != cursor:
        raise invalid(([*place], "not a cursor of this list", "cursor"))
    return number
