"""The pages of the objects that users import: signature, docstring, members, and where each is defined."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import griffe

from codegen.distributions import GENERATED, OVERLAY
from docs.reference.docstrings import (
    Named,
    found_at,
    linked,
    markdown_of,
    members_of,
    packages,
    signature_of,
    source_of,
    summary_of,
)
from docs.reference.markdown import anchor, code, document, fence, table

# The modules from which users import, with the modules that define their names. If several modules have a name, it
# belongs to the first of them.
MODULES: Final = {
    OVERLAY: OVERLAY,
    f"{OVERLAY}.contract": f"{OVERLAY}.contract",
    f"{OVERLAY}.legacy": f"{OVERLAY}.legacy",
    f"{OVERLAY}.models": f"{GENERATED}.models",
    # The pages of the operations have the resources.
    f"{OVERLAY}.resources": f"{GENERATED}.outcomes",
    f"{OVERLAY}_jobs": f"{OVERLAY}_jobs",
    f"{OVERLAY}_observe": f"{OVERLAY}_observe",
    f"{OVERLAY}_sandbox": f"{OVERLAY}_sandbox",
    f"{OVERLAY}_sandbox.pytest_plugin": f"{OVERLAY}_sandbox.pytest_plugin",
}


class Theme(NamedTuple):
    """A page: its path, title, introduction, and the modules of its objects, without the name of the package."""

    path: str
    title: str
    about: str
    modules: tuple[str, ...]


# A name goes to the first page that lists its module. If no page lists the module, the name goes to the first page.
THEMES: Final = (
    Theme(
        "reference/client.md",
        "The client",
        "The client, the settings of a call, and the response behind a value. The variables of the environment "
        "are in [Settings](settings.md).",
        ("platform", "options", "operation.ReceivedResponse"),
    ),
    Theme(
        "reference/scopes.md",
        "Scopes, the catalogue and the contract",
        "The two scopes of the API with their resources. For programs: the catalogue of operations, and the contract "
        "from which it is generated. [Operations](operations/index.md) says what each operation takes and needs.",
        ("api", "catalogue", "operation", "legacy", "gaps", "operations", "contract"),
    ),
    Theme(
        "reference/models.md",
        "Models",
        "A model is a read-only view of what the server sent. `model.to_dict()` gives back all of it, also fields that "
        "are not listed here. Reading a required field that is missing raises "
        "[`MissingFieldError`](errors.md#missingfielderror); any other missing field is None. "
        '`Session(session_id="assistant-1")` makes one for a test.',
        ("model", "models"),
    ),
    Theme(
        "reference/lists-and-files.md",
        "Lists and files",
        "Arguments and results of paginated operations, downloads and uploads.",
        (
            *("interface.Page", "interface.Pager", "interface.ListReader", "interface.OpenList"),
            *("interface.Download", "interface.DownloadOptions"),
            *("interface.FileSource", "encoding"),
        ),
    ),
    Theme(
        "reference/retry-and-rate-limits.md",
        "Retries and rate limits",
        "When a call is attempted again, and when it may be sent.",
        ("retry", "rate_limit"),
    ),
    Theme(
        "reference/errors.md",
        "Errors",
        "Every error of the SDK is an `AgentPlatformError`; there is one warning. A response with a status of 400 or "
        "more raises the class "
        "of its status, whatever its body claims. [Exit codes](command-line.md#exit-codes) lists those of `asp`.",
        ("errors",),
    ),
    Theme(
        "reference/wait-and-follow.md",
        "Waiting and following",
        "Arguments and results of waiting for an object and following a list. Both are methods of resources: "
        "[Operations](operations/index.md).",
        ("interface", "conditions", "outcomes"),
    ),
    Theme(
        "reference/jobs.md",
        "Jobs",
        "What people build around the API: turns, batches, exports and changes. In a checkout "
        "`pip install . ./packages/jobs` "
        "installs it.",
        (f"{OVERLAY}_jobs",),
    ),
    Theme(
        "reference/observe.md",
        "Observing a deployment",
        "What a deployment shows beyond the API's description.",
        (f"{OVERLAY}_observe",),
    ),
    # This page must stand before the page of the whole package, which comes next.
    Theme(
        "reference/pytest.md",
        "Fixtures of pytest",
        "The sandbox registers these fixtures with pytest by itself; each test gets a sandbox of its own. The option "
        "`--agent-platform-tcp` lets the client use a real socket; `--agent-platform-now ISO` sets the sandbox's clock "
        "to a time with a timezone. In a checkout `pip install . ./packages/sandbox` installs it.",
        (f"{OVERLAY}_sandbox.pytest_plugin",),
    ),
    Theme(
        "reference/sandbox.md",
        "The sandbox",
        "A double of the platform in memory, for tests and demos without an account. In a checkout "
        "`pip install . ./packages/sandbox` installs it.",
        (f"{OVERLAY}_sandbox",),
    ),
)
# The getter of a required field of a model contains this text.
REQUIRED: Final = "raise missing("


@cache
def public_names() -> dict[str, Named]:
    """Return the objects that users import, by the full names from which they are imported."""
    names: dict[str, Named] = {}
    for imported, defined in MODULES.items():
        for name in _exports(packages()[defined]):
            found = found_at(f"{defined}.{name}")
            if found is not None and all(found is not each for each in names.values()):
                names[f"{imported}.{name}"] = found
    return names


def _exports(module: griffe.Module) -> Iterator[str]:
    """Yield the public names of a module: those in `__all__`, or its fixtures if it has no `__all__`."""
    if module.exports is not None:
        yield from map(str, module.exports)
        return
    for name, member in module.functions.items():
        if any(str(each.value).endswith("fixture") for each in member.decorators):
            yield name


def path_of(found: Named) -> str:
    """Return the path of the page of a public object, which depends on the module that defines it."""
    inside = found.path.removeprefix(f"{OVERLAY}.").removeprefix(f"{GENERATED}.")
    pages = (each.path for each in THEMES if any(f"{inside}.".startswith(f"{module}.") for module in each.modules))
    return next(pages, THEMES[0].path)


@cache
def headings() -> dict[str, str]:
    """Return the heading of each public name. If two on a page had the same anchor, the second heading gets a note."""
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    members = {
        f"{path_of(each)}#{anchor(f'{each.name}.{member.name}')}"
        for each in public_names().values()
        if isinstance(each, griffe.Class)
        for member in members_of(each)
        if isinstance(member, griffe.Function)
    }
    for imported, found in public_names().items():
        name = imported.rpartition(".")[2]
        heading = code(name) if name.startswith("_") else name
        place = f"{path_of(found)}#{anchor(heading)}"
        chosen[imported] = f"{heading} ({found.kind.value})" if place in taken | members else heading
        taken.add(place)
    return chosen


@cache
def places() -> dict[str, str]:
    """Return the page and the anchor of each public object, by its name."""
    return {each.name: f"{path_of(each)}#{anchor(headings()[name])}" for name, each in public_names().items()}


def pages() -> dict[str, str]:
    """Return the page of each theme."""
    return {theme.path: _page(theme) for theme in THEMES}


def _page(theme: Theme) -> str:
    names = {name: found for name, found in public_names().items() if path_of(found) == theme.path}
    rows = ((f"[{headings()[name]}](#{anchor(headings()[name])})", summary_of(each)) for name, each in names.items())
    tree = packages()[f"{OVERLAY}.errors"].docstring if theme.modules == ("errors",) else None
    return document(
        f"# {theme.title}",
        theme.about,
        tree.value.partition("\n\n")[2] if tree is not None else "",
        table(("Name", "What it is"), rows),
        *(_object(imported, found, theme.path) for imported, found in names.items()),
    )


def _object(imported: str, found: Named, page: str) -> str:
    module, _, name = imported.rpartition(".")
    members = [*members_of(found)] if isinstance(found, griffe.Class) else []
    fields = [each for each in members if isinstance(each, griffe.Attribute)]
    bases = ", ".join(linked(str(each), places(), page) for each in getattr(found, "bases", ()))
    constructor = found.members.get("__init__") if isinstance(found, griffe.Class) else None
    return document(
        f"## {headings()[imported]}",
        fence(signature_of(found, name)),
        code(f"from {module} import {name}") if not module.endswith("pytest_plugin") else "",
        f"Bases: {bases}" if bases else "",
        markdown_of(found, places(), page),
        markdown_of(constructor, places(), page) if isinstance(constructor, griffe.Function) else "",
        table(
            ("Attribute", "Type", "Meaning"),
            ((code(each.name), code(str(each.annotation)) + _mark(each), summary_of(each)) for each in fields),
        ),
        source_of(found),
        *(
            document(
                f"### {name}.{each.name}",
                fence(signature_of(each, f"{name}.{each.name}".rpartition(".")[2])),
                markdown_of(each, places(), page),
            )
            for each in members
            if isinstance(each, griffe.Function)
        ),
    )


def _mark(field: griffe.Attribute) -> str:
    return ", required" if REQUIRED in field.source else ""
