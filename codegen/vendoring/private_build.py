"""Build the whole project under the vendor's own word: `make generate WORD=acme CREDENTIAL_PREFIX=acme_`.

The result is a project like this one in `build/acme`, to be tested, built and installed. The checkout stays neutral,
so a vendor's word is not committed by mistake.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from codegen import ROOT
from codegen.contract import Contract, ContractError, Renaming, VendorWord, VendorWordError, word_findings
from codegen.render.generate import generate

# The file that identifies a private build, which may be replaced.
STAMP = ".private-build"
# Files and directories that are built or local.
LEFT_OUT = frozenset(
    {".bench", ".git", ".hypothesis", ".venv", "__pycache__", "build", "dist", "htmlcov", "node_modules", STAMP}
)


def private_build(root: Path, destination: Path, word: str | None, credential_prefix: str | None) -> VendorWord:
    """Write the project with another word to *destination*, and generate its package there.

    Args:
        root: The checkout.
        destination: A new directory, or an older private build.
        word: The vendor's word; None keeps the contract's own.
        credential_prefix: The prefix of the service user's credential; None keeps the contract's own.

    Returns:
        The words of the build.

    Raises:
        VendorWordError: The word cannot be used, or *destination* holds something else; nothing is written.
        ContractError: The contract is wrong, or an annotation of the word is missing in it; nothing is written.
    """
    renaming = read_renaming(root, word, credential_prefix)
    clear(destination)
    # Listed first, because the destination may be inside the checkout.
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
            renamed = renaming.rename_contract(text) if path.name == "openapi.yaml" else renaming.rename_text(text)
            target.write_text(renamed, encoding="utf-8", newline="")
    generate(destination, check=False)
    return VendorWord.read((destination / "openapi.yaml").read_text(encoding="utf-8"))


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


def as_text(path: Path) -> str | None:
    """Return the text of a file with its line ends; None if it is not UTF-8."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Build the project under the vendor's own word.")
    parser.add_argument("--word", help="the vendor's word, such as acme; its capitals are kept")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential, such as acme_")
    parser.add_argument("--into", type=Path, help="the directory to write (default: build/WORD)")
    arguments = parser.parse_args()
    if not (arguments.word or arguments.credential_prefix):
        parser.error("give --word or --credential-prefix, or both")
    destination = (arguments.into or ROOT / "build" / (arguments.word or "private").lower()).resolve()
    try:
        made = private_build(ROOT, destination, arguments.word or None, arguments.credential_prefix or None)
    except ContractError as error:
        sys.exit(str(error))
    except (VendorWordError, OSError) as error:
        sys.exit(f"no private build: {error}")
    print(f"{os.path.relpath(destination)}: {made.word}, {made.credential_prefix}, {len(made.identifiers)} identifiers")
    print(f"To install it: pip install {os.path.relpath(destination)}")


if __name__ == "__main__":
    main()
