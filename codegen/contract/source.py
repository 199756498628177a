"""Read openapi.yaml with the line of every place in it, and describe findings: place, what is wrong, what to do."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode
from yaml.nodes import Node as YamlNode

COMPONENT = "#/components/schemas/"
# A longer value would hide the rest of the sentence, and more findings have few causes.
LONGEST_VALUE = 60
MOST_FINDINGS = 40

Node = dict[str, Any]


class ContractError(Exception):
    """The contract is wrong; each line of the message is one finding with its place."""


def child(place: str, key: object) -> str:
    """Return the JSON pointer of a member of *place*."""
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"


def parts(place: str) -> list[str]:
    """Return the keys and indexes of a JSON pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[1:]]


def gaps_below(node: Any, place: str) -> Iterator[Node]:
    """Yield every `x-not-shown` entry at or below *node*, with its place; `closed` tells how it was closed."""
    if isinstance(node, dict):
        for gap in node.get("x-not-shown", ()):
            yield {"id": gap["id"], "place": place, "what": gap["what"], "closed": gap.get("closed")}
        for key, member in node.items():
            if key not in ("x-not-shown", "examples", "example"):
                yield from gaps_below(member, child(place, key))
    elif isinstance(node, list):
        for index, member in enumerate(node):
            yield from gaps_below(member, child(place, index))


def mappings_below(node: Any) -> Iterator[Node]:
    """Yield every mapping at or below *node*."""
    if isinstance(node, dict):
        yield node
    for member in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from mappings_below(member)


def rules_below(node: Any) -> Iterator[Node]:
    """Yield every `x-rules` entry at or below *node*."""
    return (rule for mapping in mappings_below(node) for rule in mapping.get("x-rules", ()))


def is_component(place: str) -> bool:
    """Return whether a JSON pointer is that of a component schema, and not of a part of one."""
    return place.startswith(COMPONENT) and "/" not in place.removeprefix(COMPONENT)


@attrs.frozen
class Finding:
    """One thing that is wrong in the contract.

    Attributes:
        place: Its JSON pointer, such as `#/paths`.
        text: What is wrong and, after a semicolon, what to do.
        line: The line, where it is not that of the place.
    """

    place: str
    text: str
    line: int | None = None


def quote(value: object) -> str:
    """Return a value of JSON for a message, shortened if it is long."""
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= LONGEST_VALUE else f'{text[:LONGEST_VALUE]}...'}`"


def described(value: object) -> str:
    """Return a value of JSON with its type in words."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    return f"the text {quote(value)}" if isinstance(value, str) else quote(value)


def listed(names: Iterable[object]) -> str:
    """Return names for a message: `a`, `b` or `c`."""
    *others, last = [quote(name) for name in names]
    return f"{', '.join(others)} or {last}" if others else last


def closest(word: str, known: Iterable[str], cutoff: float = 0.7) -> str | None:
    """Return the known word that *word* seems to be a misspelling of, or None."""
    by_lower = {each.lower(): each for each in known}
    # Two wrong letters are much of a short word.
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=cutoff if len(word) > 4 else cutoff - 0.1)
    return by_lower[found[0]] if found else None


def instead(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return what to do about an unknown word: write the known one that is meant, or *otherwise*."""
    found = closest(word, known)
    return f"did you mean `{found}`?" if found else otherwise


# The loader in C is 8 times faster.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TAG = "tag:yaml.org,2002:"
# More levels than any contract has, and fewer than exhaust the stack.
DEEPEST = 100
# More values than any contract has; aliases of aliases stand for billions.
MOST_VALUES = 300_000
# As many digits as Python reads.
LONGEST_NUMBER = 4300
NUMBER_BASES = {"0o": 8, "0x": 16}
# Plain texts that a reader of YAML 1.1 takes for `true` or `false`.
FLAGS_OF_YAML_1_1 = re.compile("(?i:y|n|yes|no|on|off)")


class Loader(LOADER):  # type: ignore[misc,valid-type]  # chosen where it runs
    """A loader with the plain scalars of YAML 1.2 (core schema) instead of those of YAML 1.1."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # the loader's own attribute


for name, pattern, beginnings in (
    ("bool", "true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("constant", r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "-+."),
    ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
):
    Loader.add_implicit_resolver(f"{TAG}{name}", re.compile(f"(?:{pattern})$"), list(beginnings))


class Source:
    """The text of openapi.yaml, and the document that is written in it.

    Args:
        path: The file.
        text: What to read instead of the file's text.

    Attributes:
        document: The document; a part that is not JSON has another value, and a finding.
        findings: What is not JSON.
        misread: What is valid, and what other tools refuse or read in another way.

    Raises:
        ContractError: The text cannot be parsed.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.name = path.name
        self.findings: list[Finding] = []
        self.misread: list[Finding] = []
        self._values = 0
        self._seen: set[YamlNode] = set()
        try:
            self.text = path.read_text(encoding="utf-8") if text is None else text
        except OSError as error:
            raise self._refusal(f"cannot be read ({error.strerror}); restore it, or correct its path", 1) from None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise self._refusal("not UTF-8; save the file as UTF-8", line) from None
        self._refuse_depth()
        try:
            self._root: YamlNode | None = yaml.compose(self.text, Loader=Loader)
        except yaml.YAMLError as error:
            raise self._refusal(*syntax_error(self.text, error)) from None
        self.document: Any = self._value(self._root, "#", ()) if self._root is not None else None

    def error(self, findings: Iterable[Finding]) -> ContractError:
        """Return an error with the findings, one line each."""
        lines = [self.describe(finding) for finding in findings]
        more = f"{self.name}: {len(lines) - MOST_FINDINGS} more findings; correct these first"
        return ContractError("\n".join(lines[:MOST_FINDINGS] + [more] * (len(lines) > MOST_FINDINGS)))

    def located(self, error: ContractError, place: str = "#") -> ContractError:
        """Return an error with its place: the JSON pointer with which its message begins, or *place*."""
        written = re.match(r"(#/.*?): (.+)", str(error), re.DOTALL)
        return self.error([Finding(written[1], written[2]) if written else Finding(place, str(error))])

    def describe(self, finding: Finding) -> str:
        """Return a finding in one line: file, line, JSON pointer, what is wrong and what to do."""
        return f"{self.name}:{finding.line or self.line(finding.place)}: {finding.place}: {finding.text}"

    def line(self, place: str) -> int:
        """Return the line of a JSON pointer; where nothing is there, the line of the nearest place above it."""
        node, line = self._root, 1
        for key in parts(place):
            found = next((pair for pair in reversed(list(members(node))) if pair[0] == key), None)
            if found is None:
                break
            _, mark, node = found
            line = mark.start_mark.line + 1
        return line

    def _refusal(self, text: str, line: int) -> ContractError:
        return self.error([Finding("#", text, line)])

    def _refuse_depth(self) -> None:
        """Refuse a text that is nested so deeply that the parser, which calls itself, would end the process."""
        depth = 0
        with suppress(yaml.YAMLError):
            for event in yaml.parse(self.text, Loader=LOADER):
                depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
                if depth > DEEPEST and event.start_mark:
                    raise self._refusal("nested too deeply; use `$ref`", event.start_mark.line + 1)

    def _value(self, node: YamlNode, place: str, above: tuple[YamlNode, ...]) -> Any:
        """Return the value of a node as JSON has it."""
        line = node.start_mark.line + 1
        self._values += 1
        if self._values > MOST_VALUES:
            raise self._refusal(f"YAML aliases stand for more than {MOST_VALUES:,} values; use `$ref`", line)
        if node in above:
            self.findings.append(Finding(place, "a YAML alias that contains itself; use `$ref`", line))
            return None
        if node in self._seen:
            self.misread.append(Finding(place, "a YAML alias, which some parsers refuse; write it out, or use `$ref`"))
        self._seen.add(node)
        if isinstance(node, SequenceNode):
            return [self._value(each, child(place, index), (*above, node)) for index, each in enumerate(node.value)]
        return self._mapping(node, place, above) if isinstance(node, MappingNode) else self._scalar(node, place, line)

    def _scalar(self, node: YamlNode, place: str, line: int) -> Any:
        kind, text = str(node.tag).removeprefix(TAG), str(node.value)
        wrong = ""
        if kind == "str":
            if "\0" in text:
                wrong = "a text with the character NUL, which no file may have; remove it"
            elif not getattr(node, "style", None) and FLAGS_OF_YAML_1_1.fullmatch(text):
                advice = f'a reader of YAML 1.1 takes `{text}` for `true` or `false`; put it in quotes: `"{text}"`'
                self.misread.append(Finding(place, advice))
        elif kind in ("bool", "null"):
            return text.lower() == "true" if kind == "bool" else None
        elif kind == "int" and len(text) > LONGEST_NUMBER:
            wrong = f"a number of {len(text):,} digits; write a number that programs can read, or quote it"
        elif kind == "int":
            return int(text[2:], NUMBER_BASES[text[:2]]) if text[:2] in NUMBER_BASES else int(text)
        elif kind == "float" and abs(float(text)) != float("inf"):
            return float(text)
        elif kind in ("float", "constant"):
            wrong = f"{quote(text)} is no number in JSON; write a number, or quote it"
        else:
            wrong = f"the YAML tag `{node.tag}` is not supported; remove it"
        if wrong:
            self.findings.append(Finding(place, wrong, line))
        return text

    def _mapping(self, node: MappingNode, place: str, above: tuple[YamlNode, ...]) -> dict[str, Any]:
        first: dict[str, int] = {}
        found: dict[str, Any] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, ScalarNode):
                self.findings.append(Finding(place, "a key that is no text; quote it if it contains `{` or `[`", line))
                continue
            here = child(place, key.value)
            if key.tag != f"{TAG}str":
                written = key.value or "null"
                text = f'the key `{written}` is no text in YAML; put it in quotes: `"{written}"`'
                self.findings.append(Finding(here, text, line))
            if key.value in first:
                text = f"`{key.value}` is there already, in line {first[key.value]}; a key is used once: merge the two"
                self.findings.append(Finding(here, text, line))
            first.setdefault(key.value, line)
            found[key.value] = self._value(value, here, (*above, node))
        return found


def members(node: YamlNode | None) -> Iterator[tuple[str, YamlNode, YamlNode]]:
    """Yield key, marked node and value of each member of a mapping or a list."""
    if isinstance(node, MappingNode):
        yield from ((key.value, key, value) for key, value in node.value if isinstance(key, ScalarNode))
    elif isinstance(node, SequenceNode):
        yield from ((str(index), each, each) for index, each in enumerate(node.value))


def syntax_error(text: str, error: yaml.YAMLError) -> tuple[str, int]:
    """Explain an error of the parser: what to do, and on which line."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        return 'a character that YAML does not allow; remove it, or write it as `"\\u..."`', line
    context, mark = error.context or "", error.problem_mark
    if error.context_mark and re.search("quoted scalar|flow|simple key", context):
        # What is not closed ends at the next quote or bracket, lines later.
        mark = error.context_mark
    text = f"not valid YAML: {error.problem} {context}".rstrip()
    return f"{text}; check the indentation, and the quotes and brackets above", mark.line + 1
