"""The handler of an operation that has none of its own: by its path, its method and its schemas.

A path that ends in a parameter is a record of the collection before it. A path with records, or whose GET is a list, is
a collection. Any other path is a value by itself, such as settings, or an action on the record above it. Any other
operation responds with the contract's example.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import attrs
from agent_session_platform.contract import PLACEHOLDER, is_array, is_object

from .contract import PATH, Content, Kind, Parameter, Route, Sampler, SandboxContract, Shape
from .handlers import DEFAULT_SIZE, Call, Handler, Reply, find_page, merge_patch
from .problems import RefusedError
from .state import Record, State, alive, find

ID_ENDINGS: Final = ("_id", "Id")
NUMBERS: Final = frozenset({"integer", "number", "null"})
ITEMS: Final = "items"
# Member of a record's memory: its value, if that is no object.
VALUE: Final = "value"


@attrs.frozen
class RecordForm:
    """The form of the records of a collection, or of a value.

    Attributes:
        shape: A record as responses show it.
        example: The contract's example of a record.
        parameter: The id in paths; None if no path has it.
        id_member: Member of a record that is its id; None if the contract shows none.
        id_is_sent: True if a request may set the id.
    """

    shape: Shape
    example: Mapping[str, Any]
    parameter: Parameter | None = None
    id_member: str | None = None
    id_is_sent: bool = False

    @property
    def noun(self) -> str:
        """Name of a record in ids and errors: `git_permission` of `{git_permission_id}`."""
        return noun_of(self.parameter.name if self.parameter else self.id_member or "id")

    def with_id(self, key: Any) -> dict[str, Any]:
        """Return the id as the contract shows it; nothing if it shows none."""
        if self.id_member is None:
            return {}
        return {self.id_member: str(key) if "string" in self.shape.member(self.id_member).types else key}

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
        prefix = self.parameter.node.get("x-id-prefix") if self.parameter else None
        return f"{prefix}{number}" if prefix else text


@attrs.frozen
class ListForm:
    """The form of the response of a list.

    Attributes:
        items: Shape of an item.
        member: Member of the response that has the items; None if the response is the items themselves.
        names: The members `end_cursor`, `has_next_page` and `total` by their usual names, where the response has them.
        after: Parameter that takes the cursor.
        is_certain: True if nothing but a list has this form.
    """

    items: Shape
    member: str | None = None
    names: Mapping[str, str] = attrs.field(factory=lambda: dict[str, str]())
    after: str = "after"
    is_certain: bool = True


def list_form(route: Route | None) -> ListForm | None:
    """Return the form of the list in a response; None if the response cannot have a list."""
    content = main_content(route)
    if route is None or content is None or content.kind not in (Kind.JSON, Kind.JSON_LINES):
        return None
    shape = content.shape
    if content.kind is Kind.JSON_LINES or "array" in shape.types:
        return ListForm(shape if content.kind is Kind.JSON_LINES else shape.items)
    names = route.endpoint.node.get("x-pagination", {})
    arrays = [name for name, each in shape.members.items() if "array" in each.types]
    member = names.get(ITEMS) or next((name for name in (ITEMS, *arrays) if name in shape.members), None)
    if member is None:
        is_free = shape.types <= {"object", "null"} and not shape.members and shape.is_open
        return ListForm(Shape(shape.contract, {}), ITEMS, is_certain=False) if is_free else None
    members = {usual: names.get(usual, usual) for usual in ("end_cursor", "has_next_page", "total")}
    shown = {usual: name for usual, name in members.items() if name in shape.members}
    return ListForm(shape.member(member).items, member, shown, names.get("after", "after"), "end_cursor" in shown)


def main_content(route: Route | None) -> Content | None:
    """Return the content of a success that says what it is: JSON, if there are several."""
    contents = route.contents if route else ()
    return next((each for each in contents if each.kind is Kind.JSON), contents[0] if contents else None)


def noun_of(name: str) -> str:
    """Return the name of what an id names: `box` of `box_id`."""
    return next((name.removesuffix(each) for each in ID_ENDINGS if name.endswith(each) and name != each), name)


def plain(name: str) -> str:
    """Return a name without its style: `box_id` and `boxId` are the same."""
    return name.replace("_", "").replace("-", "").lower()


def parent_of(path: str) -> str:
    """Return a path without its last segment; `/boxes/{box_id}` of `/boxes/{box_id}:open`."""
    head, _, last = path.rpartition("/")
    thing, colon, _ = last.rpartition(":")
    return f"{head}/{thing}" if colon else head


def collection_of(path: str) -> str | None:
    """Return the collection of a record; None if the path is no record."""
    head, _, last = path.rpartition("/")
    return head if PLACEHOLDER.fullmatch(last) else None


def fill(call: Call, template: str) -> str:
    """Return a path template with the path parameters of a call."""
    return PLACEHOLDER.sub(lambda match: as_text(call.path[match[1]]), template)


def as_text(value: Any) -> str:
    """Return a path parameter as text."""
    return ",".join(map(str, value)) if is_array(value) else str(value)


def value_of(record: Record) -> Any:
    """Return the value of a record: its members, or what was sent if that is no object."""
    return record.memory.get(VALUE, record.fields)


def file_content(value: Any) -> bytes | None:
    """Return the content of a file of a form, or of the first of several; None if the value is no file."""
    first = value[0] if is_array(value) and value else value
    content = first.get("content") if is_object(first) else None
    return content if isinstance(content, bytes) else None


def keep(state: State, record: Record, path: str, body: Any) -> None:
    """Keep a body in a record: a file under its path, and what else is no object in its memory."""
    record.memory.pop(VALUE, None)
    state.files.pop(path, None)
    parts = body.values() if is_object(body) else ()
    files = [body] if isinstance(body, bytes) else [*filter(None, map(file_content, parts))]
    if files:
        state.files[path] = files[0]
    elif body is not None and not is_object(body):
        record.memory[VALUE] = body


def from_path(call: Call, shape: Shape) -> dict[str, Any]:
    """Return the members of a response that have the names of path parameters."""
    given = {plain(name): value for name, value in call.path.items()}
    members = {name: each for name, each in shape.members.items() if plain(name) in given}
    return {
        name: str(given[plain(name)]) if each.types == frozenset({"string"}) else given[plain(name)]
        for name, each in members.items()
    }


def sent_members(call: Call, shown: Shape, body: Any) -> dict[str, Any]:
    """Return the members of a body that a response may have: neither files nor secrets that no response shows."""
    if not is_object(body):
        return {}
    sent = [each.shape.members for each in call.route.body]

    def is_shown(name: str) -> bool:
        if name in shown.members:
            return not shown.members[name].mark("writeOnly")
        is_secret = "x-secret" in call.route.endpoint.node
        return not is_secret and not any(each[name].is_secret for each in sent if name in each)

    return {name: value for name, value in body.items() if is_shown(name) and file_content(value) is None}


def defaults(route: Route) -> dict[str, Any]:
    """Return the members of the request that have a default in the contract."""
    shapes = {name: each for content in route.body for name, each in content.shape.members.items()}
    return {name: each.mark("default") for name, each in shapes.items() if each.mark("default") is not None}


def refuse_deleted(call: Call) -> None:
    """Refuse (404) a path below a record that was deleted."""
    segments = call.route.path.split("/")
    for end, segment in enumerate(segments[:-1]):
        if match := PLACEHOLDER.fullmatch(segment):
            collection, key = fill(call, "/".join(segments[:end])), fill(call, segment)
            record = call.state.by_name.get(("generic", collection), {}).get(key)
            if record is not None and record.deleted:
                raise RefusedError(404, f"no {noun_of(match[1])} {key}")


class GenericHandlers:
    """Handlers for any operation.

    Args:
        contract: The contract of the routes.
        routes: All routes.
        handled: The ids of the operations that resources handle.
    """

    def __init__(self, contract: SandboxContract, routes: Iterable[Route], handled: Container[str]) -> None:
        self._contract = contract
        self._by_path: dict[str, dict[str, Route]] = {}
        # The methods of the operations that no resource handles.
        self._generic: dict[str, set[str]] = {}
        self._record_form = cache(self._read_record_form)
        for route in routes:
            self._by_path.setdefault(route.path, {})[route.method] = route
            if route.operation_id not in handled:
                self._generic.setdefault(route.path, set()).add(route.method)
        self._record_paths = {head: path for path in self._by_path if (head := collection_of(path)) is not None}

    def handler(self, route: Route) -> Handler:
        """Return the handler for a route."""
        handle = self._choose(route)

        def handler(call: Call) -> Reply:
            refuse_deleted(call)
            return handle(call)

        return handler

    def _choose(self, route: Route) -> Handler:
        path, method = route.path, "GET" if route.method == "HEAD" else route.method
        handlers = {"GET": self.get, "PATCH": self.update, "PUT": self.replace, "DELETE": self.delete}
        if collection_of(path) is None:
            parent = parent_of(path)
            if self._is_list(path):
                handlers = {"GET": self.list_records, "POST": self.create}
            elif path in self._record_paths:
                handlers["POST"] = self.create
            elif parent not in self._by_path or collection_of(parent) is None:
                handlers["POST"] = self.replace
            if (form := list_form(route)) is not None and "end_cursor" in form.names:
                # A search, which takes its cursor in the body.
                handlers["POST"] = self.list_records
        return handlers.get(method, self.act)

    def list_records(self, call: Call) -> Reply:
        """List a collection in the form that the contract shows; its example, if no operation adds records."""
        path, parent = call.route.path, parent_of(call.route.path)
        # `/boxes/search` lists the boxes.
        path = parent if parent in self._record_paths and path not in self._record_paths else path
        form, records = list_form(call.route), self._records(call, path)
        if form is None or not (records or form.names or self._is_filled(path)):
            return self._sample(call)
        is_page = "end_cursor" in form.names
        size = call.query.get("first", DEFAULT_SIZE) if is_page else len(records)
        sent = call.body if is_object(call.body) and form.after in call.body else call.query
        cursor = sent.get(form.after) if is_page else None
        page, envelope = find_page(
            alive(records), size, cursor, ("query" if sent is call.query else "body", form.after)
        )
        items = [self._fit(call, form.items, value_of(record)) for record in page]
        shown = {name: envelope[usual] for usual, name in form.names.items()}
        return self._reply(call, items if form.member is None else {form.member: items, **shown})

    def create(self, call: Call) -> Reply:
        """Create a record from the body, the defaults and the contract's example, in this order of precedence."""
        form, records, body = self._record_form(call.route.path), self._records(call, call.route.path), call.body
        sent = body.get(form.id_member or "") if is_object(body) and form.id_is_sent else None
        key = sent if isinstance(sent, str | int) else form.new_id(call.state)
        while sent is None and str(key) in records:
            key = form.new_id(call.state)
        members = {
            **form.example,
            **from_path(call, form.shape),
            **defaults(call.route),
            **sent_members(call, form.shape, body),
            **form.with_id(key),
        }
        record = call.state.add(records, str(key), self._fit_members(call, form.shape, members))
        keep(call.state, record, f"{fill(call, call.route.path)}/{key}", body)
        return self._reply(call, value_of(record), key)

    def get(self, call: Call) -> Reply:
        """Return a record or a value; one that nobody has kept is the contract's example, if any id names one."""
        record = self._find(call)
        if record.number or collection_of(call.route.path) is not None:
            return self._reply(call, value_of(record))
        return self._sample(call, self._above(call))

    def update(self, call: Call) -> Reply:
        """Merge the body into a record or a value."""
        record, form = self._kept(call), self._form(call.route.path)
        own_id = {name: value for name, value in record.fields.items() if name == form.id_member}
        if is_object(call.body):
            record.fields = {**merge_patch(record.fields, sent_members(call, form.shape, call.body)), **own_id}
        return self._reply_kept(call, record)

    def replace(self, call: Call) -> Reply:
        """Replace a record or a value by the body; it keeps its id, and members that no request can set."""
        form, (records, key) = self._form(call.route.path), self._place(call)
        collection = collection_of(call.route.path)
        base = {**form.example, **defaults(call.route)} if call.route.method == "POST" else {}
        if key in records and not records[key].deleted:
            settable = {name for each in call.route.body for name in each.shape.members}
            base = {name: value for name, value in records[key].fields.items() if settable and name not in settable}
        elif collection is None or "POST" not in self._by_path.get(collection, {}):
            call.state.add(records, key, {})
        record = find(records, key, form.noun)
        given = {**base, **from_path(call, form.shape), **sent_members(call, form.shape, call.body)}
        record.fields = self._fit_members(call, form.shape, given | form.with_id(key))
        return self._reply_kept(call, record)

    def delete(self, call: Call) -> Reply:
        """Delete a record or a value."""
        record = self._kept(call)
        record.deleted = True
        call.state.files.pop(fill(call, call.route.path), None)
        return self._reply(call, None, value_of(record))

    def act(self, call: Call) -> Reply:
        """Reply with the record that an action is about, or with the contract's example; change nothing."""
        if call.content is None:
            return Reply(None)
        shown, above = call.content.shape, self._above(call)
        sent = {} if above else sent_members(call, shown, call.body)
        return self._sample(call, above or {name: each for name, each in sent.items() if name in shown.members})

    # What a path is.

    def _is_list(self, path: str) -> bool:
        """Return whether a path is a collection: a payload that is not shown is a list, unless it can be set."""
        methods = self._by_path[path]
        form, is_set = list_form(methods.get("GET")), not {"PUT", "PATCH"}.isdisjoint(methods)
        adds = path in self._record_paths or "POST" in methods
        if form is None or (is_set and not adds):
            return False
        return form.is_certain or (not is_set and (adds or not form.items.schema))

    def _is_filled(self, collection: str) -> bool:
        """Return whether an operation adds records."""
        of_record = self._generic.get(self._record_paths.get(collection, ""), ())
        return "PUT" in of_record or not {"POST", "PUT"}.isdisjoint(self._generic.get(collection, ()))

    def _form(self, path: str) -> RecordForm:
        """Return the form of what is at a path: a record, or a value."""
        collection = collection_of(path)
        if collection is not None:
            return self._record_form(collection)
        forms = [(each.shape, each.examples) for each in self._contents(path, "GET", "PUT", "PATCH", "POST")]
        shape, examples = next(iter(forms), (Shape(self._contract, {}), list[Any]()))
        return RecordForm(shape, next(filter(is_object, examples), dict[str, Any]()))

    def _read_record_form(self, collection: str) -> RecordForm:
        record, of_collection = self._record_paths.get(collection, ""), self._by_path.get(collection, {})
        items = list_form(of_collection.get("GET"))
        contents = [*self._contents(record, "GET"), *self._contents(record, "PUT", "PATCH")]
        contents += self._contents(collection, "POST")
        forms = [(each.shape, each.examples) for each in contents]
        if items is not None:
            forms.insert("GET" in self._by_path.get(record, {}), (items.items, items.items.examples))
        forms.append((Shape(self._contract, {}), list[Any]()))
        shape, examples = next((each for each in forms if each[0].members), forms[0])
        # Of several alternatives, the example may be one that a request does not choose.
        shown = examples if len(shape.alternatives) == 1 else ()
        example = next(filter(is_object, shown), dict[str, Any]())
        parameters = [each.parameters[PATH] for each in self._by_path.get(record, {}).values()]
        name = record.rpartition("/")[2][1:-1]
        parameter = next((each[name] for each in parameters if name in each), None)
        routes = [of_collection[method] for method in ("POST", "PUT") if method in of_collection]
        sent = [each.shape for route in routes for each in route.body]
        sent += [each.items for each in sent]
        settable = {name for each in sent for name, of in each.members.items() if not of.mark("readOnly")}
        id_member = next(_id_members(shape, example, parameter, settable), None)
        return RecordForm(shape, example, parameter, id_member, id_member in settable)

    def _contents(self, path: str, *methods: str) -> Iterator[Content]:
        """Yield the JSON, other than lists, with which operations of a path respond."""
        for method in methods:
            content = main_content(self._by_path.get(path, {}).get(method))
            if content is not None and content.kind is Kind.JSON and "array" not in content.shape.types:
                yield content

    # What is kept.

    def _place(self, call: Call) -> tuple[dict[str, Record], str]:
        """Return the records among which that of the path is, and its key."""
        path = fill(call, call.route.path)
        collection = collection_of(call.route.path)
        if collection is None:
            return call.state.collection("generic-values"), path
        return self._records(call, collection), path.removeprefix(f"{fill(call, collection)}/")

    def _records(self, call: Call, collection: str) -> dict[str, Record]:
        """Return the records of a collection by id, including deleted ones."""
        return call.state.collection("generic", fill(call, collection))

    def _find(self, call: Call) -> Record:
        """Return the record or the value of the path; refuse (404) an unknown record, if an operation adds them."""
        (records, key), collection = self._place(call), collection_of(call.route.path)
        form, id_ = self._form(call.route.path), key
        if collection is None:
            any_id = key not in records or records[key].deleted
        else:
            # Nothing adds one here; those of a resource are kept elsewhere.
            any_id = key not in records and not self._is_filled(collection)
            id_ = call.path[call.route.path_names[-1]]
        return Record(0, self._example(call, form, id_)) if any_id else find(records, key, form.noun)

    def _kept(self, call: Call) -> Record:
        """Return the same record, which is kept from now on."""
        record = self._find(call)
        if not record.number:
            records, key = self._place(call)
            record = call.state.add(records, key, record.fields)
        return record

    def _example(self, call: Call, form: RecordForm, key: Any) -> dict[str, Any]:
        """Return the contract's example of a record, with this id and with those in the path."""
        members = {**form.example, **from_path(call, form.shape), **form.with_id(key)}
        return self._fit_members(call, form.shape, members)

    def _above(self, call: Call) -> dict[str, Any]:
        """Return the members of the response that are those of a record above, as in `/boxes/{box_id}/open`."""
        shown = call.content.shape.members if call.content else {}
        parent = parent_of(call.route.path)
        collection = collection_of(parent)
        if collection is None or self._record_form(collection).id_member not in shown:
            return {}
        key = fill(call, parent).removeprefix(f"{fill(call, collection)}/")
        record = call.state.collection("generic", fill(call, collection)).get(key)
        is_same = shown.keys() == self._record_form(collection).shape.members.keys()
        return {name: value for name, value in (record.fields if record else {}).items() if is_same or name in shown}

    # What the response is.

    def _reply(self, call: Call, *candidates: Any) -> Reply:
        """Reply with the first candidate that the contract allows, or else with the most similar value to the first."""
        content = call.content
        if content is None:
            return Reply(None)
        if content.kind is Kind.JSON_LINES:
            lines = candidates[0] if is_array(candidates[0]) else [candidates[0]]
            return Reply([self._fit(call, content.shape, each) for each in lines])
        if content.kind is Kind.JSON:
            return Reply(self._fit(call, content.shape, *candidates))
        texts = [each for each in candidates if isinstance(each, str | bytes)]
        return Reply(texts[0]) if texts else self._sample(call)

    def _reply_kept(self, call: Call, record: Record) -> Reply:
        """Keep the body in the record of the path, and reply with it."""
        keep(call.state, record, fill(call, call.route.path), call.body)
        return self._reply(call, value_of(record))

    def _sample(self, call: Call, members: dict[str, Any] | None = None) -> Reply:
        """Reply with the contract's example, or else with a minimal value, and with members that it should have."""
        content = call.content
        if content is None:
            return Reply(None)
        if content.kind is Kind.JSON:
            made, schema = Sampler(self._contract, call.state.timestamp()), content.shape.schema
            value = next((each for each in content.examples if made.allows(schema, each)), made.sample(schema))
            with_members = {**value, **from_path(call, content.shape), **(members or {})} if is_object(value) else value
            return Reply(self._fit(call, content.shape, with_members, value))
        # Files are kept at a path, or at the one above, as for `/files/{file_id}/content`.
        paths = [fill(call, each) for each in (call.route.path, parent_of(call.route.path))]
        files = [call.state.files[path] for path in paths if path in call.state.files]
        example = next(iter([*files, *content.examples]), None)
        if content.kind is Kind.JSON_LINES:
            return Reply([] if example is None else example if isinstance(example, str | list) else [example])
        text = example if isinstance(example, str | bytes) else ""
        return Reply(text.encode() if isinstance(text, str) and content.kind is Kind.BYTES else text)

    def _fit_members(self, call: Call, shape: Shape, members: dict[str, Any]) -> dict[str, Any]:
        """Return members in the form of a schema; none if it is not that of an object."""
        fitted = self._fit(call, shape, members)
        return fitted if is_object(fitted) else {}

    def _fit(self, call: Call, shape: Shape, *candidates: Any) -> Any:
        """Return the first candidate that a schema allows, or else the most similar value to the first."""
        made = Sampler(shape.contract, call.state.timestamp())
        allowed = [each for each in candidates if made.allows(shape.schema, each)]
        return allowed[0] if allowed else made.fit(shape.schema, candidates[0])


def _id_members(
    shape: Shape, example: Mapping[str, Any], parameter: Parameter | None, settable: Container[str]
) -> Iterator[str]:
    """Yield the members that may be the id of a record, the most probable first."""
    yield from (name for name, each in shape.members.items() if each.mark("x-resource-id"))
    if parameter is not None:
        yield from (name for name in shape.members if plain(name) == plain(parameter.name))
        # A payload that is not shown has the id under its name in paths.
        if shape.is_open and not shape.members:
            yield parameter.name
    names = dict.fromkeys([*shape.members, *example])
    yield from (name for name in names if name == "id")
    yield from (name for name in names if name.endswith(ID_ENDINGS) and name not in settable)
