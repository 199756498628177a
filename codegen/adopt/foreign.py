"""Read a foreign OpenAPI document, and note what in it cannot be used."""

from __future__ import annotations

import json
import re
from collections import Counter
from json.decoder import scanstring  # type: ignore[attr-defined]  # typeshed lacks it
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from codegen.contract.source import Finding, Node, Source, quote
from codegen.render.runtime.contract import Contract

VERSION = re.compile(r"3\.[01]\b")
SEPARATORS = re.compile(r"[\s,:]*")
DECODER = json.JSONDecoder(strict=False)


class Foreign(Source):
    """The OpenAPI document at *path*, of version 3.0 or 3.1, in JSON or YAML.

    Args:
        path: The file.

    Attributes:
        version: The version of OpenAPI, such as `3.1.0`.
        reader: The document, whose references are followed on demand.
        notes: What is not used as it is written.

    Raises:
        ContractError: The file cannot be read, or it is no such document.
    """

    def __init__(self, path: Path) -> None:
        self.notes: list[Finding] = []
        self._is_json = False
        self._members: dict[int, dict[str, int]] = {}
        if not self._read_json(path):
            super().__init__(path, has_aliases=True)
        self.notes += self.findings
        stated = object_of(self.document).get("openapi")
        self.version = str(stated)
        if not VERSION.match(self.version):
            text = f"`openapi` is {quote(stated)}; only the versions 3.0 and 3.1 are read: convert the document first"
            raise self.error([Finding("#", text)])
        self.reader = Contract(self.document)

    def _read_json(self, path: Path) -> bool:
        """Read the file if it is JSON, which is read a hundred times as fast as YAML."""
        self.name = path.name
        self.findings = []
        try:
            self.text = path.read_text(encoding="utf-8-sig")
            if self.text.lstrip()[:1] != "{":
                return False
            self.document = json.loads(self.text, object_pairs_hook=self._object, parse_constant=self._constant)
        except (OSError, UnicodeDecodeError):
            # The reader of YAML explains it.
            return False
        except RecursionError:
            raise self.error([Finding("#", "nested too deeply; use `$ref`", 1)]) from None
        except json.JSONDecodeError as error:
            if path.suffix in (".yaml", ".yml"):
                return False
            text = f"not valid JSON: {error.msg}; correct it, or name the file .yaml"
            raise self.error([Finding("#", text, error.lineno)]) from None
        except ValueError as error:
            raise self.error([Finding("#", f"not valid JSON: {error}; correct it", 1)]) from None
        self._is_json = True
        return True

    def _object(self, pairs: list[tuple[str, Any]]) -> Node:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = Counter(name for name, _ in pairs)
            text = f"an object has {quote(names.most_common(1)[0][0])} twice; the last one is used"
            self.findings.append(Finding("#", text))
        return found

    def _constant(self, name: str) -> str:
        raise ValueError(f"{name} is not a number in JSON")

    def line(self, place: str) -> int:
        """Return the line of a JSON pointer. If the document has nothing there, return the line of the place above."""
        if not self._is_json:
            return super().line(place)
        position = start_of(self.text, 0)
        for key in keys_of(place):
            if position not in self._members:
                self._members[position] = members_at(self.text, position)
            if key not in self._members[position]:
                break
            position = self._members[position][key]
        return self.text.count("\n", 0, position) + 1

    def note(self, place: str, text: str) -> None:
        """Note what is not used as it is written.

        Args:
            place: The JSON pointer in this document.
            text: What it is and, after a semicolon, what is done instead.
        """
        self.notes.append(Finding(place, text))


def object_of(value: Any) -> Node:
    """Return a value of a foreign document if it is an object; otherwise an empty object."""
    if isinstance(value, dict):
        return value
    return {}


def list_of(value: Any) -> list[Any]:
    """Return a value of a foreign document if it is a list; otherwise an empty list."""
    if isinstance(value, list):
        return value
    return []


def keys_of(place: str) -> list[str]:
    """Return the keys of a JSON pointer."""
    parts = unquote(place).split("/")[1:]
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def start_of(text: str, position: int) -> int:
    """Return where the next key or value of a JSON text begins."""
    match = SEPARATORS.match(text, position)
    assert match is not None  # it also matches no text
    return match.end()


def members_at(text: str, position: int) -> dict[str, int]:
    """Return where each member of the JSON value at *position* begins."""
    found: dict[str, int] = {}
    is_object = text[position] == "{"
    if not is_object and text[position] != "[":
        return found
    following = start_of(text, position + 1)
    while text[following] not in "]}":
        name, content = str(len(found)), following
        if is_object:
            name, content = scanstring(text, following + 1)
            content = start_of(text, content)
        found[name] = content
        _, end = DECODER.raw_decode(text, content)
        following = start_of(text, end)
    return found
