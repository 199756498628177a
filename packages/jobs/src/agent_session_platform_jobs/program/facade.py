"""Attributes of the objects of the SDK, and of unknown objects whose attributes are spelled like these."""

from __future__ import annotations

import attrs

from .values import (
    CONTAINER_METHODS,
    OTHER,
    PLAIN,
    UNKNOWN,
    BatchOf,
    File,
    Maker,
    Method,
    Resource,
    Scope,
    Simple,
    Text,
    Value,
    Values,
    called,
    resources,
    sdk_classes,
    verbs,
)

OF_PLATFORM: dict[str, Value] = {
    "organization": Maker(Scope("organization")),
    "enterprise": Scope("enterprise"),
    "request": Simple.REQUEST,
}
# Spelled like those of a client: `self._platform.enterprise.members`.
OF_UNKNOWN: dict[str, Value] = {
    "organization": Maker(Scope("organization", sure=False)),
    "enterprise": Scope("enterprise", sure=False),
    "request": Simple.MAYBE_REQUEST,
}


class NoSuchAttributeError(Exception):
    """A scope or a resource has no attribute of this name."""


def sdk_attribute(value: Value, name: str) -> Values:
    """Return the values of an attribute.

    Args:
        value: Any value but an object of the program.
        name: Name of the attribute.

    Raises:
        NoSuchAttributeError: A scope has no such resource, or a resource no such method.
    """
    if value in (Simple.UNKNOWN, Simple.OTHER):
        found = Resource("", name, sure=False) if name in resources() else OF_UNKNOWN.get(name, value)
    elif value is Simple.PLATFORM:
        found = OF_PLATFORM.get(name, Maker(value) if name in CONTAINER_METHODS else Simple.OTHER)
    elif value is Simple.SANDBOX:
        found = Maker(Simple.PLATFORM) if name == "client" else Simple.OTHER
    elif value is Simple.SDK:
        return sdk_name(name)
    elif value is Simple.JOBS:
        return job_name(name)
    elif isinstance(value, BatchOf):
        found = attrs.evolve(value, run=True) if name == "run" and not value.run else Simple.OTHER
    elif isinstance(value, Scope):
        found = _of_scope(value, name)
    elif isinstance(value, Resource):
        found = _of_resource(value, name)
    elif isinstance(value, Maker) and name not in CONTAINER_METHODS:
        return UNKNOWN if not value.is_class else OTHER
    else:
        return PLAIN if not isinstance(value, Maker) else frozenset({value})
    return frozenset({found})


def sdk_name(name: str) -> Values:
    """Return the values of a name that is imported from the SDK."""
    if name in sdk_classes():
        return frozenset({Maker(sdk_classes()[name], is_class=True)})
    if name == "agent_session_platform_jobs":
        return frozenset({Simple.JOBS})
    if name in ("models", "legacy", "agent_session_platform", "agent_session_platform_sandbox"):
        return frozenset({Simple.SDK})
    return OTHER


def job_name(name: str) -> Values:
    """Return the values of a name that is imported from the jobs; most of them call operations of their own."""
    return frozenset({Simple.BATCH}) if name == "Batch" else UNKNOWN


def _of_scope(scope: Scope, name: str) -> Value:
    if (scope.name, name) in verbs():
        return Resource(scope.name, name, scope.sure)
    if name in CONTAINER_METHODS:
        return Maker(scope)
    if name.startswith("_") or name == "org_id":
        return Simple.PLAIN
    if scope.sure:
        raise NoSuchAttributeError(f"the {scope.name} scope has no resource {name!r}")
    return Resource("", name, sure=False) if name in resources() else Simple.UNKNOWN


def _of_resource(resource: Resource, name: str) -> Value:
    if called(resource.scope, resource.name, name):
        return Method(resource.scope, resource.name, name)
    if name in CONTAINER_METHODS:
        return Maker(resource)
    if name.startswith("_") or name == "org_id":
        return Simple.PLAIN
    if resource.sure:
        raise NoSuchAttributeError(f"{resource.scope}.{resource.name} has no method {name!r}")
    return next(iter(sdk_attribute(Simple.UNKNOWN, name)))


def results(value: Value) -> Values:
    """Return what calling a value returns that is not of the program; a container gives what is in it."""
    if isinstance(value, Maker):
        return frozenset({value.value})
    if isinstance(value, Method) or value in (Simple.REQUEST, Simple.SDK):
        return OTHER
    return PLAIN if isinstance(value, Text | File) else frozenset({value})
