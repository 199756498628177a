"""Build the whole project under the vendor's own word, or with Overlays: `make generate WORD=acme OVERLAY=a.yaml`.

The result is a project like this one in `build/acme`. It can be tested, built and installed. The checkout stays
neutral, so nobody commits a vendor's word or facts about a deployment by mistake.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from codegen import ROOT, RefusedError
from codegen.changes import git
from codegen.contract.vendor_word import VendorWord
from codegen.deployment import Deployment, read_contract
from codegen.distributions import FOLDERS
from codegen.render.generate import generate

# The folder of a private build that keeps the Overlays as they were applied.
KEPT = "overlay_documents"
# The names of built or local files and folders, for an unpacked archive in which git cannot list the files.
LOCAL = re.compile(r"\.(bench|git|hypothesis|venv.*|mypy.*|pytest.*)$|(__pycache__|build|dist|node_modules)$")


def private_build(
    root: Path, destination: Path, word: str | None, credential_prefix: str | None, overlays: Iterable[Path] = ()
) -> VendorWord:
    """Write the project with another word, or with Overlays, to *destination*, and generate its package there.

    The notices of the Overlays are printed to stderr.

    Args:
        root: The checkout.
        destination: The directory for the build. An older build there is replaced.
        word: The vendor's word; None keeps the word of the contract.
        credential_prefix: The prefix of the service user's credential; None keeps the prefix of the contract.
        overlays: The Overlay documents to apply to the contract, in order. They may use the word of the contract or
            *word*.

    Returns:
        The renaming, which has the word and the credential prefix of the build.

    Raises:
        RefusedError: The word cannot be used; nothing is written.
        ContractError: The contract or an Overlay is wrong, or an annotation of the word is missing; nothing is written.
            It is also raised if the generator cannot read the contract; the older build is then already removed.
    """
    read = read_contract(root / "openapi.yaml", Deployment(word, credential_prefix, tuple(overlays)))
    contract = read.contract
    files = tracked(root)
    shutil.rmtree(destination, ignore_errors=True)
    for path in files:
        target = destination / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        with suppress(UnicodeDecodeError):
            target.write_text(read.rename_text(path.read_bytes().decode()), encoding="utf-8", newline="")
    (destination / "openapi.yaml").write_text(contract.source.text, encoding="utf-8", newline="\n")
    for each in read.documents:
        (destination / KEPT).mkdir(exist_ok=True)
        (destination / KEPT / each.path.name).write_text(each.source.text, encoding="utf-8", newline="")
    generate(destination, check=False, contract=contract)
    return VendorWord.read(read.source)


def tracked(root: Path) -> list[Path]:
    """Return the files that git tracks. In an unpacked archive without git, return all files that are not built."""
    if (root / ".git").exists():
        # Untracked files, such as a `.env` or a draft, must not get into a build.
        names = git(root, "ls-files", "-z").split("\0")
        return [root / name for name in names if (root / name).is_file()]
    files = (path for path in root.rglob("*") if path.is_file())
    return sorted(path for path in files if not any(map(LOCAL.match, path.relative_to(root).parts)))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Build the project with a word or Overlays.")
    parser.add_argument("--word", help="the vendor's word, such as acme; its capitals are kept")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential, such as acme_")
    parser.add_argument("--overlay", type=Path, nargs="+", default=[], help="Overlay documents, in order")
    arguments = parser.parse_args()
    destination = ROOT / "build" / (arguments.word or "private").lower()
    try:
        made = private_build(ROOT, destination, arguments.word, arguments.credential_prefix, arguments.overlay)
    except (RefusedError, OSError) as error:
        sys.exit(str(error))
    print(f"{os.path.relpath(destination)}: {made.word}, {made.credential_prefix}, {len(made.identifiers)} identifiers")
    # One command installs all folders. Otherwise pip would look for the other distributions in an index, where they are
    # not published.
    folders = [destination / folder for folder in FOLDERS]
    print("To install it:", shlex.join(["pip", "install", *map(os.path.relpath, folders)]))


if __name__ == "__main__":
    main()
