"""Read openapi.yaml, and find the line of every place in it.

The document is read by the rules of YAML 1.2 and must be JSON: `on` is a text, and so is a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from codegen.contract.finding import MOST_FINDINGS, Finding, quote
from codegen.contract.nodes import ContractError, child, parts
from codegen.contract.word_places import LOADER
from codegen.contract.yaml_errors import syntax_finding

TAG = "tag:yaml.org,2002:"
# More levels than any contract has, and fewer than exhaust the stack.
DEEPEST = 100
NUMBER_BASES = {"0o": 8, "0x": 16}


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
        findings: What is not valid YAML or not JSON.

    Raises:
        ContractError: The text cannot be parsed.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.name = path.name
        self.findings: list[Finding] = []
        try:
            self.text = path.read_text(encoding="utf-8") if text is None else text
        except OSError as error:
            raise self.error(
                [Finding("#", f"cannot be read ({error.strerror}); restore it, or correct its path", 1)]
            ) from None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise self.error([Finding("#", "not UTF-8; save the file as UTF-8", line)]) from None
        try:
            self._root: Node | None = yaml.compose(self.text, Loader=Loader)
        except yaml.YAMLError as error:
            raise self.error([syntax_finding(self.text, error)]) from None
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

    def _value(self, node: Node, place: str, above: tuple[Node, ...]) -> Any:
        """Return the value of a node as JSON has it."""
        line = node.start_mark.line + 1
        if node in above:
            self.findings.append(Finding(place, "a YAML alias that contains itself; use `$ref`", line))
            return None
        if len(above) == DEEPEST:
            self.findings.append(Finding(place, "nested too deeply; use `$ref`", line))
            return None
        if isinstance(node, SequenceNode):
            return [self._value(each, child(place, index), (*above, node)) for index, each in enumerate(node.value)]
        if isinstance(node, MappingNode):
            return self._mapping(node, place, above)
        kind = str(node.tag).removeprefix(TAG)
        text = str(node.value)
        if kind == "int":
            return int(text[2:], NUMBER_BASES[text[:2]]) if text[:2] in NUMBER_BASES else int(text)
        if kind == "float":
            return float(text)
        if kind in ("bool", "null"):
            return text.lower() == "true" if kind == "bool" else None
        if kind == "constant":
            self.findings.append(
                Finding(place, f"{quote(text)} is no number in JSON; write a number, or quote it", line)
            )
        elif kind != "str":
            self.findings.append(Finding(place, f"the YAML tag `{node.tag}` is not supported; remove it", line))
        return text

    def _mapping(self, node: MappingNode, place: str, above: tuple[Node, ...]) -> dict[str, Any]:
        first: dict[str, int] = {}
        found: dict[str, Any] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            here = child(place, key.value) if isinstance(key, ScalarNode) else place
            if not isinstance(key, ScalarNode):
                self.findings.append(Finding(place, "a key that is no text; quote it if it contains `{` or `[`", line))
                continue
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


def members(node: Node | None) -> Iterator[tuple[str, Node, Node]]:
    """Yield key, marked node and value of each member of a mapping or a list."""
    if isinstance(node, MappingNode):
        yield from ((key.value, key, value) for key, value in node.value if isinstance(key, ScalarNode))
    elif isinstance(node, SequenceNode):
        yield from ((str(index), each, each) for index, each in enumerate(node.value))
