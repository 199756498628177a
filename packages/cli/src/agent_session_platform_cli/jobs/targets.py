"""Objects to wait for, lists to follow and lists to read, as the catalogue says."""

from __future__ import annotations

from collections.abc import Mapping

from agent_session_platform import Catalogue, Operation


def waited() -> Mapping[str, Operation]:
    """Return the operations that read an object to wait for, by the name of the object: `organization.sessions`."""
    return {_target(each, each.job): each for each in _sorted() if each.job.startswith("wait")}


def followed() -> Mapping[str, Operation]:
    """Return the lists that can be followed, by their names without a verb: `organization.sessions.messages`."""
    return {_target(each, each.job): each for each in _sorted() if each.job.startswith("follow")}


def listed() -> Mapping[str, Operation]:
    """Return the operations that list something, by their own names."""
    return {each.name: each for each in _sorted() if each.method == "GET" and (each.paginated or _lists(each.verb))}


def _lists(verb: str) -> bool:
    return verb.partition("_")[0] == "list"


def _target(operation: Operation, method: str) -> str:
    """Return the scope and resource, and what the name of the method says beyond its verb."""
    _, _, what = method.partition("_")
    return ".".join(filter(None, (operation.scope, operation.resource, what)))


def _sorted() -> list[Operation]:
    return sorted(Catalogue(), key=str)
