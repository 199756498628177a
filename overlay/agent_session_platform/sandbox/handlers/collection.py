"""Handlers of a plain collection of an organization, such as playbooks."""

from __future__ import annotations

import attrs

from ..state import Record, alive, find
from .call import Call, Reply


@attrs.frozen
class Collection:
    """A collection whose records keep what the body of a request says.

    Attributes:
        name: Name of the collection in the state.
        noun: Name of one record in ids and errors; the id's member and path parameter is `{noun}_id`.
    """

    name: str
    noun: str

    def create(self, call: Call) -> Reply:
        """Create a record from the body."""
        body, key = call.members(), call.state.new_id(self.noun)
        return Reply(call.state.add(self._records(call), key, {**body, self._id_name: key}).fields)

    def list(self, call: Call) -> Reply:
        """List the records of the organization."""
        return Reply({"items": [record.fields for record in alive(self._records(call))]})

    def get(self, call: Call) -> Reply:
        """Return a record."""
        return Reply(self._record(call).fields)

    def update(self, call: Call) -> Reply:
        """Replace a record by the body; it keeps its id."""
        record = self._record(call)
        record.fields = {**call.members(), self._id_name: record.fields[self._id_name]}
        return Reply(record.fields)

    def delete(self, call: Call) -> Reply:
        """Delete a record."""
        self._record(call).deleted = True
        return Reply(None)

    @property
    def _id_name(self) -> str:
        return f"{self.noun}_id"

    def _records(self, call: Call) -> dict[str, Record]:
        return call.state.collection(self.name, call.org_id)

    def _record(self, call: Call) -> Record:
        return find(self._records(call), call.path[self._id_name], self.noun)
