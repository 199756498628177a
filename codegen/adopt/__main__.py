"""Adopt a deployment's OpenAPI document: `python -m codegen.adopt acme-openapi.json --word acme`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from codegen import ROOT, RefusedError
from codegen.adopt.adoption import Adoption
from codegen.adopt.foreign import Foreign
from codegen.adopt.names import Kept
from codegen.adopt.overlay import overlay_of
from codegen.adopt.report import MOST_LINES, Report
from codegen.changes import contract_changes, entry
from codegen.contract.contract import Contract
from codegen.contract.source import ContractError
from codegen.contract.vendor_word import Renaming
from codegen.deployment import rename_contract
from codegen.overlay_document import AppliedSource, OverlayDocument

ENDING = ".overlay.json"


def adopt(root: Path, path: Path, word: str | None, credential_prefix: str | None, into: Path) -> Iterator[str]:
    """Write an Overlay and a file of names, and yield the lines of the report.

    Args:
        root: The checkout, which has the contract.
        path: The document.
        word: The vendor's word; None keeps that of the contract.
        credential_prefix: The prefix of the service user's credential; None keeps that of the contract.
        into: The Overlay to write. The file of names is beside it.

    Raises:
        RefusedError: The document, the word or the file of names cannot be used; nothing is written.
    """
    foreign = Foreign(path)
    contract, renaming = rename_contract(Contract(root / "openapi.yaml"), word, credential_prefix)
    kept = Kept(into.with_name(f"{into.name.removesuffix(ENDING)}.names.yaml"))
    adoption = Adoption(foreign, contract, kept, f"{datetime.now(UTC):%Y-%m-%d}")
    title, reason = f"What {foreign.name} states", f"{foreign.name} states it"
    overlay = overlay_of(contract.document, adoption.document, title, reason)
    before: Contract | None = None
    if into.exists():
        try:
            before = applied(contract, into, renaming)
        except ContractError as error:
            foreign.note("#", f"{into} cannot be compared with what is written now: {error}")
    into.write_text(json.dumps(overlay, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    kept.write(foreign.name, adoption.names.chosen)
    report = Report(adoption)
    yield from report.lines(most=MOST_LINES)
    if report.is_cut:
        full = into.with_name(f"{into.name.removesuffix(ENDING)}.report.txt")
        full.write_text("\n".join(report.lines()) + "\n", encoding="utf-8", newline="\n")
        yield ""
        yield f"All lines are in {full}."
    if before is not None:
        changes = list(entry(contract_changes(before, applied(contract, into, renaming))))
        yield ""
        yield "# Changes since the last time" if changes else "Nothing changed since the last time."
        yield from changes


def applied(contract: Contract, overlay: Path, renaming: Renaming) -> Contract:
    """Return the contract with an Overlay."""
    text = renaming.rename_text(overlay.read_text(encoding="utf-8"))
    return Contract(contract.path, AppliedSource(contract.source, [OverlayDocument(overlay, text)]))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Adopt a deployment's OpenAPI document.")
    parser.add_argument("document", type=Path, help="the document, of OpenAPI 3.0 or 3.1, in JSON or YAML")
    parser.add_argument("--word", help="the vendor's word, such as acme")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential, such as acme_")
    parser.add_argument("--into", type=Path, help="the Overlay to write (default: acme.overlay.json)")
    arguments = parser.parse_args()
    into = arguments.into or Path(f"{(arguments.word or arguments.document.stem).lower()}{ENDING}")
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text stream
    try:
        for line in adopt(ROOT, arguments.document, arguments.word, arguments.credential_prefix, into):
            print(line)
    except (RefusedError, OSError) as error:
        sys.exit(str(error))
    settings = ""
    if arguments.word:
        settings += f" WORD={arguments.word}"
    if arguments.credential_prefix:
        settings += f" CREDENTIAL_PREFIX={arguments.credential_prefix}"
    print(f"\nNext: make generate{settings} OVERLAY={into}")


if __name__ == "__main__":
    main()
