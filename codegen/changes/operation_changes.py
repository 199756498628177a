"""Compare the operations of two contracts as callers of the SDK see them: methods, arguments, access, responses.

The docstring of the package says which changes are breaking. `model_changes` compares the models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from codegen.changes.change import Change
from codegen.changes.json_types import ANYTHING
from codegen.changes.schema_summary import limit_changes, value_changes
from codegen.changes.surface import ArgumentSummary, Surface
from codegen.contract import PLACEHOLDER, Contract, Node
from codegen.render.methods import Method

# True where a change of the fact is breaking.
FACTS = {"paginated": True, "streamed": True, "beta": False}


def operation_changes(old: Surface, new: Surface) -> list[Change]:
    """Return all changes of operations and of credentials."""
    before, after = old.methods, new.methods
    found: list[Change] = []
    renamed = renames(old, new)
    for name in sorted(before.keys() | after.keys()):
        if name in renamed.values():
            continue
        if name not in before:
            found.append(Change("Added", f"{describe(after[name])}."))
        elif (new_name := renamed.get(name, name)) not in after:
            found.append(Change("Removed", f"`{name}`.", breaking=True))
        else:
            if new_name != name:
                found.append(Change("Changed", f"`{name}` is now `{new_name}`.", breaking=True))
            changes = changes_of_one(old, new, before[name], after[new_name])
            found += [change.about(f"`{new_name}`") for change in changes]
    found += [Change("Added", f"`{name}`.") for name in sorted(new.jobs - old.jobs)]
    found += [Change("Removed", f"`{name}`.", breaking=True) for name in sorted(old.jobs - new.jobs)]
    return found + credential_changes(old.contract, new.contract)


def renames(old: Surface, new: Surface) -> dict[str, str]:
    """Return the new name of each renamed method: the same request under another name."""
    at = {route(method): name for name, method in new.methods.items()}
    return {
        name: at[where]
        for name, method in old.methods.items()
        if name not in new.methods and (where := route(method)) in at and at[where] not in old.methods
    }


def route(method: Method) -> tuple[str, str]:
    """Return method and path; the names of the path parameters do not matter."""
    facts = method.facts.arguments
    return facts["method"], PLACEHOLDER.sub("{}", facts["path"])


def describe(method: Method) -> str:
    """Describe a new operation in one line."""
    facts = method.facts.arguments
    access = f"permission `{facts['permission']}`" if facts["permission"] else "its permission is not shown"
    if facts["permission"] and facts["level"]:
        access += f" ({facts['level']} level)"
    remarks = [word for word in ("paginated", "beta", "deprecated", "inferred") if facts[word]]
    request = f"`{facts['method']} {facts['path']}`"
    return f"`{method.facts.name}`: {', '.join([request, access, *remarks])}"


def changes_of_one(old: Surface, new: Surface, old_method: Method, new_method: Method) -> Iterator[Change]:
    """Yield the changes of one operation."""
    before, after = old_method.facts.arguments, new_method.facts.arguments
    if route(old_method) != route(new_method):
        now, was = (f"`{each['method']} {each['path']}`" for each in (after, before))
        yield Change("Changed", f"sent as {now}, was {was}")
    yield from access_changes(before, after)
    for fact, breaking in FACTS.items():
        if before[fact] != after[fact]:
            yield Change("Changed", f"now {fact}" if after[fact] else f"no longer {fact}", breaking=breaking)
    if after["deprecated"] and (not before["deprecated"] or before["successor"] != after["successor"]):
        favor = f", in favor of `{after['successor']}`" if after["successor"] else ""
        yield Change("Deprecated", f"deprecated{favor}")
    elif before["deprecated"] and not after["deprecated"]:
        yield Change("Changed", "no longer deprecated")
    if bool(before["inferred"]) != bool(after["inferred"]):
        yield Change("Changed", "now inferred only" if after["inferred"] else "now stated, no longer inferred")
    old_arguments, new_arguments = old.arguments(old_method), new.arguments(new_method)
    for name in old_arguments.keys() | new_arguments.keys():
        yield from argument_changes(f"the argument `{name}`", old_arguments.get(name), new_arguments.get(name))
    yield from content_changes(old_method, new_method)
    was_response, now_response = old.response(old_method), new.response(new_method)
    if was_response.types != now_response.types:
        breaking = not now_response.reads_like(was_response)
        yield Change("Changed", f"returns {now_response}, was {was_response}", breaking=breaking)
    elif now_response.nullable and not was_response.nullable:
        yield Change("Changed", "may return null", breaking=True)


def content_changes(old: Method, new: Method) -> Iterator[Change]:
    """Yield changes of the media types and of the statuses of a success.

    They are not breaking by themselves: callers choose neither, and the types are compared separately.
    """
    was_sent, now_sent = (each.facts.arguments["media_type"] for each in (old, new))
    if was_sent and now_sent and was_sent != now_sent:
        yield Change("Changed", f"sends a body of `{now_sent}`, was `{was_sent}`")
    was_read, now_read = ({each.media_type for each in method.facts.responses} - {""} for method in (old, new))
    if was_read and now_read and was_read != now_read:
        yield Change("Changed", f"the response is {listed(now_read)}, was {listed(was_read)}")
    was, now = ({each.status for each in method.facts.responses} for method in (old, new))
    if was and now and was != now:
        yield Change("Changed", f"the status of a success is {listed(now)}, was {listed(was)}")


def listed(names: Iterable[str]) -> str:
    """Return names for a sentence."""
    return " or ".join(f"`{name}`" for name in sorted(names))


def access_changes(before: Node, after: Node) -> Iterator[Change]:
    """Yield changes of permission, level and kinds of credential."""
    for fact in ("permission", "level"):
        was, now = before[fact], after[fact]
        if was != now:
            now_text, was_text = (f"`{each}`" if each else "not shown" for each in (now, was))
            yield Change("Changed", f"{fact} {now_text}, was {was_text}", breaking=bool(was and now))
    for kind in sorted({*before["credentials"]} - {*after["credentials"]}):
        yield Change("Changed", f"no longer accepts a {kind} credential", breaking=True)
    for kind in sorted({*after["credentials"]} - {*before["credentials"]}):
        yield Change("Changed", f"accepts a {kind} credential")


def argument_changes(subject: str, before: ArgumentSummary | None, after: ArgumentSummary | None) -> Iterator[Change]:
    """Yield the changes of one argument; None where it is absent."""
    if after is None:
        yield Change("Removed", subject, breaking=True)
        return
    now = after.value
    if before is None:
        yield Change("Added", f"{subject} ({now}{', required' if now.required else ''})", breaking=now.required)
        return
    was = before.value
    if before.location != after.location:
        yield Change("Changed", f"{subject} is sent in the {after.location}, was in the {before.location}")
    elif before.written != after.written:
        yield Change("Changed", f"{subject} is written as {after.written}, was {before.written}")
    if was.types != now.types:
        yield Change("Changed", f"{subject} is {now}, was {was}", breaking=not now.accepts(was))
    if was.nullable != now.nullable and ANYTHING not in was.types | now.types:
        text = "accepts null" if now.nullable else "no longer accepts null"
        yield Change("Changed", f"{subject} {text}", breaking=was.nullable)
    if was.required != now.required:
        yield Change("Changed", f"{subject} is {'required' if now.required else 'optional'}", breaking=now.required)
    for change in (*value_changes(was, now, is_argument=True), *limit_changes(was, now, is_argument=True)):
        yield attrs.evolve(change, text=f"{subject}: {change.text}")
    if now.deprecated and not was.deprecated:
        yield Change("Deprecated", subject)


def credential_changes(old: Contract, new: Contract) -> list[Change]:
    """Return changes of credential prefixes: the SDK refuses a credential of the wrong kind."""
    before, after = (each.document.get("components", {}).get("securitySchemes", {}) for each in (old, new))
    prefix = "x-credential-prefix"
    return [
        Change("Changed", f"A {name} credential begins with `{now}`, was `{was}`.", breaking=bool(now))
        for name in sorted(before.keys() & after.keys())
        if (was := before[name].get(prefix)) != (now := after[name].get(prefix))
    ]
