"""Replies of resources in the form of a contract to which an Overlay has added what was observed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from agent_session_platform.contract import Node, is_array, is_object

from .contract import Kind, Route
from .handlers import Call, Handler, Reply
from .lists import ListForm, is_unknown, list_form, main_content
from .problems import suggestion
from .validation import Sampler, Shape


def follow_contract(handler: Handler, route: Route, *, observed: bool) -> Handler:
    """Return a handler of a resource that replies in the form of the contract.

    Args:
        handler: The handler, which knows only the contract without Overlays.
        route: The operation.
        observed: True if an Overlay has closed a gap, so that replies are validated. Lists are written as the contract
            says in any case.
    """
    content, form = main_content(route), list_form(route)
    if content is None or content.kind is not Kind.JSON or is_unknown(content.shape):
        return handler
    shape = content.shape

    def handle(call: Call) -> Reply:
        reply = handler(call)
        if reply.status not in (None, route.success):
            return reply
        body = reply.body if form is None else _as_list(form, reply.body, shape)
        if observed and not shape.validator.is_valid(body):
            sampler = Sampler(shape.contract, call.state.timestamp())
            body = _fit(shape, form, body, sampler.fit)
        return reply if body is reply.body else attrs.evolve(reply, body=body)

    return handle


def _as_list(form: ListForm, body: Any, shape: Shape) -> Any:
    """Return a list under the member that the contract names; any other body stays as it is."""
    if is_array(body):
        return body if form.member is None else {form.member: body}
    if not is_object(body) or form.member in body:
        return body
    unknown = [name for name, value in body.items() if is_array(value) and name not in shape.members]
    if len(unknown) != 1:
        return body
    items = body[unknown[0]]
    if form.member is None:
        return items
    renamed = {form.names.get(name, name): value for name, value in body.items() if name != unknown[0]}
    return {form.member: items, **renamed}


def _fit(shape: Shape, form: ListForm | None, body: Any, fit: Callable[[Any, Any], Any]) -> Any:
    """Return the most similar body that the contract allows."""
    if form is not None:
        body = _fit_items(form, body, fit)
    if is_object(body):
        body = _rename(shape, body)
    return fit(shape.schema, body)


def _fit_items(form: ListForm, body: Any, fit: Callable[[Any, Any], Any]) -> Any:
    if form.member is None:
        return [fit(form.items.schema, item) for item in body] if is_array(body) else body
    items = body.get(form.member) if is_object(body) else None
    if not is_array(items):
        return body
    return {**body, form.member: [fit(form.items.schema, item) for item in items]}


def _rename(shape: Shape, body: Node) -> Node:
    """Return a body whose members have the names of the contract: `total` becomes `total_queued`."""
    renamed = dict(body)
    required = {name for flat in shape.alternatives for name in flat.get("required", ())}
    for name in sorted(required - body.keys()):
        known = shape.member(name).validator
        unknown = [other for other in renamed if other not in shape.members and known.is_valid(renamed[other])]
        similar = [other for other in unknown if suggestion(name, [other])]
        if len(similar) == 1:
            renamed[name] = renamed.pop(similar[0])
    return renamed
