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
from typing import Any, Final

import attrs
from agent_session_platform.contract import PLACEHOLDER, Node, is_array, is_object

from .contract import ENTERPRISE, PATH, Kind, Parameter, Route
from .handlers import Call, Handler, Reply, file_content, merge_patch
from .lists import is_unknown, list_form, list_reply, main_content
from .problems import NO_NAMES, invalid
from .state import VALUE, Record, State, alive, find
from .validation import Sampler, SandboxContract, Shape, states_of

ID_ENDINGS: Final = ("_id", "Id")
SCOPES: Final = (ENTERPRISE, "organizations")


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
        name = self.parameter.name if self.parameter else self.id_member or "id"
        return next((name.removesuffix(each) for each in ID_ENDINGS if name.endswith(each) and name != each), name)

    @property
    def example(self) -> Node:
        """The contract's example of a record; empty if the schema has alternatives, because a request chooses one."""
        return next(filter(is_object, self.shape.examples if len(self.shape.alternatives) == 1 else ()), Node())

    @property
    def id_shapes(self) -> list[Shape]:
        """The shapes of the id: of the member, and of the path parameter."""
        shapes = [self.shape.member(self.id_member)] if self.id_member else []
        if self.parameter is not None:
            shapes.append(self.parameter.shape)
        return shapes

    def new_id(self, state: State, taken: Container[str] = ()) -> Any:
        """Return the id of a new record."""
        return state.new_id(self.noun.replace("_", "-"), taken, self.id_shapes)

    def members(self, call: Call, key: Any) -> dict[str, Any]:
        """Return the members that a call sets in a record: members from its path and its body, and the id."""
        of_path = {name: value for name, value in call.path.items() if name in self.shape.members}
        return of_path | sent_members(call, self.shape) | ({self.id_member: key} if self.id_member else {})


def parent_of(path: str) -> str:
    """Return a path without its last segment, or without the action after a colon, as in `/boxes/{box_id}:open`."""
    head, _, last = path.rpartition("/")
    thing, colon, _ = last.rpartition(":")
    return f"{head}/{thing}" if colon else head


def is_record(path: str) -> bool:
    """Return whether a path names one record of a collection."""
    return PLACEHOLDER.fullmatch(path.rpartition("/")[2]) is not None


def records_above(path: str) -> Iterator[str]:
    """Yield the paths of the records above a path, the nearest first."""
    while path:
        path = parent_of(path)
        if is_record(path):
            yield path


def is_part(name: tuple[str, ...], of: tuple[str, ...]) -> bool:
    """Return whether a collection of a resource may have the records of another name.

    A resource calls its collection `blueprints` where a path has `snapshot-setup/blueprints`, and `members` for
    `members/users`.
    """
    is_named = of[0] == name[0] or of[0].startswith(f"{name[0]}/") or of[0].endswith(f"/{name[0]}")
    return is_named and (len(of) == 1 or set(name[1:]) <= set(of[1:]))


def name_of(call: Call, path: str) -> tuple[str, ...]:
    """Return the name that a path's collection or value has in the state; for a record, the id is added."""
    fixed = [each for each in path.split("/") if each and not PLACEHOLDER.search(each)]
    scopes = [fixed.index(each) for each in SCOPES if each in fixed[:-1]]
    parameters = [call.path[name] for name in PLACEHOLDER.findall(path)]
    texts = [",".join(map(str, each)) if is_array(each) else str(each) for each in parameters]
    return "/".join(fixed[scopes[0] + 1 :] if scopes else fixed), *texts


def sent_members(call: Call, shown: Shape) -> dict[str, Any]:
    """Return the body's members that a response may show: no files, and secrets only if *shown* has them.

    Of a file, a response may show the name and the size.
    """
    body: dict[str, Any] = call.body if is_object(call.body) else {}
    is_secret = "x-secret" in call.route.endpoint.node
    members: dict[str, Any] = {}
    for name, value in body.items():
        content = file_content(value)
        if content is not None:
            first = value[0] if is_array(value) else value
            facts = {"name": first["name"], "filename": first["name"], "file_name": first["name"], "size": len(content)}
            members |= {fact: facts[fact] for fact in facts if fact in shown.members and fact not in body}
        elif name in shown.members:
            if not shown.members[name].mark("writeOnly"):
                members[name] = value
        elif not is_secret and not any(each.shape.member(name).is_secret for each in call.route.body):
            members[name] = value
    return members


def defaults(route: Route) -> dict[str, Any]:
    """Return the default values that the contract has for members of a request."""
    shapes = {name: each for content in route.body for name, each in content.shape.members.items()}
    return {name: each.mark("default") for name, each in shapes.items() if each.mark("default") is not None}


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
        for path in self._by_path:
            if is_record(path):
                form = self._form(path)
                shapes.setdefault(form.noun.replace("_", "-"), []).extend(form.id_shapes)
        return shapes

    def handler(self, route: Route) -> Handler:
        """Return the handler for a route. A call below an unknown record is refused (404)."""
        handler = self._own_handler(route)
        finders = [self._finder(path) for path in records_above(route.path) if path in self._by_path]
        if not finders:
            return handler

        def handle(call: Call) -> Reply:
            for find_record in finders:
                find_record(call)
            return handler(call)

        return handle

    def _own_handler(self, route: Route) -> Handler:
        path = route.path
        method = "GET" if route.method == "HEAD" else route.method
        handlers = {"GET": self.get, "PATCH": self.update, "PUT": self.replace, "DELETE": self.delete}
        if is_record(path):
            return handlers.get(method, self.get)
        form, parent = list_form(route), parent_of(path)
        is_list = self._is_list(path)
        if is_list:
            handlers["GET"] = self.list_records
        if form is not None and form.is_page:
            # A POST that returns a page is a search.
            handlers["POST"] = self.list_records
        elif path in self._record_paths or is_list:
            handlers["POST"] = self.create
        elif parent not in self._by_path or not is_record(parent):
            handlers["POST"] = self.replace
        is_value = not is_list or self._resource(path, "PUT") is not None
        if method != "GET" and self._resource(path, "GET") is not None and (is_value or method != "POST"):
            return self.change_by_resource
        return handlers.get(method, self.get)

    def _finder(self, path: str) -> Callable[[Call], object]:
        """Return a function that refuses (404) a call if there is no such record."""
        show = self._resource(path, "GET")
        if show is not None:
            return lambda call: show(attrs.evolve(call, body={}, query={}))
        if not self._is_filled(parent_of(path)):
            return lambda call: None
        return lambda call: find(self._records(call, parent_of(path)), self._key(call, path), self._form(path).noun)

    def _resource(self, path: str, method: str) -> Handler | None:
        """Return the handler that a resource has for a method of a path; None if it has none."""
        route = self._by_path.get(path, {}).get(method)
        return None if route is None else self._handled.get(route.operation_id)

    def change_by_resource(self, call: Call) -> Reply:
        """Change a value that a resource keeps, as its PUT does. If it has none, nothing is changed.

        A DELETE empties the arrays of the value, a POST adds to them, and a PATCH merges.
        """
        path, method = call.route.path, call.route.method
        show, replace = self._resource(path, "GET"), self._resource(path, "PUT")
        shown = show(attrs.evolve(call, body={}, query={})).body if show else None
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
        # A path such as `/boxes/search` lists the boxes.
        path = parent if parent in self._record_paths and path not in self._record_paths else path
        form, records = list_form(call.route), self._records(call, path)
        if form is None:
            return self._sample(call)
        if not records and not self._is_filled(path):
            sample = self._sample(call)
            # The cursor in an example of a page leads nowhere.
            if sample.body and not form.names:
                return sample
        return list_reply(call, alive(records))

    def create(self, call: Call) -> Reply:
        """Create a record from the body, the defaults and the contract's example, in this order of precedence."""
        form, records = self._form_for(call), self._records(call, call.route.path)
        is_sent = any(form.id_member in each.shape.members for each in call.route.body)
        key = call.body.get(form.id_member or "") if is_object(call.body) and is_sent else None
        if key in NO_NAMES:
            raise invalid((["body", form.id_member or ""], f"must be an id, not {key!r}", "value_error"))
        key = key if isinstance(key, str | int) else form.new_id(call.state, records)
        record = call.state.add(records, str(key), {})
        begun = form.example | self._working(call.route.path, form)
        return self._keep(call, record, begun | defaults(call.route) | form.members(call, key), str(key))

    def _working(self, path: str, form: RecordForm) -> dict[str, Any]:
        """Return the members with which a new record is in none of the states that `x-wait` names."""
        route = self._by_path.get(self._record_paths.get(path, ""), {}).get("GET")
        named = [value for values in states_of(route.endpoint.node).values() for value in values] if route else []
        members: dict[str, Any] = {}
        for name, shape in form.shape.members.items():
            known = shape.mark("enum") or shape.mark("x-known-values") or ()
            others = [value for value in known if value not in named]
            if others and len(others) < len(known):
                members[name] = others[0]
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
        own_id = {name: value for name, value in record.fields.items() if name == form.id_member}
        return self._keep(call, record, merged | own_id)

    def replace(self, call: Call) -> Reply:
        """Replace a record or a value by the body; the id stays, and so do members that no request can set."""
        form, (records, key, id_) = self._form_for(call), self._place(call)
        base = form.example | defaults(call.route) if call.route.method == "POST" else {}
        if key in records and not records[key].deleted:
            settable = {name for each in call.route.body for name in each.shape.members}
            base = {name: value for name, value in records[key].fields.items() if settable and name not in settable}
        elif not is_record(call.route.path) or "POST" not in self._by_path.get(parent_of(call.route.path), {}):
            call.state.add(records, key, {})
        members = form.members(call, id_)
        if "GET" not in self._by_path[call.route.path]:
            # No operation shows the value again, so each request makes another one.
            members |= self._new_ids(call, form.shape, members)
        return self._keep(call, find(records, key, form.noun), base | members)

    def delete(self, call: Call) -> Reply:
        """Delete a record or a value; reply with null, or with the deleted value."""
        record = self._kept(call)
        record.deleted = True
        call.state.files.pop("/".join(name_of(call, call.route.path)), None)
        is_null = call.content is not None and call.content.shape.validator.is_valid(None)
        return self._reply(call, None if is_null else record.value)

    # These methods tell what a path names.

    def _is_list(self, path: str) -> bool:
        """Return whether a path is a collection; a list that can only be replaced as a whole is a value."""
        methods = self._by_path.get(path, {})
        adds = path in self._record_paths or "POST" in methods
        return list_form(methods.get("GET")) is not None and (adds or {"PUT", "PATCH"}.isdisjoint(methods))

    def _is_filled(self, collection: str) -> bool:
        """Return whether an operation adds records to a collection."""
        of_record = self._by_path.get(self._record_paths.get(collection, ""), {})
        return "PUT" in of_record or not {"POST", "PUT"}.isdisjoint(self._by_path.get(collection, {}))

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
        collection = parent_of(path) if is_record(path) else path
        record = self._record_paths.get(collection, "")
        is_value = not record and not self._is_list(path)
        of_collection = self._by_path.get(collection, {})
        of_record = of_collection if is_value else self._by_path.get(record, {})
        items = None if is_value else list_form(of_collection.get("GET"))
        shapes = [*self._shapes(of_record, "GET"), *([items.items] if items else [])]
        shapes += [*self._shapes(of_record, "PUT", "PATCH"), *self._shapes(of_collection, "POST")]
        shape = next((each for each in shapes if each.members), Shape(self._contract, {}))
        if is_value:
            return RecordForm(shape)
        parameter = next((each.parameters[PATH][each.path_names[-1]] for each in of_record.values()), None)
        return RecordForm(shape, parameter, next(_id_members(shape, parameter), None))

    def _shapes(self, routes: Mapping[str, Route], *methods: str) -> list[Shape]:
        """Return the shapes of the JSON responses of a path's operations, without arrays."""
        contents = [main_content(routes.get(method)) for method in methods]
        shapes = [each.shape for each in contents if each is not None and each.kind is Kind.JSON]
        return [each for each in shapes if "array" not in each.types]

    # These methods read and change the state.

    def _records(self, call: Call, path: str, key: str = "") -> dict[str, Record]:
        """Return the records of a collection's path: those that a resource shows, if one does.

        Args:
            call: The request.
            path: The path of the collection.
            key: The id of a record; a resource may keep it in the collection of any organization.
        """
        name = name_of(call, path)
        exact = call.state.collection(*name)
        if exact or not self._is_shown_by_resource(path):
            return exact
        others = [records for other, records in call.state.by_name.items() if other != name and is_part(other, name)]
        return next((records for records in others if not key or key in records), exact)

    def _is_shown_by_resource(self, path: str) -> bool:
        shown = (path, self._record_paths.get(path, ""))
        return any(self._resource(each, "GET") is not None for each in shown)

    def _key(self, call: Call, path: str) -> str:
        """Return the id in a record's path, as text."""
        return name_of(call, path)[-1]

    def _place(self, call: Call) -> tuple[dict[str, Record], str, Any]:
        """Return the collection of the path's record, and the record's key and id.

        A single value has a collection of its own, and no id.
        """
        path = call.route.path
        if is_record(path):
            key = self._key(call, path)
            return self._records(call, parent_of(path), key), key, call.path[call.route.path_names[-1]]
        return call.state.collection(*name_of(call, path)), "", None

    def _find(self, call: Call) -> Record:
        """Return the record or the value of the path; refuse (404) an unknown record if an operation adds records."""
        (records, key, id_), path = self._place(call), call.route.path
        form, record = self._form(path), records.get(key)
        if is_record(path) and (record is not None or self._is_filled(parent_of(path))):
            return find(records, key, form.noun)
        if record is not None and not record.deleted:
            return record
        return Record(0, self._fit_members(call, form.shape, form.example | form.members(call, id_)))

    def _kept(self, call: Call) -> Record:
        """Return the record or the value of the path; add it to the state if it is not there yet."""
        record = self._find(call)
        if not record.number:
            records, key, _ = self._place(call)
            record = call.state.add(records, key, record.fields)
        return record

    def _keep(self, call: Call, record: Record, members: dict[str, Any], key: str = "") -> Reply:
        """Keep members, a file, or a value that is not an object in a record, and reply with the record."""
        path, body = call.route.path, call.body
        place = "/".join((*name_of(call, path), key)).rstrip("/")
        record.fields = members
        if not self._is_shown_by_resource(path if not is_record(path) else parent_of(path)):
            record.fields = self._fit_members(call, self._form(path).shape, members)
        record.memory.pop(VALUE, None)
        call.state.files.pop(place, None)
        parts = body.values() if is_object(body) else ()
        files = [body] if isinstance(body, bytes) else [*filter(None, map(file_content, parts))]
        if files:
            call.state.files[place] = files[0]
        elif body is not None and not is_object(body):
            record.memory[VALUE] = body
        return self._reply(call, record.value)

    def _above(self, call: Call) -> dict[str, Any]:
        """Return the members that a response takes from the record above its path, as in `/boxes/{box_id}/open`."""
        shown, parent = call.content.shape.members if call.content else {}, parent_of(call.route.path)
        if not is_record(parent) or self._form(parent).id_member not in shown:
            return {}
        key = self._key(call, parent)
        record = self._records(call, parent_of(parent), key).get(key)
        is_same = shown.keys() == self._form(parent).shape.members.keys()
        return {name: value for name, value in (record.fields if record else {}).items() if is_same or name in shown}

    # These methods make the response.

    def _reply(self, call: Call, value: Any) -> Reply:
        """Reply with a value, or with the most similar value that the contract allows, or with a file."""
        content = call.content
        if content is None:
            return Reply(None)
        if content.kind is Kind.JSON:
            return Reply(value)
        # A file is kept at its path, or at the path above, as for `/files/{file_id}/content`.
        places = ["/".join(name_of(call, each)) for each in (call.route.path, parent_of(call.route.path))]
        files = [call.state.files[place] for place in places if place in call.state.files]
        text = next((each for each in (value, *files, *content.shape.examples) if isinstance(each, str | bytes)), "")
        return Reply(text.encode() if isinstance(text, str) and content.kind is Kind.BYTES else text)

    def _sample(self, call: Call, members: Mapping[str, Any] | None = None) -> Reply:
        """Reply with the contract's example or a minimal value, in which members of the call and *members* are set."""
        if call.content is None or call.content.kind is not Kind.JSON:
            return self._reply(call, call.content.shape.examples if call.content else None)
        shape = call.content.shape
        value = Sampler(self._contract, call.state.timestamp()).sample(shape.schema)
        if is_object(value):
            shown = RecordForm(shape).members(call, None)
            value = value | {name: shown[name] for name in shown if name in shape.members} | {**(members or {})}
            value |= self._new_ids(call, shape, {*shown, *(members or ())})
        return self._reply(call, value)

    def _new_ids(self, call: Call, shape: Shape, given: Container[str]) -> dict[str, Any]:
        """Return a new id for what a POST creates below a record; {} if the response has no id of its own."""
        form = RecordForm(shape, id_member=next(_id_members(shape, None), None))
        own_id = form.id_member
        if call.route.method != "POST" or own_id is None or own_id in given or own_id in call.path:
            return {}
        parent = parent_of(call.route.path)
        if parent in self._by_path and is_record(parent) and self._form(parent).id_member == own_id:
            return {}
        return {own_id: form.new_id(call.state)}

    def _fit_members(self, call: Call, shape: Shape, members: dict[str, Any]) -> dict[str, Any]:
        """Return members, changed to fit a schema; empty if the schema does not describe an object."""
        fitted = call.fitter.fit(shape.schema, members)
        return fitted if is_object(fitted) else {}


def _id_members(shape: Shape, parameter: Parameter | None) -> Iterator[str]:
    """Yield the members that may be the id of a record, the most probable first."""
    yield from (name for name, each in shape.members.items() if each.mark("x-resource-id"))
    # If the contract does not show the members of a record, assume that the id has the same name as in paths.
    if parameter is not None and (parameter.name in shape.members or is_unknown(shape)):
        yield parameter.name
    yield from (name for name in shape.members if name == "id")
    yield from (name for name in shape.members if name.endswith(ID_ENDINGS))
