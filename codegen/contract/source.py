"""Read openapi.yaml with the line of every place in it, and describe findings: place, what is wrong, what to do."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
import yaml

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


def mappings_below(node: Any) -> Iterator[Node]:
    """Yield every mapping at or below *node*."""
    if isinstance(node, dict):
        yield node
    for member in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from mappings_below(member)


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
# More levels than any contract has, and fewer than exhaust the stack.
DEEPEST = 100
# The plain scalars of YAML 1.2 (core schema) that are no text.
PLAIN = re.compile(
    r"(?P<null>~|null|Null|NULL|)|(?P<true>true|True|TRUE)|(?P<false>false|False|FALSE)"
    r"|(?P<int>[-+]?[0-9]+)|(?P<base>0o[0-7]+|0x[0-9a-fA-F]+)"
    r"|(?P<float>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))"
)
CONSTANTS = {"null": None, "true": True, "false": False}


class Source:
    """The text of openapi.yaml, and the document that is written in it.

    Args:
        path: The file.
        text: What to read instead of the file's text.

    Attributes:
        document: The document; a part that is not JSON has another value, and a finding.
        findings: What is not JSON.
        texts: The keys and the texts in the document, in order, each after its JSON pointer.

    Raises:
        ContractError: The text cannot be parsed.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.name = path.name
        self.findings: list[Finding] = []
        self.texts: list[tuple[str, str]] = []
        self._lines = {"#": 1}
        try:
            self.text = path.read_text(encoding="utf-8") if text is None else text
        except OSError as error:
            raise self._refusal(f"cannot be read ({error.strerror}); restore it, or correct its path", 1) from None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise self._refusal("not UTF-8; save the file as UTF-8", line) from None
        self._events: Iterator[yaml.Event] = yaml.parse(self.text, Loader=LOADER)
        try:
            self.document: Any = self._read()
        except yaml.YAMLError as error:
            raise self._refusal(*syntax_error(self.text, error)) from None

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
        while place not in self._lines:
            place = place.rpartition("/")[0]
        return self._lines[place]

    def _refusal(self, text: str, line: int) -> ContractError:
        return self.error([Finding("#", text, line)])

    def _read(self) -> Any:
        """Return the only document of the file; None if it is empty."""
        next(self._events)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None
        document = self._value(next(self._events), "#", 0)
        next(self._events)
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise self._refusal("a second document begins with `---`; remove that line", line_of(after))
        return document

    def _value(self, event: yaml.Event, place: str, depth: int) -> Any:
        """Return the value that begins with an event, as JSON has it."""
        line = line_of(event)
        self._lines.setdefault(place, line)
        if depth > DEEPEST:
            raise self._refusal("nested too deeply; use `$ref`", line)
        if isinstance(event, yaml.AliasEvent):
            # A few aliases of aliases stand for billions of values, and some parsers refuse any.
            self.findings.append(Finding(place, "a YAML alias; write it out, or use `$ref`", line))
            return None
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, place, line)
        if isinstance(event, yaml.SequenceStartEvent):
            entries = enumerate(self._until(yaml.SequenceEndEvent))
            return [self._value(each, child(place, index), depth + 1) for index, each in entries]
        return self._mapping(place, depth)

    def _until(self, end: type[yaml.Event]) -> Iterator[yaml.Event]:
        """Yield the first event of each member; whoever takes it reads the others of that member."""
        while not isinstance(event := next(self._events), end):
            yield event

    def _scalar(self, event: yaml.ScalarEvent, place: str, line: int) -> Any:
        text = event.value
        kind = match.lastgroup if event.implicit[0] and (match := PLAIN.fullmatch(text)) else None
        wrong = ""
        if event.tag is not None:
            wrong = f"the YAML tag `{event.tag}` is not supported; remove it"
        elif kind in CONSTANTS:
            return CONSTANTS[kind]
        elif kind in ("int", "base"):
            try:
                number = int(text) if kind == "int" else int(text, base=0)
                # It has to be written again, in decimal digits.
                str(number)
                return number
            except ValueError:
                wrong = f"a number of {len(text):,} digits; write a number that programs can read, or quote it"
        elif kind == "float":
            if text.strip("+-.")[0].isdigit() and abs(float(text)) != float("inf"):
                return float(text)
            wrong = f"{quote(text)} is no number in JSON; write a number, or quote it"
        elif "\0" in text:
            wrong = "a text with the character NUL, which no file may have; remove it"
        if wrong:
            self.findings.append(Finding(place, wrong, line))
        self.texts.append((place, text))
        return text

    def _mapping(self, place: str, depth: int) -> Node:
        found: Node = {}
        for key in self._until(yaml.MappingEndEvent):
            line = line_of(key)
            if not isinstance(key, yaml.ScalarEvent) or "\0" in key.value:
                raise self._refusal("a key that is no text, or has a NUL; quote it if it contains `{` or `[`", line)
            here = child(place, key.value)
            if key.implicit[0] and PLAIN.fullmatch(key.value):
                written = key.value or "null"
                text = f'the key `{written}` is no text in YAML; put it in quotes: `"{written}"`'
                self.findings.append(Finding(here, text, line))
            if key.value in found:
                text = f"`{key.value}` is there already, in line {self.line(here)}; a key is used once: merge the two"
                self.findings.append(Finding(here, text, line))
            self._lines.setdefault(here, line)
            self.texts.append((here, key.value))
            found[key.value] = self._value(next(self._events), here, depth + 1)
        return found


def line_of(event: yaml.Event) -> int:
    """Return the line on which an event begins."""
    return event.start_mark.line + 1 if event.start_mark else 1


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
