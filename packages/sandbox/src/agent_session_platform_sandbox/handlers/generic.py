"""The handler of an operation that has none of its own: by its path, its method and its schemas."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, Final

from agent_session_platform.contract import PLACEHOLDER, is_array, is_object

from ..contract import Content, Kind, Route, Sampler, SandboxContract, Shape
from ..problems import RefusedError
from ..state import Record, State, alive, find
from .call import Call, Handler, Reply
from .forms import GenericPaths, ListForm, PageOfRecords, RecordForm, list_form, main_content, plain


def merge_patch(target: Any, patch: Any) -> Any:
    """Return *target* with a merge patch applied: members are replaced one by one, null removes a member."""
    if not is_object(patch):
        return patch
    result: dict[str, Any] = dict(target) if is_object(target) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), value)
    return result


# Member of a record's memory: its value, if that is no object.
VALUE: Final = "value"


def fill(call: Call, template: str) -> str:
    """Return a path template with the path parameters of a call."""
    return PLACEHOLDER.sub(lambda match: as_text(call.path[match[1]]), template)


def as_text(value: Any) -> str:
    """Return a path parameter, or an id, as text."""
    if is_array(value):
        return ",".join(map(as_text, value))
    return str(value)


def records_at(call: Call, collection: str) -> dict[str, Record]:
    """Return the records of a collection by id, including deleted ones."""
    return call.state.collection("generic", fill(call, collection))


def values(call: Call) -> dict[str, Record]:
    """Return the values by path: what is no record of a collection, such as settings."""
    return call.state.collection("generic-values")


def value_of(record: Record) -> Any:
    """Return the value of a record: its members, or what was sent if that is no object."""
    return record.memory.get(VALUE, record.fields)


def keep(state: State, record: Record, path: str, body: Any) -> None:
    """Keep a body in a record: a file under its path, and what else is no object in its memory.

    Args:
        state: State of the sandbox.
        record: The record.
        path: Path of the record.
        body: The body of the request.
    """
    record.memory.pop(VALUE, None)
    state.files.pop(path, None)
    parts = body.values() if is_object(body) else ()
    files = [content for content in map(file_content, parts) if content is not None]
    content = body if isinstance(body, bytes) else next(iter(files), None)
    if content is not None:
        state.files[path] = content
    elif body is not None and not is_object(body):
        record.memory[VALUE] = body


def sent_members(call: Call, shown: Shape, body: Any) -> dict[str, Any]:
    """Return the members of a body that a response may have: neither files nor secrets that no response shows.

    Args:
        call: The call.
        shown: The shape of the response.
        body: The body; one that is no object has no members.
    """
    if not is_object(body):
        return {}
    sent = [each.shape.members for each in call.route.body]

    def is_shown(name: str) -> bool:
        if name in shown.members:
            return not shown.members[name].mark("writeOnly")
        return not call.route.is_secret and not any(each[name].is_secret for each in sent if name in each)

    return {name: value for name, value in body.items() if is_shown(name) and file_content(value) is None}


def file_content(value: Any) -> bytes | None:
    """Return the content of a file of a form, or of the first of several; None if the value is no file."""
    first = value[0] if is_array(value) and value else value
    content = first.get("content") if is_object(first) else None
    return content if isinstance(content, bytes) else None


def refuse_deleted(call: Call) -> None:
    """Refuse (404) a path below a record that was deleted."""
    segments = call.route.path.split("/")
    for end, segment in enumerate(segments[:-1]):
        if segment.startswith("{") and segment.endswith("}"):
            collection, key = fill(call, "/".join(segments[:end])), fill(call, segment)
            record = call.state.by_name.get(("generic", collection), {}).get(key)
            if record is not None and record.deleted:
                raise RefusedError(404, f"no {segment[1:-1].removesuffix('_id')} {key}")


WRITTEN_AS_IT_IS = (Kind.TEXT, Kind.BYTES)


class GenericReplies:
    """Replies to calls of any operation."""

    def __init__(self, paths: GenericPaths) -> None:
        self._paths = paths

    def reply(self, call: Call, *candidates: Any) -> Reply:
        """Reply with the first candidate that the contract allows, or else with the most similar value to the first."""
        content = call.content
        if content is None:
            return Reply(None)
        if content.kind in WRITTEN_AS_IT_IS:
            texts = [each for each in candidates if isinstance(each, str | bytes)]
            return Reply(texts[0]) if texts else self.sample(call)
        if content.kind is Kind.JSON_LINES:
            lines = candidates[0] if is_array(candidates[0]) else [candidates[0]]
            return Reply([self.fit(call, content.shape, each) for each in lines])
        return Reply(self.fit(call, content.shape, *candidates))

    def reply_list(self, call: Call, form: ListForm, page: PageOfRecords, collection: str) -> Reply:
        """Reply with a page of records.

        Args:
            call: The call.
            form: The form of the list.
            page: The page.
            collection: The collection that the records are of.
        """
        id_member = self._paths.form(collection).id_member
        by_number = {record.number: key for key, record in records_at(call, collection).items()}
        # Of two records that a request gave the same id, only the second is kept.
        keys = [by_number.get(record.number, "") for record in page.records]
        items: list[Any] = []
        for key, record in zip(keys, page.records, strict=True):
            ids = [record.fields[id_member]] if id_member in record.fields else []
            items.append(self.fit(call, form.items, value_of(record), *ids, key))
        return self.reply(call, form.write(page, items, keys))

    def sample(self, call: Call) -> Reply:
        """Reply with the contract's example, or else with a minimal value."""
        content = call.content
        if content is None or content.kind is Kind.JSON:
            return Reply(self.sample_of(call, content))
        of_schema = [each for flat in content.shape.alternatives for each in flat.get("examples", ())]
        example = next(iter([*self._files(call), *content.examples, *of_schema]), None)
        if content.kind is Kind.JSON_LINES:
            return Reply([] if example is None else example if isinstance(example, str | list) else [example])
        text = example if isinstance(example, str | bytes) else ""
        return Reply(text.encode() if isinstance(text, str) and content.kind is Kind.BYTES else text)

    def sample_of(self, call: Call, content: Content | None) -> Any:
        """Return the example of JSON, or else a minimal value, with the ids in the path; None for no content."""
        if content is None:
            return None
        made, schema = Sampler(content.shape.contract, call.state.timestamp()), content.shape.schema
        value = next((each for each in content.examples if made.allows(schema, each)), made.sample(schema))
        with_ids = {**value, **self.from_path(call, content.shape)} if is_object(value) else value
        return self.fit(call, content.shape, with_ids, value)

    def from_path(self, call: Call, shape: Shape) -> dict[str, Any]:
        """Return the members of a response that have the names of path parameters."""
        given = {plain(name): value for name, value in call.path.items()}
        members = {name: each for name, each in shape.members.items() if plain(name) in given}
        return {
            name: as_text(given[plain(name)]) if each.types == frozenset({"string"}) else given[plain(name)]
            for name, each in members.items()
        }

    def _files(self, call: Call) -> list[bytes]:
        """Return the files that were kept at a path, and at the one above, as for `/files/{file_id}/content`."""
        paths = [fill(call, each) for each in (call.route.path, self._paths.parent(call.route.path))]
        return [call.state.files[path] for path in paths if path in call.state.files]

    def fit_members(self, call: Call, shape: Shape, members: dict[str, Any]) -> dict[str, Any]:
        """Return members in the form of a schema; none if it is not that of an object."""
        fitted = self.fit(call, shape, members)
        return fitted if is_object(fitted) else {}

    def fit(self, call: Call, shape: Shape, *candidates: Any) -> Any:
        """Return the first candidate that a schema allows, or else the most similar value to the first."""
        made = Sampler(shape.contract, call.state.timestamp())
        for each in candidates:
            if made.allows(shape.schema, each):
                return each
        return made.fit(shape.schema, candidates[0])


class ValueHandlers:
    """Handlers for paths that are no records and have none."""

    def __init__(self, contract: SandboxContract, paths: GenericPaths, replies: GenericReplies) -> None:
        self._contract = contract
        self._paths = paths
        self._replies = replies

    def read(self, call: Call) -> Reply:
        """Return what was put or posted; else what the record above has of it, or the contract's example."""
        found = self._kept(call)
        if found:
            return self._replies.reply(call, value_of(max(found, key=lambda record: record.number)))
        return self._example(call, self._above(call))

    def write(self, call: Call) -> Reply:
        """Keep the body: PUT replaces what was there, PATCH is merged into it."""
        path, content, kept = fill(call, call.route.path), self._paths.content(call.route.path), self._kept(call)
        shape = Shape(self._contract, {}) if content is None else content.shape
        fields = sent_members(call, shape, call.body)
        if call.route.method == "PATCH":
            fields = merge_patch(kept[0].fields if kept else self._replies.sample_of(call, content), fields)
        if is_object(call.body):
            fields = self._replies.fit_members(call, shape, {**fields, **self._replies.from_path(call, shape)})
        record = call.state.add(values(call), path, fields)
        keep(call.state, record, path, call.body)
        return self._replies.reply(call, value_of(record))

    def delete(self, call: Call) -> Reply:
        """Delete what was put or posted; another time, too."""
        found = self._kept(call)
        for record in found:
            record.deleted = True
        call.state.files.pop(fill(call, call.route.path), None)
        return self._replies.reply(call, None, *(value_of(record) for record in found))

    def act(self, call: Call) -> Reply:
        """Reply with the record that an action is about, or with the contract's example; change nothing."""
        shape, above = call.content.shape if call.content else None, self._above(call)
        if shape is None or above:
            return self._example(call, above)
        sent = sent_members(call, shape, call.body)
        if shape.members:
            sent = {name: each for name, each in sent.items() if name in shape.members}
        return self._example(call, sent)

    def _kept(self, call: Call) -> list[Record]:
        """Return what was put at a path, and what was posted to it."""
        put = values(call).get(fill(call, call.route.path))
        return [*([] if put is None or put.deleted else [put]), *alive(records_at(call, call.route.path))]

    def _above(self, call: Call) -> dict[str, Any]:
        """Return the members of the response that are those of a record above, as in `/boxes/{box_id}/open`."""
        shown = call.content.shape.members if call.content else {}
        for path in (call.route.path, self._paths.parent(call.route.path)):
            collection = self._paths.collection_of(path)
            if collection is None or self._paths.form(collection).id_member not in shown:
                continue
            record = records_at(call, collection).get(fill(call, path.rpartition("/")[2]))
            if record is not None and not record.deleted:
                is_same = shown.keys() == self._paths.form(collection).shape.members.keys()
                return {name: value for name, value in record.fields.items() if is_same or name in shown}
        return {}

    def _example(self, call: Call, members: dict[str, Any]) -> Reply:
        """Reply with the contract's example, and with members that it should have."""
        reply = self._replies.sample(call)
        if not is_object(reply.body):
            return reply
        return self._replies.reply(call, {**reply.body, **members})


class GenericHandlers:
    """Handlers for any operation: a path that ends in a parameter is one record, one with records a collection."""

    def __init__(self, contract: SandboxContract, routes: Iterable[Route], handled: Container[str]) -> None:
        self._paths = GenericPaths(contract, routes, handled)
        self._replies = GenericReplies(self._paths)
        self._values = ValueHandlers(contract, self._paths, self._replies)

    def handler(self, route: Route) -> Handler:
        """Return the handler for a route."""
        handle = self._choose(route)

        def handler(call: Call) -> Reply:
            refuse_deleted(call)
            return handle(call)

        return handler

    def _choose(self, route: Route) -> Handler:
        paths, path, method = self._paths, route.path, route.method
        if paths.collection_of(path) is not None:
            of_record = {"GET": self.get, "HEAD": self.get, "DELETE": self.delete, "PATCH": self.update}
            return {**of_record, "PUT": self.replace}.get(method, self._values.act)
        if method == "POST":
            form = list_form(route, main_content(route))
            if form is not None and (form.is_page or (form.is_certain and paths.source(route) != path)):
                return self.list_records
            return self._values.act if paths.is_action(path) else self.create
        if paths.lists(path):
            of_list = {
                "GET": self.list_records,
                "HEAD": self.list_records,
                "PUT": self.replace_all,
                "DELETE": self.delete_all,
            }
            return of_list.get(method, self._values.act)
        of_value = {"GET": self._values.read, "PUT": self._values.write, "PATCH": self._values.write}
        return {**of_value, "HEAD": self._values.read, "DELETE": self._values.delete}.get(method, self._values.act)

    def list_records(self, call: Call) -> Reply:
        """List a collection in the form that the contract shows."""
        collection, form = self._paths.source(call.route), list_form(call.route, call.content)
        records = self._records(call, collection)
        if form is None or not (records or form.is_page or form.is_free or self._paths.is_filled(collection)):
            return self._replies.sample(call)
        page = form.page(call, alive(records))
        return self._replies.reply_list(call, form, page, collection)

    def create(self, call: Call) -> Reply:
        """Create a record from the body, the defaults and the contract's example, in this order of precedence.

        A body that is a list creates a record of each item.
        """
        collection = call.route.path
        if is_array(call.body):
            return self._reply_all(call, [self._add(call, collection, each) for each in call.body])
        key, record = self._add(call, collection, call.body)
        return self._replies.reply(call, value_of(record), key)

    def get(self, call: Call) -> Reply:
        """Return a record, or all that the path names."""
        found = [value_of(record) for _, record in self._found(call)]
        return self._replies.reply(call, *(found if len(found) == 1 else ()), found)

    def update(self, call: Call) -> Reply:
        """Merge the body into a record."""
        form, found = self._paths.form(self._collection(call)), self._found(call, keeps=True)
        for path, record in found:
            own_id = {name: value for name, value in record.fields.items() if name == form.id_member}
            if is_object(call.body):
                record.fields = {**merge_patch(record.fields, sent_members(call, form.shape, call.body)), **own_id}
            keep(call.state, record, path, call.body)
        return self._replies.reply(call, *(value_of(record) for _, record in found))

    def replace(self, call: Call) -> Reply:
        """Replace a record by the body; it keeps its id, and members that no request can set."""
        collection = self._collection(call)
        form, records, key = self._paths.form(collection), self._records(call, collection), self._keys(call)[0]
        text = as_text(key)
        if self._paths.may_be_put(collection) and (text not in records or records[text].deleted):
            call.state.add(records, text, {})
        record = find(records, text, form.noun)
        settable = {name for each in call.route.body for name in each.shape.members}
        kept = {name: value for name, value in record.fields.items() if settable and name not in settable}
        given = {**kept, **self._replies.from_path(call, form.shape), **sent_members(call, form.shape, call.body)}
        record.fields = self._replies.fit_members(call, form.shape, given | form.with_id(key))
        keep(call.state, record, fill(call, call.route.path), call.body)
        return self._replies.reply(call, value_of(record))

    def delete(self, call: Call) -> Reply:
        """Delete a record, or all that the path names."""
        found = self._found(call, keeps=True)
        for path, record in found:
            record.deleted = True
            call.state.files.pop(path, None)
        return self._replies.reply(call, None, *(value_of(record) for _, record in found))

    def replace_all(self, call: Call) -> Reply:
        """Replace all records of a collection by those in the body."""
        for record in records_at(call, call.route.path).values():
            record.deleted = True
        return self._reply_all(call, [self._add(call, call.route.path, each) for each in _items(call.body)])

    def delete_all(self, call: Call) -> Reply:
        """Delete the records of a collection that the request names; all if it names none."""
        records = self._records(call, call.route.path)
        named = {as_text(each) for each in _named(call)}
        for key, record in records.items():
            if not named or key in named:
                record.deleted = True
        return self._replies.reply(call, None, [], {})

    def _records(self, call: Call, collection: str) -> dict[str, Record]:
        """Return the records of a collection by id; one to which no operation adds any begins with an example."""
        records = records_at(call, collection)
        if not records and self._paths.has_example(collection):
            form = self._paths.form(collection)
            key = form.example_id(call.state)
            call.state.add(records, as_text(key), self._example(call, form, key))
        return records

    def _example(self, call: Call, form: RecordForm, key: Any) -> dict[str, Any]:
        """Return the contract's example of a record, with this id and with those in the path."""
        members = {**form.example, **self._replies.from_path(call, form.shape), **form.with_id(key)}
        return self._replies.fit_members(call, form.shape, members)

    def _add(self, call: Call, collection: str, body: Any) -> tuple[Any, Record]:
        """Add a record, and return its id with it."""
        form, records = self._paths.form(collection), records_at(call, collection)
        key = self._id(call, form, body, {key for key, record in records.items() if not record.deleted})
        members = {
            **form.example,
            **self._replies.from_path(call, form.shape),
            **_defaults(call.route),
            **sent_members(call, form.shape, body),
            **form.with_id(key),
        }
        record = call.state.add(records, as_text(key), self._replies.fit_members(call, form.shape, members))
        keep(call.state, record, f"{fill(call, collection)}/{as_text(key)}", body)
        return key, record

    def _id(self, call: Call, form: RecordForm, body: Any, taken: Container[str]) -> Any:
        """Return the id of a new record: that in the body, if clients set ids, else a new one."""
        if form.is_scalar and isinstance(body, str | int) and as_text(body) not in taken:
            return body
        sent = body.get(form.id_member or "") if is_object(body) else None
        key = sent if isinstance(sent, str | int) and form.id_is_sent else form.new_id(call.state)
        while sent is None and as_text(key) in taken:
            key = form.new_id(call.state)
        return key

    def _found(self, call: Call, *, keeps: bool = False) -> list[tuple[str, Record]]:
        """Return the records that the path names, each with its path; refuse (404) an unknown one.

        Args:
            call: The call.
            keeps: True to keep a record that exists only because any id names one.
        """
        collection = self._collection(call)
        form, records = self._paths.form(collection), self._records(call, collection)
        found: list[tuple[str, Record]] = []
        for key in self._keys(call):
            text = as_text(key)
            if text not in records and self._paths.is_virtual(collection):
                fields = self._example(call, form, key)
                record = call.state.add(records, text, fields) if keeps else Record(0, fields)
            else:
                record = find(records, text, form.noun)
            found.append((f"{fill(call, collection)}/{text}", record))
        return found

    def _reply_all(self, call: Call, added: list[tuple[Any, Record]]) -> Reply:
        """Reply with the records that a request added."""
        made = [record for _, record in added]
        form = list_form(call.route, call.content)
        if form is None:
            return self._replies.reply(call, [value_of(record) for record in made])
        return self._replies.reply_list(call, form, PageOfRecords(made, None, len(made)), call.route.path)

    def _collection(self, call: Call) -> str:
        return self._paths.collection_of(call.route.path) or ""

    def _keys(self, call: Call) -> list[Any]:
        """Return the ids in the path: several if the parameter is an array."""
        key: Any = call.path[call.route.path_names[-1]]
        return key if is_array(key) else [key]


def _defaults(route: Route) -> dict[str, Any]:
    shapes = {name: each for content in route.body for name, each in content.shape.members.items()}
    flat = {name: each.contract.flatten(each.schema) for name, each in shapes.items()}
    return {name: schema["default"] for name, schema in flat.items() if "default" in schema}


def _items(body: Any) -> list[Any]:
    """Return the items of a body: the body itself, or the first list in it."""
    values = [body, *(body.values() if is_object(body) else ())]
    return next((each for each in values if is_array(each)), list[Any]())


def _named(call: Call) -> list[Any]:
    """Return the ids that a request to delete may name, in its body or its query."""
    body = call.body.values() if is_object(call.body) else [call.body]
    given = [*body, *call.query.values()]
    return [each for value in given if value is not None for each in (value if is_array(value) else [value])]
