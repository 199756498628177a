"""Handlers for what is neither a record nor a list: things by themselves, such as settings, and actions."""

from __future__ import annotations

from typing import Any

from agent_session_platform.contract import is_object

from ..contract import SandboxContract, Shape
from ..state import Record, alive
from .call import Call, Reply
from .generic_paths import GenericPaths
from .generic_records import fill, keep, records_at, sent_members, value_of, values
from .generic_replies import GenericReplies
from .merge_patch import merge_patch


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
