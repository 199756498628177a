"""A small contract, and what is found in it after an edit."""

from __future__ import annotations

from pathlib import Path

from codegen.contract.contract import Contract
from codegen.contract.source import ContractError

LAMPS = (Path(__file__).parent / "lamps.yaml").read_text(encoding="utf-8")


def findings(text: str, directory: Path) -> list[str]:
    """Return what is found in a document, one line each."""
    path = directory / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        Contract(path)
    except ContractError as error:
        return str(error).splitlines()
    return []
