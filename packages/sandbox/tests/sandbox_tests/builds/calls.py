"""One call of each operation of a contract, with arguments made from the contract; replies are validated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import attrs
import httpx
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.api import Api
from agent_session_platform_sandbox.contract import Kind, Parameter, Route
from agent_session_platform_sandbox.validation import SandboxContract
from jsonschema import Draft202012Validator, FormatChecker

FORMATS = {
    "date-time": "2026-11-20T10:00:00Z",
    "date": "2026-11-20",
    "email": "ada@example.com",
    "uuid": "7d444840-9dc0-11d1-b245-5ffdce74fad2",
}
# What the description says, and a schema cannot.
STATED = {
    "pr_url": "https://git.example.com/acme/shop/pull/7",
    "frequency": "0 9 * * 1",
    "schedule_type": "recurring",
    "interval_count": 1,
}
LEFT_OUT = ("create_as_user_id", "playbook_id", "platform")


@attrs.frozen
class Answer:
    """A request that was sent, and its response."""

    operation: str
    request: str
    response: httpx.Response


class Build:
    """The sandbox of a build with another contract.

    Attributes:
        known: Values of path parameters, by name.
    """

    def __init__(self, contract: SandboxContract) -> None:
        self.contract = contract
        self.sandbox = Sandbox()
        self.api = Api(self.sandbox.state, strict=False, contract=contract)
        self.known: dict[str, Any] = {"org_id": "org-acme"}

    async def send(self, method: str, path: str, **settings: Any) -> httpx.Response:
        """Send a request."""
        transport = httpx.ASGITransport(self.api, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **settings)

    async def json(self, method: str, path: str, **settings: Any) -> Any:
        """Send a request that succeeds, and return its JSON."""
        response = await self.send(method, path, **settings)
        assert response.is_success, response.text
        return response.json() if response.content else None

    async def call(self, route: Route, *, whole: bool) -> Answer:
        """Call an operation with its required arguments, or with all."""
        path = route.path
        for name, parameter in route.parameters["path"].items():
            value = self.known.get(name, self.sample(parameter.shape.schema, whole=whole))
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
        settings: dict[str, Any] = {"params": self.query(route, whole=whole)}
        if route.body:
            content = route.body[0]
            body = self.sample(content.shape.schema, whole=whole)
            if content.kind is Kind.MULTIPART:
                settings |= {"files": {"file": ("a.txt", b"A")}, "data": {k: v for k, v in body.items() if k != "file"}}
            else:
                settings["json"] = body
        response = await self.send(route.method, path, **settings)
        if response.is_success and response.headers.get("Content-Type", "").startswith("application/json"):
            self.learn(route, response.json())
        request = f"{route.method} {path} {settings}"
        return Answer(route.operation_id, request, response)

    def learn(self, route: Route, value: Any) -> None:
        """Keep the id of a record that was created, as a value of the parameter that names it in paths."""
        if route.method != "POST" or not isinstance(value, dict):
            return
        below = [each for each in self.api.routes.values() if each.path.rpartition("/")[0] == route.path]
        for each in below:
            if each.path_names and each.path.endswith("}"):
                name = each.path_names[-1]
                names = [name, "id", *(key for key in value if key.endswith("_id"))]
                found = [value[key] for key in names if key in value]
                if name not in self.known and found:
                    self.known[name] = found[0]

    def query(self, route: Route, *, whole: bool) -> list[tuple[str, Any]]:
        """Return the query parameters of a call."""
        pairs: list[tuple[str, Any]] = []
        for name, parameter in route.parameters["query"].items():
            is_cursor = name in ("after", "cursor")
            if not is_cursor and (whole or parameter.required):
                pairs += self._pairs(parameter, name)
        return pairs

    def _pairs(self, parameter: Parameter, name: str) -> Iterator[tuple[str, Any]]:
        value = self.sample(parameter.shape.schema, whole=True)
        if name == "org_ids":
            value = ["org-acme"]
        if isinstance(value, dict):
            yield from value.items()
        elif isinstance(value, list):
            yield from ((name, each) for each in value)
        elif value is not None:
            yield name, str(value).lower() if isinstance(value, bool) else value

    def sample(self, schema: Any, *, whole: bool, name: str = "") -> Any:
        """Return a value that follows a schema."""
        if name in STATED:
            return STATED[name]
        if name == "org_id":
            return "org-acme"
        flat = self.contract.flatten(schema)
        if "enum" in flat:
            return flat["enum"][-1]
        for variants in ("oneOf", "anyOf"):
            if variants in flat:
                return self.sample(flat[variants][0], whole=whole, name=name)
        types = flat.get("type", "object" if "properties" in flat else "string")
        match types if isinstance(types, str) else types[0]:
            case "object":
                members = flat.get("properties", {})
                chosen = [each for each in members if whole or each in flat.get("required", ())]
                chosen = [each for each in chosen if each not in LEFT_OUT]
                return {each: self.sample(members[each], whole=whole, name=each) for each in chosen}
            case "array":
                return [self.sample(flat.get("items", {}), whole=whole)]
            case "boolean":
                return True
            case "integer" | "number":
                return flat.get("minimum", 2)
            case _:
                examples = self.contract.examples(flat)
                return FORMATS.get(flat.get("format", ""), examples[0] if examples else "text")


def contradictions(build: Build, answer: Answer) -> Iterator[str]:
    """Yield how a response contradicts the contract."""
    response, route = answer.response, build.api.routes[answer.operation]
    start = f"{answer.operation}: {response.status_code}"
    form = route.response(response.status_code)
    if response.status_code >= 500:
        yield f"{start}: {response.text[:200]} ({answer.request})"
        return
    if form is None:
        if response.is_success:
            yield f"{start} is not declared"
        return
    if not form.contents:
        if response.content:
            yield f"{start} has a body"
        return
    media_type = response.headers.get("Content-Type", "")
    fitting = [each for each in form.contents if each.covers(media_type)]
    if not fitting:
        yield f"{start} has the media type {media_type!r}"
        return
    if fitting[0].kind is Kind.JSON:
        schema = {**build.contract.document, "allOf": [fitting[0].shape.schema]}
        validator = Draft202012Validator(schema, format_checker=FormatChecker())
        for error in validator.iter_errors(response.json()):
            yield f"{start}: {error.json_path}: {error.message[:300]}"
