"""Name the operations that only the document has, and keep the names that a person has edited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import yaml

from codegen.adopt.foreign import list_of, object_of
from codegen.adopt.matching import PARAMETER, Route, path_key
from codegen.contract.contract import Contract
from codegen.contract.naming import SCOPE_WORDS, VERBS, Name, name_operation, resource_name, stems, words
from codegen.contract.source import ContractError, Finding, Source, quote
from codegen.render.runtime.contract import PLACEHOLDER, child

# The project's verbs, with what frameworks and their users write for them.
VERB_WORDS = {
    "get": "fetch find load query read retrieve show view",
    "list": "all index",
    "create": "add insert new post store",
    "update": "change edit modify patch",
    "delete": "del destroy remove",
    "replace": "put",
}
SYNONYMS: dict[str, str] = {}
for verb_word, synonyms in VERB_WORDS.items():
    SYNONYMS |= dict.fromkeys(synonyms.split(), verb_word)
KNOWN_VERBS = {*SYNONYMS, *VERB_WORDS, "check", "count", "download", "export", "search", "send", "set", "stream"}
# Words of an id or a tag that say nothing about what the operation does.
EMPTY_WORD = re.compile(
    "a|an|and|api|beta|by|default|endpoint|for|from|handle|handler|ids?|in|internal|of|on|one|organizations?|partial"
    "|public|route|the|to|with"
)
# The class before the method, as in `SessionsController_findAll`; a version; a number that keeps ids apart.
CLASS = re.compile(r"^\w+?(Controller|Service|Resource|ViewSet|Api|Router)(?=[A-Z_.])[_.]?")
VERSION = re.compile(r"(?i)(?<![a-z])v\d+(?:_?(?:beta|alpha)\d*)?(?![a-z])|V\d+(?:Beta\d*)?(?=[A-Z_]|$)|_\d+$")
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
        self, contract: Contract, routes: Iterable[Route], kept: Kept, is_list: Callable[[Route], bool]
    ) -> None:
        self._is_list = is_list
        self._kept = kept
        self._tags: dict[str, str] = {}
        self._by_segment: dict[str, str] = {}
        self._taken: set[str] = set()
        for facts in contract.operations.values():
            tag = facts.node["tags"][0]
            self._tags[facts.name.resource] = tag
            self._by_segment.setdefault(static_segments(facts.path)[0], tag)
            self._taken |= {str(facts.name), f"{facts.name.scope}.{facts.name.resource}.{facts.arguments['job']}"}
        self._lists = {path_key(route.path) for route in routes if route.method == "get"}
        self.chosen: dict[str, str | None] = {}

    def name(self, route: Route) -> tuple[str, str] | None:
        """Return the operationId and the tag of a new operation; None if it is left out.

        Raises:
            ContractError: It is not a path, or the name in the file of names cannot be used.
        """
        scope = name_operation(route.path, "any", "any", route.method).scope
        kept = self._kept.find(route)
        if kept is None:
            self.chosen[str(route)] = None
            return None
        resource, _, verb = kept.partition(".")
        if not kept:
            tag = self._tag(route)
            resource = resource_name(scope, tag)
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

    def _tag(self, route: Route) -> str:
        """Return the tag of a new operation: that of the contract for the same tag or path, if there is one."""
        for written in list_of(route.beside.get("tags")):
            tag = " ".join(own_words(str(written))).removeprefix("enterprise ")
            for known in self._tags.values():
                if stems(known) & stems(tag):
                    return known
            if tag:
                return tag
        segment = next(iter(static_segments(route.path)), "root")
        return self._by_segment.get(segment) or " ".join(words(segment)) or "root"

    def _verb(self, route: Route, scope: str, tag: str) -> str:
        """Return the method name of a new operation, from the words of its id or of its path."""
        redundant: set[str] = set()
        for word in (*words(tag), *SCOPE_WORDS[scope]):
            redundant |= stems(word)
        found = other_words(self._id_words(route), redundant)
        if not found:
            in_path = words(" ".join(static_segments(route.path)))
            found = self._path_words(route, other_words(in_path, redundant))
        if found[-1] in KNOWN_VERBS and found[0] not in KNOWN_VERBS:
            found = [found[-1], *found[:-1]]
        verb, *rest = found
        verb = SYNONYMS.get(verb, verb)
        if route.method == "get" and verb not in KNOWN_VERBS:
            verb, rest = "get", found
        if verb == "get" and not path_key(route.path).endswith(PARAMETER) and self._is_list(route):
            verb = "list"
        return "_".join([verb, *(word for word in rest if SYNONYMS.get(word) != verb)])

    def _id_words(self, route: Route) -> list[str]:
        """Return the words of an operationId that its author wrote; empty if a tool made it of method and path."""
        text = str(route.beside.get("operationId") or "")
        # FastAPI writes the path and the method after the name of the function.
        slug = re.sub(r"\W", "_", route.written)
        found = own_words(CLASS.sub("", text.removesuffix(f"{slug}_{route.method}")))
        in_path = words(route.written)
        if found[:1] == [route.method] and {*found[1:]} <= {*in_path}:
            return []
        names = words(" ".join(PLACEHOLDER.findall(route.written)))
        return [word for word in found if word not in names or word == found[0]]

    def _path_words(self, route: Route, rest: list[str]) -> list[str]:
        """Return the words of a method name that the method and the path give."""
        key = path_key(route.path)
        is_action = route.method == "post" and not key.endswith((PARAMETER, "s")) and key not in self._lists
        if rest and is_action:
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
        self._written: dict[str, str | None] = {}
        if path.exists():
            self._source = Source(path)
            self._source.refuse(self._source.findings)
            self._written = object_of(self._source.document)
        self._keys = {identity(key): key for key in self._written}

    def find(self, route: Route) -> str | None:
        """Return the name of an operation; empty if the file does not name it, and None to leave it out."""
        value = self._written.get(self._keys.get(identity(str(route)), ""), "")
        if value and not re.fullmatch(r"\w+\.\w+", str(value)):
            raise self.error(route, f"{quote(value)} is not `resource.verb`, such as `widgets.list`; correct it")
        return value

    def error(self, route: Route, text: str) -> ContractError:
        """Return an error about the name of an operation."""
        key = self._keys.get(identity(str(route)))
        if self._source is None or key is None:
            return ContractError(f"{route}: {text}")
        return self._source.error([Finding(child("#", key), text)])

    def write(self, document: str, chosen: Mapping[str, str | None]) -> None:
        """Write the names of new operations. The names of operations that are not there any more remain.

        Args:
            document: The name of the document.
            chosen: The name of each new operation, by method and path.
        """
        keys = {*map(identity, chosen)}
        names = {**chosen, **{key: name for key, name in self._written.items() if identity(key) not in keys}}
        if names:
            text = yaml.safe_dump(names, sort_keys=False, allow_unicode=True, width=1000)
            self.path.write_text(HEAD.format(document=document) + text, encoding="utf-8", newline="\n")


def own_words(text: str) -> list[str]:
    """Return the words of an id or a tag that say something."""
    return [word for word in words(VERSION.sub("", text)) if not EMPTY_WORD.fullmatch(word)]


def other_words(found: list[str], redundant: set[str]) -> list[str]:
    """Return the words that are not redundant."""
    return [word for word in found if not stems(word) & redundant]


def identity(key: str) -> tuple[str, str]:
    """Return what a key of the file stands for, whatever the names of the parameters in its path are."""
    method, _, path = key.partition(" ")
    return method.lower(), path_key(path)


def id_of(scope: str, resource: str, verb: str) -> str:
    """Return the operationId that gives a name by the rules of the project."""
    first, *others = words(verb)
    return "_".join([first, scope, *words(resource), *others])


def static_segments(path: str) -> list[str]:
    """Return the segments of a path after its version and its scope that are no parameters."""
    rest = re.sub(r"^.*?/(organizations/\{\w+\}|enterprise)/|^(/beta)?/v\d+\w*(/beta)?/", "", path)
    return [segment for segment in rest.split("/") if segment and not PLACEHOLDER.fullmatch(segment)]
