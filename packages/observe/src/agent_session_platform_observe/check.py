"""Ask a deployment itself: the operations that only read, chosen by the catalogue, compared with the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

import attrs
from agent_session_platform import AgentPlatform, AgentPlatformError, Operation, ProblemError
from agent_session_platform import operations as catalogue
from agent_session_platform.contract import PLACEHOLDER, is_array, is_object

from .contract import load_document
from .evidence import counted
from .file import read_observations
from .observations import Observations
from .report import Line, Report, make_report
from .tally import seen_today

ORGANIZATION: Final = "org_id"
# So many items of each list are read by their ids.
MOST_IDS: Final = 3
# A path without ids that responds so is not there any more.
GONE: Final = (404, 405, 410, 501)


@attrs.frozen
class Check:
    """The result of a check of a deployment.

    Attributes:
        report: The responses, compared with the contract.
        called: The operations that responded, each with its status.
        skipped: The operations that could not be called, each with the reason.
        error: The first error if no operation succeeded, so that the report says nothing; None otherwise.
    """

    report: Report
    called: dict[str, int]
    skipped: dict[str, str]
    error: AgentPlatformError | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        return {"called": self.called, "skipped": self.skipped, **self.report.to_dict()}

    def to_markdown(self) -> str:
        """Return the result for an issue or a chat."""
        succeeded = sum(status < 300 for status in self.called.values())
        refused = named(self.called, range(300, 500))
        failed = named(self.called, range(500, 1000))
        lines = [
            f"## {counted(len(self.report.contradictions), 'contradiction')} with the contract",
            "",
            f"{succeeded} operations that only read succeeded, of {len(self.called) + len(self.skipped)}.",
            *([f"Refused by the server: {refused}."] if refused else []),
            *([f"Failed in the server: {failed}."] if failed else []),
            "",
            self.report.to_markdown(),
        ]
        return "\n".join(lines)


def named(called: dict[str, int], statuses: range) -> str:
    """Return the operations that responded with one of these statuses, each with its status."""
    return ", ".join(f"{name} ({status})" for name, status in called.items() if status in statuses)


async def check_deployment(organization: str | None = None, **settings: Any) -> Check:
    """Call the operations that only read, and compare their responses with the contract of this build.

    First those that need no more than their scope, then those whose ids stand in the lists that came. Nothing is
    written or changed, and no file is downloaded.

    Args:
        organization: The organization to read; by default that of the environment.
        settings: Further arguments of `AgentPlatform`, such as `base_url`.

    Returns:
        What was found.

    Raises:
        ConfigurationError: A setting is missing or malformed.

    Example:
        found = await check_deployment("org-acme")
        if found.error or found.report.contradictions:
            print(found.to_markdown())
    """
    with TemporaryDirectory() as directory:
        observations = Observations(Path(directory) / "observed.json")
        async with AgentPlatform(organization=organization, on_exchange=observations, **settings) as platform:
            walk = Walk(platform, organization_of(platform))
            for operation in readers():
                await walk.call(operation)
        observations.close()
        tallies = read_observations([observations.path]) if observations.path.exists() else {}
    report = make_report(tallies)
    report = attrs.evolve(report, contradictions=(*gone(walk), *report.contradictions))
    has_succeeded = any(status < 300 for status in walk.called.values())
    return Check(report, walk.called, walk.skipped, None if has_succeeded else walk.error)


def organization_of(platform: AgentPlatform) -> str | None:
    """Return the organization of a client; None if it has none."""
    try:
        return platform.organization().org_id
    except AgentPlatformError:
        return None


def readers() -> list[Operation]:
    """Return the operations that only read, those with fewer ids in their path first."""
    found = [each for each in catalogue if each.method == "GET" and not each.streamed]
    return sorted(found, key=lambda each: (each.path.count("{"), each.path))


@attrs.define
class Walk:
    """The calls of a check.

    Attributes:
        platform: The client.
        organization: The organization; None for none.
        ids: The ids of the items that a path has listed.
        called: The operations that responded, each with its status.
        skipped: The operations that could not be called, each with the reason.
        error: The first error; None for none.
    """

    platform: AgentPlatform
    organization: str | None
    ids: dict[str, list[str]] = attrs.field(factory=dict[str, list[str]])
    called: dict[str, int] = attrs.field(factory=dict[str, int])
    skipped: dict[str, str] = attrs.field(factory=dict[str, str])
    error: AgentPlatformError | None = None

    async def call(self, operation: Operation) -> None:
        """Call an operation, once for each id that is known."""
        if any(each.required and each.location != "path" for each in operation.parameters):
            self.skipped[operation.name] = "it requires more than a path"
            return
        paths = list(self._paths(operation.path))
        if not paths:
            self.skipped[operation.name] = "no id is known that its path needs"
        for path in paths:
            try:
                body, response = await self.platform.with_response(self.platform.request("GET", path))
            except AgentPlatformError as error:
                self.error = self.error or error
                if isinstance(error, ProblemError):
                    self.called.setdefault(operation.name, error.status)
                elif operation.name not in self.called:
                    self.skipped[operation.name] = type(error).__name__
            else:
                self.called[operation.name] = response.status
                self.skipped.pop(operation.name, None)
                self.ids.setdefault(path, ids_of(operation, body))

    def _paths(self, template: str) -> Iterator[str]:
        """Yield the path of an operation with all ids that are known."""
        name = PLACEHOLDER.search(template)
        if name is None:
            yield template
            return
        before, after = template[: name.start()], template[name.end() :]
        if name[1] == ORGANIZATION:
            values = [self.organization] if self.organization is not None else []
        else:
            values = self.ids.get(before.rstrip("/"), [])
        for value in values:
            yield from self._paths(f"{before}{quote(value, safe='')}{after}")


def ids_of(operation: Operation, body: Any) -> list[str]:
    """Return the ids of the first items of a list: of the member that the contract or its path names."""
    lists: list[Any] = list(body.values()) if is_object(body) else [body]
    items = next((each for each in lists if is_array(each)), list[Any]())
    names = id_names(operation)
    found: list[str] = []
    for item in items[:MOST_IDS]:
        if is_object(item):
            value = next((item[name] for name in names if isinstance(item.get(name), str) and item[name]), None)
            found += [value] if value is not None else []
    return found


def id_names(operation: Operation) -> list[str]:
    """Return the members of an item that may be the id by which paths name it."""
    names = [
        name
        for each in catalogue
        for name in PLACEHOLDER.findall(each.path.removeprefix(operation.path))[:1]
        if each.path.startswith(f"{operation.path}/{{")
    ]
    document = load_document()
    schema = document.response(document.endpoints[operation.id], 200, "")
    lists = [] if schema is None else [each.items for each in schema.properties.values() if each.items is not None]
    stated = [name for items in lists for name, member in items.properties.items() if member.node.get("x-resource-id")]
    return [*stated, *dict.fromkeys(names), "id"]


def gone(walk: Walk) -> Iterator[Line]:
    """Yield the operations without an id in their path that are not there."""
    today: dict[str, Any] = {}
    seen_today(today)
    for name, status in walk.called.items():
        path = catalogue[name].path
        if status in GONE and set(PLACEHOLDER.findall(path)) <= {ORGANIZATION}:
            text = f"GET {path} responds with {status}, and needs no id"
            yield Line(name, text, 1, 1, today["first"], today["last"], "gone")
