"""Write a changed contract as YAML: where nothing changed, the text stays as it was, with its comments."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import RoundTripRepresenter

from codegen.contract import ContractError, Source

# No line is wrapped, so that a text keeps the lines that it has.
WIDTH = 100_000


class Representer(RoundTripRepresenter):
    """A representer that writes `null`, and not nothing."""


def represent_null(representer: RoundTripRepresenter, value: None) -> ScalarNode:
    """Represent null."""
    node: ScalarNode = representer.represent_scalar("tag:yaml.org,2002:null", "null")
    return node


Representer.add_representer(type(None), represent_null)


def rewrite(text: str, document: Any) -> str:
    """Return the text of *document*, which is what *text* says, with changes.

    A text that cannot be changed so (anchors are one reason) becomes JSON, which is YAML as well.
    """
    yaml = YAML()
    yaml.Representer = Representer
    yaml.preserve_quotes = True
    yaml.width = WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = StringIO()
    yaml.dump(carry_over(yaml.load(text), document), stream)
    try:
        again = Source(Path("openapi.yaml"), stream.getvalue())
    except ContractError:
        return as_json(document)
    return stream.getvalue() if as_json(again.document) == as_json(document) else as_json(document)


def as_json(document: Any) -> str:
    """Return a document as JSON."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def carry_over(old: Any, new: Any) -> Any:
    """Change *old*, which knows how it is written, into *new*."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [key for key in old if key not in new]:
            del old[key]
        for key, value in new.items():
            old[key] = carry_over(old[key], value) if key in old else value
        return old
    if isinstance(old, list) and isinstance(new, list) and len(new) >= len(old):
        for index, value in enumerate(new[: len(old)]):
            old[index] = carry_over(old[index], value)
        old.extend(new[len(old) :])
        return old
    # In Python `True` equals 1.
    return old if old == new and isinstance(old, bool) == isinstance(new, bool) else new
