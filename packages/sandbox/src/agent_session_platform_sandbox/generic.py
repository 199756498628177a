"""Handlers for the operations that have no handler in `resources`. Path, method and schemas decide what a handler does.

This module has no code for a single operation. Such code goes into `resources`, whose docstring says how.

A path that ends in a parameter is a record, and the path before the parameter is its collection. A path whose GET
returns a list is a collection, too. Any other path is a single value, such as settings, or an action on the record
above it, such as `/boxes/{box_id}/open`. All other operations respond with the contract's example.

The records of `/v3/organizations/{org_id}/knowledge/notes` are in the collection `("knowledge/notes", org_id)` of the
state, where resources find them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache
from itertools import filterfalse
from typing import Any, Final

import attrs
from agent_session_platform.contract import PLACEHOLDER, Node, is_array, is_object

from .contract import ENTERPRISE, PATH, Kind, Parameter, Route
from .handlers import Call, Handler, Reply, merge_patch, pick_members, uploaded_file
from .lists import is_unknown, list_form, list_reply, main_content
from .problems import NO_NAMES, invalid
from .state import ORGANIZATIONS, VALUE, Record, State, alive, find
from .validation import ANY, SandboxContract, Shape, states_of

ID_ENDINGS: Final = ("_id", "Id")
SCOPES: Final = (ENTERPRISE, ORGANIZATIONS)
NO_ROUTES: Final[Mapping[str, Route]] = {}


@attrs.frozen
class RecordForm:
    """The form of the records of a collection, or of a single value.

    Attributes:
        shape: A record as responses show it.
        parameter: The path parameter with the id of a record; None if no path has such a parameter.
        id_member: Name of the member with the id of a record; None if the contract shows no such member.
    """

    shape: Shape
    parameter: Parameter | None = None
    id_member: str | None = None

    @property
    def noun(self) -> str:
        """Name of a record in ids and errors: `git_permission` for `{git_permission_id}`."""
        name = self.id_member or "id"
        if self.parameter is not None:
            name = self.parameter.name
        for ending in ID_ENDINGS:
            if name.endswith(ending) and name != ending:
                return name.removesuffix(ending)
        return name

    @property
    def example(self) -> Node:
        """The contract's example of a record; empty if the schema has alternatives, because a request chooses one."""
        if len(self.shape.alternatives) > 1:
            return Node()
        for example in self.shape.examples:
            if is_object(example):
                return example
        return Node()

    @property
    def id_shapes(self) -> list[Shape]:
        """The shapes of the id: of the member, and of the path parameter."""
        shapes: list[Shape] = []
        if self.id_member:
            shapes.append(self.shape.member(self.id_member))
        if self.parameter is not None:
            shapes.append(self.parameter.shape)
        return shapes

    def new_id(self, state: State, taken: Container[str] = ()) -> Any:
        """Return the id of a new record."""
        return state.new_id(self.noun.replace("_", "-"), taken, self.id_shapes)

    def members(self, call: Call, key: Any) -> dict[str, Any]:
        """Return the members that a call sets in a record: members from its path and its body, and the id."""
        members = pick_members(call.path, self.shape.members) | sent_members(call, self.shape)
        if self.id_member:
            members[self.id_member] = key
        return members


@attrs.frozen
class Place:
    """Where the state keeps the record or the value of a path.

    Attributes:
        records: The collection; a single value has a collection of its own.
        key: The key in the collection.
        id: The id of the record as the contract writes it; None for a single value.
    """

    records: dict[str, Record]
    key: str = ""
    id: Any = None


def parent_of(path: str) -> str:
    """Return a path without its last segment, or without the action after a colon, as in `/boxes/{box_id}:open`."""
    head, _, last = path.rpartition("/")
    thing, colon, _ = last.rpartition(":")
    if colon:
        return f"{head}/{thing}"
    return head


def is_record(path: str) -> bool:
    """Return whether a path names one record of a collection."""
    return PLACEHOLDER.fullmatch(path.rpartition("/")[2]) is not None


def records_above(path: str) -> Iterator[str]:
    """Yield the paths of the records above a path, the nearest first."""
    while path:
        path = parent_of(path)
        if is_record(path):
            yield path


def name_of(call: Call, path: str) -> tuple[str, ...]:
    """Return the name that a path's collection or value has in the state; for a record, the id is added."""
    words: list[str] = []
    texts: list[str] = []
    for segment in filter(None, path.split("/")):
        parameters = PLACEHOLDER.findall(segment)
        if not parameters:
            words.append(segment)
        for name in parameters:
            values = call.path[name]
            if not is_array(values):
                values = [values]
            texts.append(",".join(map(str, values)))
    for scope in SCOPES:
        if scope in words[:-1]:
            words = words[words.index(scope) + 1 :]
            break
    return "/".join(words), *texts


def is_part(name: tuple[str, ...], of: tuple[str, ...]) -> bool:
    """Return whether a collection of a resource may have the records of another name.

    A resource calls its collection `blueprints` where a path has `snapshot-setup/blueprints`, and `members` for
    `members/users`.
    """
    is_named = of[0] == name[0] or of[0].startswith(f"{name[0]}/") or of[0].endswith(f"/{name[0]}")
    return is_named and (len(of) == 1 or set(name[1:]) <= set(of[1:]))


def sent_members(call: Call, shown: Shape) -> dict[str, Any]:
    """Return the body's members that a response may show: no files, and secrets only if *shown* has them.

    Of a file, a response may show the name and the size.
    """
    if not is_object(call.body):
        return {}
    hides_others = "x-secret" in call.route.endpoint.node
    members: dict[str, Any] = {}
    for name, value in call.body.items():
        file = uploaded_file(value)
        if file is not None:
            facts = {"name": file["name"], "filename": file["name"], "size": len(file["content"])}
            members = pick_members(facts, shown.members) | members
        elif name in shown.members:
            if not shown.members[name].mark("writeOnly"):
                members[name] = value
        elif not hides_others and not call.route.is_secret(name):
            members[name] = value
    return members


def defaults(route: Route) -> dict[str, Any]:
    """Return the default values that the contract has for members of a request."""
    found: dict[str, Any] = {}
    for name, shape in route.body_members.items():
        default = shape.mark("default")
        if default is not None:
            found[name] = default
    return found


class GenericHandlers:
    """Handlers for any operation.

    Args:
        contract: The contract of the routes.
        routes: All routes, also those of operations that resources handle.
        handled: The handlers of resources by the id of the operation.
    """

    def __init__(
        self, contract: SandboxContract, routes: Iterable[Route], handled: Mapping[str, Handler] | None = None
    ) -> None:
        self._contract = contract
        self._handled = handled or {}
        self._by_path: dict[str, dict[str, Route]] = {}
        self._form = cache(self._read_form)
        for route in routes:
            self._by_path.setdefault(route.path, {})[route.method] = route
        self._record_paths = {parent_of(path): path for path in self._by_path if is_record(path)}

    def id_shapes(self) -> dict[str, list[Shape]]:
        """Return how the contract writes the ids of records, by the kind of record."""
        shapes: dict[str, list[Shape]] = {}
        for path in self._record_paths.values():
            form = self._form(path)
            shapes.setdefault(form.noun.replace("_", "-"), []).extend(form.id_shapes)
        return shapes

    def handler(self, route: Route) -> Handler:
        """Return the handler for a route. A call below an unknown record is refused (404)."""
        handler = self._own_handler(route)
        finders: list[Callable[[Call], object]] = []
        for path in records_above(route.path):
            if path in self._by_path:
                finders.append(self._finder(path))

        def handle(call: Call) -> Reply:
            for find_record in finders:
                find_record(call)
            return handler(call)

        return handle

    def _own_handler(self, route: Route) -> Handler:
        path = route.path
        method = route.method
        handlers = {"GET": self.get, "PATCH": self.update, "PUT": self.replace, "DELETE": self.delete}
        if is_record(path):
            return handlers.get(method, self.get)
        is_list = self._is_list(path)
        form = list_form(route)
        if is_list:
            handlers["GET"] = self.list_records
        if form is not None and form.is_page:
            # A POST that returns a page is a search.
            handlers["POST"] = self.list_records
        elif path in self._record_paths or is_list:
            handlers["POST"] = self.create
        elif not is_record(parent_of(path)) or parent_of(path) not in self._by_path:
            handlers["POST"] = self.replace
        is_value = not is_list or self._resource(path, "PUT") is not None
        if method not in ("GET", "HEAD") and self._resource(path, "GET") is not None and (is_value or method != "POST"):
            return self.change_by_resource
        return handlers.get(method, self.get)

    def _finder(self, path: str) -> Callable[[Call], object]:
        """Return a function that refuses (404) a call if there is no such record."""
        show = self._resource(path, "GET")
        if show is not None:
            return lambda call: show(attrs.evolve(call, body={}, query={}))
        noun = self._form(path).noun
        is_filled = self._is_filled(parent_of(path))

        def find_record(call: Call) -> None:
            place = self._place(call, path)
            if is_filled:
                find(place.records, place.key, noun)

        return find_record

    def _resource(self, path: str, method: str) -> Handler | None:
        """Return the handler that a resource has for a method of a path; None if it has none."""
        route = self._by_path.get(path, NO_ROUTES).get(method)
        if route is None:
            return None
        return self._handled.get(route.operation_id)

    def change_by_resource(self, call: Call) -> Reply:
        """Change a value that a resource keeps, as its PUT does. If it has none, nothing is changed.

        A DELETE empties the arrays of the value, a POST adds to them, and a PATCH merges.
        """
        path, method = call.route.path, call.route.method
        show, replace = self._resource(path, "GET"), self._resource(path, "PUT")
        shown: Any = None
        if show is not None:
            shown = show(attrs.evolve(call, body={}, query={})).body
        if replace is None or not is_object(shown):
            return self._reply(call, shown)
        changed: dict[str, Any] = merge_patch(shown, call.body)
        for name, value in shown.items():
            if is_array(value) and method == "DELETE":
                changed[name] = []
            elif is_array(value) and is_array(changed.get(name)) and method == "POST":
                changed[name] = [*value, *changed[name]]
        replace(attrs.evolve(call, body=changed))
        return self._reply(call, changed)

    def list_records(self, call: Call) -> Reply:
        """List a collection as the contract says, or reply with the contract's example if no operation adds records."""
        path, parent = call.route.path, parent_of(call.route.path)
        if parent in self._record_paths and path not in self._record_paths:
            # A path such as `/boxes/search` lists the boxes.
            path = parent
        form, records = list_form(call.route), self._records(call, path)
        if form is None:
            return self._sample(call, {})
        # The cursor in an example of a page leads nowhere.
        if not records and not self._is_filled(path) and not form.names and call.content is not None:
            for example in call.content.shape.examples:
                return Reply(example)
        return list_reply(call, alive(records))

    def create(self, call: Call) -> Reply:
        """Create a record from the body, the defaults and the contract's example, in this order of precedence."""
        path = call.route.path
        form, records = self._form_for(call), self._records(call, path)
        name = form.id_member or ""
        key: object = None
        if is_object(call.body) and name in call.route.body_members:
            key = call.body.get(name)
        if key in NO_NAMES:
            raise invalid((["body", name], f"must be an id, not {key!r}", "value_error"))
        if not isinstance(key, str | int):
            key = form.new_id(call.state, records)
        record = call.state.add(records, str(key), {})
        begun = form.example | self._working(path, form)
        return self._keep(call, record, begun | defaults(call.route) | form.members(call, key), str(key))

    def _working(self, path: str, form: RecordForm) -> dict[str, Any]:
        """Return the members with which a new record is in none of the states that `x-wait` names."""
        route = self._by_path.get(self._record_paths.get(path, ""), NO_ROUTES).get("GET")
        named: list[Any] = []
        if route is not None:
            for values in states_of(route.endpoint.node).values():
                named += values
        members: dict[str, Any] = {}
        for name, shape in form.shape.members.items():
            known = shape.known_values
            first = next(filterfalse(named.__contains__, known), None)
            if first is not None and any(map(named.__contains__, known)):
                members[name] = first
        return members

    def get(self, call: Call) -> Reply:
        """Return a record or a value; for an action, or if nothing was kept, return the contract's example."""
        record = self._find(call)
        if record.number or is_record(call.route.path):
            return self._reply(call, record.value)
        return self._sample(call, self._above(call))

    def update(self, call: Call) -> Reply:
        """Merge the body into a record or a value; a record keeps its id."""
        record, form = self._kept(call), self._form_for(call)
        merged = merge_patch(record.fields, sent_members(call, form.shape))
        if form.id_member in record.fields:
            merged[form.id_member] = record.fields[form.id_member]
        return self._keep(call, record, merged)

    def replace(self, call: Call) -> Reply:
        """Replace a record or a value by the body; the id stays, and so do members that no request can set."""
        path = call.route.path
        form, place = self._form_for(call), self._place(call, path)
        base: Node = {}
        if call.route.method == "POST":
            base = form.example | defaults(call.route)
        known = place.records.get(place.key)
        if known is not None and not known.deleted:
            settable = call.route.body_members.keys()
            base = known.fields.copy() if settable else {}
            for name in settable:
                base.pop(name, None)
        elif not is_record(path) or "POST" not in self._by_path.get(parent_of(path), NO_ROUTES):
            call.state.add(place.records, place.key, {})
        members = form.members(call, place.id)
        if "GET" not in self._by_path[path]:
            # No operation shows the value again, so each request makes another one.
            members |= self._new_ids(call, form.shape, members)
        return self._keep(call, find(place.records, place.key, form.noun), base | members)

    def delete(self, call: Call) -> Reply:
        """Delete a record or a value; reply with null, or with the deleted value."""
        record = self._kept(call)
        record.deleted = True
        call.state.files.pop("/".join(name_of(call, call.route.path)), None)
        if call.content is not None and call.content.shape.validator.is_valid(None):
            return self._reply(call, None)
        return self._reply(call, record.value)

    # These methods tell what a path names.

    def _is_list(self, path: str) -> bool:
        """Return whether a path is a collection; a list that can only be replaced as a whole is a value."""
        methods = self._by_path.get(path, NO_ROUTES)
        if list_form(methods.get("GET")) is None:
            return False
        adds = path in self._record_paths or "POST" in methods
        return adds or {"PUT", "PATCH"}.isdisjoint(methods)

    def _is_filled(self, collection: str) -> bool:
        """Return whether an operation adds records to a collection."""
        of_record = self._by_path.get(self._record_paths.get(collection, ""), NO_ROUTES)
        return "PUT" in of_record or not {"POST", "PUT"}.isdisjoint(self._by_path.get(collection, NO_ROUTES))

    def _form_for(self, call: Call) -> RecordForm:
        """Return the form of the record or the value that a call adds or changes.

        If records have an id and the contract does not show the body, a body that is not an object is refused (422).
        """
        form = self._form(call.route.path)
        if form.id_member and all(each.kind is Kind.JSON and is_unknown(each.shape) for each in call.route.body):
            call.members()
        return form

    def _read_form(self, path: str) -> RecordForm:
        """Return the form of what a path names: a record, the records of a collection, or a single value."""
        collection = path
        if is_record(path):
            collection = parent_of(path)
        record_path = self._record_paths.get(collection, "")
        of_collection = self._by_path.get(collection, NO_ROUTES)
        if not record_path and not self._is_list(path):
            return RecordForm(self._first_shown(self._shapes(of_collection, "GET", "PUT", "PATCH", "POST")))
        of_record = self._by_path.get(record_path, NO_ROUTES)
        shapes = self._shapes(of_record, "GET")
        listed = list_form(of_collection.get("GET"))
        if listed is not None:
            shapes.append(listed.items)
        shapes += self._shapes(of_record, "PUT", "PATCH")
        shape = self._first_shown([*shapes, *self._shapes(of_collection, "POST")])
        parameter = None
        for route in of_record.values():
            parameter = route.parameters[PATH][route.path_names[-1]]
        return RecordForm(shape, parameter, next(_id_members(shape, parameter), None))

    def _first_shown(self, shapes: Iterable[Shape]) -> Shape:
        """Return the first shape whose members the contract shows."""
        for shape in shapes:
            if shape.members:
                return shape
        return self._contract.shape(ANY)

    def _shapes(self, routes: Mapping[str, Route], *methods: str) -> list[Shape]:
        """Return the shapes of the JSON responses of a path's operations, without arrays."""
        shapes: list[Shape] = []
        for method in methods:
            content = main_content(routes.get(method))
            if content is not None and content.kind is Kind.JSON and "array" not in content.shape.types:
                shapes.append(content.shape)
        return shapes

    # These methods read and change the state.

    def _records(self, call: Call, path: str, key: str = "") -> dict[str, Record]:
        """Return the records of a collection's path: those that a resource shows, if one does.

        Args:
            call: The request.
            path: The path of the collection.
            key: The id of a record; a resource may keep it in the collection of any organization.
        """
        name = name_of(call, path)
        if name == (ORGANIZATIONS,):
            call.state.keep_organizations()
        exact = call.state.collection(*name)
        if exact or not self._is_kept_by_resource(path):
            return exact
        for other, records in call.state.by_name.items():
            if other != name and is_part(other, name) and (not key or key in records):
                return records
        return exact

    def _is_kept_by_resource(self, collection: str) -> bool:
        record_path = self._record_paths.get(collection, "")
        methods = (collection, "GET"), (collection, "POST"), (record_path, "GET")
        return any(self._resource(*method) for method in methods)

    def _place(self, call: Call, path: str) -> Place:
        """Return where the record or the value of a path is kept."""
        name = name_of(call, path)
        if not is_record(path):
            return Place(call.state.collection(*name))
        [parameter] = PLACEHOLDER.findall(path.rpartition("/")[2])
        return Place(self._records(call, parent_of(path), name[-1]), name[-1], call.path[parameter])

    def _find(self, call: Call) -> Record:
        """Return the record or the value of the path; refuse (404) an unknown record if an operation adds records."""
        path = call.route.path
        form, place = self._form(path), self._place(call, path)
        record = place.records.get(place.key)
        if is_record(path) and (record is not None or self._is_filled(parent_of(path))):
            return find(place.records, place.key, form.noun)
        if record is not None and not record.deleted:
            return record
        return Record(0, form.example | form.members(call, place.id))

    def _kept(self, call: Call) -> Record:
        """Return the record or the value of the path; add it to the state if it is not there yet."""
        record = self._find(call)
        if record.number:
            return record
        place = self._place(call, call.route.path)
        return call.state.add(place.records, place.key, record.fields)

    def _keep(self, call: Call, record: Record, members: dict[str, Any], key: str = "") -> Reply:
        """Keep members, a file, or a value that is not an object in a record, and reply with the record."""
        path, body = call.route.path, call.body
        collection = path
        if is_record(path):
            collection = parent_of(path)
        record.fields = members
        # A resource needs its records as it has made them.
        if not self._is_kept_by_resource(collection):
            # The schema may not describe an object.
            fitted = call.fitter.fit(self._form(path).shape.schema, members)
            record.fields = fitted if is_object(fitted) else {}
        record.memory.pop(VALUE, None)
        place = "/".join((*name_of(call, path), key)).rstrip("/")
        call.state.files.pop(place, None)
        if isinstance(body, bytes):
            call.state.files[place] = body
        elif is_object(body):
            for part in body.values():
                file = uploaded_file(part)
                if file is not None:
                    call.state.files.setdefault(place, file["content"])
        elif body is not None:
            record.memory[VALUE] = body
        return self._reply(call, record.value)

    def _above(self, call: Call) -> dict[str, Any]:
        """Return the members that a response takes from the record above its path, as in `/boxes/{box_id}/open`."""
        parent = parent_of(call.route.path)
        if call.content is None or not is_record(parent):
            return {}
        shown, form = call.content.shape.members, self._form(parent)
        place = self._place(call, parent)
        record = place.records.get(place.key)
        if record is None or form.id_member not in shown:
            return {}
        if shown.keys() == form.shape.members.keys():
            return record.fields
        return pick_members(record.fields, shown)

    # These methods make the response.

    def _reply(self, call: Call, value: Any) -> Reply:
        """Reply with a value, or with a file: it is kept at its path, or above, as for `/files/{file_id}/content`."""
        content = call.content
        if content is None:
            return Reply(None)
        if content.kind is Kind.JSON:
            return Reply(value)
        path = call.route.path
        choices = [value]
        for place in (path, parent_of(path)):
            choices.append(call.state.files.get("/".join(name_of(call, place))))
        for choice in (*choices, *content.shape.examples, ""):
            if isinstance(choice, str) and content.kind is Kind.BYTES:
                return Reply(choice.encode())
            if isinstance(choice, str | bytes):
                return Reply(choice)
        return Reply(None)

    def _sample(self, call: Call, members: dict[str, Any]) -> Reply:
        """Reply with the contract's example, in which members of the call and *members* are set.

        What the contract requires and the example lacks is added to each reply of this class.
        """
        if call.content is None or call.content.kind is not Kind.JSON:
            return self._reply(call, None)
        shape = call.content.shape
        form = RecordForm(shape)
        given = form.members(call, None)
        value = form.example | pick_members(given, shape.members) | members
        return self._reply(call, value | self._new_ids(call, shape, {*given, *members}))

    def _new_ids(self, call: Call, shape: Shape, given: Container[str]) -> dict[str, Any]:
        """Return a new id for what a POST creates below a record; {} if the response has no id of its own."""
        own_id = next(_id_members(shape, None), None)
        if call.route.method != "POST" or own_id is None or own_id in given or own_id in call.path:
            return {}
        parent = parent_of(call.route.path)
        if parent in self._by_path and is_record(parent) and self._form(parent).id_member == own_id:
            return {}
        return {own_id: RecordForm(shape, id_member=own_id).new_id(call.state)}


def _id_members(shape: Shape, parameter: Parameter | None) -> Iterator[str]:
    """Yield the members that may be the id of a record, the most probable first."""
    for name, member in shape.members.items():
        if member.mark("x-resource-id"):
            yield name
    # If the contract does not show the members of a record, assume that the id has the same name as in paths.
    if parameter is not None and (parameter.name in shape.members or is_unknown(shape)):
        yield parameter.name
    if "id" in shape.members:
        yield "id"
    for name in shape.members:
        if name.endswith(ID_ENDINGS):
            yield name
