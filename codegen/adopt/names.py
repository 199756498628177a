"""Name the operations that only the document has, and keep the names that a person has edited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from codegen.adopt.foreign import list_of
from codegen.adopt.matching import PARAMETER, Route, path_key
from codegen.contract.contract import Contract
from codegen.contract.naming import SCOPE_WORDS, VERBS, Name, name_operation, python_name, stems, words
from codegen.contract.source import ContractError, Finding, Source, quote
from codegen.render.runtime.contract import PLACEHOLDER, child

# The verbs of frameworks, and those that the contract has for the same.
SYNONYMS = {
    **dict.fromkeys(("fetch", "find", "load", "query", "read", "retrieve", "show", "view"), "get"),
    **dict.fromkeys(("all", "index"), "list"),
    **dict.fromkeys(("add", "insert", "new", "post", "store"), "create"),
    **dict.fromkeys(("change", "edit", "modify", "partial", "patch"), "update"),
    **dict.fromkeys(("del", "destroy", "remove"), "delete"),
    "put": "replace",
}
KNOWN_VERBS = {*SYNONYMS, *SYNONYMS.values(), "check", "count", "download", "export", "search", "send", "set", "stream"}
KNOWN_VERBS |= {"validate", "watch"}
# Words of an id that say nothing about what the operation does.
EMPTY_WORDS = {
    "a",
    "an",
    "and",
    "api",
    "by",
    "endpoint",
    "for",
    "from",
    "handle",
    "handler",
    "in",
    "of",
    "on",
    "route",
    "the",
}
EMPTY_WORDS |= {"beta", "default", "internal", "one", "public", "to", "with"}
# The class before the method, as in `SessionsController_findAll`; a version; a number that keeps ids apart.
CLASS = re.compile(r"^\w+?(Controller|Service|Resource|ViewSet|Api|Router)(?=[A-Z_.])[_.]?")
VERSION = re.compile(r"(?i)(?<![a-z])v\d+(?:_?(?:beta|alpha)\d*)?(?![a-z])|V\d+(?:Beta\d*)?(?=[A-Z_]|$)|_\d+$")
LONGEST = 4
HEAD = """\
# The names of the operations that {document} adds to the contract: `METHOD path: resource.verb`.
# Edit a name and adopt again: what stands here is kept. Write `null` to leave an operation out.
"""


class Names:
    """The names of the operations that only the document has.

    Args:
        contract: The contract.
        routes: The operations of the document.
        kept: The file of names that a person may have edited.
        is_list: Returns whether an operation returns a list.

    Attributes:
        chosen: The name of each new operation, as `resource.verb`, by method and path.
    """

    def __init__(
        self,
        contract: Contract,
        routes: Iterable[Route],
        kept: Kept,
        is_list: Callable[[Route], bool],
    ) -> None:
        self._is_list = is_list
        self._facts = list(contract.operations.values())
        self._tags: dict[str, str] = {facts.name.resource: facts.node["tags"][0] for facts in self._facts}
        self._taken = {str(facts.name) for facts in self._facts}
        for facts in self._facts:
            self._taken.add(f"{facts.name.scope}.{facts.name.resource}.{facts.arguments['job']}")
        self._by_document_tag: dict[str, str] = {}
        self._keys: set[tuple[str, str]] = set()
        self._kept = kept
        self.chosen: dict[str, str | None] = {}
        for route in routes:
            self._keys.add((route.method, path_key(route.path)))
            for tag in self._own_tags(route):
                if route.facts is not None:
                    self._by_document_tag.setdefault(tag, str(route.facts.node["tags"][0]))

    def name(self, route: Route) -> tuple[str, str] | None:
        """Return the operationId and the tag of a new operation; None if it is left out.

        Raises:
            ContractError: The path is in no scope, or the name in the file of names cannot be used.
        """
        scope = name_operation(route.path, "any", "any", route.method).scope
        kept = self._kept.find(route)
        if kept is None:
            self.chosen[str(route)] = None
            return None
        resource, _, verb = kept.partition(".")
        if not kept:
            tag = self._tag(route)
            resource = python_name("_".join(words(tag)), {"org_id"})
            verb = self._free_verb(route, scope, resource, self._verb(route, scope, tag))
        tag = self._tags.get(resource, " ".join(words(resource)))
        operation_id = id_of(scope, resource, verb)
        given = name_operation(route.path, tag, operation_id, route.method)
        wanted = Name(scope, resource, verb)
        if given != wanted or str(wanted) in self._taken:
            reason = f"the name would be {given}"
            if given == wanted:
                reason = f"another operation has the name {wanted}"
            raise self._kept.error(route, f"{quote(kept or str(wanted))} cannot be used: {reason}; write another one")
        self._taken.add(str(wanted))
        self.chosen[str(route)] = f"{resource}.{verb}"
        return operation_id, tag

    def _own_tags(self, route: Route) -> list[str]:
        """Return the tags of an operation of the document without the words of its scope and its version."""
        found: list[str] = []
        redundant = {*EMPTY_WORDS, *SCOPE_WORDS["organization"], *SCOPE_WORDS["enterprise"]}
        for tag in list_of(route.beside.get("tags")):
            own = [word for word in words(VERSION.sub("", str(tag))) if word not in redundant]
            if own:
                found.append(" ".join(own))
        return found

    def _tag(self, route: Route) -> str:
        """Return the tag of a new operation: that of the contract for the same tag or path, if there is one."""
        for tag in self._own_tags(route):
            if tag in self._by_document_tag:
                return self._by_document_tag[tag]
            for known in self._tags.values():
                if stems(known) & stems(tag):
                    return known
            return tag
        segments = static_segments(route.path)
        for length in range(len(segments), 0, -1):
            for facts in self._facts:
                if static_segments(facts.path)[:length] == segments[:length]:
                    return str(facts.node["tags"][0])
        return " ".join(words("_".join(segments[:1]))) or "root"

    def _verb(self, route: Route, scope: str, tag: str) -> str:
        """Return the method name of a new operation, from the words of its id or of its path."""
        redundant = {stem for word in (*words(tag), *SCOPE_WORDS[scope]) for stem in stems(word)}
        found = [word for word in self._id_words(route) if not stems(word) & redundant]
        if found and found[-1] in KNOWN_VERBS and found[0] not in KNOWN_VERBS:
            found = [found[-1], *found[:-1]]
        parts = words(" ".join(static_segments(route.path)))
        from_path = [word for word in parts if not stems(word) & redundant]
        if not found or len(found) > LONGEST:
            found = self._path_verb(route, from_path)
        verb, rest = found[0], found[1:]
        verb = SYNONYMS.get(verb, verb)
        if route.method == "get" and verb not in KNOWN_VERBS:
            verb, rest = "get", found
        if verb == "get" and not path_key(route.path).endswith(PARAMETER) and self._is_list(route):
            verb = "list"
        rest = [word for word in rest if SYNONYMS.get(word, word) != verb]
        return "_".join([verb, *rest])

    def _id_words(self, route: Route) -> list[str]:
        """Return the words of an operationId that its author wrote, without what frameworks add."""
        text = str(route.beside.get("operationId") or "")
        # FastAPI writes the path and the method after the name of the function.
        slug = re.sub(r"\W", "_", route.written)
        text = text.removesuffix(f"{slug}_{route.method}")
        text = VERSION.sub("", CLASS.sub("", text))
        names = words(" ".join(PLACEHOLDER.findall(route.written)))
        in_path = {*names, *words(" ".join(static_segments(route.path))), "organizations"}
        found = [word for word in words(text) if word not in EMPTY_WORDS and word not in ("id", "ids")]
        if not set(found[1:]) - in_path and found[:1] == [route.method]:
            # A tool made the id of the method and the path.
            return []
        return [word for word in found if word not in names or word == found[0]]

    def _path_verb(self, route: Route, rest: list[str]) -> list[str]:
        """Return the words of a method name that the method and the path give."""
        key = path_key(route.path)
        is_item = key.endswith(PARAMETER)
        if route.method == "get":
            return ["get", *rest]
        has_collection = ("get", key) in self._keys or key.endswith("s")
        if route.method == "post" and rest and not is_item and not has_collection:
            return rest
        return [VERBS.get(route.method, route.method), *rest]

    def _free_verb(self, route: Route, scope: str, resource: str, verb: str) -> str:
        """Return a verb that no other operation of the resource has."""
        endings = ["", *reversed(static_segments(route.path)), *map(str, range(2, 1000))]
        tag = self._tags.get(resource, " ".join(words(resource)))
        for ending in endings:
            operation_id = id_of(scope, resource, f"{verb}_{ending}")
            name = name_operation(route.path, tag, operation_id, route.method)
            if str(name) not in self._taken:
                return name.verb
        return verb


class Kept:
    """The file of names beside an Overlay.

    Args:
        path: The file, which need not exist.

    Raises:
        ContractError: The file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._source: Source | None = None
        self.written: dict[str, Any] = {}
        if path.exists():
            self._source = Source(path)
            self._source.refuse(self._source.findings)
            if isinstance(self._source.document, dict):
                self.written = self._source.document
        self._keys = {self._identity(key): key for key in self.written}

    def find(self, route: Route) -> str | None:
        """Return the name of an operation; empty if the file does not name it, and None to leave it out."""
        key = self._key(route)
        if not key:
            return ""
        value = self.written[key]
        if value is None:
            return None
        if not re.fullmatch(r"\w+\.\w+", str(value)):
            raise self.error(route, f"{quote(value)} is not `resource.verb`, such as `widgets.list`; correct it")
        return str(value)

    def error(self, route: Route, text: str) -> ContractError:
        """Return an error about the name of an operation."""
        if self._source is None:
            return ContractError(f"{route}: {text}")
        return self._source.error([Finding(child("#", self._key(route)), text)])

    def write(self, document: str, chosen: Mapping[str, str | None]) -> None:
        """Write the names of new operations. The names of operations that are not there any more remain.

        Args:
            document: The name of the document.
            chosen: The name of each new operation, by method and path.
        """
        if not chosen and not self.written:
            return
        keys = {self._identity(key) for key in chosen}
        kept = {key: name for key, name in self.written.items() if self._identity(key) not in keys}
        text = yaml.safe_dump({**chosen, **kept}, sort_keys=False, allow_unicode=True, width=1000)
        self.path.write_text(HEAD.format(document=document) + text, encoding="utf-8", newline="\n")

    def _identity(self, key: str) -> tuple[str, str]:
        """Return what a key of the file stands for, whatever the names of the parameters in its path are."""
        method, _, path = key.partition(" ")
        return method.lower(), path_key(path)

    def _key(self, route: Route) -> str:
        """Return the key of an operation in the file: its method and its path, or its id; empty if there is none."""
        found = self._keys.get((route.method, path_key(route.path)), "")
        operation_id = str(route.beside.get("operationId"))
        if not found and operation_id in self.written:
            return operation_id
        return found


def id_of(scope: str, resource: str, verb: str) -> str:
    """Return the operationId that gives a name by the rules of the project."""
    first, *others = words(verb)
    return "_".join([first, scope, *words(resource), *others])


def static_segments(path: str) -> list[str]:
    """Return the segments of a path after its scope that are no parameters."""
    rest = re.sub(r"^.*?/(organizations/\{\w+\}|enterprise)/", "", path)
    return [segment for segment in rest.split("/") if segment and not PLACEHOLDER.fullmatch(segment)]
