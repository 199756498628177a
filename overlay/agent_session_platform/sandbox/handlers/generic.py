"""Handlers for operations that no resource handles: create, read, update and delete, chosen by the path."""

from __future__ import annotations

from typing import Any

from ..contract import Contract, Route
from ..state import Record, alive, find
from .call import Call, Handler, Reply
from .merge_patch import merge_patch
from .paging import paginate


class GenericHandlers:
    """Handlers for any operation: a path that ends in a parameter is one record, any other a collection."""

    def __init__(self, contract: Contract, routes: list[Route]) -> None:
        self._contract = contract
        # The id of a record has the name of the parameter in its path: /secrets/{secret_id}.
        self._id_names = {
            route.path.rpartition("/")[0]: route.path.rpartition("/")[2][1:-1]
            for route in routes
            if route.path.endswith("}")
        }

    def handler(self, route: Route) -> Handler:
        """Return the handler for a route."""
        if route.path.endswith("}"):
            handlers = {"GET": self.get, "DELETE": self.delete, "PATCH": self.update, "PUT": self.replace}
        else:
            handlers = {"GET": self.list, "POST": self.create}
        return handlers.get(route.method, self.act)

    def list(self, call: Call) -> Reply:
        """List the collection in the form that the contract shows."""
        records = alive(self._collection(call, call.route.path))
        properties: dict[str, Any] = call.route.response_schema.get("properties", {})
        if "end_cursor" in properties:
            return Reply(paginate(records, call.query))
        fields = [record.fields for record in records]
        if call.route.response_schema.get("type") == "array":
            return Reply(fields)
        arrays = (name for name, schema in properties.items() if self._contract.resolve(schema).get("type") == "array")
        return Reply({next(arrays, "items"): fields})

    def create(self, call: Call) -> Reply:
        """Create a record from the body, the defaults and the contract's example, in this order of precedence."""
        example = self._example(call.route)
        id_name = self._id_names.get(call.route.path) or next((name for name in example if name.endswith("_id")), "id")
        key = call.state.new_id(id_name.removesuffix("_id").replace("_", "-"))
        fields = {**example, **self._defaults(call.route), **call.members(), id_name: key}
        return Reply(call.state.add(self._collection(call, call.route.path), key, fields).fields)

    def get(self, call: Call) -> Reply:
        """Return a record."""
        return Reply(self._record(call).fields)

    def update(self, call: Call) -> Reply:
        """Merge the body into a record."""
        record = self._record(call)
        record.fields = merge_patch(record.fields, call.members())
        return Reply(record.fields)

    def replace(self, call: Call) -> Reply:
        """Replace a record by the body; it keeps its id."""
        record = self._record(call)
        id_name = call.route.path.rpartition("/")[2][1:-1]
        record.fields = {**call.members(), id_name: call.path[id_name]}
        return Reply(record.fields)

    def delete(self, call: Call) -> Reply:
        """Delete a record."""
        self._record(call).deleted = True
        return Reply(None)

    def act(self, call: Call) -> Reply:
        """Reply with the contract's example, and change nothing."""
        return Reply(self._example(call.route))

    def _record(self, call: Call) -> Record:
        collection, _, placeholder = call.route.path.rpartition("/")
        id_name = placeholder[1:-1]
        return find(self._collection(call, collection), call.path[id_name], id_name.removesuffix("_id"))

    @staticmethod
    def _collection(call: Call, path: str) -> dict[str, Record]:
        for name, value in call.path.items():
            path = path.replace(f"{{{name}}}", value)
        return call.state.collection("generic", path)

    def _defaults(self, route: Route) -> dict[str, Any]:
        schemas: dict[str, Any] = route.body_schema.get("properties", {})
        resolved = {name: self._contract.resolve(schema) for name, schema in schemas.items()}
        return {name: schema["default"] for name, schema in resolved.items() if "default" in schema}

    def _example(self, route: Route) -> dict[str, Any]:
        examples: list[dict[str, Any]] = route.response_schema.get("examples", [])
        return dict(examples[0]) if examples and "object" in str(route.response_schema.get("type", "object")) else {}
