"""Write an operation of a foreign document in the form of the contract."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from codegen.adopt.combine import Combination, core, facts_of, still_true
from codegen.adopt.foreign import Foreign, list_of, object_of
from codegen.adopt.matching import Route, is_beta
from codegen.adopt.used import ACCESS
from codegen.contract.content import JSON, kind_of_media_type
from codegen.contract.naming import class_name
from codegen.contract.operations import OWN_HEADERS, permissions
from codegen.contract.source import COMPONENT, Node, join_names, quote
from codegen.render.runtime.contract import PLACEHOLDER, child, schema_of

NOT_SHOWN: Node = {"$ref": f"{COMPONENT}NotShown"}
NAME = r"[`'\"*]*([A-Z][A-Za-z0-9]*|[a-z_]+[:.][a-z_:.]+)[`'\"*]*"
# A permission in prose, such as "Requires the `ViewOrgSessions` permission" or "Permission: `ViewOrgSessions`".
PERMISSIONS = (
    rf"\b[Pp]ermissions?(?: required)?[*_]*:[*_]* *{NAME}",
    rf"{NAME} permission\b",
    rf"\bpermission {NAME}",
)
LEVEL = re.compile(r"(?i)\b(org|organization|enterprise)\b[ -]level|\blevel:? *[`'\"*]*(org|organization|enterprise)\b")
# The members in which usual envelopes have their items.
LIST_MEMBERS = {"data", "entries", "items", "records", "results"}
PROBLEM = "application/problem+json"
# The ends of the ids of gaps that are closed if the document has the operation, its request, and its errors.
HAS_OPERATION = frozenset({"method", "path", "parameters"})
HAS_REQUEST = {"request", "type"}
HAS_ERRORS = {"errors", "statuses"}

ParameterKey = tuple[str, str]
"""The location and the name of a parameter."""


class Operations:
    """The operations of a foreign document in the form of the contract.

    Args:
        foreign: The document, which gets the notes.
        combination: The contract, to which the document adds.
    """

    def __init__(self, foreign: Foreign, combination: Combination) -> None:
        self._foreign = foreign
        self._combination = combination
        self._contract = combination.contract
        self._path_parameters: dict[str, Node] = {}
        for name, node in self._contract.components.get("parameters", {}).items():
            if node["in"] == "path":
                self._path_parameters[node["name"]] = {"$ref": f"#/components/parameters/{name}"}

    def is_list(self, route: Route) -> bool:
        """Return whether an operation returns an array, or an object with one array as a page has it."""
        for status, response in route.node["responses"].items():
            for schema in self._json_schemas(response):
                is_array = schema.get("type") == "array" or bool(LIST_MEMBERS & schema.get("properties", {}).keys())
                if status.startswith("2") and is_array:
                    return True
        return False

    def write(self, route: Route, node: Node) -> Node:
        """Return an operation in the form of the contract, with all of its parameters.

        Args:
            route: The operation of the document.
            node: What the contract states about it; for a new operation its id and its tag.
        """
        found = deepcopy(node)
        found.pop("x-inferred", None)
        self._add_texts(route, found)
        closed = {*HAS_OPERATION}
        found["parameters"] = self._parameters(route)
        for parameter in found["parameters"]:
            closed.add(self._contract.resolve(parameter)["name"])
        if self._add_request(route, found):
            closed |= HAS_REQUEST
        closed |= self._add_responses(route, found)
        closed |= self._add_access(route, found)
        if "x-not-shown" in found:
            found["x-not-shown"] = self._combination.close(found["x-not-shown"], closed)
        return found

    def _add_texts(self, route: Route, found: Node) -> None:
        """Add the texts and the marks of an operation."""
        for key in ("summary", "description"):
            text = str(route.node.get(key, "")).strip()
            if text and (key == "description" or route.facts is None):
                found[key] = text if text.endswith((".", "!", "?")) else f"{text}."
            elif key in found:
                found[key] = still_true(found[key])
        if route.node.get("deprecated"):
            found["deprecated"] = True
        found.pop("x-stability", None)
        if is_beta(route.path):
            found["x-stability"] = "beta"
        if route.facts is not None and route.path != route.facts.path:
            found.setdefault("x-stated-path", route.facts.path)

    def _parameters(self, route: Route) -> list[Node]:
        """Return the parameters of an operation. Those that only the contract states remain."""
        shown = self._shown_parameters(route)
        found: list[Node] = []
        lacking: list[str] = []
        for key, written in self._stated_parameters(route).items():
            stated = self._contract.resolve(written)
            if key in shown:
                combined = self._combine_parameter(route, stated, shown.pop(key))
                found.append(written if facts_of(combined) == facts_of(stated) else combined)
            elif key[0] != "path":
                lacking.append(key[1])
                found.append(written)
        if lacking:
            text = f"the document lacks {join_names(lacking)} of the parameters of {route}; the contract's remain"
            self._foreign.note(route.place, text)
        for (location, name), parameter in shown.items():
            is_text = schema_of(parameter).get("type") == "string"
            if location == "path" and is_text and name in self._path_parameters:
                parameter = self._path_parameters[name]
            found.append(parameter)
        return found

    def _stated_parameters(self, route: Route) -> dict[ParameterKey, Node]:
        """Return the parameters of an operation of the contract, as they are written there."""
        found: dict[ParameterKey, Node] = {}
        if route.facts is not None:
            above = self._contract.document["paths"][route.facts.path].get("parameters", ())
            for written in (*above, *route.facts.node.get("parameters", ())):
                parameter = self._contract.resolve(written)
                found[parameter["in"], parameter["name"]] = written
        return found

    def _combine_parameter(self, route: Route, stated: Node, shown: Node) -> Node:
        place = f"{route} parameters {shown['name']}"
        schema = self._combination.combine(schema_of(stated), schema_of(shown), place)
        return {**stated, **shown, "schema": schema}

    def _shown_parameters(self, route: Route) -> dict[ParameterKey, Node]:
        """Return the parameters that the document shows and the SDK can send."""
        found: dict[ParameterKey, Node] = {}
        for written in (*route.parameters, *route.node.get("parameters", ())):
            if not {"in", "name"} <= written.keys():
                # The reference to it leads nowhere, and a note says so.
                continue
            name, location = written["name"], written["in"]
            if location == "header" and OWN_HEADERS.fullmatch(name):
                self._foreign.note(route.place, f"the SDK sets the header {quote(name)} itself; left out")
            elif location == "path" and name not in route.renamed:
                self._foreign.note(route.place, f"the path has no parameter {quote(name)}; left out")
            else:
                for part in self._parts(route, {**written, "name": route.renamed.get(name, name)}):
                    found[location, part["name"]] = part
        for name in PLACEHOLDER.findall(route.path):
            if ("path", name) not in found:
                self._foreign.note(route.place, f"the path parameter {quote(name)} is not declared; it is a text")
                found["path", name] = described_parameter({"name": name, "in": "path", "schema": {"type": "string"}})
        return found

    def _parts(self, route: Route, parameter: Node) -> Iterator[Node]:
        """Yield a parameter; for an object in a query, each of its members as a parameter."""
        name = parameter["name"]
        flat = self._combination.reader.flatten(core(parameter.get("schema", {})))
        is_deep = parameter.get("style") == "deepObject"
        is_written_out = is_deep or parameter.get("explode", True)
        if parameter["in"] != "query" or "properties" not in flat or not is_written_out:
            yield described_parameter(parameter)
            return
        self._foreign.note(route.place, f"{quote(name)} is an object; each of its members is a parameter")
        for member, schema in flat["properties"].items():
            is_required = bool(parameter.get("required")) and member in flat.get("required", ())
            wire = f"{name}[{member}]" if is_deep else member
            yield described_parameter({"name": wire, "in": "query", "required": is_required, "schema": schema})

    def _add_request(self, route: Route, found: Node) -> bool:
        """Add the request body. Return whether the document shows it."""
        body = route.node.get("requestBody", {})
        stated = self._contract.resolve(found.get("requestBody", {}))
        if not body.get("content"):
            if all(media.get("schema") == NOT_SHOWN for media in stated.get("content", {}).values()):
                found.pop("requestBody", None)
                return True
            self._foreign.note(route.place, "the document has no request body; that of the contract remains")
            return False
        place = child(route.place, "requestBody")
        found["requestBody"] = {
            **body,
            "required": body.get("required", False),
            "content": self._content(
                body, stated, stated_place(route, "request"), place, f"{class_name(found['operationId'])}Body"
            ),
        }
        return self._is_shown(body)

    def _add_responses(self, route: Route, found: Node) -> set[str]:
        """Add the responses. Return the ends of the ids of the gaps that they close."""
        stated: Node = found.get("responses", {})
        success = self._stated_success(route)
        name = f"{class_name(found['operationId'])}Response"
        written: Node = {}
        closed = {"response"}
        for status, response in route.node["responses"].items():
            status = status.replace("DEFAULT", "default")
            place = child(child(route.place, "responses"), status)
            for key in response.keys() - {"content", "description"}:
                self._foreign.note(child(place, key), f"`{key}` is not read; left out")
            known = self._contract.resolve(stated.get(status, {}))
            if status.startswith("2"):
                known = success
            written[status] = {"description": response["description"]}
            content = self._content(response, known, stated_place(route, "response"), place, name)
            if status.startswith("2") and not self._is_shown(response):
                closed.discard("response")
                content = known.get("content", content)
            if content and status not in ("204", "205"):
                written[status]["content"] = content
        successes = [status for status in written if status.startswith("2")]
        if len(successes) < len(written):
            closed |= HAS_ERRORS
        if successes and "links" in success:
            written[successes[0]]["links"] = success["links"]
        if not successes:
            closed.discard("response")
            if route.facts is None:
                self._foreign.note(route.place, "no success is declared; its status and its payload are not shown")
                written["2XX"] = {"$ref": "#/components/responses/NotShown"}
        for status, response in stated.items():
            if not (status.startswith("2") and successes):
                written.setdefault(status, response)
        found["responses"] = written
        if "response" not in closed and route.facts is None:
            add_gap(found, "response", "The success status and the response payload.")
        return closed

    def _stated_success(self, route: Route) -> Node:
        """Return the first success that the contract states for an operation."""
        if route.facts is not None:
            for status, response in route.facts.responses.items():
                if status.startswith("2"):
                    return response
        return {}

    def _content(self, body: Node, stated: Node, names: str, place: str, name: str) -> Node:
        """Return the content of a body by media type.

        Args:
            body: The body in the document.
            stated: The body in the contract.
            names: The names that lead to it, for a contradiction.
            place: The place of the body in the document.
            name: The name of an object that has none.
        """
        found: Node = {}
        for media_type, media in body.get("content", {}).items():
            schema: Node = media.get("schema", {})
            if "encoding" in media:
                self._foreign.note(place, "the SDK cannot follow `encoding`; left out")
            known = stated_schema(stated, media_type)
            if facts_of(schema) and known and known != NOT_SHOWN:
                schema = self._combination.combine(known, schema, names)
            if kind_of_media_type(media_type) == JSON and not facts_of(schema):
                schema = NOT_SHOWN
            for part in (schema, schema.get("items")):
                if isinstance(part, dict) and "properties" in part:
                    part["title"] = name
            found[media_type] = {"schema": schema} if schema else {}
        return found

    def _is_shown(self, body: Node) -> bool:
        """Return whether the document shows a body, or shows that there is none."""
        return all(map(facts_of, self._json_schemas(body)))

    def _json_schemas(self, body: Node) -> Iterator[Node]:
        """Yield the schemas of a body in JSON, without references and null."""
        for media_type, media in body.get("content", {}).items():
            if kind_of_media_type(media_type) == JSON:
                yield self._combination.reader.flatten(core(media.get("schema", {})))

    def _add_access(self, route: Route, found: Node) -> set[str]:
        """Add the permission and its level. Return the ends of the ids of the gaps that they close."""
        closed: set[str] = set()
        names = self._permissions(route)
        if len(names) > 1:
            self._foreign.note(route.place, f"several permissions, {join_names(names)}; the SDK names one: not read")
        elif names:
            if permissions(found):
                self._combination.contradict(f"{route} permission", [*permissions(found)], names)
            found["security"] = [dict.fromkeys(entry, names) for entry in found["security"]]
            closed.add("permission")
        level = self._level(route)
        if level:
            self._combination.contradict(f"{route} level", found.get("x-permission-level", level), level)
            found["x-permission-level"] = level
            closed.add("level")
        has_level_gap = any("level" in gap["id"] for gap in found.get("x-not-shown", ()))
        if names and "x-permission-level" not in found and not has_level_gap:
            add_gap(found, "level", "The level of the permission.")
        if not closed and route.facts is None:
            add_gap(found, "permission", "The permission, its level and the kinds of credential.")
        return closed

    def _permissions(self, route: Route) -> list[str]:
        """Return the permissions that the document names for an operation."""
        found: dict[str, None] = {}
        for key, value in route.beside.items():
            if ACCESS.fullmatch(key) and "level" not in key:
                found |= dict.fromkeys(texts_of(value))
        security = route.beside.get("security", self._foreign.document.get("security"))
        for entry in list_of(security):
            for scopes in object_of(entry).values():
                found |= dict.fromkeys(texts_of(scopes))
        for pattern in PERMISSIONS:
            match = re.search(pattern, str(route.node.get("description")))
            if not found and match is not None:
                found[match[1]] = None
        return list(found)

    def _level(self, route: Route) -> str:
        """Return the level of the permission; empty if the document does not say it."""
        text = str(route.node.get("description"))
        for key, value in route.beside.items():
            if ACCESS.fullmatch(key) and "level" in key:
                text = f"level {value}"
        match = LEVEL.search(text)
        if match is None:
            return ""
        if "enterprise" in match[0].lower():
            return "enterprise"
        return "organization"


def stated_place(route: Route, part: str) -> str:
    """Return the names that lead to a part of an operation; empty if a gap covers what the contract states of it."""
    if route.facts is not None and any(gap.id.endswith(f"-{part}") for gap in route.facts.gaps):
        return ""
    return f"{route} {part}"


def described_parameter(parameter: Node) -> Node:
    """Return a parameter as the contract writes it, with a description."""
    schema = dict(parameter.get("schema", {}))
    shown = schema.pop("description", f"The value of `{parameter['name']}`.")
    if parameter["in"] == "path" and not facts_of(schema):
        schema = {"type": "string"}
    required = parameter["in"] == "path" or parameter.get("required", False)
    found = {"description": shown, **parameter, "required": required}
    if "content" not in parameter:
        found["schema"] = schema
    return found


def add_gap(node: Node, ending: str, what: str) -> None:
    """Add a gap to an operation."""
    prefix = node["operationId"].replace("_", "-")
    node["x-not-shown"] = [*node.get("x-not-shown", ()), {"id": f"{prefix}-{ending}", "what": what}]


def stated_schema(body: Node, media_type: str) -> Node:
    """Return the schema that the contract has for a body of a media type, or of another one of the same kind."""
    for written, media in body.get("content", {}).items():
        # An error that is no problem detail has a form of its own.
        is_alike = (written == PROBLEM) == (media_type == PROBLEM)
        if is_alike and kind_of_media_type(written) == kind_of_media_type(media_type):
            schema: Node = media.get("schema", {})
            return schema
    return {}


def texts_of(value: Any) -> list[str]:
    """Return a text, or the texts of a list."""
    return [text for text in (value, *list_of(value)) if isinstance(text, str)]
