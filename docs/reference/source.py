"""Read the packages without importing them: which names are public, and on which line each is written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import griffe

from codegen.distributions import OVERLAY
from docs.check import ROOT
from docs.reference.markdown import code, link
from docs.site.source import PACKAGES, source_page

# The modules whose names users import; `models` has pages of its own.
PUBLIC_MODULES: Final = (
    OVERLAY,
    f"{OVERLAY}.contract",
    f"{OVERLAY}.legacy",
    f"{OVERLAY}_jobs",
    f"{OVERLAY}_observe",
    f"{OVERLAY}_sandbox",
    f"{OVERLAY}_sandbox.pytest_plugin",
)

Named = griffe.Class | griffe.Function | griffe.Attribute


@cache
def packages() -> dict[str, griffe.Module]:
    """Return the packages of all distributions."""
    loader = griffe.GriffeLoader(search_paths=[each.parent for each in PACKAGES], allow_inspection=False)
    found = {each.name: loader.load(each.name) for each in PACKAGES}
    loader.resolve_aliases()
    return {name: package for name, package in found.items() if isinstance(package, griffe.Module)}


def module_named(name: str) -> griffe.Module:
    """Return a module of the packages."""
    module: griffe.Object | griffe.Alias = packages()[name.partition(".")[0]]
    for part in name.split(".")[1:]:
        module = module.members[part]
    assert isinstance(module, griffe.Module)
    return module


def found_at(path: str) -> Named | None:
    """Return what has a full path, if it is in the packages."""
    package, _, rest = path.partition(".")
    found: griffe.Object | griffe.Alias | None = packages().get(package)
    for part in rest.split("."):
        found = found.members.get(part) if found is not None else None
        found = target_of(found) if found is not None else None
    return found if isinstance(found, Named) else None


def target_of(member: griffe.Object | griffe.Alias) -> griffe.Object | None:
    """Return what a name stands for; None for a name of another package."""
    if not isinstance(member, griffe.Alias):
        return member
    try:
        return member.final_target
    except griffe.AliasResolutionError:
        return None


@cache
def public_names() -> dict[str, Named]:
    """Return what users import, by the shortest name to import it by: that of the package, or of a module."""
    found: dict[str, Named] = {}
    for module in map(module_named, PUBLIC_MODULES):
        for name in exports_of(module):
            target = target_of(module.members[name])
            if isinstance(target, Named) and all(target is not each for each in found.values()):
                found[f"{module.path}.{name}"] = target
    return found


def exports_of(module: griffe.Module) -> Iterator[str]:
    """Yield the public names of a module: those of `__all__`, or else what it defines."""
    if module.exports is not None:
        yield from map(str, module.exports)
        return
    for name, member in module.members.items():
        if isinstance(member, griffe.Class | griffe.Function) and not name.startswith("_"):
            yield name


def source_line(found: griffe.Object, page: str) -> str:
    """Return where something is written, as a link of a page to the line on the site."""
    assert not isinstance(found.filepath, list)
    module = found.filepath.relative_to(next(each.parent for each in PACKAGES if each in found.filepath.parents))
    target = f"{source_page(module.as_posix())}#L-{found.lineno}"
    return f"Source: {link(code(f'{found.filepath.relative_to(ROOT).as_posix()}:{found.lineno}'), target, page)}"
