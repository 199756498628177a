"""Replies in the form of the contract: the one place that fits what handlers reply, and why a request is refused."""

from __future__ import annotations

from typing import Any

import attrs
from agent_session_platform.contract import is_array, is_object

from .contract import Content, Kind, Route
from .fitting import Fitter
from .handlers import Call, Handler, Reply
from .lists import ListForm, is_unknown, list_form
from .problems import PROBLEM, RefusedError
from .validation import SandboxContract


def has_overlay(contract: SandboxContract) -> bool:
    """Return whether an Overlay has closed a gap of a contract."""
    return any(gap.closed for gap in contract.gaps)


def follow_contract(handler: Handler, route: Route, *, fits: bool) -> Handler:
    """Return a handler that replies in the form of the contract.

    Args:
        handler: The handler, which may know only the contract without Overlays.
        route: The operation.
        fits: True to validate replies, and to fit those that are not valid. Without it, a reply is fitted only if it
            lacks a required member, or has a value of another type: so a test may add null to any record.
    """
    form = list_form(route)

    def handle(call: Call) -> Reply:
        reply, content = handler(call), call.content
        if reply.status not in (None, route.success) or content is None or content.kind is not Kind.JSON:
            return reply
        if is_unknown(content.shape):
            return reply
        body = reply.body if form is None else _as_list(form, reply.body, content)
        if fits or not content.shape.is_plausible(body):
            body = fit_body(call, content, form, body)
        return attrs.evolve(reply, body=body)

    return handle


def fit_body(call: Call, content: Content, form: ListForm | None, body: Any) -> Any:
    """Return the most similar body that the contract allows; the items of a list are fitted one by one."""
    shape = content.shape
    items = body
    if form is not None and form.member is not None and is_object(body):
        shape = shape.member(form.member)
        items = body.get(form.member)
    if form is None or not is_array(items):
        return call.fitter.fit(content.shape.schema, body)

    def with_items(items: list[Any]) -> Any:
        return {**body, form.member: items} if is_object(body) else items

    fitted: list[Any] = []
    for item in items:
        fitted.append(call.fit_item(form.items, item))
    # All items are valid now. To validate the rest of the body, one of them is enough, unless their number counts.
    few = fitted if shape.mark("maxItems") else fitted[:1]
    if content.shape.validator.is_valid(with_items(few)):
        return with_items(fitted)
    return call.fitter.fit(content.shape.schema, with_items(fitted))


def _as_list(form: ListForm, body: Any, content: Content) -> Any:
    """Return a list under the member that the contract names; any other body stays as it is."""
    if is_array(body):
        return body if form.member is None else {form.member: body}
    if not is_object(body) or form.member in body:
        return body
    unknown = [name for name in body if is_array(body[name]) and name not in content.shape.members]
    if len(unknown) != 1:
        return body
    rest = dict(body)
    items = rest.pop(unknown[0])
    return items if form.member is None else {form.member: items, **rest}


def refusal_body(route: Route, refusal: RefusedError, path: str, now: str) -> tuple[str, Any]:
    """Return the media type and the body of the response to a refused request, in the form of the contract.

    A problem detail is the form of a status that the contract does not declare.

    Args:
        route: The operation.
        refusal: Why the request is refused.
        path: Path of the request.
        now: The current time, as a date-time.
    """
    problem = refusal.body(path, with_code=route.with_code)
    form = route.response(refusal.status)
    declared = form.contents if form else ()
    plain: Content | None = None
    for content in declared:
        if content.kind is Kind.JSON and content.media_type != PROBLEM:
            plain = plain or content
    # Frameworks have this form, and the creation of schedules (rule schedule-validation-body).
    failures = {"detail": refusal.errors or []}
    is_validation = refusal.status == 422 or bool(refusal.errors)
    if plain is not None and is_validation and plain.shape.validator.is_valid(failures):
        return plain.media_type, failures
    if plain is None or any(content.media_type == PROBLEM for content in declared):
        return PROBLEM, problem
    given = {**problem, "message": refusal.detail, "code": problem["title"].lower().replace(" ", "_")}
    fitter = Fitter(route.contract, now, given)
    return plain.media_type, fitter.fit(plain.shape.schema, problem)
