"""Compare two states of the contract and of the packages: `python -m codegen.changes`.

A change is breaking (`Change(..., breaking=True)`) if it makes working code fail, at run time or in a type checker: a
name is gone, an argument is required or accepts less, a response may have another type, another permission or
credential is needed. A fact that was a gap and is now known is not breaking by itself. `contract_changes` decides this
for the contract, griffe for the Python packages. `release.prepare` decides which version a breaking change requires.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import attrs
import griffe

from codegen import ROOT
from codegen.contract import (
    BYTES,
    COMPONENT,
    FORMATS,
    LINES,
    NOTHING,
    TEXT,
    Content,
    Contract,
    ContractError,
    Node,
    is_component,
    mappings_below,
    value_schema,
)
from codegen.contract.operations import DEFAULT_STYLES, OperationFacts
from codegen.distributions import GENERATED, OVERLAY, PACKAGES
from codegen.overlay_document import ABSENT, Difference, apply_overlays, differences, read_overlays
from codegen.render.docstrings import observation

Section = Literal["Added", "Changed", "Deprecated", "Removed", "Gaps", "Python"]

# In the order of an entry. The last two, open gaps and what griffe finds, are only reported.
SECTIONS: tuple[Section, ...] = ("Added", "Changed", "Deprecated", "Removed", "Gaps", "Python")
REPORTED = ("Gaps", "Python")
UNRELEASED = "## Unreleased"
# From the heading to the next one of the same level, or to the end.
PART = re.compile(rf"^{UNRELEASED}\n(?P<body>.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^### (?P<name>[^\n]+)\n(?P<body>.*?)(?=^### |\Z)", re.DOTALL | re.MULTILINE)


class ChangelogError(Exception):
    """The changelog lacks a heading or an entry; the message names it."""


@attrs.frozen
class Change:
    """A change for callers.

    Attributes:
        section: The section of the changelog.
        text: One sentence.
        breaking: The change makes working code fail.
    """

    section: Section
    text: str
    breaking: bool = False

    def __str__(self) -> str:
        return f"- **Breaking:** {self.text}" if self.breaking else f"- {self.text}"


def in_order(changes: Iterable[Change]) -> list[Change]:
    """Sort changes by section, the breaking ones of each first."""
    return sorted(set(changes), key=lambda each: (SECTIONS.index(each.section), not each.breaking, each.text))


def entry(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the lines of a changelog entry."""
    for section, members in groupby(in_order(changes), lambda each: each.section):
        yield from ("", f"### {section}", *map(str, members))


def unreleased(text: str) -> str:
    """Return the text below Unreleased; raise ChangelogError if there is no such heading."""
    part = PART.search(text)
    if part is None:
        raise ChangelogError(f"CHANGELOG.md has no line `{UNRELEASED}`")
    return part["body"].strip()


def dated(text: str, version: str, date: str) -> str:
    """Return the changelog with the unreleased part under *version*.

    Raises:
        ChangelogError: Nothing is unreleased.
    """
    if not re.search(r"^- ", unreleased(text), re.MULTILINE):
        raise ChangelogError(f"CHANGELOG.md has no entry below `{UNRELEASED}`; add what a user can or must do now")
    return text.replace(f"{UNRELEASED}\n", f"{UNRELEASED}\n\n## {version} - {date}\n", 1)


def added(text: str, changes: Iterable[Change]) -> str:
    """Return the changelog with *changes* below Unreleased, each once and in its section."""
    body = unreleased(text)
    sections = {match["name"].strip(): match["body"].strip() for match in SECTION.finditer(body)}
    intro = body[: body.index("### ")].strip() if sections else body
    for change in in_order(changes):
        lines = sections.get(change.section, "")
        if change.section not in REPORTED and str(change) not in lines.splitlines():
            sections[change.section] = f"{lines}\n{change}".strip()
    order = dict.fromkeys([*SECTIONS, *sections])
    parts = [UNRELEASED, intro, *(f"### {name}\n{sections[name]}" for name in order if name in sections)]
    before, after = PART.split(text)[::2]
    return before + "\n\n".join(filter(None, parts)) + (f"\n\n{after}" if after else "\n")


# Facts of an operation; those in BREAKING make working code fail if they change from one known value to another.
FACTS = ("permission", "level", "paginated", "streamed", "beta", "media_type", "accept", "job")
BREAKING = {"permission", "level", "paginated", "streamed", "job"}
# The keywords that bound a value; for each number, the direction in which it accepts less.
LIMITS = {
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), -1),
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), 1),
    **dict.fromkeys(("multipleOf", "pattern", "format", "uniqueItems", "default"), 0),
}
# The keywords that have the schema of the members; `additionalProperties` may be a flag, and `{}` states nothing.
INNER = ("items", "additionalProperties")
ANYTHING, NONE = "any type", "None"
# Of the types of JSON and of Python.
NAMES = {"null": NONE, "NoneType": NONE, "str": "string", "int": "integer", "float": "number", "bool": "boolean"}


def contract_changes(old: Contract, new: Contract) -> list[Change]:
    """Return the changes from one contract to another: operations, models, credentials, rules and gaps."""
    before, after = callers_view(old), callers_view(new)
    models = {**before["models"], **after["models"]}
    passed, read = (names_of_models(new, is_argument) for is_argument in (True, False))
    bases = {name: set(model["type"]) for name, model in models.items() if "fields" not in model}
    found: list[Change] = []
    for each in differences(before, after):
        match each.place:
            case ("models", str(name), *inner):
                use = Use(name in passed, name in read, bases)
                found += value_changes(f"`{name}`", inner, each, use)
            case ("operations", str(name), "returns", *inner):
                found += value_changes(f"`{name}`: the response", inner, each, Use(False, True, bases))
            case ("operations", str(name), "arguments", str(argument), *inner):
                # A request that was not shown took any member.
                was_open = before["operations"].get(name, {}).get("open", False)
                use = Use(not was_open, False, bases)
                found += value_changes(f"`{name}`: the argument `{argument}`", inner, each, use)
            case ("operations", str(name), *fact):
                found += operation_changes(name, fact, each)
            case _:
                found += registry_changes(each)
    return found


@attrs.frozen
class Use:
    """The use of a value by callers.

    Attributes:
        passed: Callers pass it: it breaks them if less is accepted.
        read: Callers read it: it breaks them if a type is new.
        bases: The types of the values of each named closed set.
    """

    passed: bool
    read: bool
    bases: dict[str, set[str]]

    def is_broken_by(self, was: Iterable[str], now: Iterable[str]) -> bool:
        """Return whether other types break callers; a type that was not shown and now is does not."""
        if ANYTHING in was:
            return False
        # A closed set may get another value in a response.
        was_open, now_open = ({base for name in types for base in self.bases.get(name, {name})} for types in (was, now))
        return (self.passed and not self._accepts({*now}, was)) or (self.read and not self._accepts(was_open, now_open))

    def _accepts(self, wide: set[str], narrow: Iterable[str]) -> bool:
        wider = wide | ({"integer"} if "number" in wide else set())
        return ANYTHING in wide or all(name in wider or self.bases.get(name, {name}) <= wider for name in narrow)


def value_changes(subject: str, place: list[str | int], found: Difference, use: Use) -> Iterator[Change]:
    """Yield the changes of one value.

    Args:
        subject: The value in words, as a sentence begins with it.
        place: The place of the difference within the value.
        found: The difference.
        use: The use of the value by callers.
    """
    was, now = found.before, found.after
    match place:
        case ["fields", str(name), *inner]:
            yield from value_changes(f"{subject.removesuffix('`')}.{name}`", inner, found, use)
        case ["items" | "additionalProperties", _, *_]:
            yield from value_changes(f"{subject.removesuffix('`')}[*]`", place[1:], found, use)
        case []:
            is_required = use.passed and now is not ABSENT and "required" in now
            shown = f" ({types_in_words(now)}{', required' if is_required else ''})" if now is not ABSENT else ""
            yield Change(added_or_removed(found), f"{subject}{shown}.", breaking=is_required or now is ABSENT)
        case ["items" | "additionalProperties"]:
            text = "any type" if now is ABSENT else types_in_words(now)
            breaking = use.read if now is ABSENT else use.passed
            yield Change("Changed", f"{subject.removesuffix('`')}[*]` is {text}.", breaking)
        case ["type"]:
            now_text, was_text = (" or ".join(types) for types in (now, was))
            yield Change("Changed", f"{subject} is {now_text}, was {was_text}.", use.is_broken_by(was, now))
        case ["required"] if use.passed:
            text = "optional" if now is ABSENT else "required"
            yield Change("Changed", f"{subject} is {text}.", breaking=now is not ABSENT)
        case ["deprecated"] if now is not ABSENT:
            yield Change("Deprecated", f"{subject}.")
        case ["values"]:
            text = "any value is accepted" if now is ABSENT else f"accepts only {', '.join(now)}"
            yield Change("Changed", f"{subject}: {text}.", breaking=use.passed and now is not ABSENT)
        case ["values" | "known" as kind, int()]:
            value = now if was is ABSENT else was
            is_refused = use.passed and kind == "values" and now is ABSENT
            yield Change(added_or_removed(found), f"{subject}: the value `{value}`.", breaking=is_refused)
        case [str(keyword)] if keyword in LIMITS or keyword == "sent":
            was_text, now_text = (f"`{each}`" if each is not ABSENT else "not set" for each in (was, now))
            breaking = use.passed and keyword in LIMITS and accepts_less(keyword, was, now)
            yield Change("Changed", f"{subject}: {keyword} {now_text}, was {was_text}.", breaking)


def added_or_removed(found: Difference) -> Section:
    """Return the section of something that is new, gone, or another."""
    return "Added" if found.before is ABSENT else "Removed" if found.after is ABSENT else "Changed"


def accepts_less(keyword: str, was: Any, now: Any) -> bool:
    """Return whether a limit may refuse values that were accepted, or a known default changed."""
    if keyword == "default":
        return was is not ABSENT and now is not ABSENT
    if was is ABSENT or now is ABSENT:
        return now is not ABSENT
    return not LIMITS[keyword] or (now - was) * LIMITS[keyword] > 0


def operation_changes(name: str, fact: list[str | int], found: Difference) -> Iterator[Change]:
    """Yield the change of an operation: it is new, it is gone, or a fact of it changed."""
    was, now = found.before, found.after
    match fact:
        case []:
            yield Change("Removed", f"`{name}`.", True) if now is ABSENT else Change("Added", new_operation(name, now))
        case ["credentials", int()]:
            text = f"no longer accepts a {was}" if now is ABSENT else f"accepts a {now}"
            yield Change("Changed", f"`{name}`: {text} credential.", breaking=now is ABSENT)
        case ["deprecated"]:
            text = f"deprecated, in favor of `{now}`" if now and now is not True else "deprecated"
            text = text if now else "no longer deprecated"
            yield Change("Deprecated" if now else "Changed", f"`{name}`: {text}.")
        case [str(known)]:
            label = known.replace("_", " ")
            if isinstance(now, bool):
                text = f"now {label}" if now else f"no longer {label}"
            else:
                now_text, was_text = (f"`{each}`" if each else "not shown" for each in (now, was))
                text = f"{label} {now_text}, was {was_text}"
            is_known = isinstance(now, bool) or bool(was and (now or known == "job"))
            yield Change("Changed", f"`{name}`: {text}.", breaking=known in BREAKING and is_known)


def new_operation(name: str, facts: Node) -> str:
    """Describe a new operation in one line."""
    access = f"permission `{facts['permission']}`" if facts["permission"] else "its permission is not shown"
    if facts["permission"] and facts["level"]:
        access += f" ({facts['level']} level)"
    remarks = [word for word in ("paginated", "beta", "deprecated", "inferred") if facts[word]]
    request = f"`{facts['request']}`"
    return f"`{name}`: {', '.join([request, access, *remarks])}."


def registry_changes(found: Difference) -> Iterator[Change]:
    """Yield the change of a credential, a rule or a gap."""
    was, now = found.before, found.after
    match found.place:
        case ("credentials", name):
            now_text, was_text = (f"`{each}`" if each not in (ABSENT, None) else "not shown" for each in (now, was))
            text = f"A {name} credential begins with {now_text}, was {was_text}."
            yield Change("Changed", text, breaking=was is not ABSENT and now not in (ABSENT, None))
        case ("rules", name):
            yield Change(added_or_removed(found), f"Rule `{name}`: {was if now is ABSENT else now}")
        case ("gaps", name) if now is ABSENT:
            yield Change("Changed", f"Closed the gap `{name}`: {was['what']}.")
        case ("gaps", name):
            yield Change("Gaps", f"Opened `{name}`: {now['what']}.")
        case ("gaps", name, "closed"):
            text = f"Opened again `{name}`, closed {was}" if now is ABSENT else f"Closed by observation `{name}`: {now}"
            yield Change("Gaps", f"{text}.")
        case ("gaps", name, _):
            yield Change("Gaps", f"Reworded `{name}`: {now}.")


def callers_view(contract: Contract) -> Node:
    """Return what callers depend on, by the names that they use."""
    models = names_of_models(contract, True) | names_of_models(contract, False)
    schemes = contract.document["components"].get("securitySchemes", {})
    return {
        "operations": {str(facts.name): operation_view(contract, facts) for facts in contract.operations.values()},
        "models": {name: value(contract, contract.flatten(contract.schemas[name]), (name,)) for name in sorted(models)},
        "credentials": {name: scheme.get("x-credential-prefix") for name, scheme in schemes.items()},
        "rules": {name: one_line(rule["text"]) for name, rule in contract.rules.items()},
        "gaps": {gap["id"]: gap_view(gap) for gap in contract.gaps()},
    }


def gap_view(gap: Node) -> Node:
    """Return the text of a gap, and how observation has closed it."""
    closed = {"closed": observation(gap["closed"])} if gap["closed"] else {}
    return {"what": f"{one_line(gap['what']).rstrip('.')} ({gap['place']})", **closed}


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def names_of_models(contract: Contract, is_argument: bool) -> set[str]:
    """Return the names of the schemas that callers pass, or of those that they read."""
    found: set[str] = set()
    waiting: list[Any] = []
    for facts in contract.operations.values():
        sent = [facts.parameter_nodes, facts.members.properties or (facts.request and facts.request.schema)]
        waiting += sent if is_argument else [content.schema for content in facts.responses]
    while waiting:
        references = (str(node.get("$ref", "")) for node in mappings_below(waiting.pop()))
        names = {each.removeprefix(COMPONENT) for each in references if is_component(each)} - found
        waiting += [contract.schemas[name] for name in names]
        found |= names
    return {name for name in found if is_named(contract.flatten(contract.schemas[name]))}


def is_named(schema: Node) -> bool:
    """Return whether a component has a class or a type of its own in Python: an object or a closed set."""
    return "properties" in schema or "enum" in schema


def operation_view(contract: Contract, facts: OperationFacts) -> Node:
    """Return what callers depend on in an operation."""
    entry = facts.arguments
    returned = [value(contract, schema_of(each)) for each in facts.responses]
    arguments = {parameter["name"]: parameter_view(contract, parameter) for parameter in facts.parameter_nodes}
    for name, schema in facts.members.properties.items():
        arguments[name] = value(contract, schema, required=name in facts.members.required)
    body = None
    if (sent := facts.request) is not None and not facts.members.properties:
        body = value(contract, schema_of(sent), required=sent.required)
    is_open = body is not None and ANYTHING in body["type"]
    return {
        **{fact: entry[fact] for fact in FACTS},
        "request": f"{entry['method']} {entry['path']}",
        "credentials": list(entry["credentials"]),
        "deprecated": entry["deprecated"] and (entry["successor"] or True),
        "inferred": bool(entry["inferred"]),
        "open": is_open,
        "arguments": arguments if body is None or is_open else {**arguments, "body": body},
        "returns": united(returned) if returned else {"type": (ANYTHING,)},
    }


def parameter_view(contract: Contract, parameter: Node) -> Node:
    """Return the value of a parameter, and how it is sent."""
    location = parameter["in"]
    sent = next(iter(parameter.get("content", ())), parameter.get("style", DEFAULT_STYLES[location]))
    explode = " exploded" if parameter.get("explode", sent in ("form", "deepObject")) else ""
    found = value(contract, value_schema(parameter), required=parameter.get("required", False))
    deprecated = {"deprecated": True} if parameter.get("deprecated") else {}
    return {**found, **deprecated, "sent": f"{location}, {sent}{explode}"}


def schema_of(content: Content) -> Node:
    """Return the schema of a body as the SDK sends or reads it."""
    if content.kind == LINES:
        return {"type": "JSON Lines", "items": content.schema}
    return {NOTHING: {"type": NONE}, TEXT: {"type": "string"}, BYTES: {"type": "file"}}.get(
        content.kind, content.schema
    )


def value(contract: Contract, schema: Node, above: tuple[str, ...] = (), *, required: bool = False) -> Node:
    """Describe a value; an object or a closed set that has a name only by its name.

    Args:
        contract: The contract.
        schema: Its schema.
        above: The named schemas that it is a part of: a schema may contain itself.
        required: It must be given, or is always there.
    """
    name = schema.get("$ref", "").removeprefix(COMPONENT)
    flat = contract.flatten(schema)
    presence = {key: True for key in ("required", "deprecated") if (required if key == "required" else flat.get(key))}
    if name and (name in above or is_named(flat)):
        return {"type": (name,), **presence}
    above = (*above, name)
    types = [flat["type"]] if isinstance(flat.get("type"), str) else flat.get("type", [])
    types = [FORMATS.get(flat.get("format", ""), each) if each == "string" else NAMES.get(each, each) for each in types]
    values = flat.get("enum", [flat["const"]] if "const" in flat else [])
    found: Node = {
        **presence,
        **{key: flat[key] for key in LIMITS if key in flat and not (key == "format" and flat[key] in FORMATS)},
        **({"values": [str(each) for each in values if each is not None]} if values else {}),
        **({"known": flat["x-known-values"]} if "x-known-values" in flat else {}),
        **{key: value(contract, flat[key], above) for key in INNER if flat.get(key) not in (None, True, False, {})},
        **({"fields": fields(contract, flat, above)} if "properties" in flat else {}),
    }
    for part in (part for key in ("oneOf", "anyOf") for part in flat.get(key, ())):
        alternative = value(contract, part, above)
        types += alternative["type"]
        found = {**alternative, **found}
    types = types or [NAMES[type(each).__name__] for each in values] or ["object" if "fields" in found else ANYTHING]
    return {**found, "type": tuple(sorted(set(types)))}


def fields(contract: Contract, schema: Node, above: tuple[str, ...]) -> Node:
    """Describe the members of an object; one that may be missing is then None."""
    found = {}
    for name, each in schema["properties"].items():
        # The id of a resource is in every response.
        required = name in schema.get("required", ()) or bool(contract.flatten(each).get("x-resource-id"))
        found[name] = value(contract, each, above, required=required)
        if not required and ANYTHING not in found[name]["type"]:
            found[name]["type"] = tuple(sorted({*found[name]["type"], NONE}))
    return found


def united(values: list[Node]) -> Node:
    """Return the value of an operation that has several responses."""
    types = {name for each in values for name in each["type"]}
    return {key: part for each in values for key, part in each.items()} | {"type": tuple(sorted(types))}


def types_in_words(described: Node) -> str:
    """Return the types of a value, without the remark that a field may be missing."""
    return " or ".join(name for name in described["type"] if name != NONE or described["type"] == (NONE,))


NOTHING_BREAKS, SOMETHING_BREAKS, FAILED = 0, 1, 2
# The contract and the packages.
COMPARED = ("openapi.yaml", "generated", "overlay", "packages")
# Public modules that no package imports under their own name.
PUBLIC_MODULES = (f"{OVERLAY}.errors", f"{GENERATED}.api", f"{GENERATED}.contract")


class RevisionError(Exception):
    """A git command failed, with the message of git, or the revision cannot be compared."""


COMPARISON_ERRORS = (ContractError, RevisionError, ChangelogError, OSError)


def all_changes(root: Path, base: str | None, overlays: Sequence[Path] = ()) -> list[Change]:
    """Return what changed in a checkout since a revision, or since before Overlays are applied.

    What the Overlays' actions do not do any more is printed to stderr, one line each.

    Args:
        root: The checkout.
        base: The revision; None is the checkout itself.
        overlays: The Overlay documents to apply to the contract of the checkout, in order.

    Raises:
        RevisionError: Git does not know the revision, or its contract is wrong.
        ContractError: The contract of the checkout or an Overlay is wrong.
    """
    after = Contract(root / "openapi.yaml")
    if documents := read_overlays(overlays):
        applied = apply_overlays(after.source, documents)
        print(*applied.notices, sep="\n", end="\n" if applied.notices else "", file=sys.stderr)
        after = Contract(after.path, applied.source)
    with TemporaryDirectory() as scratch:
        old = root
        if base is not None:
            old = Path(scratch)
            # A revision that begins with a dash must not be read as an option.
            commit = git(root, "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}").splitlines()[-1]
            # A revision from before the companions has no packages.
            there = {*git(root, "ls-tree", "--name-only", commit).split()}
            export(root, commit, old, *(each for each in COMPARED if each in there))
        try:
            changes = contract_changes(Contract(old / "openapi.yaml"), after)
        except ContractError as error:
            raise RevisionError(f"openapi.yaml of {base} cannot be compared; name another BASE:\n{error}") from error
        return changes if base is None else changes + python_changes(old, root)


def python_changes(old: Path, new: Path) -> list[Change]:
    """Return the breaking changes of the Python packages between two checkouts.

    Griffe compares names and parameters, but not annotations: those follow from the contract.
    """
    before, after = load(old), load(new)
    public = {*PUBLIC_MODULES}
    for package in before.values():
        for name, target in package.imports.items():
            # Public are the names in `__all__`, and the modules that are imported as what they are.
            if name in (package.exports or ()) or target == f"{package.path}.{name}":
                public.add(package.members[name].canonical_path)
    return [
        Change("Python", explain(breakage), breaking=True)
        for name in before.keys() & after.keys()
        for breakage in griffe.find_breaking_changes(before[name], after[name])
        if any(f"{breakage.obj.canonical_path}.".startswith(f"{each}.") for each in public)
    ]


def load(root: Path) -> dict[str, griffe.Module]:
    """Read the packages of a checkout without importing them; an older one has fewer."""
    places = [root / "generated", root / "overlay", *root.glob("packages/*/src")]
    loader = griffe.GriffeLoader(search_paths=places, allow_inspection=False)
    names = [name for distribution in PACKAGES.values() for name in distribution]
    found = {name: loader.load(name) for name in names if any((place / name).exists() for place in places)}
    loader.resolve_aliases()
    return {name: package for name, package in found.items() if isinstance(package, griffe.Module)}


def explain(breakage: griffe.Breakage) -> str:
    """Explain a breakage: `agent_session_platform.retry.RetryPolicy.__init__(attempts)`: parameter was removed."""
    values = (breakage.old_value, breakage.new_value)
    parameter = next((f"({each.name})" for each in values if isinstance(each, griffe.Parameter)), "")
    text = breakage.kind.value
    return f"`{breakage.obj.canonical_path}{parameter}`: {text[:1].lower()}{text[1:]}"


def git(root: Path, *arguments: str) -> str:
    """Return what a git command prints; raise RevisionError with its message if it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        raise RevisionError(f"git {arguments[0]}: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def last_release(root: Path) -> str | None:
    """Return the newest version tag among the ancestors of the checkout, or None."""
    try:
        return git(root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    except RevisionError:
        return None


def export(root: Path, commit: str, target: Path, *paths: str) -> None:
    """Write the files of a commit below *target*: all, or those below *paths*."""
    command = ["git", "archive", "--format=tar", commit, "--", *paths]
    archive = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(target, filter="data")


def main() -> int:
    """Run the command line, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", help="a git revision (default: the last release)")
    parser.add_argument("--overlay", type=Path, nargs="+", default=[], help="Overlay documents to apply, in order")
    parser.add_argument("--write", action="store_true", help="add the entry to CHANGELOG.md, and print nothing")
    arguments = parser.parse_args()
    if arguments.write and arguments.overlay:
        parser.error("--write takes no Overlay: what one adds belongs to a private build")
    try:
        base = arguments.base or (None if arguments.overlay else last_release(ROOT))
        if base is None and not arguments.overlay:
            raise RevisionError("there is no release yet; name a revision: make changes BASE=<revision>")
        found = all_changes(ROOT, base, arguments.overlay)
        if arguments.write:
            path = ROOT / "CHANGELOG.md"
            path.write_text(added(path.read_text(encoding="utf-8"), found), encoding="utf-8", newline="\n")
            return NOTHING_BREAKS
    except COMPARISON_ERRORS as error:
        print(error if isinstance(error, ContractError) else f"changes: {error}", file=sys.stderr)
        return FAILED
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text stream
    print(f"# Changes since {base or 'this checkout without its Overlays'}", *entry(found), sep="\n")
    breaking = sum(change.breaking for change in found)
    print(f"\n{breaking or 'Nothing'} of this breaks callers." if found else "\nNothing changed.")
    return SOMETHING_BREAKS if breaking else NOTHING_BREAKS


if __name__ == "__main__":
    sys.exit(main())
