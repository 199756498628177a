"""Find the breaking changes between two states of the Python packages, with griffe.

Public names are those in `__all__` of the SDK and of its companions with their members, the modules `errors`,
`legacy` and `contract`, and the generated models and methods. Griffe compares names and parameters, but not
annotations: those follow from the contract, which `operation_changes` and `model_changes` compare.
"""

from __future__ import annotations

from pathlib import Path

import griffe

OVERLAY, GENERATED = "agent_session_platform", "agent_session_platform_api"
EXPORTING = (OVERLAY, *(f"{OVERLAY}_{name}" for name in ("sandbox", "jobs", "cli", "observe")))
WHOLE = (f"{OVERLAY}.errors", f"{OVERLAY}.legacy", *(f"{GENERATED}.{name}" for name in ("api", "contract", "models")))

# Values of constants may change: the version does with each release.
IGNORED = {griffe.BreakageKind.ATTRIBUTE_CHANGED_VALUE}


def breakages(old: Path, new: Path) -> list[str]:
    """Return the breaking changes between two checkouts, one line each."""
    before, after = load(old), load(new)
    public = {*WHOLE} | exported(before)
    found = (
        breakage
        for package in before.keys() & after.keys()
        for breakage in griffe.find_breaking_changes(before[package], after[package])
    )
    return sorted(
        {
            explain(breakage)
            for breakage in found
            if breakage.kind not in IGNORED and is_public(breakage.obj.canonical_path, public)
        }
    )


def load(root: Path) -> dict[str, griffe.Module]:
    """Read the packages of a checkout without importing them."""
    places = [root / "generated", root / "overlay", *root.glob("packages/*/src")]
    loader = griffe.GriffeLoader(search_paths=places, allow_inspection=False)
    # A state from before the companions has fewer packages.
    there = [name for name in (*EXPORTING, GENERATED) if any((place / name).exists() for place in places)]
    packages = {name: loader.load(name) for name in there}
    loader.resolve_aliases()
    return {name: package for name, package in packages.items() if isinstance(package, griffe.Module)}


def exported(packages: dict[str, griffe.Module]) -> set[str]:
    """Return the full paths of the names that the packages export."""
    found: set[str] = set()
    for name in packages.keys() & set(EXPORTING):
        module = packages[name]
        for each in map(str, module.exports or ()):
            member = module.members.get(each)
            found.add(member.target_path if isinstance(member, griffe.Alias) else f"{name}.{each}")
    return found


def is_public(path: str, public: set[str]) -> bool:
    """Return whether *path* is public itself, or a member of something public."""
    return any(path == each or path.startswith(f"{each}.") for each in public)


def explain(breakage: griffe.Breakage) -> str:
    """Explain a breakage: `agent_session_platform.retry.RetryPolicy.__init__(attempts)`: parameter was removed."""
    place = breakage.obj.canonical_path
    values = (breakage.old_value, breakage.new_value)
    if parameter := next((value.name for value in values if isinstance(value, griffe.Parameter)), None):
        place = f"{place}({parameter})"
    text = breakage.kind.value
    return f"`{place}`: {text[:1].lower()}{text[1:]}"
