"""Put the vendor's word into every kind of file: Python by its tokens, the contract by its structure."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import PurePath

from codegen.contract.vendor_word import Renaming

STRING = re.compile(r"(?P<prefix>[a-zA-Z]*)(?P<quote>'''|\"\"\"|'|\")(?P<content>.*)(?P=quote)", re.DOTALL)
PYTHON_BLOCK = re.compile(r"(?P<fence>```python\n)(?P<code>.*?)(?=```)", re.DOTALL)
QUOTED = re.compile(r"(?P<quote>[\"'])(?P<content>[^\"'\s]+)(?P=quote)")
# Since Python 3.12 an f-string is several tokens; before, it is one STRING.
F_START, F_END = getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1)


def renamed(path: PurePath, text: str, renaming: Renaming) -> str:
    """Return the text of a file with the vendor's word; the name in *path* tells the kind of file."""
    if path.name == "openapi.yaml":
        return renaming.contract(text)
    if path.suffix == ".py":
        return python(text, renaming)
    if path.suffix == ".md":
        text = PYTHON_BLOCK.sub(lambda block: block["fence"] + python(block["code"], renaming), text)
        return renaming.prose(text)
    if path.suffix in (".html", ".jinja", ".json", ".lua", ".toml", ".yml", ".yaml"):
        text = QUOTED.sub(lambda match: match["quote"] + renaming.literal(match["content"]) + match["quote"], text)
    return renaming.prose(text)


def python(text: str, renaming: Renaming) -> str:
    """Rename names, strings, and the identifiers in comments and docstrings of Python."""
    lines = text.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    pieces = []
    end = 0
    for start, stop, change in _changes(text, renaming):
        begin, until = (offsets[row - 1] + column for row, column in (start, stop))
        pieces += [text[end:begin], change(text[begin:until])]
        end = until
    return "".join(pieces) + text[end:]


Position = tuple[int, int]
Change = tuple[Position, Position, Callable[[str], str]]


def _changes(text: str, renaming: Renaming) -> Iterator[Change]:
    """Yield, in order, the tokens to change with the function that changes each; an f-string is one."""
    depth, began = 0, (1, 0)
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        if token.type == F_START:
            began = began if depth else token.start
            depth += 1
        elif token.type == F_END:
            depth -= 1
            if not depth:
                yield began, token.end, lambda raw: string(raw, renaming)
        elif depth:
            continue
        elif token.type == tokenize.NAME:
            yield token.start, token.end, renaming.name
        elif token.type == tokenize.STRING:
            yield token.start, token.end, lambda raw: string(raw, renaming)
        elif token.type == tokenize.COMMENT:
            yield token.start, token.end, renaming.prose


def string(raw: str, renaming: Renaming) -> str:
    """Rename a string literal with its prefix and quotes."""
    match = STRING.fullmatch(raw)
    if match is None:
        return raw
    content = match["content"]
    changed = renaming.prose(content) if re.search(r"\s", content) else renaming.identifier(content)
    return f"{match['prefix']}{match['quote']}{changed}{match['quote']}"
