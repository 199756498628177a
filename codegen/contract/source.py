"""Read openapi.yaml with the line of every place in it, and describe findings: place, what is wrong, what to do."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs
import yaml
from yaml.composer import Composer, ComposerError

from codegen import RefusedError
from codegen.render.runtime.contract import child

COMPONENT = "#/components/schemas/"
# A message shortens a longer value, which would hide the rest of the sentence.
LONGEST_VALUE = 60

Node = dict[str, Any]


class ContractError(RefusedError):
    """The contract is wrong; each line of the message is one finding with its place."""


def is_component(place: str) -> bool:
    """Return whether a JSON pointer leads to a whole component schema, and not to a part of a schema."""
    return place.startswith(COMPONENT) and "/" not in place.removeprefix(COMPONENT)


@attrs.frozen
class Finding:
    """One thing that is wrong in the contract.

    Attributes:
        place: The JSON pointer of the wrong part, such as `#/paths`.
        text: What is wrong and, after a semicolon, what to do.
        line: The line in the file, if it differs from the line of the place.
    """

    place: str
    text: str
    line: int | None = None


def quote(value: object) -> str:
    """Return a value of JSON for a message, shortened if it is long."""
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= LONGEST_VALUE else f'{text[:LONGEST_VALUE]}...'}`"


def join_names(names: Iterable[object]) -> str:
    """Return names for a message: `a`, `b` or `c`."""
    *others, last = [quote(name) for name in names]
    return f"{', '.join(others)} or {last}" if others else last


def closest(word: str, known: Iterable[str], cutoff: float = 0.7) -> str | None:
    """Return the known word that *word* may be a misspelling of; None if no known word is similar."""
    by_lower = {each.lower(): each for each in known}
    # Two wrong letters are a large part of a short word, so the limit for short words is lower.
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=cutoff if len(word) > 4 else cutoff - 0.1)
    return by_lower[found[0]] if found else None


def instead(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return advice about an unknown word: the known word that may be meant, or else *otherwise*."""
    found = closest(word, known)
    return f"did you mean `{found}`?" if found else otherwise


# The greatest depth of a document: more levels than any contract needs, but not enough to exhaust the stack.
DEEPEST = 100
# So many values aliases may stand for in any text, and as many as a larger text has: a few aliases of aliases could
# stand for billions of values.
MOST_ALIASED = 200_000
# Many programs cannot read a whole number with more digits.
MOST_DIGITS = 300
# The plain scalars of YAML 1.2 (core schema) that are not text.
PLAIN = re.compile(
    r"(?P<null>~|null|Null|NULL|)|(?P<true>true|True|TRUE)|(?P<false>false|False|FALSE)"
    r"|(?P<int>[-+]?[0-9]+)|(?P<base>0o[0-7]+|0x[0-9a-fA-F]+)"
    r"|(?P<float>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))"
)
CONSTANTS = {"null": None, "true": True, "false": False}


class Loader(Composer, yaml.CBaseLoader):
    """A loader that parses in C, and tags a scalar with its group in PLAIN, or `text`.

    It composes the nodes in Python, because the composer in C ends the process if a text is nested deeply.

    Args:
        text: The text.
        has_aliases: Whether the text may have aliases.

    Attributes:
        written: How many values are written in the text; an alias is none.
    """

    def __init__(self, text: str, *, has_aliases: bool) -> None:
        yaml.CBaseLoader.__init__(self, text)
        Composer.__init__(self)
        self.written = 0
        self._has_aliases = has_aliases

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Return the next node. Raise an error if it is an alias, and the text may have none."""
        is_alias = self.check_event(yaml.AliasEvent)
        if is_alias and self._has_aliases:
            return super().compose_node(parent, index)
        if is_alias:
            # Some readers of the contract refuse every alias.
            alias: Any = self.get_event()
            raise ComposerError(None, None, "an alias: write it out, or use `$ref`", alias.start_mark)
        self.written += 1
        return super().compose_node(parent, index)

    def resolve(self, kind: type[yaml.Node], value: str, implicit: Any) -> str:
        """Return the tag of a node that has no tag in the text."""
        found = PLAIN.fullmatch(value) if kind is yaml.ScalarNode and implicit[0] else None
        return found.lastgroup or "" if found else "text"


class Source:
    """The text of openapi.yaml, and the document that is written in it.

    Args:
        path: The file.
        text: What to read instead of the file's text.
        has_aliases: Whether the text may have YAML aliases, as PyYAML writes them.

    Attributes:
        document: The document. A part that JSON cannot express has another value here, and is in `findings`.
        findings: The parts of the text that JSON cannot express.
        texts: Each key and each text of the document, in order, as a pair of its JSON pointer and itself.

    Raises:
        ContractError: The text cannot be parsed.
    """

    def __init__(self, path: Path, text: str | None = None, *, has_aliases: bool = False) -> None:
        self.name = path.name
        self.findings: list[Finding] = []
        self.texts: list[tuple[str, str]] = []
        self._lines = {"#": 1}
        self._values_left = 0
        try:
            self.text = path.read_text(encoding="utf-8-sig") if text is None else text
            loader = Loader(self.text, has_aliases=has_aliases)
            node = loader.get_single_node()
            # Keys are written, too, so a text without aliases never reaches this limit.
            self._values_left = loader.written + max(MOST_ALIASED, loader.written)
            self.document: Any = self._value(node, "#", 0) if node is not None else None
        except OSError as error:
            raise self._refusal(f"cannot be read ({error.strerror}); restore it, or correct its path", 1) from None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise self._refusal("not UTF-8; save the file as UTF-8", line) from None
        except RecursionError:
            raise self._refusal("nested too deeply; use `$ref`", 1) from None
        except yaml.YAMLError as error:
            raise self._refusal(*syntax_error(self.text, error)) from None

    def complete(self) -> None:
        """Write what follows from the rest of the document; whoever reads it calls this when its form is right."""

    def refuse(self, findings: Iterable[Finding]) -> None:
        """Raise an error with the findings if there are any."""
        if found := list(findings):
            raise self.error(found)

    def error(self, findings: Iterable[Finding]) -> ContractError:
        """Return an error with the findings, one line each."""
        return ContractError("\n".join(map(self.describe, findings)))

    def located(self, error: ContractError, place: str = "#") -> ContractError:
        """Return an error that names its place: the JSON pointer at the start of its message, or else *place*."""
        written = re.match(r"(#/.*?): (.+)", str(error), re.DOTALL)
        return self.error([Finding(written[1], written[2]) if written else Finding(place, str(error))])

    def describe(self, finding: Finding) -> str:
        """Return a finding in one line: file, line, JSON pointer, what is wrong and what to do."""
        return f"{self.name}:{finding.line or self.line(finding.place)}: {finding.place}: {finding.text}"

    def line(self, place: str) -> int:
        """Return the line of a JSON pointer. If the document has nothing there, return the line of the place above."""
        while place not in self._lines:
            place = place.rpartition("/")[0]
        return self._lines[place]

    def _refusal(self, text: str, line: int) -> ContractError:
        return self.error([Finding("#", text, line)])

    def _value(self, node: yaml.Node, place: str, depth: int) -> Any:
        """Return the JSON value of a node."""
        self._lines.setdefault(place, line_of(node))
        self._values_left -= 1
        if self._values_left < 0:
            text = "aliases of aliases that stand for too many values; write them out, or use `$ref`"
            raise self._refusal(text, line_of(node))
        if depth > DEEPEST:
            raise RecursionError
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(each, child(place, index), depth + 1) for index, each in enumerate(node.value)]
        found: Node = {}
        for key, member in node.value:
            if not isinstance(key, yaml.ScalarNode) or "\0" in key.value:
                text = "a key that is not text, or has a NUL; quote it if it contains `{` or `[`"
                raise self._refusal(text, line_of(key))
            here = child(place, key.value)
            if key.tag != "text":
                written = key.value or "null"
                text = f'the key `{written}` is not text in YAML; put it in quotes: `"{written}"`'
                self.findings.append(Finding(here, text, line_of(key)))
            if key.value in found:
                text = f"`{key.value}` is there already, in line {self.line(here)}; a key is used once: merge the two"
                self.findings.append(Finding(here, text, line_of(key)))
            self._lines.setdefault(here, line_of(key))
            self.texts.append((here, key.value))
            found[key.value] = self._value(member, here, depth + 1)
        return found

    def _scalar(self, node: yaml.ScalarNode, place: str) -> Any:
        text, wrong = node.value, ""
        if node.tag in CONSTANTS:
            return CONSTANTS[node.tag]
        if node.tag in ("int", "base"):
            if len(text) <= MOST_DIGITS:
                return int(text) if node.tag == "int" else int(text, base=0)
            wrong = f"a number of {len(text):,} digits; write a number that programs can read, or quote it"
        elif node.tag == "float":
            if text.strip("+-.")[0].isdigit() and abs(float(text)) != float("inf"):
                return float(text)
            wrong = f"{quote(text)} is not a number in JSON; write a number, or quote it"
        elif node.tag != "text":
            wrong = f"the YAML tag `{node.tag}` is not supported; remove it"
        elif "\0" in text:
            wrong = "a text with the character NUL, which no file may have; remove it"
        if wrong:
            self.findings.append(Finding(place, wrong))
        self.texts.append((place, text))
        return text


def line_of(node: yaml.Node) -> int:
    """Return the line on which a node begins."""
    return node.start_mark.line + 1


def syntax_error(text: str, error: yaml.YAMLError) -> tuple[str, int]:
    """Explain an error of the parser: what to do, and on which line."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        return 'a character that YAML does not allow; remove it, or write it as `"\\u..."`', line
    context, mark = error.context or "", error.problem_mark
    if error.context_mark and re.search("quoted scalar|flow|simple key", context):
        # If a text or a list is not closed, it seems to end several lines later, at the next quote or bracket.
        mark = error.context_mark
    text = f"not valid YAML: {context}: {error.problem}" if context else f"not valid YAML: {error.problem}"
    return f"{text}; check the indentation, and the quotes and brackets above", mark.line + 1
