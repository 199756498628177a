"""Copy the SDK into another repository: `make vendor DEST=../service/src/service/_vendor`.

With SANDBOX=1 the sandbox is copied, too. The copy imports itself by relative imports, so it works below any parent
package, and beside an installed package or another copy. It contains the licenses and a manifest; `--check` compares it
with the manifest and with the checkout.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

import attrs

from codegen import ROOT, RefusedError
from codegen.contract.contract import Contract
from codegen.contract.vendor_word import VendorWord
from codegen.distributions import read_projects
from codegen.vendoring.private_build import KEPT, private_build

# The folder of each package in a checkout.
SDK = {"agent_session_platform": "overlay", "agent_session_platform_api": "generated"}
SANDBOX = {"agent_session_platform_sandbox": "packages/sandbox/src"}
PACKAGES = (*SDK, *SANDBOX)
"""The packages that a copy may have."""

LICENSES = ("LICENSE", "NOTICE")
ABOUT = "A copy of agent-session-platform. Do not edit: `make vendor` in that project replaces it."
MANIFEST = "agent_session_platform/VENDORED.json"
# The folder of a copy that keeps the Overlays that were applied.
OVERLAYS = f"agent_session_platform/{KEPT}"


@attrs.frozen
class Manifest:
    """The origin and the content of a copy; it contains no path of this machine and no date.

    Attributes:
        word: The vendor's word.
        sandbox: Whether the copy includes the sandbox.
        files: The hash of each file, by its path from the directory that holds the packages.
        overlays: The names of the Overlays that were applied, in order; the copy keeps them.
    """

    version: str
    word: str
    credential_prefix: str
    sandbox: bool
    files: Mapping[str, str]
    overlays: list[str]


def read_manifest(holder: Path) -> Manifest:
    """Read the manifest of the copy in *holder*; raise RefusedError if there is none."""
    path = holder / MANIFEST
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        document.pop("about")
        return Manifest(**document)
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        text = f"{path.as_posix()} is not the manifest of a vendored copy ({error})"
        raise RefusedError(f"{text}; make a copy in another folder, or replace this one with FORCE=1") from None


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
        word: The vendor's word; None: that of the older copy, or of the contract.
        credential_prefix: The prefix of the service user's credential; None: that of the older copy or the contract.
        overlays: The Overlay documents to apply, in order; None: those of the older copy, which keeps them.
        sandbox: Whether to copy the sandbox, too. With None, it is copied if the older copy has it.
        force: Replace an older copy that was edited, and any other folder with the name of a package.
        root: The checkout to copy from.

    Returns:
        The manifest of the copy.

    Raises:
        RefusedError: *holder* has edited files or something else with the name of a package.
    """
    if not force:
        refuse_to_lose(holder)
    # Keep the word of the older copy: with another word, the new copy would not match the deployment.
    with suppress(RefusedError):
        older = read_manifest(holder)
        word = older.word if word is None else word
        credential_prefix = older.credential_prefix if credential_prefix is None else credential_prefix
        sandbox = older.sandbox if sandbox is None else sandbox
        overlays = kept_overlays(holder, older) if overlays is None else overlays
    manifest, copied = make(root, word, credential_prefix, overlays or (), sandbox=bool(sandbox))
    for package in PACKAGES:
        shutil.rmtree(holder / package, ignore_errors=True)
    text = json.dumps({"about": ABOUT, **attrs.asdict(manifest)}, indent=2) + "\n"
    for place, content in {**copied, MANIFEST: text.encode()}.items():
        target = holder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    # The packages find each other through a common parent package.
    (holder / "__init__.py").touch()
    return manifest


def make(
    root: Path, word: str | None, credential_prefix: str | None, overlays: Sequence[Path], *, sandbox: bool
) -> tuple[Manifest, dict[str, bytes]]:
    """Return the manifest and the other files of a copy. Another word or an Overlay needs a private build first."""
    words = VendorWord.read(Contract(root / "openapi.yaml").source)
    with TemporaryDirectory() as scratch:
        origin = root
        if word not in (None, words.word) or credential_prefix not in (None, words.credential_prefix) or overlays:
            origin = Path(scratch) / "build"
            words = private_build(root, origin, word, credential_prefix, overlays)
        copied = copied_files(origin, sandbox=sandbox)
    manifest = Manifest(
        version=read_projects(root, ["."])[0]["project"]["version"],
        word=words.word,
        credential_prefix=words.credential_prefix,
        sandbox=sandbox,
        files={place: sha256(content) for place, content in sorted(copied.items())},
        overlays=[path.name for path in overlays],
    )
    return manifest, copied


def copied_files(root: Path, *, sandbox: bool) -> dict[str, bytes]:
    """Return every file of a copy except the manifest, by its path from the directory that holds the packages."""
    found = {f"{OVERLAYS}/{path.name}": path.read_bytes() for path in (root / KEPT).glob("*")}
    for package, origin in (SDK | SANDBOX if sandbox else SDK).items():
        found |= {f"{package}/{name}": (root / name).read_bytes() for name in LICENSES}
        for place in present(root / origin):
            content = (root / origin / place).read_bytes()
            found[place] = relative(PurePath(place), content.decode()).encode() if place.endswith(".py") else content
    return found


def relative(path: PurePath, text: str) -> str:
    """Return the text of a module with only relative imports of the packages, so that it works below any parent.

    Args:
        path: The module's path, from the directory that holds the packages.
        text: The text of the module, without `import agent_session_platform`, which has no relative form.
    """
    # One dot stands for the module's own package. Each further dot leads one directory up, to the common directory.
    dots = "." * len(path.parts)
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] in PACKAGES:
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = line.replace(f"from {node.module}", f"from {dots}{node.module}", 1)
    return "".join(lines)


def present(holder: Path) -> Iterator[str]:
    """Yield the files of the packages in *holder*, without the manifest and compiled files."""
    for path in (path for package in PACKAGES for path in sorted((holder / package).rglob("*"))):
        place = path.relative_to(holder).as_posix()
        if path.is_file() and path.suffix != ".pyc" and place != MANIFEST:
            yield place


def sha256(content: bytes) -> str:
    """Return the SHA-256 of a file. Line ends count as LF, because a repository may store CRLF."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


# What is said about a file that only the manifest has, that only the copy has, and that both have with other content.
IN_THE_COPY = ("missing", "unknown", "edited")
# The same about a file of today's project, and of the older one from which the copy was made.
IN_THE_PROJECT = ("new", "removed", "changed")


def differences(files: Mapping[str, str], wanted: Mapping[str, str], words: tuple[str, str, str]) -> list[str]:
    """Return a line for each file that differs.

    Args:
        files: The hashes of the files of the copy.
        wanted: The hashes that the files should have.
        words: What is said about a file that only *wanted* has, that only *files* has, and that differs.
    """
    added, removed, changed = words
    lines = [f"  {added}: {place}" for place in wanted.keys() - files.keys()]
    lines += [f"  {removed}: {place}" for place in files.keys() - wanted.keys()]
    lines += [f"  {changed}: {place}" for place in files.keys() & wanted.keys() if files[place] != wanted[place]]
    return sorted(lines)


def hashes(holder: Path) -> dict[str, str]:
    """Return the hash of each file of a copy."""
    return {place: sha256((holder / place).read_bytes()) for place in present(holder)}


def refuse_to_lose(holder: Path) -> None:
    """Raise RefusedError if replacing the copy would lose an edit or a file of somebody else."""
    found = hashes(holder)
    if not found:
        return
    lines = differences(found, read_manifest(holder).files, IN_THE_COPY)
    if edited := [line for line in lines if not line.startswith("  missing: ")]:
        raise RefusedError(f"the copy in {holder} was edited; FORCE=1 replaces it anyway:\n" + "\n".join(edited))


def check(holder: Path, root: Path = ROOT) -> list[str]:
    """Return the problems of the copy in *holder*, one line each: edited, incomplete, or out of date."""
    manifest = read_manifest(holder)
    if lines := differences(hashes(holder), manifest.files, IN_THE_COPY):
        return [f"the copy in {holder} differs from its manifest:", *lines]
    overlays = kept_overlays(holder, manifest)
    today, _ = make(root, manifest.word, manifest.credential_prefix, overlays, sandbox=manifest.sandbox)
    if today == manifest:
        return []
    text = f"the copy in {holder} is out of date (version {manifest.version}, today {today.version}); run `make vendor`"
    return [text, *differences(manifest.files, today.files, IN_THE_PROJECT)]


def kept_overlays(holder: Path, manifest: Manifest) -> list[Path]:
    """Return the Overlays of a copy, in the order in which they were applied."""
    return [holder / OVERLAYS / name for name in manifest.overlays]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Copy the SDK into another repository.")
    parser.add_argument("destination", type=Path, help="the directory that is to hold the packages, such as _vendor")
    parser.add_argument("--word", help="the vendor's word, which replaces the neutral one")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential")
    parser.add_argument("--overlay", type=Path, nargs="+", help="Overlay documents for the contract, in order")
    parser.add_argument("--no-overlay", dest="overlay", action="store_const", const=[], help="without an Overlay")
    parser.add_argument("--sandbox", action=argparse.BooleanOptionalAction, help="copy the sandbox, too")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the copy is edited, or is old")
    parser.add_argument("--force", action="store_true", help="replace an edited copy, and anything else in the way")
    arguments = parser.parse_args()
    holder = arguments.destination
    try:
        if arguments.check:
            lines = check(holder)
            print("\n".join(lines) or f"{holder}: up to date")
            sys.exit(bool(lines))
        given = arguments.word, arguments.credential_prefix, arguments.overlay
        made = vendor(holder, *given, sandbox=arguments.sandbox, force=arguments.force)
    except (RefusedError, OSError) as error:
        sys.exit(str(error))
    what = f"agent-session-platform {made.version}{' with the sandbox' if made.sandbox else ''}"
    print(f"{holder}: {what}, {len(made.files)} files; word {made.word}, credential prefix {made.credential_prefix}")


if __name__ == "__main__":
    main()
