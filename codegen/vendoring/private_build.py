"""Build the whole project under the vendor's own word, or with Overlays: `make generate WORD=acme OVERLAY=a.yaml`.

The result is a project like this one in `build/acme`, to be tested, built and installed. The checkout stays neutral,
so neither a vendor's word nor what a deployment shows is committed by mistake.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from codegen import ROOT
from codegen.contract import Contract, ContractError, Renaming, Source, VendorWord, VendorWordError, word_findings
from codegen.overlay_document import Applied, OverlayDocument, apply_overlays, read_overlays
from codegen.render.generate import generate
from codegen.vendoring.tracked import tracked

# The file that identifies a private build, which may be replaced.
STAMP = ".private-build"
# The folder of a private build that keeps the Overlays as they were applied.
KEPT = "overlay_documents"
# Files and directories that are built or local.
LEFT_OUT = frozenset(
    {".bench", ".git", ".hypothesis", ".venv", "__pycache__", "build", "dist", "htmlcov", "node_modules", STAMP}
)


def private_build(
    root: Path, destination: Path, word: str | None, credential_prefix: str | None, overlays: Iterable[Path] = ()
) -> VendorWord:
    """Write the project with another word, or with Overlays, to *destination*, and generate its package there.

    In a git checkout only files that git tracks are copied, as they are on the disk. How many others were left out, and
    what the Overlays' actions do not do any more, is printed to stderr, one line each.

    Args:
        root: The checkout.
        destination: A new directory, or an older private build.
        word: The vendor's word; None keeps the contract's own.
        credential_prefix: The prefix of the service user's credential; None keeps the contract's own.
        overlays: The Overlay documents to apply to the contract, in order. With a word they may use either word.

    Returns:
        The words of the build.

    Raises:
        VendorWordError: The word cannot be used, or *destination* holds something else; nothing is written.
        ContractError: The contract or an Overlay is wrong, or an annotation of the word is missing; nothing is written.
    """
    renaming = read_renaming(root, word, credential_prefix)
    documents = [rename_overlay(each, renaming) for each in read_overlays(overlays)]
    applied = apply_to(root / "openapi.yaml", renaming, documents) if documents else None
    contract = Contract(destination / "openapi.yaml", applied.source) if applied else None
    clear(destination)
    # Listed first, because the destination may be inside the checkout.
    files = tracked(root, sources(root))
    destination.mkdir(parents=True)
    (destination / STAMP).touch()
    for path in files:
        target = destination / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        with suppress(UnicodeDecodeError):
            text = path.read_bytes().decode()
            renamed = renaming.rename_contract(text) if path.name == "openapi.yaml" else renaming.rename_text(text)
            target.write_text(renamed, encoding="utf-8", newline="")
    if applied:
        for notice in applied.notices:
            print(notice, file=sys.stderr)
        (destination / KEPT).mkdir(exist_ok=True)
        for each in documents:
            (destination / KEPT / each.path.name).write_text(each.source.text, encoding="utf-8", newline="")
        (destination / "openapi.yaml").write_text(applied.source.text, encoding="utf-8", newline="\n")
    generate(destination, check=False, contract=contract)
    return VendorWord.read((destination / "openapi.yaml").read_text(encoding="utf-8"))


def rename_overlay(overlay: OverlayDocument, renaming: Renaming) -> OverlayDocument:
    """Return an Overlay under another word: it may have been written for the neutral contract, or for a build."""
    return OverlayDocument(overlay.path, renaming.rename_text(overlay.source.text))


def apply_to(path: Path, renaming: Renaming, overlays: Sequence[OverlayDocument]) -> Applied:
    """Return the contract at *path* under another word, with Overlays applied."""
    return apply_overlays(Source(path, renaming.rename_contract(Source(path).text)), overlays)


def read_renaming(root: Path, word: str | None, credential_prefix: str | None) -> Renaming:
    """Return the renaming, after checking that it is possible and that the contract's annotations are complete."""
    source = Contract(root / "openapi.yaml").source
    renaming = Renaming(VendorWord.read(source.text), word, credential_prefix)
    if found := [*map(source.describe, word_findings(source.text)), *renaming.clashes(source.text)]:
        raise ContractError("\n".join(found))
    return renaming


def clear(destination: Path) -> None:
    """Remove an older private build; refuse anything else."""
    if destination.exists() and any(destination.iterdir()):
        if not (destination / STAMP).exists():
            raise VendorWordError(
                f"{destination} is not a private build; name a new directory, or a private build to replace"
            )
        shutil.rmtree(destination)
    elif destination.exists():
        destination.rmdir()


def sources(root: Path) -> Iterator[Path]:
    """Yield the files of the project, without built and local ones."""
    for directory, names, files in os.walk(root):
        names[:] = [name for name in sorted(names) if not is_built(Path(directory, name))]
        yield from (Path(directory, name) for name in sorted(files) if name not in LEFT_OUT)


def is_built(directory: Path) -> bool:
    """Return whether a directory holds built or local files."""
    name = directory.name
    return (
        name in LEFT_OUT
        or name.startswith(".venv")
        or name.endswith(("_cache", ".egg-info"))
        or (directory / STAMP).exists()
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Build the project with a word or Overlays.")
    parser.add_argument("--word", help="the vendor's word, such as acme; its capitals are kept")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential, such as acme_")
    parser.add_argument("--overlay", type=Path, nargs="+", default=[], help="Overlay documents, in order")
    parser.add_argument("--into", type=Path, help="the directory to write (default: build/WORD)")
    arguments = parser.parse_args()
    if not (arguments.word or arguments.credential_prefix or arguments.overlay):
        parser.error("give --word, --credential-prefix or --overlay")
    destination = (arguments.into or ROOT / "build" / (arguments.word or "private").lower()).resolve()
    try:
        word, credential_prefix = arguments.word or None, arguments.credential_prefix or None
        made = private_build(ROOT, destination, word, credential_prefix, arguments.overlay)
    except ContractError as error:
        sys.exit(str(error))
    except (VendorWordError, OSError) as error:
        sys.exit(f"no private build: {error}")
    print(f"{os.path.relpath(destination)}: {made.word}, {made.credential_prefix}, {len(made.identifiers)} identifiers")
    # In one command, because pip asks an index for every name that is not in it, and the index has none of these.
    folders = [destination, *sorted(path.parent for path in destination.glob("packages/*/pyproject.toml"))]
    print("To install it:", shlex.join(["pip", "install", *map(os.path.relpath, folders)]))


if __name__ == "__main__":
    main()
