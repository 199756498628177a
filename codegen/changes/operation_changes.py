"""Compare the operations of two contracts as callers of the SDK see them: methods, arguments, access, responses.

The docstring of the package says which changes are breaking. `model_changes` compares the models.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from codegen.changes.change import Change
from codegen.changes.schema_summary import ANYTHING, SchemaSummary, fields, is_named, limit_changes, summarize
from codegen.contract import PLACEHOLDER, Contract, Node

BODY, EXTRA_BODY = "body", "extra_body"
MAPPING = SchemaSummary(frozenset({"a mapping"}))

# True where a change of the fact is breaking.
FACTS = {"paginated": True, "streamed": True, "beta": False}


def operation_changes(old: Contract, new: Contract) -> list[Change]:
    """Return all changes of operations and of credentials."""
    before, after = ids(old), ids(new)
    found: list[Change] = []
    renamed = renames(old, new)
    for name in sorted(before.keys() | after.keys()):
        if name in renamed.values():
            continue
        if name not in before:
            found.append(Change("Added", f"{describe(new, after[name])}."))
        elif (new_name := renamed.get(name, name)) not in after:
            found.append(Change("Removed", f"`{name}`.", breaking=True))
        else:
            if new_name != name:
                found.append(Change("Changed", f"`{name}` is now `{new_name}`.", breaking=True))
            changes = changes_of_one(old, new, before[name], after[new_name])
            found += [change.about(f"`{new_name}`") for change in changes]
    return found + credential_changes(old, new)


def ids(contract: Contract) -> dict[str, str]:
    """Return the operationIds by the names of the methods."""
    return {str(facts.name): operation_id for operation_id, facts in contract.operations.items()}


def renames(old: Contract, new: Contract) -> dict[str, str]:
    """Return the new name of each renamed method: the same request under another name."""
    before, after = ids(old), ids(new)
    at = {route(new, operation_id): name for name, operation_id in after.items()}
    return {
        name: at[where]
        for name, operation_id in before.items()
        if name not in after and (where := route(old, operation_id)) in at and at[where] not in before
    }


def route(contract: Contract, operation_id: str) -> tuple[str, str]:
    """Return method and path; the names of the path parameters do not matter."""
    facts = contract.operations[operation_id].arguments
    return facts["method"], PLACEHOLDER.sub("{}", facts["path"])


def describe(contract: Contract, operation_id: str) -> str:
    """Describe a new operation in one line."""
    operation = contract.operations[operation_id]
    facts = operation.arguments
    access = f"permission `{facts['permission']}`" if facts["permission"] else "its permission is not shown"
    if facts["permission"] and facts["level"]:
        access += f" ({facts['level']} level)"
    remarks = [word for word in ("paginated", "beta", "deprecated", "inferred") if facts[word]]
    request = f"`{facts['method']} {facts['path']}`"
    return f"`{operation.name}`: {', '.join([request, access, *remarks])}"


def changes_of_one(old: Contract, new: Contract, old_id: str, new_id: str) -> Iterator[Change]:
    """Yield the changes of one operation."""
    before, after = old.operations[old_id].arguments, new.operations[new_id].arguments
    if route(old, old_id) != route(new, new_id):
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
    old_arguments, new_arguments = arguments(old, old_id), arguments(new, new_id)
    for name in old_arguments.keys() | new_arguments.keys():
        yield from argument_changes(f"the argument `{name}`", old_arguments.get(name), new_arguments.get(name))
    was_response, now_response = response(old, old_id), response(new, new_id)
    if was_response.types != now_response.types:
        yield Change("Changed", f"returns {now_response}, was {was_response}", breaking=True)
    elif now_response.nullable and not was_response.nullable:
        yield Change("Changed", "may return null", breaking=True)


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


def arguments(contract: Contract, operation_id: str) -> dict[str, tuple[str, SchemaSummary]]:
    """Return place and schema of each argument of the method; a payload that is not shown is `body`."""
    method, item = item_of(contract, operation_id)
    found: dict[str, tuple[str, SchemaSummary]] = {}
    for parameter in contract.parameters(method, item):
        summary = summarize(contract, parameter["schema"], required=bool(parameter.get("required")))
        deprecated = summary.deprecated or bool(parameter.get("deprecated"))
        found[parameter["name"]] = parameter["in"], attrs.evolve(summary, deprecated=deprecated)
    request = contract.resolve(item[method].get("requestBody", {}))
    for media_type, media in request.get("content", {}).items():
        schema = contract.resolve(media["schema"])
        members = {name: ("body", member) for name, member in fields(contract, schema).items()}
        if not members:
            members = {BODY: ("body", SchemaSummary(frozenset({"object"}), required=bool(request.get("required"))))}
        elif schema.get("additionalProperties") is True or media_type.startswith("multipart/"):
            members[EXTRA_BODY] = "body", SchemaSummary(frozenset({"object"}))
        found |= members
    return found


def item_of(contract: Contract, operation_id: str) -> tuple[str, Node]:
    """Return method and path item of an operation."""
    return next((method, item) for _, method, item in contract.routes() if item[method]["operationId"] == operation_id)


def argument_changes(
    subject: str, before: tuple[str, SchemaSummary] | None, after: tuple[str, SchemaSummary] | None
) -> Iterator[Change]:
    """Yield the changes of one argument; each side is its place and schema, or None where it is absent."""
    if after is None:
        yield Change("Removed", subject, breaking=True)
    elif before is None:
        now = after[1]
        yield Change("Added", f"{subject} ({now}{', required' if now.required else ''})", breaking=now.required)
    else:
        (place, was), (new_place, now) = before, after
        if place != new_place:
            yield Change("Changed", f"{subject} is sent in the {new_place}, was in the {place}")
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


def value_changes(was: SchemaSummary, now: SchemaSummary, *, is_argument: bool) -> Iterator[Change]:
    """Yield changes of a set of values.

    Removing a value from a closed set is breaking only if callers pass it.

    Args:
        was: The schema before.
        now: The schema after.
        is_argument: True if callers pass the value.
    """
    if bool(was.values) != bool(now.values):
        text = f"accepts only {', '.join(now.values)}" if now.values else "any value is accepted"
        yield Change("Changed", text, breaking=bool(now.values) and is_argument)
        return
    old, new = {*was.values, *was.known}, {*now.values, *now.known}
    for value in sorted(new - old):
        yield Change("Added", f"the value `{value}`")
    for value in sorted(old - new):
        yield Change("Removed", f"the value `{value}`", breaking=is_argument and value in was.values)


def response(contract: Contract, operation_id: str) -> SchemaSummary:
    """Summarize the response of a success; without known fields, or not shown, it is a mapping."""
    method, item = item_of(contract, operation_id)
    for _, schema in contract.success_schemas(item[method]):
        found = summarize(contract, schema)
        named = is_named(schema) and found.types == {schema["$ref"].rpartition("/")[2]}
        return found if named or not found.types & {ANYTHING, "object"} else MAPPING
    return MAPPING


def credential_changes(old: Contract, new: Contract) -> list[Change]:
    """Return changes of credential prefixes: the SDK refuses a credential of the wrong kind."""
    before, after = (each.document["components"]["securitySchemes"] for each in (old, new))
    prefix = "x-credential-prefix"
    return [
        Change("Changed", f"A {name} credential begins with `{now}`, was `{was}`.", breaking=bool(now))
        for name in sorted(before.keys() & after.keys())
        if (was := before[name].get(prefix)) != (now := after[name].get(prefix))
    ]
