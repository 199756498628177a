"""Operations without a family of their own: created, read, updated and deleted by the shape of their path."""

from __future__ import annotations

from typing import Any

from ..http.call import Call, Handler, Reply
from ..http.paging import paginate
from ..http.routes import Contract, Route
from ..state.state import alive, find
from .automations import merged


class Generic:
    """Handlers for any operation: a path that ends in a parameter is one thing, any other a collection."""

    def __init__(self, contract: Contract, routes: list[Route]) -> None:
        self._contract = contract
        # The id of a thing is called as in the path of one thing: /secrets/{secret_id}.
        self._id_names = {
            route.path.rpartition("/")[0]: route.path.rpartition("/")[2][1:-1]
            for route in routes
            if route.path.endswith("}")
        }

    def handler(self, route: Route) -> Handler:
        """The handler for *route*."""
        if route.path.endswith("}"):
            return {"GET": self.get, "DELETE": self.delete, "PATCH": self.update, "PUT": self.replace}.get(
                route.method, self.act
            )
        return {"GET": self.list, "POST": self.create}.get(route.method, self.act)

    def list(self, call: Call) -> Reply:
        """All things of the collection, in the form that the contract shows."""
        records = alive(self._collection(call, call.route.path))
        properties: dict[str, Any] = call.route.answer_schema.get("properties", {})
        if "end_cursor" in properties:
            return Reply(paginate(records, call.query))
        fields = [record.fields for record in records]
        if call.route.answer_schema.get("type") == "array":
            return Reply(fields)
        arrays = [name for name, schema in properties.items() if self._contract.resolve(schema).get("type") == "array"]
        return Reply({arrays[0]: fields} if arrays else {"items": fields})

    def create(self, call: Call) -> Reply:
        """A new thing: what the body says, and for the rest what the contract's example shows."""
        example = self._example(call.route)
        id_name = self._id_names.get(call.route.path) or next((name for name in example if name.endswith("_id")), "id")
        key = call.state.new_id(id_name.removesuffix("_id").replace("_", "-"))
        fields = {**example, **self._defaults(call.route), **call.members(), id_name: key}
        return Reply(call.state.add(self._collection(call, call.route.path), key, fields).fields)

    def get(self, call: Call) -> Reply:
        """One thing."""
        return Reply(self._thing(call).fields)

    def update(self, call: Call) -> Reply:
        """Merge the body into one thing."""
        record = self._thing(call)
        record.fields = merged(record.fields, call.members())
        return Reply(record.fields)

    def replace(self, call: Call) -> Reply:
        """Put the body in the place of one thing; its id stays."""
        record = self._thing(call)
        id_name = call.route.path.rpartition("/")[2][1:-1]
        record.fields = {**call.members(), id_name: call.path[id_name]}
        return Reply(record.fields)

    def delete(self, call: Call) -> Reply:
        """Delete one thing."""
        self._thing(call).deleted = True
        return Reply(None)

    def act(self, call: Call) -> Reply:
        """Anything else does nothing, and answers with the contract's example."""
        return Reply(self._example(call.route))

    def _thing(self, call: Call) -> Any:
        collection, _, placeholder = call.route.path.rpartition("/")
        id_name = placeholder[1:-1]
        return find(self._collection(call, collection), call.path[id_name], id_name.removesuffix("_id"))

    @staticmethod
    def _collection(call: Call, path: str) -> Any:
        for name, value in call.path.items():
            path = path.replace(f"{{{name}}}", value)
        return call.state.collection("generic", path)

    def _defaults(self, route: Route) -> dict[str, Any]:
        schemas: dict[str, Any] = route.body_schema.get("properties", {})
        resolved = {name: self._contract.resolve(schema) for name, schema in schemas.items()}
        return {name: schema["default"] for name, schema in resolved.items() if "default" in schema}

    def _example(self, route: Route) -> dict[str, Any]:
        examples: list[dict[str, Any]] = route.answer_schema.get("examples", [])
        return dict(examples[0]) if examples and "object" in str(route.answer_schema.get("type", "object")) else {}
