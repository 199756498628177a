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
from .evidence import Line, counted, dates_of
from .file import read_observations
from .observations import Observations
from .report import Report, make_report

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
        lines = [
            f"## {counted(len(self.report.contradictions), 'contradiction')} with the contract",
            "",
            f"{succeeded} operations that only read succeeded, of {len(self.called) + len(self.skipped)}.",
        ]
        for text, statuses in (("Refused by", range(300, 500)), ("Failed in", range(500, 1000))):
            named = [f"{name} ({status})" for name, status in self.called.items() if status in statuses]
            lines += [f"{text} the server: {', '.join(named)}."] if named else []
        return "\n".join([*lines, "", self.report.to_markdown()])


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
            found = [each for each in catalogue if each.method == "GET" and not each.streamed]
            # Lists come before what is in them.
            for operation in sorted(found, key=lambda each: (each.path.count("{"), each.path)):
                await walk.call(operation)
        observations.close()
        tallies = read_observations([observations.path]) if observations.path.exists() else {}
    report = make_report(tallies)
    gone = [
        Line(
            name, f"GET {each.path} responds with {walk.called[name]}, and needs no id", 1, 1, *dates_of(tally), "gone"
        )
        for name, each, tally in ((each.name, each, tallies.get(each.id)) for each in found)
        if tally and walk.called.get(name) in GONE and set(PLACEHOLDER.findall(each.path)) <= {ORGANIZATION}
    ]
    report = attrs.evolve(report, contradictions=(*gone, *report.contradictions))
    has_succeeded = any(status < 300 for status in walk.called.values())
    return Check(report, walk.called, walk.skipped, None if has_succeeded else walk.error)


def organization_of(platform: AgentPlatform) -> str | None:
    """Return the organization of a client; None if it has none."""
    try:
        return platform.organization().org_id
    except AgentPlatformError:
        return None


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
        self.skipped[operation.name] = "no id is known that its path needs"
        for path in self._paths(operation.path):
            try:
                body, response = await self.platform.with_response(self.platform.request("GET", path))
            except AgentPlatformError as error:
                self.error = self.error or error
                if isinstance(error, ProblemError):
                    self.called.setdefault(operation.name, error.status)
                self.skipped[operation.name] = type(error).__name__
            else:
                self.called[operation.name] = response.status
                self.ids.setdefault(path, ids_of(operation, body))
        if operation.name in self.called:
            del self.skipped[operation.name]

    def _paths(self, template: str) -> Iterator[str]:
        """Yield the path of an operation with all ids that are known."""
        name = PLACEHOLDER.search(template)
        if name is None:
            yield template
            return
        before, after = template[: name.start()], template[name.end() :]
        values = self.ids.get(before.rstrip("/"), [])
        if name[1] == ORGANIZATION:
            values = [self.organization] if self.organization is not None else []
        for value in values:
            yield from self._paths(f"{before}{quote(value, safe='')}{after}")


def ids_of(operation: Operation, body: Any) -> list[str]:
    """Return the ids of the first items of a list: of the member that the contract or its path names."""
    lists: list[Any] = list(body.values()) if is_object(body) else [body]
    items: list[Any] = next(filter(is_array, lists), list[Any]())
    document, listed = load_document(), f"{operation.path}/{{"
    schema = document.response(document.endpoints[operation.id], 200, "")
    shown = [each.items for each in schema.properties.values() if each.items is not None] if schema is not None else []
    stated = [name for each in shown for name, member in each.properties.items() if member.node.get("x-resource-id")]
    in_paths = [
        PLACEHOLDER.findall(each.path[len(operation.path) :])[0] for each in catalogue if each.path.startswith(listed)
    ]
    found: list[str] = []
    for item in filter(is_object, items[:MOST_IDS]):
        values = [item[name] for name in (*stated, *in_paths, "id") if item.get(name) and isinstance(item[name], str)]
        found += values[:1]
    return found
