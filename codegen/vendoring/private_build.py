"""A private build: the whole project with the vendor's own word in it, in a directory of its own.

`make generate WORD=acme CREDENTIAL_PREFIX=acme_` writes it to `build/acme`. It is no change of the checkout, because
that stays neutral: its contract is what is kept, and a word that is a vendor's business is neither committed by
mistake nor left behind by the next one. What comes out is a project like this one, to be tested, built and installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from codegen import ROOT
from codegen.contract.document import ContractError
from codegen.contract.vendor_word import Renaming, VendorWord, VendorWordError
from codegen.contract.word_lint import word_findings
from codegen.render.generate import generate
from codegen.vendoring.word_sources import renamed

# Says that a directory was written by this module, and may be replaced by it.
STAMP = ".private-build"
# What is made here, and what is generated anew.
LEFT_OUT = frozenset(
    {".bench", ".git", ".hypothesis", ".venv", "__pycache__", "build", "dist", "htmlcov", "node_modules", STAMP}
)


def private_build(root: Path, destination: Path, word: str | None, credential_prefix: str | None) -> VendorWord:
    """Write the project in *root* to *destination* with another word in it, and generate its package there.

    Raises VendorWordError for a word that cannot be put in, and ContractError where the contract's list of identifiers
    is not complete; then nothing is written. Gives the words that are in it.
    """
    renaming = read_renaming(root, word, credential_prefix)
    clear(destination)
    # Before it is there itself: it may be inside of the checkout.
    files = list(sources(root))
    destination.mkdir(parents=True)
    (destination / STAMP).touch()
    for path in files:
        target = destination / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        shutil.copymode(path, target)
        text = as_text(path)
        if text is not None:
            target.write_text(renamed(path, text, renaming), encoding="utf-8", newline="")
    generate(destination, check=False)
    made = VendorWord.read((destination / "openapi.yaml").read_text(encoding="utf-8"))
    if made is None:
        raise ContractError("the contract of the private build has lost x-vendor")
    return made


def read_renaming(root: Path, word: str | None, credential_prefix: str | None) -> Renaming:
    """What is to be put in, once it is known that it can be, and that the list of identifiers is complete."""
    text = (root / "openapi.yaml").read_text(encoding="utf-8")
    vendor = VendorWord.read(text)
    if vendor is None:
        raise ContractError("info has no x-vendor: there is no word in whose place another could be put")
    renaming = Renaming(vendor, word, credential_prefix)
    if found := [*word_findings(text), *renaming.clashes(text)]:
        raise ContractError("\n".join(found))
    return renaming


def clear(destination: Path) -> None:
    """Take an older private build away; anything else stays."""
    if destination.exists() and any(destination.iterdir()):
        if not (destination / STAMP).exists():
            raise VendorWordError(f"{destination} is no private build; give a directory that may be written anew")
        shutil.rmtree(destination)
    elif destination.exists():
        destination.rmdir()


def sources(root: Path) -> Iterator[Path]:
    """The files of the project, without what is made from them."""
    for directory, names, files in os.walk(root):
        names[:] = [name for name in sorted(names) if not is_made(Path(directory, name))]
        yield from (Path(directory, name) for name in sorted(files) if name not in LEFT_OUT)


def is_made(directory: Path) -> bool:
    """Whether a directory holds what is made here."""
    name = directory.name
    return name in LEFT_OUT or name.endswith(("_cache", ".egg-info")) or (directory / STAMP).exists()


def as_text(path: Path) -> str | None:
    """What is in a file, with its line ends as they are; None when that is no text."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Put the vendor's own word into a private build of the project.")
    parser.add_argument("--word", help="the vendor's word, such as acme; capitals of its own are kept")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential, such as acme_")
    parser.add_argument("--into", type=Path, help="the directory to write (default: build/WORD)")
    given = parser.parse_args()
    if not (given.word or given.credential_prefix):
        parser.error("give --word or --credential-prefix, or both")
    destination = (given.into or ROOT / "build" / (given.word or "private").lower()).resolve()
    try:
        made = private_build(ROOT, destination, given.word or None, given.credential_prefix or None)
    except (ContractError, VendorWordError, OSError) as error:
        sys.exit(f"no private build: {error}")
    print(f"{os.path.relpath(destination)}: {made.word}, {made.credential_prefix}, {len(made.identifiers)} identifiers")
    print(f"To install it: pip install {os.path.relpath(destination)}")


if __name__ == "__main__":
    main()
