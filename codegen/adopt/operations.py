"""Write an operation of a foreign document in the form of the contract."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from codegen.adopt.combine import Combination, facts_of, still_true
from codegen.adopt.foreign import Foreign, object_of
from codegen.adopt.matching import Route, is_beta
from codegen.adopt.parameters import Parameters
from codegen.adopt.schemas import Schemas
from codegen.contract.content import JSON, kind_of_media_type
from codegen.contract.naming import class_name
from codegen.contract.source import COMPONENT, Node, join_names, quote
from codegen.render.runtime.contract import child

NOT_SHOWN: Node = {"$ref": f"{COMPONENT}NotShown"}
STATUS = re.compile(r"[245](?:\d\d|XX)|default")
NAME = r"[`'\"*]*(?P<{}>[A-Z][A-Za-z0-9]*|[a-z_]+[:.][a-z_:.]+)[`'\"*]*"
# A permission in prose, such as "Requires the `ViewOrgSessions` permission" or "Permission: `ViewOrgSessions`".
PERMISSIONS = (
    re.compile(rf"\b[Pp]ermissions?(?: required)?[*_]*:[*_]* *{NAME.format('name')}"),
    re.compile(rf"{NAME.format('name')} permission\b"),
    re.compile(rf"\bpermission {NAME.format('name')}"),
)
LEVEL = re.compile(r"(?i)\b(org|organization|enterprise)\b[ -]level|\blevel:? *[`'\"*]*(org|organization|enterprise)\b")
# The members in which usual envelopes have their items.
LIST_MEMBERS = {"data", "entries", "items", "records", "results"}
# What is read of an operation, and of a response.
READ = {"deprecated", "description", "externalDocs", "operationId", "parameters", "requestBody", "responses"}
READ |= {"content", "security", "summary", "tags"}
# The ends of the ids of gaps that are closed if the document has the operation, its request, and so on.
HAS_OPERATION = {"method", "path", "parameters"}
HAS_REQUEST = {"request", "type"}
HAS_ERRORS = {"errors", "statuses"}


class Operations:
    """The operations of a foreign document in the form of the contract.

    Args:
        foreign: The document.
        combination: The contract, to which the document adds.
        schemas: The schemas of the document.
    """

    def __init__(self, foreign: Foreign, combination: Combination, schemas: Schemas) -> None:
        self._foreign = foreign
        self._combination = combination
        self._contract = combination.contract
        self._schemas = schemas
        self._parameters = Parameters(foreign, combination, schemas)

    def pair(self, route: Route) -> None:
        """Find the components of the contract that stand for schemas of a known operation."""
        self._parameters.pair(route)
        if route.facts is None:
            return
        stated = self._contract.resolve(route.facts.node.get("requestBody", {}))
        body, place = self._foreign.resolve(route.node.get("requestBody", {}), child(route.place, "requestBody"))
        self._pair_content(stated, body, place)
        stated = self._stated_success(route)
        for status, response, place in self._responses(route):
            if status.startswith("2"):
                self._pair_content(stated, response, place)

    def is_list(self, route: Route) -> bool:
        """Return whether an operation returns an array, or an object with one array as a page has it."""
        for status, response, place in self._responses(route):
            for _, bare in self._bodies(response):
                members = dict(self._schemas.members(bare, place))
                if status.startswith("2") and (bare.get("type") == "array" or LIST_MEMBERS & members.keys()):
                    return True
        return False

    def write(self, route: Route, node: Node) -> Node:
        """Return an operation in the form of the contract.

        Args:
            route: The operation of the document.
            node: What the contract states about it; for a new operation its id and its tag.
        """
        found = deepcopy(node)
        self._note_unread(route.node, route.place)
        name = class_name(node["operationId"])
        closed = {*HAS_OPERATION}
        found.pop("x-inferred", None)
        self._add_texts(route, found)
        parameters = self._parameters.write(route, node)
        closed |= {parameter["name"] for parameter in parameters if "in" in parameter}
        if parameters:
            found["parameters"] = parameters
        if self._add_request(route, found, name):
            closed |= HAS_REQUEST
        closed |= self._add_responses(route, found, name)
        closed |= self._add_access(route, found)
        if "x-not-shown" in found:
            found["x-not-shown"] = self._combination.close(found["x-not-shown"], closed)
        return found

    def _note_unread(self, node: Node, place: str) -> None:
        """Note the parts of an operation or a response that are not read."""
        for key in node.keys() - READ:
            if not ("permission" in key or "level" in key):
                self._foreign.note(child(place, key), f"`{key}` is not read; left out")

    def _add_texts(self, route: Route, found: Node) -> None:
        """Add the texts and the marks of an operation."""
        for key in ("summary", "description"):
            text = self._foreign.part(route.node, route.place, key, str).strip()
            if key == "summary" and route.facts is not None:
                continue
            if text:
                found[key] = text if text.endswith((".", "!", "?")) else f"{text}."
            elif key in found:
                found[key] = still_true(found[key])
        if not found.get("description"):
            found.pop("description", None)
        if route.node.get("deprecated") is True:
            found["deprecated"] = True
        found.pop("x-stability", None)
        if is_beta(route.path):
            found["x-stability"] = "beta"
        if route.facts is not None and route.path != route.facts.path:
            found["x-stated-path"] = found.get("x-stated-path", route.facts.path)

    def _add_request(self, route: Route, found: Node, name: str) -> bool:
        """Add the request body. Return whether the document shows it."""
        place = child(route.place, "requestBody")
        body, place = self._foreign.resolve(route.node.get("requestBody", {}), place)
        stated = self._contract.resolve(found.get("requestBody", {}))
        if not body.get("content"):
            is_stated = any(media.get("schema") != NOT_SHOWN for media in stated.get("content", {}).values())
            if is_stated:
                self._foreign.note(route.place, "the document has no request body; that of the contract remains")
            else:
                found.pop("requestBody", None)
            return not is_stated
        written: Node = {"required": body.get("required") is True}
        if isinstance(body.get("description"), str):
            written["description"] = body["description"]
        written["content"] = self._content(body, place, stated, f"{name}Request")
        found["requestBody"] = written
        return self._is_shown(body)

    def _add_responses(self, route: Route, found: Node, name: str) -> set[str]:
        """Add the responses. Return the ends of the ids of the gaps that they close."""
        stated = found.get("responses", {})
        success = self._stated_success(route)
        written: Node = {}
        unshown: list[str] = []
        for status, response, place in self._responses(route):
            known = self._contract.resolve(stated.get(status, {}))
            self._note_unread(response, place)
            if status.startswith("2"):
                known = success
                if not self._is_shown(response):
                    unshown.append(status)
            text = self._foreign.part(response, place, "description", str).strip()
            written[status] = {"description": text or f"The response with the status {status}."}
            content = self._content(response, place, known, f"{name}Response")
            if status in unshown and "content" in known:
                content = known["content"]
            if content and status not in ("204", "205"):
                written[status]["content"] = content
        successes = [status for status in written if status.startswith("2")]
        if successes and "links" in success:
            written[successes[0]]["links"] = success["links"]
        if not successes and route.facts is None:
            self._foreign.note(route.place, "no success is declared; its status and its payload are not shown")
        closed: set[str] = set()
        if successes and not unshown:
            closed.add("response")
        if written.keys() - {*successes}:
            closed |= HAS_ERRORS
        for status, response in stated.items():
            if not (status.startswith("2") and successes):
                written.setdefault(status, response)
        if not successes and route.facts is None:
            written["2XX"] = {"$ref": "#/components/responses/NotShown"}
        found["responses"] = written
        if "response" not in closed and route.facts is None:
            add_gap(found, "response", "The success status and the response payload.")
        return closed

    def _responses(self, route: Route) -> Iterator[tuple[str, Node, str]]:
        """Yield the responses that the SDK can have, each with its status and its place."""
        place = child(route.place, "responses")
        for written, node in self._foreign.part(route.node, route.place, "responses", dict).items():
            status = written.upper().replace("DEFAULT", "default")
            if STATUS.fullmatch(status):
                yield status, *self._foreign.resolve(node, child(place, written))
            elif not written.startswith("x-"):
                self._foreign.note(child(place, written), f"the SDK cannot use the status {quote(written)}; left out")

    def _stated_success(self, route: Route) -> Node:
        """Return the first success that the contract states for an operation."""
        if route.facts is not None:
            for status, response in route.facts.responses.items():
                if status.startswith("2"):
                    return response
        return {}

    def _content(self, body: Node, place: str, stated: Node, name: str) -> Node:
        """Return the content of a body by media type."""
        found: Node = {}
        place = child(place, "content")
        for media_type, node in self._foreign.part(body, child(place, ".."), "content", dict).items():
            here = child(place, media_type)
            media, here = self._foreign.resolve(node, here)
            schema: Node = {}
            if "schema" in media:
                schema = self._schemas.convert(media["schema"], child(here, "schema"), name)
                schema.pop("title", None)
            if "encoding" in media:
                self._foreign.note(child(here, "encoding"), "the SDK cannot follow `encoding`; left out")
            known = stated_schema(stated, media_type)
            if schema and known and known != NOT_SHOWN:
                schema = self._combination.combine(known, schema)
            is_json = kind_of_media_type(media_type) == JSON
            if is_json and not facts_of(schema):
                schema = NOT_SHOWN
            found[media_type] = {}
            if schema:
                found[media_type]["schema"] = schema
        return found

    def _is_shown(self, body: Node) -> bool:
        """Return whether the document shows a body, or shows that there is none."""
        return all(facts_of(bare) for media_type, bare in self._bodies(body) if kind_of_media_type(media_type) == JSON)

    def _bodies(self, body: Node) -> Iterator[tuple[str, Node]]:
        """Yield the media types of a body with their schemas, without references and null."""
        for media_type, media in object_of(body.get("content")).items():
            bare, _ = self._schemas.bare(object_of(media).get("schema", {}), "#")
            yield media_type, bare

    def _pair_content(self, stated: Node, body: Node, place: str) -> None:
        for media_type, media in self._foreign.part(body, place, "content", dict).items():
            known = stated_schema(stated, media_type)
            if known and isinstance(media, dict) and "schema" in media:
                self._schemas.pair(known, media["schema"], child(child(child(place, "content"), media_type), "schema"))

    def _add_access(self, route: Route, found: Node) -> set[str]:
        """Add the permission and its level. Return the ends of the ids of the gaps that they close."""
        closed: set[str] = set()
        names = self._permissions(route)
        if len(names) > 1:
            self._foreign.note(route.place, f"several permissions, {join_names(names)}; the SDK names one: not read")
        elif names:
            found["security"] = [dict.fromkeys(entry, names) for entry in found["security"]]
            closed.add("permission")
        level = self._level(route)
        if level:
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
        for key, value in route.node.items():
            if key.startswith("x-") and "permission" in key and "level" not in key:
                found |= dict.fromkeys(texts_of(value))
        security = self._foreign.part({**self._foreign.document, **route.node}, route.place, "security", list)
        for entry in security:
            for scopes in object_of(entry).values():
                found |= dict.fromkeys(texts_of(scopes))
        description = self._foreign.part(route.node, route.place, "description", str)
        for pattern in PERMISSIONS:
            if not found and (match := pattern.search(description)):
                found[match["name"]] = None
        return list(found)

    def _level(self, route: Route) -> str:
        """Return the level of the permission; empty if the document does not say it."""
        text = self._foreign.part(route.node, route.place, "description", str)
        for key, value in route.node.items():
            if key.startswith("x-") and "level" in key:
                text = f"level {value}"
        match = LEVEL.search(text)
        if match is None:
            return ""
        if "enterprise" in match[0].lower():
            return "enterprise"
        return "organization"


def add_gap(node: Node, ending: str, what: str) -> None:
    """Add a gap to an operation."""
    prefix = node["operationId"].replace("_", "-")
    node["x-not-shown"] = [*node.get("x-not-shown", ()), {"id": f"{prefix}-{ending}", "what": what}]


def stated_schema(body: Node, media_type: str) -> Node:
    """Return the schema that the contract has for a body of a media type, or of another one of the same kind."""
    for written, media in body.get("content", {}).items():
        if kind_of_media_type(written) == kind_of_media_type(media_type):
            schema: Node = media.get("schema", {})
            return schema
    return {}


def texts_of(value: Any) -> list[str]:
    """Return a text, or the texts of a list."""
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]
