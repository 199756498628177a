"""Handlers of a plain collection, such as playbooks."""

from __future__ import annotations

import attrs

from ..state import Record, alive, find
from .call import Call, Reply


@attrs.frozen
class Collection:
    """A collection whose records keep the members of a request's body.

    It belongs to the organization in the path, or to the enterprise if the path has none.

    Attributes:
        name: Name of the collection in the state.
        noun: Name of one record in ids and errors; the id's member and path parameter is `{noun}_id`.
    """

    name: str
    noun: str

    def records(self, call: Call) -> dict[str, Record]:
        """Return the records by id, including deleted ones."""
        return call.state.collection(self.name, *filter(None, [call.path.get("org_id")]))

    def find(self, call: Call) -> Record:
        """Return the record in the path; refuse (404) an unknown one."""
        return find(self.records(call), call.path[self._id_name], self.noun)

    def create(self, call: Call) -> Reply:
        """Create a record from the body."""
        body, key = call.members(), call.state.new_id(self.noun)
        return Reply(call.state.add(self.records(call), key, {**body, self._id_name: key}).fields)

    def list(self, call: Call) -> Reply:
        """List the records that are not deleted."""
        return Reply({"items": [record.fields for record in alive(self.records(call))]})

    def get(self, call: Call) -> Reply:
        """Return a record."""
        return Reply(self.find(call).fields)

    def update(self, call: Call) -> Reply:
        """Replace a record by the body; it keeps its id."""
        record = self.find(call)
        record.fields = {**call.members(), self._id_name: record.fields[self._id_name]}
        return Reply(record.fields)

    def delete(self, call: Call) -> Reply:
        """Soft-delete a record: it stays in the state."""
        self.find(call).deleted = True
        return Reply(None)

    @property
    def _id_name(self) -> str:
        return f"{self.noun}_id"
