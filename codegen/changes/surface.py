"""What breaks between two states of the Python packages for those who import them, as griffe sees it.

Public is what the packages export for users: the names in `__all__` of agent_session_platform and its sandbox with all that
hangs on them, the modules of errors and of the legacy paths, and the generated models and methods. Griffe compares
names and parameters, no annotations: those follow from the contract, which is compared in `differences`.
"""

from __future__ import annotations

from pathlib import Path

import griffe

OVERLAY, GENERATED = "agent_session_platform", "agent_session_platform_api"
EXPORTING = (OVERLAY, f"{OVERLAY}.sandbox")
WHOLE = (f"{OVERLAY}.errors", f"{OVERLAY}.legacy", f"{GENERATED}.api", f"{GENERATED}.models")

# The value of a constant is no promise: that of the version changes with each.
IGNORED = {griffe.BreakageKind.ATTRIBUTE_CHANGED_VALUE}


def surface_differences(old: Path, new: Path) -> list[str]:
    """What breaks between two checkouts, a line each."""
    before, after = load(old), load(new)
    public = {*WHOLE} | exported(before)
    breakages = (
        breakage for package in before for breakage in griffe.find_breaking_changes(before[package], after[package])
    )
    return sorted(
        {
            explained(breakage)
            for breakage in breakages
            if breakage.kind not in IGNORED and is_public(breakage.obj.canonical_path, public)
        }
    )


def load(root: Path) -> dict[str, griffe.Module]:
    """The packages of a checkout, read and not imported."""
    loader = griffe.GriffeLoader(search_paths=[root / "generated", root / "overlay"], allow_inspection=False)
    packages = {package: loader.load(package) for package in (OVERLAY, GENERATED)}
    loader.resolve_aliases()
    return {name: package for name, package in packages.items() if isinstance(package, griffe.Module)}


def exported(packages: dict[str, griffe.Module]) -> set[str]:
    """Where the things stand that the overlay and its sandbox export."""
    found: set[str] = set()
    for name in EXPORTING:
        module = packages[OVERLAY]
        for part in name.split(".")[1:]:
            module = module[part]
        for each in map(str, module.exports or ()):
            member = module.members.get(each)
            found.add(member.target_path if isinstance(member, griffe.Alias) else f"{name}.{each}")
    return found


def is_public(path: str, public: set[str]) -> bool:
    """Whether *path* is one of the public ones, or hangs on one."""
    return any(path == each or path.startswith(f"{each}.") for each in public)


def explained(breakage: griffe.Breakage) -> str:
    """What broke, where and how: `agent_session_platform.retry.RetryPolicy.__init__(attempts)`: parameter was removed."""
    place = breakage.obj.canonical_path
    values = (breakage.old_value, breakage.new_value)
    if parameter := next((value.name for value in values if isinstance(value, griffe.Parameter)), None):
        place = f"{place}({parameter})"
    text = breakage.kind.value
    return f"`{place}`: {text[:1].lower()}{text[1:]}"
