"""Copy the SDK into another repository: `make vendor DEST=../service/src/service/_vendor`.

With SANDBOX=1 the sandbox is copied, too. The copy imports itself by relative imports, so it works below any parent
package, and beside an installed package or another copy. It contains the licenses and a manifest; `--check` compares it
with the manifest and with the checkout.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from codegen import ROOT
from codegen.contract import Contract, ContractError, VendorWord, VendorWordError
from codegen.vendoring.manifest import OVERLAYS, PLACE, Manifest, ManifestError, differences, present, sha256
from codegen.vendoring.private_build import KEPT, private_build
from codegen.vendoring.self_imports import PACKAGES, SelfImportError, relative

# The directory of each package in a checkout.
SDK = {"agent_session_platform": "overlay", "agent_session_platform_api": "generated"}
SANDBOX = {"agent_session_platform_sandbox": "packages/sandbox/src"}
LICENSES = ("LICENSE", "NOTICE")


class VendorError(Exception):
    """The copy cannot be made; the message describes the way out."""


@contextmanager
def checkout(
    root: Path, word: str | None, credential_prefix: str | None, overlays: Sequence[Path] = ()
) -> Iterator[Path]:
    """Yield a checkout with the word and the Overlays in it: *root* itself, or a temporary private build."""
    vendor = VendorWord.read(Contract(root / "openapi.yaml").source.text)
    if word in (None, vendor.word) and credential_prefix in (None, vendor.credential_prefix) and not overlays:
        yield root
        return
    with TemporaryDirectory() as scratch:
        private_build(root, Path(scratch) / "build", word, credential_prefix, overlays)
        yield Path(scratch) / "build"


def files(root: Path, *, sandbox: bool) -> dict[str, bytes]:
    """Return every file of a copy except the manifest, by its path from the directory that holds the packages."""
    found = {str(OVERLAYS / path.name): path.read_bytes() for path in (root / KEPT).glob("*")}
    for package, origin in (SDK | SANDBOX if sandbox else SDK).items():
        found |= {f"{package}/{name}": (root / name).read_bytes() for name in LICENSES}
        for place in present(root / origin):
            content = (root / origin / place).read_bytes()
            found[place] = relative(PurePath(place), content.decode()).encode() if place.endswith(".py") else content
    return found


def make(
    root: Path, word: str | None, credential_prefix: str | None, overlays: Sequence[Path], *, sandbox: bool
) -> tuple[Manifest, dict[str, bytes]]:
    """Return the manifest and the other files of a copy."""
    with checkout(root, word, credential_prefix, overlays) as origin:
        copied = files(origin, sandbox=sandbox)
        vendor = VendorWord.read((origin / "openapi.yaml").read_text(encoding="utf-8"))
    version = copied["agent_session_platform/version.py"].decode()
    manifest = Manifest(
        version=version.rpartition('VERSION = "')[2].partition('"')[0],
        # Of the contract before any renaming and any Overlay.
        contract_sha256=sha256((root / "openapi.yaml").read_bytes()),
        word=vendor.word,
        credential_prefix=vendor.credential_prefix,
        sandbox=sandbox,
        files={place: sha256(content) for place, content in sorted(copied.items())},
        overlays=[path.name for path in overlays],
    )
    return manifest, copied


def vendor(
    holder: Path,
    word: str | None = None,
    credential_prefix: str | None = None,
    overlays: Sequence[Path] | None = None,
    *,
    sandbox: bool | None = None,
    force: bool = False,
    root: Path = ROOT,
) -> Manifest:
    """Copy the packages into *holder*, in place of an older copy; check everything before the first change.

    Args:
        holder: The directory that is to hold the packages.
        word: The vendor's word; None: that of the older copy, or the contract's own.
        credential_prefix: The prefix of the service user's credential; None: as for the word.
        overlays: The Overlay documents to apply, in order; None: those of the older copy, which keeps them.
        sandbox: Copy the sandbox, too; None: as in the older copy, or no if there is none.
        force: Replace an older copy that was edited, and anything else with the name of a package.
        root: The checkout to copy from.

    Returns:
        The manifest of the copy.

    Raises:
        VendorError: *holder* has edited files or something else with the name of a package.
    """
    if holder.resolve() in {(root / origin).resolve() for origin in (SDK | SANDBOX).values()}:
        raise VendorError(f"{holder} holds the packages themselves, not a copy")
    if not force:
        refuse_to_lose(holder)
    # With another word the renewed copy would not match its deployment.
    with suppress(ManifestError):
        older = Manifest.read(holder)
        word = older.word if word is None else word
        credential_prefix = older.credential_prefix if credential_prefix is None else credential_prefix
        sandbox = older.sandbox if sandbox is None else sandbox
        overlays = kept_overlays(holder, older) if overlays is None else overlays
    manifest, copied = make(root, word, credential_prefix, overlays or (), sandbox=bool(sandbox))
    holder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        remove(holder / package)
    for place, content in {**copied, str(PLACE): manifest.text().encode()}.items():
        target = holder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    # The packages find each other through a common parent package.
    if not (holder / "__init__.py").exists():
        (holder / "__init__.py").touch()
    return manifest


def kept_overlays(holder: Path, manifest: Manifest) -> list[Path]:
    """Return the Overlays of a copy, in the order in which they were applied."""
    return [holder / OVERLAYS / name for name in manifest.overlays]


def remove(package: Path) -> None:
    """Remove a package, or a file or link with its name; the target of a link stays."""
    if package.is_symlink() or package.is_file():
        package.unlink()
    elif package.exists():
        shutil.rmtree(package)


def refuse_to_lose(holder: Path) -> None:
    """Raise VendorError if an edit or a foreign file would be lost."""
    there = [holder / package for package in PACKAGES if os.path.lexists(holder / package)]
    if not there:
        return
    way_out = "FORCE=1 replaces it anyway"
    try:
        older = Manifest.read(holder)
    except ManifestError as error:
        raise VendorError(f"{there[0]} is not a copy that was made here ({error}); {way_out}") from None
    links = [f"  a link: {package.name}" for package in there if package.is_symlink()]
    if lines := links + [line for line in differences(holder, older) if "missing" not in line]:
        raise VendorError(f"the copy in {holder} was edited; {way_out}:\n" + "\n".join(lines))


def check(holder: Path, root: Path = ROOT) -> list[str]:
    """Return the problems of the copy in *holder*, one line each: edited, incomplete, or out of date."""
    manifest = Manifest.read(holder)
    if lines := differences(holder, manifest):
        return [f"the copy in {holder} differs from its manifest:", *lines]
    overlays = kept_overlays(holder, manifest)
    today, _ = make(root, manifest.word, manifest.credential_prefix, overlays, sandbox=manifest.sandbox)
    if today == manifest:
        return []
    changed = {place for place, _ in set(today.files.items()) ^ set(manifest.files.items())}
    versions = f"version {manifest.version}, today {today.version}; {len(changed)} files differ"
    return [
        f"the copy in {holder} is out of date ({versions}); run `make vendor` again",
        *sorted(f"  {each}" for each in changed),
    ]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Copy the SDK into another repository.")
    parser.add_argument("destination", type=Path, help="the directory that is to hold the packages, such as _vendor")
    parser.add_argument("--word", help="the vendor's word, which replaces the neutral one")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential")
    parser.add_argument("--overlay", type=Path, nargs="+", help="Overlay documents for the contract, in order")
    parser.add_argument("--no-overlay", dest="overlay", action="store_const", const=[], help="without an Overlay")
    parser.add_argument("--sandbox", action=argparse.BooleanOptionalAction, help="copy the sandbox, too")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail if the copy is edited, incomplete or out of date"
    )
    parser.add_argument("--force", action="store_true", help="replace an edited copy, and anything else in the way")
    arguments = parser.parse_args()
    try:
        if arguments.check:
            lines = check(arguments.destination)
            print("\n".join(lines) or f"{arguments.destination}: up to date")
            sys.exit(bool(lines))
        made = vendor(
            arguments.destination,
            arguments.word or None,
            arguments.credential_prefix or None,
            arguments.overlay,
            sandbox=arguments.sandbox,
            force=arguments.force,
        )
    except ContractError as error:
        sys.exit(str(error))
    except (ManifestError, SelfImportError, VendorError, VendorWordError, OSError) as error:
        sys.exit(f"vendoring: {error}")
    sandbox = " with the sandbox" if made.sandbox else ""
    what = f"agent-session-platform {made.version}, {len(made.files)} files{sandbox}"
    print(f"{arguments.destination}: {what}; the word is {made.word}, the credential prefix {made.credential_prefix}")


if __name__ == "__main__":
    main()
