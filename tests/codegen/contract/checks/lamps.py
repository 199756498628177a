"""A small contract, and what is found in it after an edit."""

from __future__ import annotations

from pathlib import Path

from codegen.contract.contract import Contract
from codegen.contract.nodes import ContractError

LAMPS = (Path(__file__).parent / "lamps.yaml").read_text(encoding="utf-8")

LAMPS_PATH = "#/paths/~1v3~1organizations~1{org_id}~1lamps"
LIST = f"{LAMPS_PATH}/get"
CREATE = f"{LAMPS_PATH}/post"
LAMP_PATH = "#/paths/~1v3~1organizations~1{org_id}~1lamps~1{lamp_id}"
SCHEMAS = "#/components/schemas"
SIZE = "#/components/parameters/Size"


def findings(text: str, directory: Path) -> list[str]:
    """Return what is found in a document, one line each."""
    path = directory / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        Contract(path)
    except ContractError as error:
        return str(error).splitlines()
    return []


def check_edit(directory: Path, edit: tuple[str, str], place: str, words: str, line: str | None = None) -> None:
    """Assert that an edit is told with its line, its JSON pointer and the right words.

    Args:
        directory: Where to write the contract.
        edit: The text to replace, and the new one.
        place: The expected JSON pointer.
        words: A part of the expected message.
        line: The line on which it is expected; by default the first one that the edit changes.
    """
    old, new = edit
    assert old in LAMPS
    text = LAMPS.replace(old, new, 1)
    lines, unchanged = text.splitlines(), LAMPS.splitlines()
    if line is None:
        number = next(index for index, each in enumerate(lines) if index >= len(unchanged) or each != unchanged[index])
    else:
        [number] = [index for index, each in enumerate(lines) if each.strip() == line.strip()][:1]
    found = findings(text, directory)
    expected = f"openapi.yaml:{number + 1}: {place}: "
    assert [each for each in found if each.startswith(expected) and words in each], found
    assert all("; " in each for each in found), "a finding says what to do"
