"""Handlers for operations that no resource handles: create, read, update and delete, chosen by the path."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from agent_session_platform.contract import is_array, is_object

from ..contract import Route, SandboxContract
from ..state import Record, alive, find
from .call import Call, Handler, Reply
from .generic_paths import GenericPaths, main_content
from .generic_records import as_text, fill, keep, records_at, refuse_deleted, sent_members, value_of
from .generic_replies import GenericReplies
from .generic_values import ValueHandlers
from .list_form import list_form
from .merge_patch import merge_patch
from .paging import PageOfRecords
from .record_form import RecordForm


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
