"""Compare two states of the contract and of the packages: `python -m codegen.changes`.

A change is breaking (`Change(..., breaking=True)`) if it makes working code fail, at run time or in a type checker: a
name is gone, an argument is required or accepts less, a response may have another type, or another permission or
credential is needed. It is not breaking by itself that a gap becomes a known fact. `contract_changes` decides this
for the contract, griffe for the Python packages. `release.prepare` decides which version a breaking change requires.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import attrs
import griffe

from codegen import ROOT, RefusedError
from codegen.contract.content import BYTES, JSON, NOTHING, TEXT, Content
from codegen.contract.contract import Contract
from codegen.contract.operations import FORMATS, OperationFacts, format_of, types_of
from codegen.contract.source import COMPONENT, ContractError, Node
from codegen.deployment import Deployment, read_contract
from codegen.distributions import GENERATED, OVERLAY, PACKAGES
from codegen.render.docstrings import evidence
from codegen.render.normalise import NARROWING
from codegen.render.runtime.contract import Documented, Gap, Observed, schema_of

Section = Literal["Added", "Changed", "Deprecated", "Removed", "Gaps", "Python"]

# The sections in the order of a report. The last two, for gaps and for what griffe finds, are not for the changelog.
SECTIONS: tuple[Section, ...] = ("Added", "Changed", "Deprecated", "Removed", "Gaps", "Python")
UNRELEASED = "## Unreleased"
# Matches the text from the heading of unreleased changes to the first entry below it, if there is an entry.
ENTRY = re.compile(rf"^{UNRELEASED}\n(?:(?!## ).*\n)*?- ", re.MULTILINE)


@attrs.frozen
class Change:
    """A change for callers.

    Attributes:
        section: The section of the changelog.
        text: One sentence.
        breaking: Whether the change makes working code fail.
    """

    section: Section
    text: str
    breaking: bool = False

    def __str__(self) -> str:
        return f"- **Breaking:** {self.text}" if self.breaking else f"- {self.text}"


def entry(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the lines of a report, by section; breaking changes come first in a section."""
    in_order = sorted(set(changes), key=lambda each: (SECTIONS.index(each.section), not each.breaking, each.text))
    for section, members in groupby(in_order, lambda each: each.section):
        yield from ("", f"### {section}", *map(str, members))


def dated(text: str, version: str, date: str) -> str:
    """Return the changelog with the unreleased part under *version*.

    Raises:
        RefusedError: Nothing is unreleased.
    """
    if not ENTRY.search(text):
        raise RefusedError(f"CHANGELOG.md has no entry below `{UNRELEASED}`; add what a user can or must do now")
    return text.replace(f"{UNRELEASED}\n", f"{UNRELEASED}\n\n## {version} - {date}\n", 1)


# The facts of an operation. If a fact in BREAKING changes from one known value to another, working code fails.
FACTS = ("permission", "level", "credentials", "paginated", "streamed", "beta", "media_type", "accept", "job")
BREAKING = {"permission", "level", "paginated", "streamed", "job", "prefix", "items of a page"}
# The facts that break callers who pass a value, or who read it, when they become true or false.
PASSED = {("required", True), ("closed to further members", True), ("completing ids", False)}
PASSED |= {("several segments", False), ("read only", True)}
# By the id of its resource, batches, exports and changes know an object.
READ = {("required", False), ("write only", True), ("the id of its resource", False)}
# The keywords that bound a value.
LIMITS = NARROWING | {"format", "default"}
# What is said about the members of a request body is said about the operation, because the members are its arguments.
BODY = "body "
ANYTHING = "any type"
# The keyword of each fact of a value that is true or false.
FLAGS = {"the id of its resource": "x-resource-id", "read only": "readOnly", "write only": "writeOnly"}
# The type that stands for a body that is not JSON.
TYPES = {NOTHING: "null", TEXT: "string", BYTES: "file"}


def contract_changes(old: Contract, new: Contract) -> list[Change]:
    """Return the changes from one contract to another: operations, models, credentials, rules and gaps."""
    before, after = View(old), View(new)
    found = [*rule_changes(old, new), *gap_changes(old, new)]
    for name in {**before.subjects, **after.subjects}:
        was, now = before.subjects.get(name), after.subjects.get(name)
        owner = (now or before.subjects[name]).owner
        if owner and not (owner in before.subjects and owner in after.subjects):
            # The owner itself is new or gone, and is reported. So its parts are not reported.
            continue
        if was is None:
            found.append(addition(name, after.subjects[name], was_open=owner in before.open))
        elif now is None:
            # The type of further members is not stated any more, so any type is accepted.
            is_accepted = name.endswith("[*]`") and not was.read
            found.append(Change("Removed", f"{name}.", breaking=not is_accepted))
        else:
            facts = {fact: (was.facts.get(fact), now.facts.get(fact)) for fact in {**was.facts, **now.facts}}
            found += [fact_change(name, fact, *values, now) for fact, values in facts.items() if values[0] != values[1]]
    return found


def addition(name: str, added: Subject, *, was_open: bool) -> Change:
    """Return the change for a new subject, with its type, or with its request and permission.

    Args:
        name: The name of the subject.
        added: The subject.
        was_open: Whether the subject is an argument of a request whose members were not shown before. Such a request
            accepted any member.
    """
    facts, is_required, words = added.facts, added.passed and added.facts.get("required", False), ""
    if "type" in facts:
        types = [each for each in facts["type"] if each != "null"] or ["null"]
        words = f" ({' or '.join(types)}{', required' if is_required else ''})"
    elif "request" in facts:
        access = f"permission `{facts['permission']}`" if facts["permission"] else "its permission is not shown"
        level = f" ({facts['level']} level)" if facts["permission"] and facts["level"] else ""
        remarks = [word for word in ("paginated", "beta", "deprecated") if facts[word]]
        words = f": {', '.join([as_text(facts['request']), access + level, *remarks])}"
    return Change("Added", f"{name}{words}.", breaking=is_required and not was_open)


def fact_change(name: str, fact: str, was: Any, now: Any, subject: Subject) -> Change:
    """Return the change of one fact about an operation or a value."""
    if fact == "deprecated" and now:
        return Change("Deprecated", f"{name}: deprecated{'' if now is True else f', in favor of `{now}`'}.")
    words = fact.replace("_", " ")
    keyword = fact.removeprefix(BODY)
    if isinstance(now, bool) and keyword not in LIMITS:
        text = f"{name}: {'now' if now else 'no longer'} {words}."
        return Change("Changed", text, fact in BREAKING or (keyword, now) in breaking_flags(subject))
    if fact == "id prefix":
        # Ids that were accepted without the prefix still are where the SDK adds it.
        breaking = now is not None and not (was is None and subject.facts["completing ids"])
    elif fact == "type":
        breaking = ANYTHING not in was and (
            (subject.passed and not accepts(now, was)) or (subject.read and not accepts(was, now))
        )
    elif fact == "values":
        breaking = subject.passed and now is not None and (was is None or not {*was} <= {*now})
    elif fact == "credentials":
        breaking = not {*was} <= {*now}
    elif keyword in LIMITS:
        breaking = subject.passed and accepts_less(keyword, was, now)
    else:
        breaking = fact in BREAKING and bool(was and (now or fact == "job"))
    return Change("Changed", f"{name}: {words} {as_text(now)}, was {as_text(was)}.", breaking)


def breaking_flags(subject: Subject) -> set[tuple[str, bool]]:
    """Return the facts and values that break callers of a subject, as they use it."""
    return (PASSED if subject.passed else set()) | (READ if subject.read else set())


def accepts(wide: Iterable[str], narrow: Iterable[str]) -> bool:
    """Return whether every value of one of the types *narrow* also has one of the types *wide*."""
    wider = {*wide, "integer"} if "number" in wide else {*wide}
    return ANYTHING in wider or {*narrow} <= wider


def accepts_less(keyword: str, was: Any, now: Any) -> bool:
    """Return whether a limit may refuse values that were accepted before, or whether a known default has changed."""
    if was is None or now is None:
        return bool(now is not None and now is not False and keyword != "default")
    if isinstance(now, bool):
        return now
    if keyword == "multipleOf":
        return bool(was % now)
    if "max" in keyword.lower():
        return bool(now < was)
    return "min" not in keyword.lower() or bool(now > was)


def as_text(value: Any) -> str:
    """Return the value of a fact in words."""
    if value in (None, ""):
        return "not shown"
    if isinstance(value, dict):
        return f"`{json.dumps(value, ensure_ascii=False)}`"
    return f"`{', '.join(map(str, value)) if isinstance(value, tuple) else value}`"


def rule_changes(old: Contract, new: Contract) -> Iterator[Change]:
    """Yield the changes of rules."""
    for name in {**old.rules, **new.rules}:
        was, now = ("" if each is None else one_line(each.text) for each in (old.rules.get(name), new.rules.get(name)))
        if was != now:
            section: Section = "Added" if not was else "Changed" if now else "Removed"
            yield Change(section, f"Rule `{name}`: {now or was}")


def gap_changes(old: Contract, new: Contract) -> Iterator[Change]:
    """Yield the changes of gaps."""
    before, after = ({gap.id: gap for gap in each.gaps} for each in (old, new))
    for name in {**before, **after}:
        was, now = before.get(name), after.get(name)
        if now is None:
            yield Change("Changed", f"Closed the gap `{name}`: {described(before[name])}.")
        elif was is None or described(was) != described(now):
            yield Change("Gaps", f"{'Reworded' if was else 'Opened'} `{name}`: {described(now)}.")
        elif was.closed != now.closed:
            text = f"is closed {closed_by(now.closed)}" if now.closed else "is open again"
            yield Change("Gaps", f"Gap `{name}` {text}.")


def closed_by(closed: Observed | Documented) -> str:
    """Return with what a gap was closed, as the end of a sentence."""
    text = evidence(closed)
    return text if isinstance(closed, Documented) else f"by observation: {text}"


def described(gap: Gap) -> str:
    """Return the text of a gap, with its place."""
    return f"{one_line(gap.what).rstrip('.')} ({gap.place})"


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


@attrs.frozen
class Subject:
    """Something that callers depend on.

    Attributes:
        facts: The facts, by their names.
        passed: Whether callers pass the value. If so, their code breaks when fewer values are accepted.
        read: Whether callers read the value. If so, their code breaks when the value may have a new type.
        owner: The name of the subject that contains this one; empty if there is none.
    """

    facts: Node
    passed: bool
    read: bool
    owner: str = ""


class View:
    """The facts that callers depend on, in the words of a changelog.

    Attributes:
        subjects: Each operation, argument, response, model, field and credential.
        open: The operations whose request is not shown.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.subjects: dict[str, Subject] = {}
        self.open: set[str] = set()
        for operation in contract.operations.values():
            self._add_operation(operation)
        for name, prefix in contract.credential_kinds.items():
            self.subjects[f"The credential `{name}`"] = Subject({"prefix": prefix}, passed=True, read=False)

    def _add_operation(self, operation: OperationFacts) -> None:
        entry, body = operation.arguments, operation.request
        name = f"`{operation.name}`"
        facts = {fact: entry[fact] for fact in FACTS}
        facts["request"] = f"{entry['method']} {entry['path']}"
        facts["deprecated"] = entry["deprecated"] and (entry["successor"] or True)
        facts |= job_facts(operation)
        if operation.members and body is not None:
            shown = shape_facts(self._contract.flatten(body.schema))
            facts |= {f"{BODY}{fact}": value for fact, value in shown.items()}
        self.subjects[name] = Subject(facts, passed=True, read=True)
        arguments = [*operation.parameters, *operation.members]
        if body is not None and not operation.members:
            if body.kind == JSON and not self._contract.flatten(body.schema).keys() & {"type", "oneOf", "anyOf"}:
                self.open.add(name)
            else:
                arguments.append({"name": "body", "schema": body_schema(body), "required": body.required})
        passed = Subject({}, passed=True, read=False, owner=name)
        for node in arguments:
            schema = {**schema_of(node), **({"deprecated": True} if node.get("deprecated") else {})}
            required = node.get("required", False)
            self._add_value(f"{name}: the argument ", node["name"], schema, passed, required=required)
        for node, written in zip(operation.parameters, operation.catalogued, strict=False):
            self.subjects[f"{name}: the argument `{node['name']}`"].facts.update(
                {
                    "id prefix": written.get("prefix"),
                    "completing ids": written.get("adds_prefix", False),
                    "several segments": written.get("wildcard", False),
                }
            )
        returned = {"oneOf": [body_schema(each) for each in operation.successes]}
        self._add_value(f"{name}: the ", "response", returned, attrs.evolve(passed, passed=False, read=True))

    def _add_value(
        self, prefix: str, path: str, schema: Node, use: Subject, above: tuple[str, ...] = (), *, required: bool = True
    ) -> None:
        """Add a value, and its items or members.

        Args:
            prefix: The words before the path in a sentence.
            path: The path of the value, such as `Lamp.colors[*]`.
            schema: The schema of the value.
            use: A subject that says how callers use the value.
            above: The names of the schemas around the value. They end the recursion if a schema contains itself.
            required: Whether callers must pass the value, or a response always has it.
        """
        name = f"{prefix}`{path}`"
        flat = self._contract.flatten(schema)
        facts: Node = {"required": required, "deprecated": flat.get("deprecated", False)}
        facts |= {fact: flat.get(key, False) for fact, key in FLAGS.items()}
        self.subjects[name] = attrs.evolve(use, facts=facts)
        inner = attrs.evolve(use, owner=name)
        types: set[str] = set()
        for model, part, named in self._parts(schema, above):
            if model:
                types.add(model)
                if model in self._contract.schemas and model not in above:
                    self._add_model(model, use)
                continue
            types |= {FORMATS.get(format_of(part), each) if each == "string" else each for each in types_of(part)}
            facts |= shape_facts(part)
            facts |= {"known values": tuple(part["x-known-values"])} if "x-known-values" in part else {}
            if values := part.get("enum", [part["const"]] if "const" in part else []):
                facts["values"] = tuple(map(str, values))
            inside: Node = {"[*]": part.get("items") or part.get("additionalProperties")}
            inside |= {f"[{index}]": each for index, each in enumerate(part.get("prefixItems", ()))}
            inside |= {f"[/{pattern}/]": each for pattern, each in part.get("patternProperties", {}).items()}
            for place, each in inside.items():
                if isinstance(each, dict) and each:
                    self._add_value(prefix, f"{path}{place}", each, inner, named)
            for member, each in part.get("properties", {}).items():
                # The id of a resource is in every response.
                always = member in part.get("required", ()) or "x-resource-id" in self._contract.flatten(each)
                self._add_value(prefix, f"{path}.{member}", each, inner, named, required=always)
        facts["type"] = tuple(sorted(types)) or (ANYTHING,)

    def _parts(self, schema: Node, above: tuple[str, ...]) -> Iterator[tuple[str, Node, tuple[str, ...]]]:
        """Yield each alternative of a schema: the name of its model, or the merged schema and the names above it."""
        flat = self._contract.flatten(schema)
        # The schema `true` is not an object, so it has no `$ref`. Flattening makes an empty object of it.
        name = schema.get("$ref", "").removeprefix(COMPONENT) if flat else ""
        if name and (name in above or "properties" in flat):
            yield name, {}, above
            return
        yield "", flat, (*above, name)
        for each in (*flat.get("oneOf", ()), *flat.get("anyOf", ())):
            yield from self._parts(each, (*above, name))

    def _add_model(self, name: str, use: Subject) -> None:
        """Add a model. If the model was added before, only record that callers also use it in this way."""
        known = self.subjects.get(f"`{name}`", Subject({}, passed=False, read=False))
        together = Subject({}, use.passed or known.passed, use.read or known.read)
        if together != attrs.evolve(known, facts={}):
            self._add_value("", name, self._contract.schemas[name], together, required=False)


def shape_facts(schema: Node) -> Node:
    """Return what a merged schema says about its values beside their types."""
    facts: Node = {key: schema[key] for key in LIMITS if key in schema}
    if facts.get("format") in FORMATS:
        # It is a type of its own.
        del facts["format"]
    facts |= {"columns": schema["x-columns"]} if "x-columns" in schema else {}
    facts |= {"discriminator": schema["discriminator"]} if "discriminator" in schema else {}
    facts["closed to further members"] = schema.get("additionalProperties") is False
    # A list becomes a tuple, because a message shows a tuple as one text.
    return {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}


def job_facts(operation: OperationFacts) -> Node:
    """Return what waits, followers and pagers read in the responses of an operation."""
    node, pages = operation.node, operation.pagination
    facts: Node = {key.removeprefix("x-"): node[key] for key in ("x-follow", "x-wait", "x-legacy") if node.get(key)}
    if pages is None:
        return facts
    others = (pages.end_cursor, pages.has_next_page, pages.total, pages.after)
    return {**facts, "items of a page": pages.items, "members of a page": tuple(each for each in others if each)}


def body_schema(content: Content) -> Node:
    """Return the schema of a body as the SDK sends or reads it."""
    return {"type": TYPES[content.kind]} if content.kind in TYPES else content.schema


NOTHING_BREAKS, SOMETHING_BREAKS, FAILED = 0, 1, 2
# These modules are public, although no package imports them under their own names.
PUBLIC_MODULES = (f"{OVERLAY}.errors", f"{GENERATED}.api", f"{GENERATED}.contract")


def all_changes(root: Path, base: str | None, deployment: Deployment | None = None) -> list[Change]:
    """Return the changes of a checkout since a revision, or the changes that its Overlays make.

    The notices of the Overlays are printed to stderr.

    Args:
        root: The checkout.
        base: The revision; None to compare with the checkout without the Overlays.
        deployment: The vendor's word and the Overlays of a private build; both sides have its word.

    Raises:
        RefusedError: Git does not know the revision, or its contract is wrong.
        ContractError: The contract of the checkout or an Overlay is wrong.
    """
    deployment = deployment or Deployment()
    after = read_contract(root / "openapi.yaml", deployment).contract
    without_overlays = attrs.evolve(deployment, overlays=())
    with TemporaryDirectory() as scratch:
        old = root
        if base is not None:
            old = Path(scratch)
            # A revision that begins with a dash must not be read as an option.
            commit = git(root, "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}").splitlines()[-1]
            git(root, "clone", "--quiet", "--shared", "--no-checkout", str(root), str(old))
            git(old, "checkout", "--quiet", "--detach", commit)
        try:
            before = read_contract(old / "openapi.yaml", without_overlays).contract
        except ContractError as error:
            raise RefusedError(f"openapi.yaml of {base} cannot be compared; name another BASE:\n{error}") from error
        changes = contract_changes(before, after)
        return changes if base is None else changes + python_changes(old, root)


def python_changes(old: Path, new: Path) -> list[Change]:
    """Return the breaking changes of the Python packages between two checkouts.

    Griffe compares names and parameters, but not annotations, because annotations follow from the contract.
    """
    before, after = load(old), load(new)
    public = {*PUBLIC_MODULES}
    for package in before.values():
        for name, target in package.imports.items():
            # The names in `__all__` are public, and so are modules that are imported under their own names.
            if name in (package.exports or ()) or target == f"{package.path}.{name}":
                public.add(package.members[name].canonical_path)
    return [
        Change("Python", explain(breakage), breaking=True)
        for name in before.keys() & after.keys()
        for breakage in griffe.find_breaking_changes(before[name], after[name])
        if any(f"{breakage.obj.canonical_path}.".startswith(f"{each}.") for each in public)
    ]


def load(root: Path) -> dict[str, griffe.Module]:
    """Read the packages of a checkout without importing them. An older checkout may have fewer packages."""
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
    """Return what a git command prints."""
    return run(["git", *arguments], root).strip()


def run(command: list[str], cwd: Path | None = None) -> str:
    """Return the output of a command. If the command fails, raise RefusedError with the end of the output."""
    settings = {**os.environ, "PYTHONUTF8": "1"}
    settings.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        name = " ".join(Path(part).name for part in command[:4])
        raise RefusedError(f"`{name} ...` failed:\n{(done.stdout + done.stderr)[-3000:].strip()}")
    return done.stdout


def last_release(root: Path) -> str:
    """Return the newest version tag among the ancestors of the checkout; empty if there is no such tag."""
    return git(root, "tag", "--list", "--merged", "HEAD", "--sort=-creatordate", "v[0-9]*").partition("\n")[0]


def main() -> int:
    """Run the command line, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", help="a git revision (default: the last release)")
    parser.add_argument("--overlay", type=Path, nargs="+", default=[], help="Overlay documents to apply, in order")
    parser.add_argument("--word", help="the vendor's word that the Overlays use, such as acme")
    parser.add_argument("--credential-prefix", help="the prefix of the service user's credential, such as acme_")
    parser.add_argument("--expected", action="store_true", help="succeed although changes break callers")
    arguments = parser.parse_args()
    deployment = Deployment(arguments.word, arguments.credential_prefix, arguments.overlay)
    try:
        base = arguments.base
        if not base and not deployment.overlays:
            base = last_release(ROOT)
        if not base and not deployment.overlays:
            raise RefusedError("there is no release yet; name a revision: make changes BASE=<revision>")
        found = all_changes(ROOT, base, deployment)
    except (RefusedError, OSError) as error:
        print(error, file=sys.stderr)
        return FAILED
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text stream
    print(f"# Changes since {base or 'this checkout without its Overlays'}", *entry(found), sep="\n")
    breaking = sum(change.breaking for change in found)
    print(f"\n{breaking or 'Nothing'} of this breaks callers." if found else "\nNothing changed.")
    if breaking and not arguments.expected:
        return SOMETHING_BREAKS
    return NOTHING_BREAKS


if __name__ == "__main__":
    sys.exit(main())
