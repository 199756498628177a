"""Paths of operations that no resource handles: which are records and collections, and whose records a list shows."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any, Final

from ..contract import PATH, Content, Kind, Route, SandboxContract, Shape
from .list_form import ListForm, list_form
from .record_form import RecordForm, record_form

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
