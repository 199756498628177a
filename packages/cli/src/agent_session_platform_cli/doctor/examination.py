"""The checks in their order: one that depends on another that failed is not tried, and says so.

What the platform says is learned by reads of the API. The errors of the SDK name proxy, certificate, host and remedy
already, so they are shown as they are.
"""

from __future__ import annotations

import asyncio
import os
import platform as machine
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import quote, urlsplit

import attrs
import click
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    AuthenticationError,
    Catalogue,
    CertificateError,
    ConfigurationError,
    Credential,
    Operation,
    ProblemError,
    ReceivedResponse,
    RedisRateLimiter,
    RequestOptions,
    RetryPolicy,
    ServerError,
    __version__,
)

from ..errors import DENIED, FAILURE, NETWORK, NOT_FOUND, USAGE, exit_code_of, in_words_of_asp
from ..group import COMPANIONS, REQUIREMENTS, to_install
from ..settings import Settings, asp_command
from ..terminal_text import to_text
from .report import Examination, document_of, text_of
from .setup import Setup, check_settings, read_credential, read_setup

# The checks of what is set, and those by reads of the API, in their order.
CHECKS: Final = (
    *("settings", "credential"),
    *("response", "clock", "authentication", "organization", "permissions", "sandbox"),
)

ORG_ID: Final = "org_id"
# The first read is sent once: it is to show how it fails.
ONCE: Final = RetryPolicy.none()
PATIENT: Final = RetryPolicy(attempts=3, deadline=30.0, max_retry_after=10.0)

# Seconds by which a clock may be wrong: the header has whole seconds, and a response travels for a while.
TOLERATED: Final = 60
WRONG: Final = 300

NEW_KEY: Final = "make a key of a service user in the settings area, under service users."
LIBRARIES: Final = ("httpx", "httpx2", "aiohttp", "truststore", "redis")
REDIS_VARIABLES: Final = ("AGENT_PLATFORM_REDIS", "REDIS_URL")


@attrs.frozen
class Read:
    """The outcome of a read.

    Attributes:
        operation: The operation.
        status: The status of the response; None if none came.
        headers: Its headers, by name in small letters.
        received: When it came, by the clock of this machine, in seconds since 1970.
        error: Why it failed; None for a success.
    """

    operation: Operation
    status: int | None = None
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    received: float = 0.0
    error: AgentPlatformError | None = None

    @property
    def is_of_api(self) -> bool:
        """True if the response can only be the API's: a success, a refusal, or its form of an error."""
        if not isinstance(self.error, ProblemError):
            return self.error is None
        # A 404 in the form of the API may be about a path that it does not have.
        is_problem = self.headers.get("content-type", "").lower().startswith("application/problem+json")
        status = self.error.status
        return status in (401, 403, 429) or (is_problem and status < 500 and status not in (404, 405))

    def __str__(self) -> str:
        shown = "no response" if self.status is None else str(self.status)
        is_plain = self.error is None or self.status == 403
        return self.operation.name if is_plain else f"{self.operation.name} ({shown})"


async def examine(settings: Settings) -> Examination:
    """Make all checks.

    Args:
        settings: The global options.
    """
    examination = Examination()
    with suppress(ConfigurationError):
        setup = _examine_setup(examination, settings)
        await _examine_server(examination, setup)
    found = {each.check for each in examination.findings}
    left = [check for check in CHECKS if check not in found]
    why = next((f"{each.check} has a problem" for each in examination.findings if each.state == "problem"), "")
    examination.skip(why or "nothing could be sent with this credential", *left)
    _examine_software(examination)
    await _examine_redis(examination)
    return examination


def _examine_setup(examination: Examination, settings: Settings) -> Setup:
    """Check what is set, by itself.

    Raises:
        ConfigurationError: Nothing can be sent; it is among the findings.
    """
    try:
        setup = read_setup(settings)
    except ConfigurationError as error:
        examination.add("profile", "problem", f"It cannot be used: {error}.", "Correct the file.", USAGE)
        raise
    examination.organization = setup.organization
    name = None if setup.profile is None else f"{setup.profile.name!r} in {setup.profile.path}"
    examination.add("profile", "ok", f"The profile {name} is used." if name else "No profile is used.")
    problems: list[ConfigurationError] = []
    try:
        check_settings(setup)
        examination.add("settings", "ok", f"base_url is {setup.base_url}, from {setup.place('base_url')}.")
    except ConfigurationError as error:
        problems.append(error)
        place = next((setup.places[each] for each in setup.values if str(error).startswith(each)), "")
        remedy = f"Correct {place}." if place else ""
        examination.add("settings", "problem", f"{in_words_of_asp(str(error))}.", remedy, USAGE)
    place = setup.place("token")
    try:
        examination.credential = read_credential(setup)
    except (ConfigurationError, OSError) as error:
        problems.append(error if isinstance(error, ConfigurationError) else ConfigurationError(str(error)))
        why = getattr(error, "strerror", None) or str(error)
        examination.add("credential", "problem", f"From {place}: {why}.", f"Correct it, or {NEW_KEY}", DENIED)
    else:
        kind = examination.credential.kind
        facts = {"source": place, "kind": kind}
        if kind == "legacyApiKey":
            text = f"A legacy API key, of the paths of v1 and v2, from {place}: no current operation accepts it."
            examination.add("credential", "problem", text, f"Instead, {NEW_KEY}", DENIED, facts)
            problems.append(ConfigurationError(text))
        else:
            shown = f"of the kind {kind}" if kind else "of no kind that is known: it may be a personal access token"
            examination.add("credential", "ok", f"One from {place}, {shown}.", facts=facts)
    if problems:
        raise problems[0]
    return setup


async def _examine_server(examination: Examination, setup: Setup) -> None:
    credential = examination.credential
    assert credential is not None, "without one it is not tried"
    operations = reads_for(credential, setup.organization)
    if not operations:
        return
    # Not `async with`, which opens it: what is wrong with certificates is a finding of the first read.
    async with aclosing(setup.client(credential)) as platform:
        reads = [await read(platform, operations[0], setup.organization, ONCE)]
        # 401 and what is not the API say the same of all others; a 404 may be about this one only.
        if reads[0].status == 404 or (reads[0].is_of_api and reads[0].status != 401):
            more = (read(platform, each, setup.organization) for each in operations[1:])
            reads += await asyncio.gather(*more)
        if _judge_response(examination, reads, setup):
            _judge_clock(examination, reads)
            if _judge_authentication(examination, reads, setup):
                _judge_organization(examination, reads, setup)
                _judge_permissions(examination, reads)
        if (urlsplit(setup.base_url).hostname or "") in ("localhost", "127.0.0.1", "::1"):
            await _examine_sandbox(examination, platform)


def reads_for(credential: Credential, organization: str | None) -> list[Operation]:
    """Return the reads to send, first those that most credentials can send.

    Args:
        credential: Its kind leaves out what cannot accept it.
        organization: The organization; None leaves out what needs one.
    """
    found: list[Operation] = []
    for each in Catalogue():
        required = [every for every in each.parameters if every.required and every.location != "path"]
        is_plain = each.method == "GET" and not (each.deprecated or each.streamed or required)
        is_accepted = credential.kind is None or credential.kind in each.credentials
        if is_plain and is_accepted and _ids(each) <= ({ORG_ID} if organization else set()):
            found.append(each)
    return sorted(found, key=lambda each: (-len(each.credentials), ORG_ID in _ids(each), each.name))


def _ids(operation: Operation) -> set[str]:
    return {each.name for each in operation.parameters if each.location == "path"}


async def read(
    platform: AgentPlatform, operation: Operation, organization: str | None, retry: RetryPolicy = PATIENT
) -> Read:
    """Send a read, of a list for one item.

    Args:
        platform: The client.
        operation: One of `reads_for`.
        organization: The organization, where its path has one.
        retry: How often it is attempted.
    """
    responses: list[tuple[ReceivedResponse, float]] = []
    options = RequestOptions(retry=retry, on_response=lambda response: responses.append((response, time.time())))
    path = operation.path.replace(f"{{{ORG_ID}}}", quote(organization or "", safe=""))
    query: dict[str, Any] = {"first": 1} if any(each.name == "first" for each in operation.parameters) else {}
    error = None
    try:
        await platform.request("GET", path, query=query, options=options)
    except AgentPlatformError as failure:
        error = failure
    if not responses:
        return Read(operation, error=error)
    response, received = responses[-1]
    return Read(operation, response.status, response.headers, received, error)


def _judge_response(examination: Examination, reads: Sequence[Read], setup: Setup) -> bool:
    """Add whether the API responds, and return it."""
    known = next((each for each in reads if each.is_of_api), None)
    if known is not None:
        examination.add("response", "ok", f"The API responds: {known.operation} with {known.status}.")
        return True
    place, error, status = setup.place("base_url"), reads[0].error, reads[0].status
    assert error is not None, "a success is of the API"
    # A server of https hangs up on http, or responds with 400; one of http confuses a client of https.
    other = "speaks http only" if setup.base_url.startswith("https:") else "wants https"
    code, remedy = exit_code_of(error), f"Check host and path in {place}: it is what stands before /v3 in the paths."
    text = f"What responds at {setup.base_url} is not the API: {error}."
    if status is None:
        text = f"No response came: {error}."
        remedy = f"Do what it says; base_url is from {place}."
        if code == NETWORK and not isinstance(error, CertificateError):
            remedy += f" Check the proxy, too, and whether the server {other}; then network and firewall."
    elif isinstance(error, ServerError):
        text, remedy = f"The server, or a gateway before it, fails: {error}.", "Try again later."
    elif all(each.status in (404, 405) for each in reads):
        text, code = f"Nothing of the API is at {setup.base_url}: every read got {status}.", NOT_FOUND
    examination.add("response", "problem", text, remedy, code)
    return False


def _judge_clock(examination: Examination, reads: Sequence[Read]) -> None:
    """Add how far the clock of this machine is from that of the server, if a response has a date."""
    offsets: list[float] = []
    for each in reads:
        with suppress(KeyError, ValueError, OverflowError):
            offsets.append(each.received - parsedate_to_datetime(each.headers["date"]).timestamp())
    if not offsets:
        return
    # The one that travelled for the shortest time is the nearest.
    offset = min(offsets, key=abs)
    text = f"The clock of this machine is {abs(offset):.0f} s {'ahead of' if offset > 0 else 'behind'} the server's."
    remedy = "Set it, or let NTP set it: times of schedules and certificates depend on it."
    if abs(offset) <= TOLERATED:
        examination.add("clock", "ok", "The clock of this machine agrees with that of the server.")
    elif abs(offset) < WRONG:
        examination.add("clock", "warning", text, remedy)
    else:
        examination.add("clock", "problem", text, remedy, FAILURE)


def _judge_authentication(examination: Examination, reads: Sequence[Read], setup: Setup) -> bool:
    """Add whether the server accepts the credential, and return it."""
    refused = next((each.error for each in reads if isinstance(each.error, AuthenticationError)), None)
    if refused is None or any(each.status not in (None, 401) for each in reads):
        examination.add("authentication", "ok", "The server accepts the credential.")
        return True
    text = (
        f"The server refuses the credential from {setup.place('token')}: it is wrong, expired or revoked, or of "
        f"another server. It says: {refused.detail or refused.title}."
    )
    remedy = f"Check that {setup.place('base_url')} is the server that it is for, or {NEW_KEY}"
    examination.add("authentication", "problem", text, remedy, DENIED)
    return False


def _judge_organization(examination: Examination, reads: Sequence[Read], setup: Setup) -> None:
    """Add whether the platform knows the organization."""
    place = setup.place("organization")
    if setup.organization is None:
        text = "None is set: operations of the organization scope need one."
        examination.add("organization", "warning", text, f"Set {place} to an id that starts with 'org-'.")
        return
    within = [each for each in reads if ORG_ID in _ids(each.operation) and each.status is not None]
    statuses = {each.status for each in within}
    named, remedy = f"The organization {setup.organization}, from {place},", f"Compare {place} with the settings area."
    if any(each.error is None for each in within):
        examination.add("organization", "ok", f"{named} is known.")
    elif statuses and statuses <= {403, 404}:
        is_unknown = 404 in statuses
        what = "is not known to the platform, or not for this credential" if is_unknown else "refuses every read (403)"
        remedy += " The service user needs a role in it."
        examination.add("organization", "problem", f"{named} {what}.", remedy, NOT_FOUND if is_unknown else DENIED)
    elif within:
        shown = ", ".join(map(str, within))
        examination.add("organization", "warning", f"{named} may be known or not: {shown}.", "Run this again later.")


def _judge_permissions(examination: Examination, reads: Sequence[Read]) -> None:
    """Add which permissions the credential is seen to have, which are refused, and which cannot be told."""
    by_permission: dict[str, list[Read]] = defaultdict(list)
    for each in reads:
        by_permission[_permission_of(each.operation)].append(each)
    states = {name: _verdict(found) for name, found in sorted(by_permission.items())}
    verdicts = ("seen to have", "refused", "cannot be told")
    lines = [
        f"{verdict:<14}  {name}: {', '.join(map(str, by_permission[name]))}"
        for verdict in verdicts
        for name, state in states.items()
        if state == verdict
    ]
    read = {each.operation.permission for each in reads}
    untried = sorted({each.permission for each in Catalogue() if each.permission} - read)
    lines += [f"not tried       {', '.join(untried)}: no read needs them, and no write is sent"] if untried else []
    text = ", ".join(f"{[*states.values()].count(verdict)} {verdict}" for verdict in verdicts)
    remedy = "Give the service user a role with the permissions that `asp permissions PROGRAM` lists."
    has_one = verdicts[0] in states.values()
    examination.add(
        "permissions",
        "ok" if has_one else "warning",
        f"{text}.",
        "" if has_one else remedy,
        facts=states,
        lines=tuple(lines),
    )


def _permission_of(operation: Operation) -> str:
    """Return the permission of an operation with its level, or the gaps where that is not shown."""
    gaps = ", ".join(gap.id for gap in operation.gaps if gap.id.endswith(("-permission", "-level")))
    if operation.permission is None:
        return f"permission not shown ({gaps})"
    return f"{operation.permission} ({f'{operation.level} level' if operation.level else f'level not shown: {gaps}'})"


def _verdict(reads: Iterable[Read]) -> str:
    """Return what reads that need one permission say of it."""
    found = [*reads]
    if any(each.error is None for each in found):
        return "seen to have"
    return "refused" if any(each.status == 403 for each in found) else "cannot be told"


async def _examine_sandbox(examination: Examination, platform: AgentPlatform) -> None:
    """Ask a server of this machine whether it is a sandbox; another one is not asked what is not in its API."""
    found: Any = None
    with suppress(AgentPlatformError):
        found = await platform.request("GET", "/_sandbox", options=RequestOptions(retry=ONCE))
    is_sandbox = isinstance(found, dict) and "addresses" in found
    text = "This is a sandbox: what it says is not about the platform." if is_sandbox else "This is no sandbox."
    examination.add("sandbox", "ok", text, facts={"recognized": is_sandbox})


def _examine_software(examination: Examination) -> None:
    """Add the versions of what runs, and what is not installed."""
    found = {"python": machine.python_version(), "agent-session-platform": __version__}
    for name in LIBRARIES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    system = f"{machine.system()} {machine.machine()}, {sys.implementation.name}"
    text = ", ".join(f"{name} {each}" for name, each in found.items())
    examination.add("versions", "ok", f"{text}; {system}.", facts={**found, "system": system})
    modules = {name: [f"agent_session_platform_{name}"] for name in COMPANIONS}
    modules |= {name: [each.partition(">")[0] for each in listed] for name, listed in REQUIREMENTS.items()}
    missing = [name for name in modules if not all(map(_is_installed, modules[name]))]
    installed = [name for name in modules if name not in missing]
    text = f"Installed: {', '.join(installed) or 'none'}. Missing: {', '.join(missing) or 'none'}."
    if missing:
        text += f" Each is needed for its own purpose only; to install {missing[0]}: {to_install(missing[0])}"
    examination.add("extras", "ok", text, facts={"installed": installed, "missing": missing})


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:
        # The way of Python to say that its import is refused.
        return False


async def _examine_redis(examination: Examination) -> None:
    """Ping the Redis that the environment names; nothing is written to it."""
    variable = next(filter(os.environ.get, REDIS_VARIABLES), None)
    if variable is None:
        examination.skip(f"neither {' nor '.join(REDIS_VARIABLES)} is set", "Redis")
        return
    url = os.environ[variable]
    remedy = f"Start it, or correct {variable}. Each process has its own rate limit meanwhile."
    # The URL may have a password.
    named = f"The Redis at {urlsplit(url).netloc.rpartition('@')[2] or 'a socket'}, which {variable} names,"
    try:
        RedisRateLimiter(url)
        # Imported here: without the extra, the limiter says so.
        from redis.asyncio import Redis

        client = Redis.from_url(url)  # pyright: ignore[reportUnknownMemberType]  # of redis-py
        async with asyncio.timeout(3.0), aclosing(client):
            await client.ping()  # pyright: ignore[reportUnknownMemberType]  # of redis-py
    except ConfigurationError as error:
        examination.add("Redis", "warning", f"{variable} cannot be used: {error}.", remedy)
    except Exception as error:
        # Its message may have a password.
        examination.add("Redis", "warning", f"{named} cannot be used ({type(error).__name__}).", remedy)
    else:
        examination.add("Redis", "ok", f"{named} responds; whether it runs scripts was not tried.")


@asp_command(examples=("asp doctor", "asp doctor --profile staging", "asp doctor --json > report.json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a bug report, without secrets.")
@click.pass_obj
def doctor_command(settings: Settings, as_json: bool) -> int:
    """Find out why the platform cannot be reached, or refuses the token. Nothing is written.

    It checks settings, credential, the response of the API, the clock, the organization, which permissions reads
    show, versions, extras and Redis: by GET requests, and PING to Redis. The exit code is that of the first problem.
    """
    examination = asyncio.run(examine(settings))
    if as_json or settings.output in ("json", "jsonl"):
        click.echo(to_text(document_of(examination), indent=None if settings.output == "jsonl" else 2))
    else:
        for line in text_of(examination):
            click.echo(line, color=False if settings.no_color else None)
    return examination.exit_code
