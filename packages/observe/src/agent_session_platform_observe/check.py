"""Check a deployment: call its operations that only read, and compare the responses with the contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

import attrs
from agent_session_platform import AgentPlatform, AgentPlatformError, ProblemError
from agent_session_platform import operations as catalogue
from agent_session_platform.contract import PLACEHOLDER, is_array, is_object

from .facts import Line, counted
from .file import read_observations
from .observations import Observations
from .report import Report, make_report

ORGANIZATION: Final = "org_id"
# At most this many items of each list are read by their ids.
MOST_IDS: Final = 3


@attrs.frozen
class Check:
    """The result of a check of a deployment.

    Attributes:
        report: The responses, compared with the contract.
        called: The operations that responded, each with its status.
        skipped: The operations that could not be called, each with the reason.
        error: The first error, if no operation succeeded. Then the report says nothing. None if an operation succeeded.
    """

    report: Report
    called: dict[str, int]
    skipped: dict[str, str]
    error: AgentPlatformError | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {"called": self.called, "skipped": self.skipped, **self.report.to_dict()}

    def to_markdown(self) -> str:
        """Return the result as Markdown, for an issue or a chat."""
        succeeded = sum(status < 300 for status in self.called.values())
        lines = [
            f"## {counted(len(self.report.contradictions), 'contradiction')} with the contract",
            "",
            f"{succeeded} operations that only read succeeded, of {len(self.called) + len(self.skipped)}.",
        ]
        for text, statuses in (("Refused by", range(300, 500)), ("Failed in", range(500, 1000))):
            if named := [f"{name} ({status})" for name, status in self.called.items() if status in statuses]:
                lines.append(f"{text} the server: {', '.join(named)}.")
        return "\n".join([*lines, "", self.report.to_markdown()])


async def check_deployment(organization: str | None = None, **settings: Any) -> Check:
    """Call the operations that only read, and compare their responses with the contract of this build.

    Operations whose path needs no id, except the id of the organization, are called first. The other operations are
    called with ids from the lists that were just read. Nothing is written or changed, and no file is downloaded.

    Args:
        organization: The organization to read; by default that of the environment.
        settings: Further arguments of `AgentPlatform`, such as `base_url`.

    Returns:
        The result of the check.

    Raises:
        ConfigurationError: A setting is missing or malformed.

    Example:
        found = await check_deployment("org-acme")
        if found.error or found.report.contradictions:
            print(found.to_markdown())
    """
    called, skipped, bodies = dict[str, int](), dict[str, str](), dict[str, Any]()
    first: AgentPlatformError | None = None
    found = [each for each in catalogue if each.method == "GET" and not each.streamed]
    with TemporaryDirectory() as directory:
        observations = Observations(Path(directory) / "observed.json")
        async with AgentPlatform(organization=organization, on_exchange=observations, **settings) as platform:
            # Lists come before their items.
            for operation in sorted(found, key=lambda each: (each.path.count("{"), each.path)):
                if any(each.required and each.location != "path" for each in operation.parameters):
                    skipped[operation.name] = "it requires parameters beside its path"
                    continue
                skipped[operation.name] = "an id that its path needs is not known"
                for path in paths_of(operation.path, platform, bodies):
                    try:
                        bodies[path], response = await platform.with_response(platform.request("GET", path))
                        called[operation.name] = response.status
                    except AgentPlatformError as error:
                        first = first or error
                        skipped[operation.name] = type(error).__name__
                        if isinstance(error, ProblemError):
                            called.setdefault(operation.name, error.status)
        observations.close()
        tallies = read_observations([observations.path]) if observations.path.exists() else {}
    report = make_report(tallies)
    gone: list[Line] = []
    for each in found:
        # The path needs no id, so this status means that the server does not have the operation.
        if called.get(each.name) in (404, 405, 410, 501) and set(PLACEHOLDER.findall(each.path)) <= {ORGANIZATION}:
            text = f"GET {each.path} responds with {called[each.name]}, and needs no id"
            gone.append(Line(each.name, text, 1, 1, *tallies[each.id].dates(), "gone"))
    report = attrs.evolve(report, contradictions=(*gone, *report.contradictions))
    skipped = {name: why for name, why in skipped.items() if name not in called}
    return Check(report, called, skipped, None if any(status < 300 for status in called.values()) else first)


def paths_of(template: str, platform: AgentPlatform, bodies: Mapping[str, Any]) -> Iterator[str]:
    """Yield the path of an operation once for each known id.

    Args:
        template: The path with its placeholders.
        platform: The client, which knows the organization.
        bodies: The responses that have come, by path.
    """
    name = PLACEHOLDER.search(template)
    if name is None:
        yield template
        return
    before, after = template[: name.start()].rstrip("/"), template[name.end() :]
    values = ids_of(bodies.get(before), (name[1], f"{before.rpartition('/')[2].removesuffix('s')}_id", "id"))
    if name[1] == ORGANIZATION:
        with suppress(AgentPlatformError):
            values = [platform.organization().org_id]
    for value in values:
        yield from paths_of(f"{before}/{quote(value, safe='')}{after}", platform, bodies)


def ids_of(body: Any, names: tuple[str, ...]) -> list[str]:
    """Return the ids of the first items of a list. The id of an item is its first member with one of these names."""
    lists = filter(is_array, body.values() if is_object(body) else [body])
    items = list(filter(is_object, next(lists, ())))
    found = [next((item[name] for name in names if name in item), None) for item in items[:MOST_IDS]]
    return [each for each in found if isinstance(each, str)]
