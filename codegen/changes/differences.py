"""What changed between two contracts for those who call the SDK: operations, arguments, access, answers.

Breaking is what makes working code fail, at run time or in a type checker: something is gone or called differently, an
argument is required or takes less, an answer is of another type, another permission or credential is asked for. What
was a gap and is known now was so all along, and breaks nothing by itself. Models are compared in `model_differences`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from codegen.changes.change import Change
from codegen.contract.document import PLACEHOLDER, Contract, Node
from codegen.contract.shapes import ANYTHING, Shape, fields, is_named, shape

BODY, EXTRA_BODY = "body", "extra_body"

# Facts of an operation that are told as they were and as they are, with whether a change breaks callers.
FACTS = {"paginated": True, "streamed": True, "beta": False}


def differences(old: Contract, new: Contract) -> list[Change]:
    """All changes of the operations."""
    before, after = nodes(old), nodes(new)
    found: list[Change] = []
    renamed = renames(old, new)
    for name in sorted(before.keys() | after.keys()):
        if name in renamed.values():
            continue
        if name not in before:
            found.append(Change("Added", f"{described(new, name)}."))
        elif (new_name := renamed.get(name, name)) not in after:
            found.append(Change("Removed", f"`{name}`.", breaking=True))
        else:
            if new_name != name:
                found.append(Change("Changed", f"`{name}` is now `{new_name}`.", breaking=True))
            found += [
                Change(section, f"`{new_name}`: {text}.", breaking)
                for section, text, breaking in operation_differences(old, new, before[name], after[new_name])
            ]
    return found + credential_differences(old, new)


def nodes(contract: Contract) -> dict[str, str]:
    """The operationIds by the names of the methods."""
    return {str(facts.name): operation_id for operation_id, facts in contract.operations.items()}


def renames(old: Contract, new: Contract) -> dict[str, str]:
    """Methods that have another name for the same request."""
    at = {route(new, operation_id): name for name, operation_id in nodes(new).items()}
    kept = nodes(new).keys()
    return {
        name: at[where]
        for name, operation_id in nodes(old).items()
        if name not in kept and (where := route(old, operation_id)) in at and at[where] not in nodes(old)
    }


def route(contract: Contract, operation_id: str) -> tuple[str, str]:
    """Method and path; the names of the path parameters do not matter."""
    facts = contract.operations[operation_id].arguments
    return facts["method"], PLACEHOLDER.sub("{}", facts["path"])


def described(contract: Contract, name: str) -> str:
    """A new operation in a line."""
    facts = contract.operations[nodes(contract)[name]].arguments
    access = f"permission `{facts['permission']}`" if facts["permission"] else "its permission is not shown"
    if facts["permission"] and facts["level"]:
        access += f" ({facts['level']} level)"
    remarks = [word for word in ("paginated", "beta", "deprecated", "inferred") if facts[word]]
    request = f"`{facts['method']} {facts['path']}`"
    return f"`{name}`: {', '.join([request, access, *remarks])}"


def operation_differences(old: Contract, new: Contract, old_id: str, new_id: str) -> Iterator[tuple[Any, str, bool]]:
    """Section, text and whether it breaks, for each change of one operation."""
    before, after = old.operations[old_id].arguments, new.operations[new_id].arguments
    if route(old, old_id) != route(new, new_id):
        yield (
            "Changed",
            f"sent as `{after['method']} {after['path']}`, was `{before['method']} {before['path']}`",
            False,
        )
    yield from access_differences(before, after)
    for fact, breaking in FACTS.items():
        if before[fact] != after[fact]:
            yield "Changed", f"now {fact}" if after[fact] else f"no longer {fact}", breaking
    if after["deprecated"] and (not before["deprecated"] or before["successor"] != after["successor"]):
        favor = f", in favor of `{after['successor']}`" if after["successor"] else ""
        yield "Deprecated", f"deprecated{favor}", False
    elif before["deprecated"] and not after["deprecated"]:
        yield "Changed", "no longer deprecated", False
    if bool(before["inferred"]) != bool(after["inferred"]):
        yield "Changed", "now inferred only" if after["inferred"] else "now stated, no longer inferred", False
    yield from argument_differences(arguments(old, old_id), arguments(new, new_id))
    was, now = answer(old, old_id), answer(new, new_id)
    if was.types != now.types:
        yield "Changed", f"answers with {now}, was {was}", True
    elif now.nullable and not was.nullable:
        yield "Changed", "may answer with null", True


def access_differences(before: Node, after: Node) -> Iterator[tuple[Any, str, bool]]:
    """Permission, level and kinds of credential."""
    for fact in ("permission", "level"):
        was, now = before[fact], after[fact]
        if was != now:
            known = "not shown" if was is None else f"`{was}`"
            yield "Changed", f"{fact} {f'`{now}`' if now else 'not shown'}, was {known}", bool(was and now)
    for kind in sorted({*before["credentials"]} - {*after["credentials"]}):
        yield "Changed", f"accepts no {kind} credential any more", True
    for kind in sorted({*after["credentials"]} - {*before["credentials"]}):
        yield "Changed", f"accepts a {kind} credential", False


def arguments(contract: Contract, operation_id: str) -> dict[str, tuple[str, Shape]]:
    """Place and shape of the arguments of the method; a payload that is not shown is `body`."""
    _, method, item = next(each for each in contract.routes() if each[2][each[1]]["operationId"] == operation_id)
    found: dict[str, tuple[str, Shape]] = {}
    for parameter in map(contract.resolve, [*item.get("parameters", ()), *item[method].get("parameters", ())]):
        found[parameter["name"]] = parameter["in"], parameter_shape(contract, parameter)
    request = contract.resolve(item[method].get("requestBody", {}))
    for media_type, media in request.get("content", {}).items():
        schema = contract.resolve(media["schema"])
        members = {name: ("body", member) for name, member in fields(contract, schema).items()}
        if not members:
            members = {BODY: ("body", Shape(frozenset({"object"}), required=bool(request.get("required"))))}
        elif schema.get("additionalProperties") is True or media_type.startswith("multipart/"):
            members[EXTRA_BODY] = "body", Shape(frozenset({"object"}))
        found |= members
    return found


def parameter_shape(contract: Contract, parameter: Node) -> Shape:
    """The shape of a parameter: that of its schema, with what is said of the parameter itself."""
    found = shape(contract, parameter["schema"], required=bool(parameter.get("required")))
    return replace(found, deprecated=found.deprecated or bool(parameter.get("deprecated")))


def argument_differences(
    before: dict[str, tuple[str, Shape]], after: dict[str, tuple[str, Shape]]
) -> Iterator[tuple[Any, str, bool]]:
    """What a caller gives."""
    for name in before.keys() - after.keys():
        yield "Removed", f"the argument `{name}`", True
    for name in after.keys() - before.keys():
        now = after[name][1]
        yield "Added", f"the {'required ' if now.required else ''}argument `{name}` ({now})", now.required
    for name in before.keys() & after.keys():
        (place, was), (new_place, now) = before[name], after[name]
        if place != new_place:
            yield "Changed", f"the argument `{name}` goes into the {new_place}, was the {place}", False
        if was.types != now.types:
            yield "Changed", f"the argument `{name}` is {now}, was {was}", not now.takes(was)
        if was.nullable != now.nullable and ANYTHING not in was.types | now.types:
            yield "Changed", f"the argument `{name}` takes {'null' if now.nullable else 'no null'}", was.nullable
        if was.required != now.required:
            yield "Changed", f"the argument `{name}` is {'required' if now.required else 'optional'}", now.required
        yield from value_differences(f"the argument `{name}`", was, now, strict=True)
        if now.deprecated and not was.deprecated:
            yield "Deprecated", f"the argument `{name}`", False


def value_differences(what: str, was: Shape, now: Shape, *, strict: bool) -> Iterator[tuple[Any, str, bool]]:
    """Values of a set, closed or not; that one is gone breaks where the set is closed and a caller gives it."""
    if bool(was.values) != bool(now.values):
        text = f"{what} is one of a closed set: {', '.join(now.values)}" if now.values else f"{what} takes any value"
        yield "Changed", text, bool(now.values) and strict
        return
    old, new = {*was.values, *was.known}, {*now.values, *now.known}
    for value in sorted(new - old):
        yield "Added", f"{what} may be `{value}`", False
    for value in sorted(old - new):
        yield "Removed", f"{what}: `{value}` is no value any more", strict and value in was.values


def answer(contract: Contract, operation_id: str) -> Shape:
    """What a success answers with; what is not shown and an object without known fields are both a mapping."""
    _, method, item = next(each for each in contract.routes() if each[2][each[1]]["operationId"] == operation_id)
    for status, response in item[method]["responses"].items():
        for media in contract.resolve(response).get("content", {}).values() if str(status).startswith("2") else ():
            schema = media.get("schema", {})
            found = shape(contract, schema)
            named = is_named(schema) and found.types == {schema["$ref"].rpartition("/")[2]}
            return found if named or not found.types & {ANYTHING, "object"} else Shape(frozenset({"a mapping"}))
    return Shape(frozenset({"a mapping"}))


def credential_differences(old: Contract, new: Contract) -> list[Change]:
    """How credentials begin: one that does not begin so is refused before anything is sent."""
    prefixes = [
        {name: scheme.get("x-credential-prefix") for name, scheme in each.document["components"][SCHEMES].items()}
        for each in (old, new)
    ]
    return [
        Change("Changed", f"A {name} credential begins with `{now}`, was `{was}`.", breaking=bool(now))
        for name in sorted(prefixes[0].keys() & prefixes[1].keys())
        if (was := prefixes[0][name]) != (now := prefixes[1][name])
    ]


SCHEMES = "securitySchemes"
