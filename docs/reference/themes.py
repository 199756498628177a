"""Decide which page of the reference has a public name: by the module that defines it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Final, NamedTuple

import griffe

from codegen.distributions import GENERATED, OVERLAY
from docs.reference.docstrings import attributes_of
from docs.reference.markdown import anchor, code, link
from docs.reference.source import Named, found_at, public_names

OPERATIONS: Final = "reference/operations/index.md"
MODELS: Final = "reference/models.md"
ERRORS: Final = "reference/errors.md"
PYTEST: Final = "reference/pytest.md"


class Theme(NamedTuple):
    """A page of the reference.

    Attributes:
        path: The path below the site.
        title: The title.
        about: What it is about; Markdown.
        modules: The modules whose names it has, those of the SDK without its name; the first theme that has one counts.
    """

    path: str
    title: str
    about: str
    modules: tuple[str, ...]


# Models and resources have pages of their own; the others are inner parts that a public class happens to show.
NOT_FOR_USERS: Final = (
    f"{GENERATED}.models.",
    f"{GENERATED}.api.",
    f"{OVERLAY}_observe.contract.",
    *(f"{OVERLAY}_sandbox.{module}." for module in ("contract", "state.state", "time.scheduler")),
)

# A name of another module is on the first page.
THEMES: Final = (
    Theme(
        "reference/client.md",
        "The client",
        "The client, the settings of a call, and what came back besides the value. The settings with their defaults "
        "and the environment are in [Settings](settings.md).",
        ("platform", "options", "request", "received", "call"),
    ),
    Theme(
        "reference/scopes.md",
        "Scopes, the catalogue and the contract",
        "The two scopes of the API with their resources, and for programs the catalogue of the operations as values, "
        "and the contract that they come from: import its reader from `agent_session_platform.contract`. "
        "What each operation takes and needs is in [Operations](operations/index.md).",
        ("api", "catalogue", "operation", "legacy", "gaps", "operations", "permissions", "contract"),
    ),
    Theme(
        "reference/lists-and-files.md",
        "Lists and files",
        "What paginated operations, downloads and uploads give and take.",
        ("pages", "client", "encoding", "unset"),
    ),
    Theme(
        "reference/retry-and-rate-limits.md",
        "Retries and rate limits",
        "When a call is attempted again, and when it may be sent.",
        ("retry", "rate_limit"),
    ),
    Theme(ERRORS, "Errors", "", ("errors",)),
    Theme(
        "reference/wait-and-follow.md",
        "Waiting and following",
        "What waiting for an object and following a list take and give. Both are methods of the resources: [Operations]"
        "(operations/index.md).",
        ("polling", "outcomes"),
    ),
    Theme(
        "reference/jobs.md",
        "Jobs",
        "What people build around the API: batches, exports and changes. Import these from "
        "`agent_session_platform_jobs`, which `pip install . ./packages/jobs` installs in a checkout.",
        (f"{OVERLAY}_jobs",),
    ),
    Theme(
        "reference/observe.md",
        "Observing a deployment",
        "What a deployment shows beyond the API's description. Import these from `agent_session_platform_observe`.",
        (f"{OVERLAY}_observe",),
    ),
    # Before the package that it is in.
    Theme(
        PYTEST,
        "Fixtures of pytest",
        "The sandbox registers these fixtures with pytest by itself; each test gets a sandbox of its own. "
        "`pip install . ./packages/sandbox` installs it in a checkout.",
        (f"{OVERLAY}_sandbox.pytest_plugin",),
    ),
    Theme(
        "reference/sandbox.md",
        "The sandbox",
        "A double of the platform in memory, for tests and demos without an account. Import it from "
        "`agent_session_platform_sandbox`, which `pip install . ./packages/sandbox` installs in a checkout.",
        (f"{OVERLAY}_sandbox",),
    ),
)


class Entry(NamedTuple):
    """Something that a page documents.

    Attributes:
        name: The name.
        imported: The name with that of the module to import it from; None for what is not imported.
        found: What it is.
        note: Stands behind the name in the heading, where another one has the same anchor.
    """

    name: str
    imported: str | None
    found: Named
    note: str = ""

    @property
    def heading(self) -> str:
        """The text of the heading; underscores at the beginning of a word would be markup."""
        return (code(self.name) if self.name.startswith("_") else self.name) + self.note


def theme_of(path: str) -> Theme:
    """Return the page of what has a full path."""
    inside = path.removeprefix(f"{OVERLAY}.").removeprefix(f"{GENERATED}.")
    fitting = (each for each in THEMES if any(f"{inside}.".startswith(f"{module}.") for module in each.modules))
    return next(fitting, THEMES[0])


@cache
def entries() -> dict[str, tuple[Entry, ...]]:
    """Return what each page documents: public names, then the types that these take, have and return."""
    found: dict[str, list[Entry]] = {theme.path: [] for theme in THEMES}
    for imported, target in public_names().items():
        name = imported.rpartition(".")[2]
        found[theme_of(target.path).path].append(Entry(name, imported, target))
    known = {each.path for each in public_names().values()}
    for path, page in found.items():
        for entry in page:  # grows meanwhile: what is found leads to more
            for each in types_of(entry.found):
                if each.path not in known and theme_of(each.path).path == path:
                    known.add(each.path)
                    page.append(Entry(each.name, None, each))
    return {path: tuple(_distinct(page)) for path, page in found.items()}


def _distinct(page: list[Entry]) -> Iterator[Entry]:
    """Yield the entries of a page with distinct anchors.

    `Current` and `current` have the same, and so have `RateLimiterStats` and the method `RateLimiter.stats`.
    """
    anchors = {
        anchor(f"{each.name}.{name}")
        for each in page
        if isinstance(each.found, griffe.Class)
        for name in members_of(each.found)
    }
    for each in page:
        yield each if anchor(each.name) not in anchors else each._replace(note=f" ({each.found.kind.value})")
        anchors.add(anchor(each.name))


def types_of(found: Named) -> Iterator[Named]:
    """Yield the types of the packages in the signatures and the attributes of something public."""
    for part in parts_of(found):
        expressions: list[str | griffe.Expr | None] = []
        if isinstance(part, griffe.Function):
            expressions += [part.returns, *(each.annotation for each in part.parameters)]
        elif part.annotation is not None:
            expressions.append(part.annotation)
        elif isinstance(part.value, griffe.ExprCall):
            expressions.append(part.value.function)
        for expression in expressions:
            for name in expression.iterate() if isinstance(expression, griffe.Expr) else ():
                path = name.canonical_path if isinstance(name, griffe.ExprName) else ""
                target = found_at(path) if path.startswith((OVERLAY, GENERATED)) else None
                if target is not None and _is_documented(target):
                    yield target


def parts_of(found: Named) -> Iterator[griffe.Function | griffe.Attribute]:
    """Yield the described methods and attributes of a class, and its constructor; anything else is its own part."""
    if not isinstance(found, griffe.Class):
        yield found
        return
    described = attributes_of(found)
    for name, member in members_of(found).items():
        if name == "__init__" or name in described or (member.docstring is not None and not name.startswith("_")):
            yield member


def members_of(found: griffe.Class) -> dict[str, griffe.Function | griffe.Attribute]:
    """Return the methods and attributes of a class, with those of its bases that are not public themselves."""
    members: dict[str, griffe.Function | griffe.Attribute] = {}
    public = {each.path for each in public_names().values()}
    for cls in (found, *found.mro()):
        if cls is found or (cls.path not in public and cls.path.startswith((OVERLAY, GENERATED))):
            for name, member in cls.members.items():
                if isinstance(member, griffe.Function | griffe.Attribute):
                    members.setdefault(name, member)
    return members


def _is_documented(found: Named) -> bool:
    if found.name.startswith("_") or found.path.startswith(NOT_FOR_USERS):
        return False
    if isinstance(found, griffe.Class):
        return found.docstring is not None
    # The value of a type alias tells what it is.
    return "TypeAlias" in str(getattr(found, "annotation", ""))


@cache
def places() -> dict[str, str]:
    """Return the page and anchor of what is documented, by its full path."""
    return {each.found.path: f"{path}#{anchor(each.heading)}" for path, page in entries().items() for each in page}


def linked(name: str, page: str) -> str:
    """Return the name of a class as a link to its place; as code where it has none."""
    short = name.rpartition(".")[2]
    by_name = {path.rpartition(".")[2]: place for path, place in places().items()}
    return link(code(name), by_name[short], page) if short in by_name else code(name)


def linker(page: str) -> partial[str]:
    """Return a function that links names from a page."""
    return partial(linked, page=page)
