"""Apply Overlays to small documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from codegen.contract.contract import Contract
from codegen.contract.source import ContractError, Source
from codegen.overlay_document import AppliedSource, read_overlays
from tests.codegen.contract.lamps import LAMPS

HEAD = "overlay: 1.0.0\ninfo: {title: Observed, version: 0.1.0}\nactions:\n"


def write(directory: Path, name: str, text: str) -> Path:
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return path


def apply(directory: Path, document: str, *overlays: str) -> AppliedSource:
    """Apply Overlays, whose files are called `0.overlay.yaml` and so on, to a document."""
    base = Source(write(directory, "openapi.yaml", document))
    paths = [write(directory, f"{index}.overlay.yaml", text) for index, text in enumerate(overlays)]
    return AppliedSource(base, read_overlays(paths))


def applied(directory: Path, document: str, *overlays: str) -> Any:
    """Return a document with Overlays applied."""
    return apply(directory, document, *overlays).document


def on_lamps(directory: Path, *actions: str) -> AppliedSource:
    """Apply actions, written as the entries of a list, to the contract of the lamps, and check the result."""
    found = apply(directory, LAMPS, HEAD + "".join(f"  - {action}\n" for action in actions))
    Contract(directory / "openapi.yaml", found)
    return found


def refusals(directory: Path, *actions: str) -> list[str]:
    """Return why the contract of the lamps with these actions is refused, one line each."""
    try:
        on_lamps(directory, *actions)
    except ContractError as error:
        return str(error).splitlines()
    return []
