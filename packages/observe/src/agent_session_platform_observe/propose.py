"""Propose an OpenAPI Overlay: what the contract should say, with the evidence of each fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import Endpoint, Node

from .contract import Document, load_document
from .evidence import (
    REQUIRED_ENDINGS,
    Evidence,
    Line,
    Response,
    Seen,
    came,
    collect,
    contradictions_at,
    counted,
    dates_of,
    gap_evidence,
    new_parameters,
    successes,
)
from .overlay import (
    ProposedAction,
    body_schema,
    completed_examples,
    json_path,
    known_values,
    literal,
    schema_of,
    to_yaml,
)
from .shape import Tally, is_value_name, members_of

AT_LEAST: Final = 20
TITLE: Final = "What a deployment showed"


def propose_overlay(tallies: Mapping[str, Tally], *, at_least: int = AT_LEAST, document: Document | None = None) -> str:
    """Return an Overlay document whose actions state what observations show and the contract does not.

    Each action is one fact, with its evidence; what contradicts the contract says so. The same observations give the
    same document.

    Args:
        tallies: The observations, as `read_observations` returns them.
        at_least: How many objects must have a member, all of them, before it is called required; at least 1. As many
            values are needed to close the gap of a set, of a unit or of required fields.
        document: The contract; by default that of this build.

    Returns:
        YAML of the Overlay Specification 1.0.0; an empty text if there is nothing to propose, because an Overlay has
        at least one action.

    Raises:
        InvalidArgumentError: `at_least` is below 1.
    """
    if at_least < 1:
        raise InvalidArgumentError(f"at_least must be a whole number from 1, not {at_least}")
    evidence = collect(tallies, document or load_document())
    actions = list(propose_actions(evidence, at_least))
    version = max((tally["last"] for tally in tallies.values()), default="0")
    return to_yaml(TITLE, version, actions) if actions else ""


def propose_actions(evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield all actions: those of operations, those of schemas, what contradicts, and which gaps are closed."""
    # Of one that is promoted, only failures were seen.
    moved = {operation.id for _, operation, _ in evidence.promoted()}
    for response in evidence.responses:
        is_declared = str(response.status) in response.operation.node["responses"]
        if response.status < 500 and not is_declared and response.operation.id not in moved:
            yield of_response(response, evidence.document, at_least)
    for key in evidence.tallies:
        if key not in moved:
            yield from of_requests(evidence.document.endpoints[key], evidence, at_least)
    required: dict[str, dict[str, Node]] = {}
    for place, seen in {**evidence.sent, **evidence.places}.items():
        yield from of_place(seen, at_least)
        if place not in evidence.places:
            continue
        if always := always_required(seen, at_least):
            text = f"All of {counted(seen.objects, 'object')} have these members."
            update = {"required": always, **observed(seen.objects, *seen.dates)}
            yield ProposedAction(target_of(seen), text, update)
            required[place] = {name: node_of(name, seen, evidence, at_least) for name in always}
        yield from differing(place, seen)
    yield from completed_examples(required, evidence.document)
    yield from closed(evidence, at_least)
    yield from promoted(evidence)


def observed(answers: int, first: str, last: str) -> Node:
    """Return the evidence of a fact, as the contract has it."""
    return {"x-observed": {"answers": answers, "first": first, "last": last}}


def of_response(response: Response, document: Document, at_least: int) -> ProposedAction:
    """Return the action that adds the responses with one status."""
    operation, status = response.operation, response.status
    node: Node = {"description": f"Seen {came(response.count)}."}
    if response.media_type not in ("none", "other"):
        declared = None if response.is_undeclared and status < 400 else response.schema
        if declared is None and status < 300:
            declared = document.response(operation, 200, "") if "200" in operation.responses else None
        schema = body_schema(declared, response.body, document, at_least) if response.body is not None else {}
        node["content"] = {response.media_type: {"schema": schema} if schema else {}}
    node |= observed(response.count, *response.dates)
    why = f"The contract has {', '.join(operation.node['responses'])}, and {status} came {came(response.count)}."
    text = f"{operation.method} {operation.path} responds with {status}."
    target = json_path(operation.place, "responses")
    return ProposedAction(target, text, {str(status): node}, why if response.is_undeclared else "")


def of_requests(operation: Endpoint, evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield what the contract does not show of requests: query parameters, and the members of a body."""
    tally = evidence.tallies[operation.id]
    for name, times in new_parameters(evidence, operation.id).items():
        parameter: Node = {
            "name": name,
            "in": "query",
            "required": False,
            "description": "Seen in requests that succeeded; a server may ignore what it does not know.",
            "schema": {},
            **observed(times, *dates_of(tally)),
        }
        text = f"Requests with the query parameter {name} were accepted {came(times)}."
        if "parameters" in operation.node:
            yield ProposedAction(json_path(operation.place, "parameters"), text, [parameter])
        else:
            yield ProposedAction(json_path(operation.place), text, {"parameters": [parameter]})
    accepted: Tally = tally.get("request", {}).get("accepted", {}).get("body", {})
    body = evidence.document.body(operation)
    if body is None or not body.is_unshown or not members_of(accepted):
        return
    # Nothing says that a member of requests is required.
    schema = {**schema_of(accepted, accepted["n"] + 1), "additionalProperties": True}
    request = {
        "description": "Members of requests that succeeded; a server may ignore what it does not know.",
        "required": False,
        "content": {"application/json": {"schema": schema}},
        **observed(accepted["n"], *dates_of(tally)),
    }
    what = f"the body of {operation.method} {operation.path}"
    if "$ref" in operation.node["requestBody"]:
        target = json_path(operation.place, "requestBody")
        yield ProposedAction(target, f"With the next action: {what}, of which nothing was shown.")
    yield ProposedAction(json_path(operation.place), f"Requests show members of {what}.", {"requestBody": request})


def target_of(seen: Seen) -> str:
    """Return the JSONPath of a place: an object where it is written, anything else where it is used."""
    return json_path(seen.schema.place if seen.schema.properties else seen.schema.own_place)


def of_place(seen: Seen, at_least: int) -> Iterator[ProposedAction]:
    """Yield what a schema lacks: members, a type, values, a unit."""
    schema, target, evidence = seen.schema, target_of(seen), observed(seen.total, *seen.dates)
    holder = next((part for part in reversed(schema.parts) if "properties" in part.node), schema)
    for member, shape in sorted(seen.others.items()):
        node = {**schema_of(shape, at_least), **observed(shape["n"], *seen.dates)}
        new = {member: {"description": "Not shown by the description of the API.", **node}}
        text = f"{shape['n']} of {counted(seen.objects, 'object')} have {member}."
        if "properties" in holder.node:
            yield ProposedAction(json_path(holder.place, "properties"), text, new)
        else:
            yield ProposedAction(target, text, {"properties": new})
    if schema.is_unshown and (node := schema_of(seen.shape, at_least)):
        text = f"Of {counted(seen.total, 'value')} the types are: {', '.join(sorted(seen.shape['types']))}."
        yield ProposedAction(json_path(schema.own_place), text, {**node, **evidence})
    values = [value for value in known_values(seen.shape) if value not in schema.values]
    if values and schema.is_set and not schema.is_closed:
        text = f"{counted(seen.total, 'value')} read; there may be others."
        yield ProposedAction(target, text, {"x-known-values": values, **evidence})
    if seen.unit is not None and seen.has_gap("-unit"):
        text = f"All of {counted(seen.total, 'value')}: {seen.unit}."
        yield ProposedAction(target, text, {"format": seen.unit, **evidence})


def always_required(seen: Seen, at_least: int) -> list[str]:
    """Return the members that may be called required: new ones, and others where a gap says that it is not shown."""
    if seen.objects < at_least:
        return []
    new = [name for name in seen.new_always if seen.others[name]["n"] >= at_least]
    return sorted({*new, *(seen.always if seen.has_gap(*REQUIRED_ENDINGS) else ())})


def node_of(name: str, seen: Seen, evidence: Evidence, at_least: int) -> Node:
    """Return the schema of a member with what was seen of it."""
    if name in seen.others:
        return schema_of(seen.others[name], at_least)
    member = seen.schema.properties[name]
    values = evidence.places.get(member.place) or evidence.places.get(member.own_place)
    written: Node = evidence.document.at(member.own_place)
    return {**schema_of(values.shape, at_least), **written} if values is not None else written


def differing(place: str, seen: Seen) -> Iterator[ProposedAction]:
    """Yield the actions about what contradicts the contract at a place; a format that differs is only reported."""
    types: list[Line] = []
    for line in contradictions_at(place, seen):
        why = why_of(line)
        if line.kind == "missing":
            target = f"{json_path(line.subject)}[?(@=={literal(line.name)})]"
            text = f"{line.name} is missing in {line.times} of {counted(line.total, 'object')}."
            yield ProposedAction(target, text, contradicts=why)
        elif line.kind == "value" and is_value_name(line.name):
            update = {"enum": [line.name], **observed(line.times, line.first, line.last)}
            yield ProposedAction(json_path(line.subject), f"{line.name} came {came(line.times)}.", update, why)
        elif line.kind == "type":
            types.append(line)
    given: str | list[str] = seen.schema.node.get("type", [])
    if types and given and seen.schema.place == seen.schema.own_place:
        new = [line.name for line in types]
        # A list of the contract is added to, and a single type is replaced.
        update = {"type": [given, *new] if isinstance(given, str) else new, **observed(types[0].times, *seen.dates)}
        target, text = json_path(seen.schema.place), f"{counted(seen.total, 'value')} read."
        yield ProposedAction(target, text, update, " ".join(map(why_of, types)))


def why_of(line: Line) -> str:
    """Return what contradicts the contract, with how often it came."""
    return f"{line.text}: {line.times} of {counted(line.total, 'time')}."


def closed(evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield the actions that close gaps, each after the facts that close it."""
    placeholders: set[str] = set()
    for gap, line in gap_evidence(evidence):
        needed = 1 if gap.id.endswith(("-response", "-type", "-path", "-method")) else at_least
        if line.closes and line.total >= needed:
            target = f"{json_path(gap.place, 'x-not-shown')}[?(@.id=={literal(gap.id)})]"
            dates = {"answers": line.total, "first": line.first, "last": line.last}
            yield ProposedAction(target, f"{line.text}.", {"closed": dates})
            success: Mapping[str, Any] = evidence.document.at(gap.place).get("responses", {}).get("2XX", {})
            if gap.id.endswith("-response") and success.get("$ref", "").endswith("/NotShown"):
                placeholders.add(json_path(gap.place, "responses", "2XX"))
    for target in sorted(placeholders):
        why = "It stood for a response that was not shown, and is shown now."
        yield ProposedAction(target, "The placeholder of a response.", contradicts=why)


def promoted(evidence: Evidence) -> Iterator[ProposedAction]:
    """Yield the actions that move the operations which succeed under another version only."""
    left = Counter(operation.path for operation in evidence.document.endpoints.values())
    paths: set[str] = set()
    for tally, operation, path in evidence.promoted():
        times, old = successes(tally), operation.place.rpartition("/")[0]
        new = {operation.method.lower(): {**operation.node, **observed(times, *dates_of(tally))}}
        item = evidence.document.at(old)
        if path not in paths and "parameters" in item:
            new = {"parameters": item["parameters"], **new}
        why = f"{path} succeeded {came(times)}, and the contract has {operation.path}."
        yield ProposedAction(
            "$['paths']", f"{operation.id}: the new path. The next action removes the old one.", {path: new}, why
        )
        paths.add(path)
        left[operation.path] -= 1
        text = f"{operation.id}: the old path, with the action before."
        yield ProposedAction(json_path(operation.place if left[operation.path] else old), text, contradicts=why)
