"""Propose an OpenAPI Overlay: what the contract should say, with the evidence of each fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import Endpoint
from agent_session_platform.text import format_value

from .contract import Document, load_document
from .evidence import (
    REQUIRED_ENDINGS,
    Contradiction,
    Evidence,
    Response,
    Seen,
    collect,
    contradictions_at,
    counted,
    gap_evidence,
    members_of,
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
from .shape import is_value_name
from .tally import OTHERS, Tally

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
        InvalidArgumentError: `at_least` is no whole number from 1.
    """
    is_whole = isinstance(at_least, int) and not isinstance(at_least, bool)  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
    if not is_whole or at_least < 1:
        raise InvalidArgumentError(f"at_least must be a whole number from 1, not {format_value(at_least)}")
    evidence = collect(tallies, document or load_document())
    actions = list(propose_actions(evidence, at_least))
    version = max((tally["last"] for tally in tallies.values()), default="0")
    return to_yaml(TITLE, version, actions) if actions else ""


def propose_actions(evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield all actions: those of operations, those of schemas, what contradicts, and which gaps are closed."""
    # Of one that is promoted, only failures were seen.
    moved = {operation_id for _, operation_id, _ in evidence.promoted()}
    for operation_id, operation in evidence.document.endpoints.items():
        if operation_id in evidence.tallies.keys() - moved:
            yield from of_operation(operation, evidence.tallies[operation_id], evidence, at_least)
    required: dict[str, dict[str, list[str]]] = {}
    for place, seen in {**evidence.sent, **evidence.places}.items():
        yield from of_place(seen, at_least)
        if place not in evidence.places:
            continue
        if always := always_required(seen, at_least):
            text = f"All of {seen.objects} objects have these members."
            added = {"required": always, "x-observed": observed(seen.objects, seen)}
            yield ProposedAction(target_of(seen), text, added)
            required[place] = {name: types_of(name, seen, evidence) for name in always}
        yield from differing(place, seen)
    yield from completed_examples(required, evidence.document)
    yield from closed(evidence, at_least)
    yield from promoted(evidence)


def observed(answers: int, seen: Seen | Contradiction) -> dict[str, Any]:
    """Return the evidence of a fact as the members of `x-observed`."""
    return {"answers": answers, "first": seen.first, "last": seen.last}


def of_operation(operation: Endpoint, tally: Tally, evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield what an operation lacks: responses, query parameters, and the members of a request."""
    dates = {"first": tally["first"], "last": tally["last"]}
    for response in evidence.responses:
        is_declared = str(response.status) in operation.node["responses"]
        if response.operation is operation and response.status < 500 and not is_declared:
            yield of_response(response, evidence.document, at_least)
    for name, times in new_parameters(evidence, operation.id).items():
        parameter = {
            "name": name,
            "in": "query",
            "required": False,
            "description": "Seen in requests that succeeded; a server may ignore what it does not know.",
            "schema": {},
            "x-observed": {"answers": times, **dates},
        }
        has_list = "parameters" in operation.node
        target = json_path(operation.place, *(["parameters"] if has_list else []))
        text = f"Requests with the query parameter {name} were accepted {counted(times, 'time')}."
        yield ProposedAction(target, text, [parameter] if has_list else {"parameters": [parameter]})
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
        "x-observed": {"answers": accepted["n"], **dates},
    }
    what = f"the body of {operation.method} {operation.path}"
    if "$ref" in operation.node["requestBody"]:
        target = json_path(operation.place, "requestBody")
        yield ProposedAction(target, f"With the next action: {what}, of which nothing was shown.")
    yield ProposedAction(json_path(operation.place), f"Requests show members of {what}.", {"requestBody": request})


def of_response(response: Response, document: Document, at_least: int) -> ProposedAction:
    """Return the action that adds the responses with one status."""
    operation, status = response.operation, response.status
    node: dict[str, Any] = {"description": f"Seen {counted(response.count, 'time')}."}
    if response.media_type not in ("none", "other"):
        declared = None if response.is_undeclared and status < 400 else response.schema
        if declared is None and status < 300:
            declared = document.response(operation, 200, "") if "200" in operation.responses else None
        schema = body_schema(declared, response.body, document, at_least) if response.body is not None else {}
        node["content"] = {response.media_type: {"schema": schema} if schema else {}}
    first, last = response.dates
    node["x-observed"] = {"answers": response.count, "first": first, "last": last}
    came = f"{status} came {counted(response.count, 'time')}"
    why = f"The contract has {', '.join(operation.node['responses'])}, and {came}." if response.is_undeclared else ""
    text = f"{operation.method} {operation.path} responds with {status}."
    return ProposedAction(json_path(operation.place, "responses"), text, {str(status): node}, why)


def target_of(seen: Seen) -> str:
    """Return the JSONPath of a place: an object where it is written, anything else where it is used."""
    return json_path(seen.schema.place if seen.schema.properties else seen.schema.own_place)


def of_place(seen: Seen, at_least: int) -> Iterator[ProposedAction]:
    """Yield what a schema lacks: members, a type, values, a unit."""
    schema, target = seen.schema, target_of(seen)
    holder = next((part for part in reversed(schema.parts) if "properties" in part.node), None)
    for member, shape in sorted(seen.shape.get(OTHERS, {}).items()):
        node = {**schema_of(shape, at_least), "x-observed": observed(shape["n"], seen)}
        new = {member: {"description": "Not shown by the description of the API.", **node}}
        text = f"{shape['n']} of {seen.objects} objects have {member}."
        if holder is not None:
            yield ProposedAction(json_path(holder.place, "properties"), text, new)
        else:
            yield ProposedAction(target, text, {"properties": new})
    evidence = {"x-observed": observed(seen.total, seen)}
    if schema.is_unshown and (node := schema_of(seen.shape, at_least)):
        text = f"Of {counted(seen.total, 'value')} the types are: {', '.join(sorted(seen.shape['types']))}."
        yield ProposedAction(json_path(schema.own_place), text, {**node, **evidence})
    values = [value for value in known_values(seen.shape) if value not in schema.values]
    if values and schema.is_set and not schema.is_closed:
        text = f"{counted(seen.total, 'value')} read; there may be others."
        yield ProposedAction(target, text, {"x-known-values": values, **evidence})
    if seen.unit is not None and any(gap.id.endswith("-unit") for gap in schema.all_gaps):
        text = f"All of {counted(seen.total, 'value')}: {seen.unit}."
        yield ProposedAction(target, text, {"format": seen.unit, **evidence})


def always_required(seen: Seen, at_least: int) -> list[str]:
    """Return the members that may be called required: new ones, and others where a gap says that it is not shown."""
    if seen.objects < at_least:
        return []
    is_open = any(gap.id.endswith(REQUIRED_ENDINGS) for gap in seen.schema.all_gaps)
    new = [name for name in seen.new_always if seen.shape[OTHERS][name]["n"] >= at_least]
    return sorted({*new, *(seen.always if is_open else ())} - seen.schema.required.keys())


def types_of(name: str, seen: Seen, evidence: Evidence) -> list[str]:
    """Return the types that were seen of a member."""
    if name in seen.shape.get(OTHERS, {}):
        return sorted(seen.shape[OTHERS][name]["types"])
    member = seen.schema.properties[name]
    values = evidence.places.get(member.place) or evidence.places.get(member.own_place)
    return sorted(values.shape["types"]) if values is not None else []


def differing(place: str, seen: Seen) -> Iterator[ProposedAction]:
    """Yield the actions about what contradicts the contract at a place; a format that differs is only reported."""
    types: list[Contradiction] = []
    for contradiction in contradictions_at(place, seen):
        name, times, total = contradiction.name, contradiction.times, contradiction.total
        why = f"{contradiction.text}: {times} of {counted(total, 'time')}."
        if contradiction.kind == "missing":
            target = f"{json_path(contradiction.place)}[?(@=={literal(name)})]"
            text = f"{name} is missing in {times} of {counted(total, 'object')}."
            yield ProposedAction(target, text, contradicts=why)
        elif contradiction.kind == "value" and is_value_name(name):
            update = {"enum": [name], "x-observed": observed(times, contradiction)}
            yield ProposedAction(json_path(contradiction.place), f"{name} came {counted(times, 'time')}.", update, why)
        elif contradiction.kind == "type":
            types.append(contradiction)
    given: str | list[str] = seen.schema.node.get("type", [])
    if types and given and seen.schema.place == seen.schema.own_place:
        stated = [given] if isinstance(given, str) else given
        new = [contradiction.name for contradiction in types if contradiction.name not in stated]
        update = {
            "type": [*stated, *new] if isinstance(given, str) else new,
            "x-observed": observed(types[0].times, types[0]),
        }
        why = " ".join(f"{each.text}: {each.times} of {counted(each.total, 'time')}." for each in types)
        yield ProposedAction(json_path(seen.schema.place), f"{counted(seen.total, 'value')} read.", update, why)


def closed(evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield the actions that close gaps, each after the facts that close it."""
    placeholders: set[str] = set()
    for fact in gap_evidence(evidence):
        needed = 1 if fact.gap.id.endswith(("-response", "-type", "-path", "-method")) else at_least
        if fact.closes and fact.total >= needed:
            target = f"{json_path(fact.gap.place, 'x-not-shown')}[?(@.id=={literal(fact.gap.id)})]"
            dates = {"answers": fact.total, "first": fact.first, "last": fact.last}
            yield ProposedAction(target, f"{fact.text}.", {"closed": dates})
            success: Mapping[str, Any] = evidence.document.at(fact.gap.place).get("responses", {}).get("2XX", {})
            if fact.gap.id.endswith("-response") and success.get("$ref", "").endswith("/NotShown"):
                placeholders.add(json_path(fact.gap.place, "responses", "2XX"))
    for target in sorted(placeholders):
        why = "It stood for a response that was not shown, and is shown now."
        yield ProposedAction(target, "The placeholder of a response.", contradicts=why)


def promoted(evidence: Evidence) -> Iterator[ProposedAction]:
    """Yield the actions that move the operations which succeed under another version only."""
    endpoints = evidence.document.endpoints
    left = Counter(operation.path for operation in endpoints.values())
    paths: set[str] = set()
    for tally, operation_id, path in evidence.promoted():
        operation, times = endpoints[operation_id], successes(tally)
        old = operation.place.rpartition("/")[0]
        seen = {"answers": times, "first": tally["first"], "last": tally["last"]}
        new = {operation.method.lower(): {**operation.node, "x-observed": seen}}
        item = evidence.document.at(old)
        if path not in paths and "parameters" in item:
            new = {"parameters": item["parameters"], **new}
        why = f"{path} succeeded {counted(times, 'time')}, and the contract has {operation.path}."
        text = f"{operation_id}: the new path. The next action removes the old one."
        yield ProposedAction("$.paths", text, {path: new}, why)
        paths.add(path)
        left[operation.path] -= 1
        text = f"{operation_id}: the old path, with the action before."
        yield ProposedAction(json_path(operation.place if left[operation.path] else old), text, contradicts=why)
