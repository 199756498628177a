"""Forms of records and lists: which members the contract shows, and how a list is paged."""

from __future__ import annotations

import base64
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import attrs
from agent_session_platform.contract import is_object

from ..contract import PATH, Content, Kind, Parameter, Route, SandboxContract, Shape
from ..problems import invalid
from ..state import Record, State
from .call import Call

DEFAULT_SIZE = 100


@attrs.frozen
class PageOfRecords:
    """One page of a list.

    Attributes:
        records: The records of the page.
        end_cursor: The cursor of the next page; None for the last page.
        total: Number of records of all pages.
    """

    records: list[Record]
    end_cursor: str | None
    total: int


def paginate(records: Iterable[Record], query: Mapping[str, Any]) -> dict[str, Any]:
    """Return one page in the paginated envelope.

    Args:
        records: All records of the list.
        query: `first`, the page size (default 100), and `after`, a cursor.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    page = find_page(records, query.get("first", DEFAULT_SIZE), query.get("after"))
    return {
        "items": [record.fields for record in page.records],
        "end_cursor": page.end_cursor,
        "has_next_page": page.end_cursor is not None,
        "total": page.total,
    }


def find_page(
    records: Iterable[Record], size: int, cursor: object, place: tuple[str, str] = ("query", "after")
) -> PageOfRecords:
    """Return one page.

    A cursor names the last record of its page, so records that are added or deleted meanwhile do not shift the next.

    Args:
        records: All records of the list.
        size: Most records of a page.
        cursor: The cursor of the page; None for the first page.
        place: Location of the cursor in the request.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    matching = list(records)
    last_seen = 0 if cursor is None else _read_cursor(cursor, place)
    rest = [record for record in matching if record.number > last_seen]
    page = rest[:size]
    return PageOfRecords(page, _write_cursor(page[-1].number) if len(rest) > len(page) else None, len(matching))


def _write_cursor(number: int) -> str:
    return base64.urlsafe_b64encode(f"after:{number}".encode()).decode()


def _read_cursor(cursor: object, place: tuple[str, str]) -> int:
    try:
        number = int(base64.urlsafe_b64decode(str(cursor).encode()).decode().removeprefix("after:"))
        # The sandbox writes each cursor in one way only.
        if number > 0 and _write_cursor(number) == cursor:
            return number
    except ValueError:
        pass
    raise invalid(([*place], "not a cursor of this list", "cursor"))


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


ITEMS: Final = "items"
# The usual names of the page size.
SIZES: Final = ("first", "limit", "size", "page_size")


@attrs.frozen(kw_only=True)
class ListForm:
    """The form of the response of a list.

    Attributes:
        items: Shape of an item.
        member: Member of the response that has the items; None if the response is the items themselves.
        by_key: True if the items are the members of an object, by their ids.
        names: The members `end_cursor`, `has_next_page` and `total` by their usual names, where the response has them.
        after: Parameter, or member of the body, that takes the cursor.
        is_certain: True if nothing but a list has this form.
        is_free: True if the contract does not show the items.
    """

    items: Shape
    member: str | None = None
    by_key: bool = False
    names: Mapping[str, str] = attrs.field(factory=lambda: dict[str, str]())
    after: str = "after"
    is_certain: bool = True
    is_free: bool = False

    @property
    def is_page(self) -> bool:
        """True if the list is paginated."""
        return "end_cursor" in self.names

    def page(self, call: Call, records: list[Any]) -> PageOfRecords:
        """Return the page that a request asks for; all records if the list is not paginated."""
        if not self.is_page:
            return PageOfRecords(records, None, len(records))
        body: Mapping[str, Any] = call.body if is_object(call.body) else {}
        where, sent = ("body", body) if self.after in body else ("query", call.query)
        sizes: list[Any] = [each[name] for each in (call.query, body) for name in SIZES if name in each]
        size = next((each for each in sizes if isinstance(each, int) and each > 0), DEFAULT_SIZE)
        return find_page(records, size, sent.get(self.after), (where, self.after))

    def write(self, page: PageOfRecords, items: list[Any], keys: list[str]) -> Any:
        """Return the response as JSON.

        Args:
            page: The page.
            items: The items of the page.
            keys: The ids of the items.
        """
        if self.by_key:
            return dict(zip(keys, items, strict=True))
        if self.member is None:
            return items
        values = {
            "end_cursor": page.end_cursor,
            "has_next_page": page.end_cursor is not None,
            "total": page.total,
        }
        return {self.member: items, **{name: values[usual] for usual, name in self.names.items()}}


def list_form(route: Route, content: Content | None) -> ListForm | None:
    """Return the form of a list in a response; None if the response cannot have a list.

    Args:
        route: The operation.
        content: The media type of the response; None if it has no body.
    """
    if content is None or content.kind in (Kind.BYTES, Kind.TEXT):
        return None
    shape = content.shape
    if content.kind is Kind.JSON_LINES:
        return ListForm(items=shape, is_free=_is_free(shape))
    if "array" in shape.types:
        return ListForm(items=shape.items)
    names = route.pagination or {}
    arrays = [name for name, each in shape.members.items() if "array" in each.types]
    member = names.get(ITEMS) or next((name for name in (ITEMS, *arrays) if name in shape.members), None)
    if member is None:
        by_key = bool(shape.others.types or shape.others.members)
        if not by_key and not _is_free(shape):
            return None
        return ListForm(items=shape.others, member=ITEMS, by_key=by_key, is_certain=False, is_free=not by_key)
    members = {usual: names.get(usual, usual) for usual in ("end_cursor", "has_next_page", "total")}
    members = {usual: name for usual, name in members.items() if name in shape.members}
    return ListForm(
        items=shape.member(member).items,
        member=member,
        names=members,
        after=names.get("after", "after"),
        is_certain="end_cursor" in members,
    )


def _is_free(shape: Shape) -> bool:
    return shape.types <= {"object", "null"} and not shape.members and shape.is_open


RECORD: Final = re.compile(r"(.*)/\{([^{}]+)\}")
WRITES: Final = frozenset({"PUT", "PATCH"})


class GenericPaths:
    """The paths of a contract.

    A path that ends in a parameter is a record of the collection before it; a path with records or a list is a
    collection; any other path is a thing by itself, such as settings, or an action.
    """

    def __init__(self, contract: SandboxContract, routes: Iterable[Route], handled: Container[str]) -> None:
        self._contract = contract
        self._by_path: dict[str, dict[str, Route]] = {}
        # The methods of the operations that no resource handles.
        self._generic: dict[str, set[str]] = {}
        self._record_paths: dict[str, str] = {}
        self._forms: dict[str, RecordForm] = {}
        for route in routes:
            self._by_path.setdefault(route.path, {})[route.method] = route
            if route.operation_id not in handled:
                self._generic.setdefault(route.path, set()).add(route.method)
            if match := RECORD.fullmatch(route.path):
                self._record_paths[match[1]] = route.path

    def collection_of(self, path: str) -> str | None:
        """Return the collection of a record; None if the path is no record."""
        match = RECORD.fullmatch(path)
        return match[1] if match else None

    def is_collection(self, path: str) -> bool:
        """Return whether a path has records."""
        methods = self._by_path.get(path, {})
        form = self._list_form(path)
        adds = "POST" in methods and "GET" in methods and not WRITES & methods.keys()
        return path in self._record_paths or (form is not None and (adds or form.is_certain))

    def lists(self, path: str) -> bool:
        """Return whether GET of a path responds with a list."""
        form = self._list_form(path)
        if form is None or form.is_certain:
            return form is not None
        # A payload that is not shown is a list, unless it can be set.
        is_list = form.is_free and form.member is not None and not WRITES & self._by_path[path].keys()
        return is_list or self.is_collection(path) or self._source(path, form) != path

    def is_action(self, path: str) -> bool:
        """Return whether a path is an action on a record, such as `/boxes/{box_id}/open`."""
        parent = self.parent(path)
        return not self.is_collection(path) and parent in self._by_path and self.collection_of(parent) is not None

    def parent(self, path: str) -> str:
        """Return a path without its last segment; `/boxes/{box_id}` of `/boxes/{box_id}:open`."""
        head, _, last = path.rpartition("/")
        thing, colon, _ = last.rpartition(":")
        return f"{head}/{thing}" if colon else head

    def source(self, route: Route) -> str:
        """Return the collection that a list shows: its own, or that of its path for a view such as `/boxes/search`."""
        form = list_form(route, main_content(route))
        return route.path if form is None else self._source(route.path, form)

    def is_filled(self, collection: str) -> bool:
        """Return whether an operation adds records."""
        adding = self._generic.get(collection, set[str]())
        return not {"POST", "PUT"}.isdisjoint(adding) or "PUT" in self._of_record(collection)

    def may_be_put(self, collection: str) -> bool:
        """Return whether PUT adds a record that does not exist: no other operation adds one."""
        return "POST" not in self._by_path.get(collection, {})

    def is_virtual(self, collection: str) -> bool:
        """Return whether any id names a record, because no operation adds or lists records here.

        Those that a resource handles are not here: its records are kept elsewhere.
        """
        return collection not in self._generic and "PUT" not in self._of_record(collection)

    def has_example(self, collection: str) -> bool:
        """Return whether a collection begins with an example: paths name its records, and no operation adds any."""
        is_named = collection in self._record_paths
        return is_named and not self.is_virtual(collection) and not self.is_filled(collection)

    def form(self, collection: str) -> RecordForm:
        """Return the form of the records of a collection."""
        if collection not in self._forms:
            self._forms[collection] = self._record_form(collection)
        return self._forms[collection]

    def content(self, path: str) -> Content | None:
        """Return how JSON responses show what is at a path that is no record; None if there are none."""
        routes = [self._by_path[path][method] for method in ("GET", "PUT", "PATCH") if method in self._by_path[path]]
        return next((each for each in map(main_content, routes) if each is not None and each.kind is Kind.JSON), None)

    def _record_form(self, collection: str) -> RecordForm:
        record = self._record_paths.get(collection, "")
        shapes = list(self._record_shapes(collection, record))
        unknown = (Shape(self._contract, {}), list[Any]())
        shape, examples = next((each for each in shapes if each[0].members), shapes[0] if shapes else unknown)
        parameters = [each.parameters[PATH] for each in self._by_path.get(record, {}).values()]
        match = RECORD.fullmatch(record)
        parameter = next((each[match[2]] for each in parameters if match and match[2] in each), None)
        of_collection = self._by_path.get(collection, {})
        bodies = [
            each.shape for method in ("POST", "PUT") if method in of_collection for each in of_collection[method].body
        ]
        sent = [*bodies, *(each.items for each in bodies)]
        settable = {name for each in sent for name, of in each.members.items() if not of.mark("readOnly")}
        return record_form(shape, examples, parameter, settable)

    def _record_shapes(self, collection: str, record: str) -> Iterator[tuple[Shape, list[Any]]]:
        """Yield the shapes that responses have for a record, and examples, the best first."""
        of_record, of_collection = self._by_path.get(record, {}), self._by_path.get(collection, {})
        if "GET" in of_record:
            yield from _json_shapes(of_record["GET"])
        if (form := self._list_form(collection)) is not None:
            yield form.items, []
        for route in (of_record.get("PUT"), of_record.get("PATCH"), of_collection.get("POST")):
            if route is not None:
                yield from _json_shapes(route)

    def _of_record(self, collection: str) -> set[str]:
        return self._generic.get(self._record_paths.get(collection, ""), set[str]())

    def _list_form(self, path: str) -> ListForm | None:
        route = self._by_path.get(path, {}).get("GET")
        return None if route is None else list_form(route, main_content(route))

    def _source(self, path: str, form: ListForm) -> str:
        parent = self.parent(path)
        if path in self._record_paths or {"GET", "POST"} <= self._by_path[path].keys():
            return path
        if self.is_collection(parent):
            id_member = self.form(parent).id_member
            if form.is_free or (id_member is not None and id_member in form.items.members):
                return parent
        return path


def main_content(route: Route) -> Content | None:
    """Return the content of a success that says what it is: JSON, if there are several."""
    contents = route.contents
    return next((each for each in contents if each.kind is Kind.JSON), contents[0] if contents else None)


def _json_shapes(route: Route) -> Iterator[tuple[Shape, list[Any]]]:
    content = main_content(route)
    if content is not None and content.kind is Kind.JSON and "array" not in content.shape.types:
        yield content.shape, content.examples
