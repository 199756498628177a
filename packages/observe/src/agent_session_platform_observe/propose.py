"""Propose an OpenAPI Overlay: what the contract should say, with the evidence of each fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import Endpoint
from agent_session_platform.text import format_value

from .closing import REQUIRED_ENDINGS, always_present, gap_evidence, unit_of
from .contract import Document, load_document
from .contradictions import is_undeclared
from .differing import differing
from .evidence import Evidence, Response, Seen, accepted_parameters, collect
from .examples import completed_examples
from .inferred import body_schema, known_values, schema_of
from .overlay_text import ProposedAction, json_path, literal, observed, to_yaml
from .promoted import promoted
from .record import ACCEPTED, BODY, REQUEST
from .shape import COUNT, TYPE
from .tally import FIRST, FREE, LAST, OTHERS, Tally

AT_LEAST = 20
TITLE = "What a deployment showed"


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
    version = max((tally[LAST] for tally in tallies.values()), default="0")
    return to_yaml(TITLE, version, actions) if actions else ""


def propose_actions(evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield all actions: those of operations, those of schemas, what contradicts, and which gaps are closed."""
    # Of one that is promoted, only failures were seen.
    moved = {operation_id for _, operation_id, _ in evidence.promoted()}
    for operation_id, operation in evidence.document.endpoints.items():
        if operation_id in evidence.tallies.keys() - moved:
            yield from of_operation(operation_id, operation, evidence, at_least)
    of_requests = {place: seen for place, seen in evidence.sent.items() if place not in evidence.places}
    for place, seen in {**evidence.places, **of_requests}.items():
        yield from of_place(seen, evidence.document, at_least)
        if place in evidence.places:
            yield from differing(place, seen)
    yield from completed_examples(required_anew(evidence, at_least), evidence.document)
    yield from closed(evidence, at_least)
    yield from promoted(evidence)


def of_operation(key: str, operation: Endpoint, evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield what an operation lacks: responses, query parameters, and the members of a request."""
    for response in evidence.of(operation):
        if str(response.status) not in operation.node["responses"] and response.status < 500:
            yield of_response(response, evidence, at_least)
    tally = evidence.tallies[key]
    for name, times in accepted_parameters(evidence, key).items():
        parameter = {
            "name": name,
            "in": "query",
            "required": False,
            "description": "Seen in requests that succeeded; a server may ignore what it does not know.",
            "schema": {},
            "x-observed": observed(times, tally[FIRST], tally[LAST]),
        }
        has_list = "parameters" in operation.node
        target = json_path(operation.place, *(["parameters"] if has_list else []))
        text = f"Requests with the query parameter {name} were accepted {times} times."
        yield ProposedAction(target, text, [parameter] if has_list else {"parameters": [parameter]})
    accepted: Tally | None = tally.get(REQUEST, {}).get(ACCEPTED, {}).get(BODY)
    body = evidence.document.body(operation)
    if accepted and body is not None and body.is_unshown and accepted.get(OTHERS):
        yield from of_request(
            operation, accepted, observed(accepted[COUNT], tally[FIRST], tally[LAST]), evidence.document
        )


def of_response(response: Response, evidence: Evidence, at_least: int) -> ProposedAction:
    """Return the action that adds the responses with one status."""
    operation, status = response.operation, response.status
    node: dict[str, Any] = {"description": f"Seen {response.count} times."}
    if response.media_type not in ("none", "other"):
        content: dict[str, Any] = {}
        declared = None if is_undeclared(response) and status < 400 else response.schema
        if declared is None and status < 300:
            declared = evidence.document.response(operation, 200, "") if "200" in operation.responses else None
        if response.body is not None:
            schema = body_schema(declared, response.body, evidence.document, at_least)
            content = {"schema": schema} if schema else {}
        node["content"] = {response.media_type: content}
    node["x-observed"] = observed(response.count, *response.dates)
    why = ""
    if is_undeclared(response):
        why = f"The contract has {', '.join(operation.node['responses'])}, and {status} came {response.count} times."
    text = f"{operation.method} {operation.path} responds with {status}."
    return ProposedAction(json_path(operation.place, "responses"), text, {str(status): node}, why)


def of_request(
    operation: Endpoint, shape: Tally, evidence: dict[str, Any], document: Document
) -> Iterator[ProposedAction]:
    """Yield the actions that show the members of a request body of which the contract shows nothing."""
    schema = {**schema_of({key: each for key, each in shape.items() if key != FREE}, document, shape[COUNT] + 1)}
    schema["additionalProperties"] = True
    body = {
        "description": "Members of requests that succeeded; a server may ignore what it does not know.",
        "required": False,
        "content": {"application/json": {"schema": schema}},
        "x-observed": evidence,
    }
    what = f"the body of {operation.method} {operation.path}"
    if "$ref" in operation.node["requestBody"]:
        target = json_path(operation.place, "requestBody")
        yield ProposedAction(target, f"With the next action: {what}, of which nothing was shown.")
    yield ProposedAction(json_path(operation.place), f"Requests show members of {what}.", {"requestBody": body})


def of_place(seen: Seen, document: Document, at_least: int) -> Iterator[ProposedAction]:
    """Yield what a schema lacks: members, a type, values, a unit, required members."""
    schema, dates = seen.schema, (seen.first, seen.last)
    name = json_path(schema.own_place if not schema.properties else schema.place)
    if FREE not in seen.shape:
        for member, shape in sorted(seen.shape.get(OTHERS, {}).items()):
            holder = next((part for part in reversed(schema.parts) if "properties" in part.node), None)
            found = schema_of(shape, document, at_least) | {"x-observed": observed(shape[COUNT], *dates)}
            text = f"{shape[COUNT]} of {seen.objects} objects have {member}."
            if holder is not None:
                yield ProposedAction(json_path(holder.place, "properties"), text, {member: described(found)})
            else:
                yield ProposedAction(name, text, {"properties": {member: described(found)}})
    evidence = observed(seen.total, *dates)
    if schema.is_unshown and (found := schema_of(seen.shape, document, at_least)):
        types = ", ".join(sorted(seen.shape[TYPE]))
        yield ProposedAction(
            json_path(schema.own_place),
            f"Of {seen.total} values the types are: {types}.",
            {**found, "x-observed": evidence},
        )
    values = known_values(seen.shape).get("x-known-values", [])
    new = [each for each in values if each not in schema.values]
    if new and schema.is_set and not schema.is_closed:
        text = f"{seen.total} values were read; there may be others."
        yield ProposedAction(name, text, {"x-known-values": new, "x-observed": evidence})
    unit = unit_of(seen)
    if unit is not None and any(gap.id.endswith("-unit") for gap in schema.all_gaps):
        yield ProposedAction(name, f"All of {seen.total} values are {unit}.", {"format": unit, "x-observed": evidence})
    if always := always_required(seen, at_least):
        text = f"All of {seen.objects} objects have these members."
        yield ProposedAction(name, text, {"required": always, "x-observed": observed(seen.objects, *dates)})


def always_required(seen: Seen, at_least: int) -> list[str]:
    """Return the members that may be called required, because a gap says that it is not shown which are."""
    is_open = any(gap.id.endswith(REQUIRED_ENDINGS) for gap in seen.schema.all_gaps)
    return sorted(always_present(seen)) if is_open and seen.objects >= at_least else []


def required_anew(evidence: Evidence, at_least: int) -> dict[str, dict[str, list[str]]]:
    """Return the members that are called required with the types that were seen, by the place of their schema."""
    found: dict[str, dict[str, list[str]]] = {}
    for place, seen in evidence.places.items():
        for name in always_required(seen, at_least):
            member = seen.schema.properties[name]
            values = evidence.places.get(member.place) or evidence.places.get(member.own_place)
            found.setdefault(place, {})[name] = sorted(values.shape[TYPE]) if values is not None else []
    return found


def described(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with a description, which the contract's conventions ask of a member."""
    return schema if "$ref" in schema else {"description": "Not shown by the description of the API.", **schema}


def closed(evidence: Evidence, at_least: int) -> Iterator[ProposedAction]:
    """Yield the actions that close gaps, each after the facts that close it."""
    for each in gap_evidence(evidence):
        needed = 1 if each.gap.id.endswith(("-response", "-type", "-path", "-method")) else at_least
        if each.closes and each.total >= needed:
            target = f"{json_path(each.gap.place, 'x-not-shown')}[?(@.id=={literal(each.gap.id)})]"
            yield ProposedAction(target, f"{each.text}.", {"closed": observed(each.total, each.first, each.last)})
