"""Replies of generic handlers: values of the state in the form that the contract shows, else its example."""

from __future__ import annotations

from typing import Any

from agent_session_platform.contract import is_array, is_object

from ..contract import Content, Kind, Sampler, Shape
from .call import Call, Reply
from .generic_paths import GenericPaths
from .generic_records import as_text, fill, records_at, value_of
from .list_form import ListForm
from .paging import PageOfRecords
from .record_form import plain

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
