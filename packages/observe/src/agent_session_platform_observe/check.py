"""Check a deployment: call its operations that only read, and compare the responses with the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

import attrs
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ExchangeRecord,
    Operation,
    ProblemError,
    operations as catalogue,
)
from agent_session_platform.contract import PLACEHOLDER, is_array, is_object

from .facts import Line, counted
from .recorder import Recorder, seen_on
from .report import Report, make_report

ORGANIZATION: Final = "org_id"
# At most this many items of each list are read by their ids.
MOST_IDS: Final = 3
# The statuses of a server that does not have an operation.
GONE: Final = (404, 405, 410, 501)


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
        succeeded = 0
        refused: list[str] = []
        failed: list[str] = []
        for name, status in self.called.items():
            if status < 300:
                succeeded += 1
            elif status < 500:
                refused.append(f"{name} ({status})")
            else:
                failed.append(f"{name} ({status})")
        total = len(self.called) + len(self.skipped)
        lines = [
            f"## {counted(len(self.report.contradictions), 'contradiction')} with the contract",
            "",
            f"{succeeded} operations that only read succeeded, of {total}.",
        ]
        if refused:
            lines.append(f"Refused by the server: {', '.join(refused)}.")
        if failed:
            lines.append(f"Failed in the server: {', '.join(failed)}.")
        lines += ["", self.report.to_markdown()]
        return "\n".join(lines)


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
    called: dict[str, int] = {}
    skipped: dict[str, str] = {}
    bodies: dict[str, Any] = {}
    first_error: AgentPlatformError | None = None
    recorder = Recorder(())

    def observe(exchange: ExchangeRecord) -> None:
        if exchange.status is not None:
            recorder.record(exchange, exchange.status).add(seen_on(datetime.now(UTC).date()))

    reads = [operation for operation in catalogue if operation.method == "GET" and not operation.streamed]
    async with AgentPlatform(organization=organization, on_exchange=observe, **settings) as platform:
        # Lists come before their items.
        for operation in sorted(reads, key=ids_and_path):
            name = operation.name
            skipped[name] = "an id that its path needs is not known"
            if any(parameter.required and parameter.location != "path" for parameter in operation.parameters):
                skipped[name] = "it requires parameters beside its path"
                continue
            for path in paths_of(operation.path, platform, bodies):
                try:
                    bodies[path], response = await platform.with_response(platform.request("GET", path))
                    called[name] = response.status
                except AgentPlatformError as error:
                    first_error = first_error or error
                    skipped[name] = type(error).__name__
                    if isinstance(error, ProblemError):
                        called.setdefault(name, error.status)
    # Names that were seen too rarely may be values.
    recorder.tally.take_rare()
    tallies = recorder.tally.below
    report = make_report(tallies)
    gone: list[Line] = []
    for operation in reads:
        status = called.get(operation.name)
        # The path needs no id, so this status means that the server does not have the operation.
        if status in GONE and {*PLACEHOLDER.findall(operation.path)} <= {ORGANIZATION}:
            text = f"GET {operation.path} responds with {status}, and needs no id"
            gone.append(Line(operation.name, text, 1, 1, *tallies[operation.id].dates(), "gone"))
    report = attrs.evolve(report, contradictions=(*gone, *report.contradictions))
    for name in called:
        del skipped[name]
    if any(status < 300 for status in called.values()):
        first_error = None
    return Check(report, called, skipped, first_error)


def ids_and_path(operation: Operation) -> tuple[int, str]:
    """Return what puts lists before their items."""
    return operation.path.count("{"), operation.path


def paths_of(template: str, platform: AgentPlatform, bodies: Mapping[str, Any]) -> Iterator[str]:
    """Yield the path of an operation once for each known id.

    Args:
        template: The path with its placeholders.
        platform: The client, which knows the organization.
        bodies: The responses that have come, by path.
    """
    found = PLACEHOLDER.search(template)
    if found is None:
        yield template
        return
    name = found[1]
    before = template[: found.start()].rstrip("/")
    after = template[found.end() :]
    resource = before.rpartition("/")[2].removesuffix("s")
    values = ids_of(bodies.get(before), [name, f"{resource}_id", "id"])
    if name == ORGANIZATION:
        with suppress(AgentPlatformError):
            values = [platform.organization().org_id]
    for value in values:
        yield from paths_of(f"{before}/{quote(value, safe='')}{after}", platform, bodies)


def ids_of(body: Any, names: Iterable[str]) -> list[str]:
    """Return the ids of the first items of a list. The id of an item is its first member with one of these names."""
    lists = [body]
    if is_object(body):
        lists = [*body.values()]
    ids: list[str] = []
    for items in filter(is_array, lists):
        for item in filter(is_object, items[:MOST_IDS]):
            known = [item[name] for name in names if isinstance(item.get(name), str)]
            ids += known[:1]
    return ids[:MOST_IDS]
