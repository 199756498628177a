"""Checks by reads of the API: what its responses and errors say. Nothing is written.

The errors of the SDK name proxy, certificate, host and remedy already, so they are shown as they are.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import quote, urlsplit

import attrs
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    AuthenticationError,
    Catalogue,
    CertificateError,
    ConfigurationError,
    Credential,
    DecodeError,
    Operation,
    ProblemError,
    RateLimitedError,
    ReceivedResponse,
    RequestOptions,
    RetryPolicy,
    ServerError,
)

from ..errors import DENIED, FAILURE, NOT_FOUND, USAGE, exit_code_of
from ..unused_client import unused_client
from .finding import Finding, not_tried, ok, problem, warning
from .setup import NEW_KEY, Setup

RESPONSE: Final = "response"
CLOCK: Final = "clock"
AUTHENTICATION: Final = "authentication"
ORGANIZATION: Final = "organization"
PERMISSIONS: Final = "permissions"
SANDBOX: Final = "sandbox"
SANDBOX_PATH: Final = "/_sandbox"

ORG_ID: Final = "org_id"
# The first read is sent once: it is to show how it fails.
ONCE: Final = RetryPolicy.none()
PATIENT: Final = RetryPolicy(attempts=3, deadline=30.0, max_retry_after=10.0)

# Seconds; the header has whole seconds, and a response travels for a while.
TOLERATED: Final = 60
WRONG: Final = 300

SET: Final = "Set the clock of this machine, or let NTP set it: times of schedules and certificates depend on it."

SEEN: Final = "seen to have"
REFUSED: Final = "refused"
UNKNOWN: Final = "cannot be told"
ENDINGS: Final = ("-permission", "-level")


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
    def succeeded(self) -> bool:
        """True if the response is a success of the API."""
        return self.error is None and self.status is not None

    @property
    def is_problem(self) -> bool:
        """True if the response is an error in the form of the API."""
        return self.headers.get("content-type", "").lower().startswith("application/problem+json")


def reads_for(credential: Credential, organization: str | None) -> list[Operation]:
    """Return the reads to send, first those that most credentials can send.

    Args:
        credential: Its kind leaves out what cannot accept it.
        organization: The organization; None leaves out what needs one.
    """
    found = [each for each in reading(Catalogue()) if organization or ORG_ID not in placeholders(each)]
    accepting = [each for each in found if credential.kind is None or credential.kind in each.credentials]
    return sorted(accepting, key=lambda each: (-len(each.credentials), ORG_ID in placeholders(each), each.name))


def reading(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield the operations that read, and need nothing but the organization."""
    for each in operations:
        required = [parameter for parameter in each.parameters if parameter.required and parameter.location != "path"]
        is_plain = each.method == "GET" and not (each.deprecated or each.streamed or required)
        if is_plain and placeholders(each) <= {ORG_ID}:
            yield each


def placeholders(operation: Operation) -> set[str]:
    """Return the parameters in the path of an operation."""
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


async def read_all(platform: AgentPlatform, operations: Iterable[Operation], organization: str | None) -> list[Read]:
    """Send reads, as many at once as the client has connections."""
    return await asyncio.gather(*(read(platform, each, organization) for each in operations))


def is_of_api(read: Read) -> bool:
    """Return whether a response can only be the API's: a success, a refusal, or its form of an error."""
    if read.succeeded:
        return True
    if not isinstance(read.error, ProblemError):
        return False
    # A 404 in the form of the API may be about a path that it does not have.
    status = read.error.status
    return status in (401, 403, 429) or (read.is_problem and status < 500 and status not in (404, 405))


def judge_response(reads: Sequence[Read], setup: Setup) -> Finding:
    """Return whether the API responds.

    Args:
        reads: What was read, at least one.
        setup: The settings.
    """
    known = next(filter(is_of_api, reads), None)
    if known is not None:
        return ok(RESPONSE, f"The API responds: {known.operation} with {known.status}.", status=known.status)
    place, first = setup.place("base_url"), reads[0]
    error, status = first.error, first.status
    assert error is not None, "a success is of the API"
    # A server of https hangs up on http, or responds with 400; one of http confuses a client of https.
    other = "speaks http only" if setup.base_url.startswith("https:") else "wants https"
    if status is None:
        remedy = (
            f"Check host and port in {place}, the proxy that a profile or HTTPS_PROXY names, and whether the server "
            f"{other}; then network and firewall."
        )
        if isinstance(error, CertificateError | ConfigurationError) or getattr(error, "final", False):
            remedy = f"Do what it says; base_url is from {place}."
        return problem(RESPONSE, f"No response came: {error}.", remedy, exit_code_of(error))
    if isinstance(error, DecodeError) and 300 <= status < 400:
        target = first.headers.get("location", "elsewhere")
        text = f"What responds is not the API: it redirects ({status}) to {target}."
        remedy = f"Write the address that the API itself has into {place}; a redirect is never followed."
        return problem(RESPONSE, text, remedy, FAILURE, status=status)
    if isinstance(error, ServerError):
        text = f"The server, or a gateway before it, fails: {error}."
        return problem(RESPONSE, text, "Try again later, or ask whoever runs it.", exit_code_of(error), status=status)
    remedy = f"Check host and path in {place}: it is what stands before /v3 in the paths of the API."
    if all(each.status in (404, 405) for each in reads):
        text = f"Nothing of the API is at {setup.base_url}: every read got {status}."
        return problem(RESPONSE, text, remedy, NOT_FOUND, status=status)
    text = f"What responds at {setup.base_url} is not the API ({error})."
    remedy += f" Or the server {other}." if status == 400 else ""
    code = FAILURE if isinstance(error, DecodeError | RateLimitedError) else exit_code_of(error)
    return problem(RESPONSE, text, remedy, code, status=status)


def judge_clock(reads: Sequence[Read]) -> Finding:
    """Return how far the clock of this machine is from that of the server."""
    offsets = [offset for each in reads if (offset := _offset(each)) is not None]
    if not offsets:
        return not_tried(CLOCK, "no response has a Date header")
    # The one that travelled for the shortest time is the nearest.
    offset = min(offsets, key=abs)
    facts = {"seconds_ahead": round(offset)}
    if abs(offset) <= TOLERATED:
        return ok(CLOCK, "The clock of this machine agrees with that of the server.", **facts)
    amount = f"{abs(offset) / 60:.0f} minutes" if abs(offset) < 2 * 3600 else f"{abs(offset) / 3600:.1f} hours"
    text = f"The clock of this machine is {amount} {'ahead of' if offset > 0 else 'behind'} that of the server."
    return problem(CLOCK, text, SET, **facts) if abs(offset) >= WRONG else warning(CLOCK, text, SET, **facts)


def _offset(read: Read) -> float | None:
    """Return by how many seconds this machine is ahead; None where it cannot be told."""
    try:
        date = parsedate_to_datetime(read.headers["date"])
        age = int(read.headers.get("age", "0"))
        return read.received - date.timestamp() - age
    except (KeyError, ValueError, OverflowError):
        return None


def judge_authentication(reads: Sequence[Read], setup: Setup) -> Finding:
    """Return whether the server accepts the credential.

    Args:
        reads: What was read, at least one of it with a response of the API.
        setup: The settings.
    """
    others = [each for each in reads if each.status is not None and each.status != 401]
    if others:
        return ok(AUTHENTICATION, "The server accepts the credential.")
    refused = next((each.error for each in reads if isinstance(each.error, AuthenticationError)), None)
    if refused is None:
        return not_tried(AUTHENTICATION, "no read could be sent with this credential")
    said = f" It says: {refused.detail or refused.title}." if refused.detail or refused.title else ""
    return problem(
        AUTHENTICATION,
        f"The server refuses the credential from {setup.token_from} (401): it is wrong, expired or revoked, or of "
        f"another server.{said}",
        f"Compare it with where you got it, and check that {setup.place('base_url')} is the server that it is for. "
        f"Or replace it: {NEW_KEY[0].lower()}{NEW_KEY[1:]}",
        DENIED,
    )


def check_setting(setup: Setup) -> Finding | None:
    """Return what is wrong with the setting; None if it can be an organization."""
    if setup.organization is None:
        return warning(
            ORGANIZATION,
            "No organization is set: operations of the organization scope need one.",
            "Set AGENT_PLATFORM_ORG_ID to an id that starts with 'org-', or use --organization or a profile.",
        )
    try:
        unused_client(organization=setup.organization)
    except ConfigurationError as error:
        place = setup.place("organization")
        text = f"The organization from {place} cannot be one: {error}."
        return problem(ORGANIZATION, text, f"Correct {place}.", USAGE)
    return None


def judge_organization(reads: Sequence[Read], setup: Setup) -> Finding:
    """Return whether the platform knows the organization.

    Args:
        reads: What was read.
        setup: The settings, with an organization that can be one.
    """
    within = [each for each in reads if ORG_ID in placeholders(each.operation) and each.status is not None]
    named = f"The organization {setup.organization}, from {setup.place('organization')},"
    if not within:
        return not_tried(ORGANIZATION, "no read of the organization scope could be sent with this credential")
    if any(each.succeeded for each in within):
        return ok(ORGANIZATION, f"{named} is known.", set=True)
    statuses = {each.status for each in within}
    place = setup.place("organization")
    if 404 in statuses and statuses <= {403, 404}:
        text = f"{named} is not known to the platform, or not for this credential (404)."
        remedy = f"Compare {place} with the id in the settings of the platform; check that the token is for it."
        return problem(ORGANIZATION, text, remedy, NOT_FOUND, set=True)
    if statuses == {403}:
        text = (
            f"{named} refuses every read (403): it is another one than that of the credential, or its role there has "
            "no permission."
        )
        remedy = f"Check the id in {place}, and the role that the service user has in this organization."
        return problem(ORGANIZATION, text, remedy, DENIED, set=True)
    listed = ", ".join(sorted(map(str, statuses)))
    text = f"Whether {named} is known cannot be told: its reads got {listed}."
    return warning(ORGANIZATION, text, "Run this again later.", set=True)


def judge_permissions(reads: Sequence[Read]) -> Finding:
    """Return which permissions the credential is seen to have, which are refused, and which cannot be told."""
    if not reads:
        return not_tried(PERMISSIONS, "no read could be sent with this credential")
    by_key: dict[tuple[str, str | None], list[Read]] = {}
    for each in reads:
        by_key.setdefault((each.operation.permission or each.operation.name, each.operation.level), []).append(each)
    by_name = {name_of([each.operation for each in found]): found for found in by_key.values()}
    verdicts = {name: verdict(found) for name, found in by_name.items()}
    counts = {state: sum(each == state for each in verdicts.values()) for state in (SEEN, REFUSED, UNKNOWN)}
    lines = tuple(
        f"{state:<14}  {name}: {', '.join(_with_status(each) for each in by_name[name])}"
        for state in counts
        for name in sorted(verdicts)
        if verdicts[name] == state
    )
    untried = unread({each.operation.permission for each in reads})
    left_out = f"not tried       {', '.join(untried)}: no read needs them, and no write is sent"
    text = f"{counts[SEEN]} seen to have, {counts[REFUSED]} refused, {counts[UNKNOWN]} cannot be told."
    facts: dict[str, Any] = {
        "permissions": [
            {
                "permission": found[0].operation.permission,
                "state": verdicts[name],
                "level": found[0].operation.level,
                "gaps": gaps_of(each.operation for each in found),
                "reads": {each.operation.name: each.status for each in found},
            }
            for name, found in sorted(by_name.items())
        ],
        "not_tried": untried,
    }
    remedy = "Give the service user a role with the permissions that `asp permissions PROGRAM` lists."
    finding = ok(PERMISSIONS, text, **facts) if counts[SEEN] else warning(PERMISSIONS, text, remedy, **facts)
    return attrs.evolve(finding, lines=(*lines, left_out) if untried else lines)


def verdict(reads: Iterable[Read]) -> str:
    """Return what reads that need one permission say of it; a refusal at one level is no refusal at the other."""
    found = [*reads]
    if any(each.succeeded for each in found):
        return SEEN
    return REFUSED if any(each.status == 403 for each in found) else UNKNOWN


def name_of(operations: Sequence[Operation]) -> str:
    """Return the permission of operations with its level, or what the description does not show of it."""
    gaps, first = ", ".join(gaps_of(operations)), operations[0]
    if first.permission is None:
        return f"permission not shown ({gaps})"
    return f"{first.permission} ({f'{first.level} level' if first.level else f'level not shown: {gaps}'})"


def gaps_of(operations: Iterable[Operation]) -> list[str]:
    """Return the ids of the gaps about the permission of operations."""
    return [gap.id for each in operations for gap in each.gaps if gap.id.endswith(ENDINGS)]


def unread(read: Iterable[str | None]) -> list[str]:
    """Return the permissions of the contract that no read has needed."""
    return sorted({each.permission for each in Catalogue() if each.permission} - {*read})


def _with_status(read: Read) -> str:
    if read.status is None:
        return f"{read.operation.name} (no response)"
    return read.operation.name if read.status < 400 or read.status == 403 else f"{read.operation.name} ({read.status})"


async def check_sandbox(platform: AgentPlatform, setup: Setup) -> Finding:
    """Ask a server of this machine whether it is a sandbox; another one is not asked what is not in its API."""
    host = urlsplit(setup.base_url).hostname or ""
    if host not in ("localhost", "::1") and not host.startswith("127."):
        return not_tried(SANDBOX, "the server is not on this machine, and the platform has no such path")
    try:
        found = await platform.request("GET", SANDBOX_PATH, options=RequestOptions(retry=ONCE))
    except AgentPlatformError:
        found = None
    is_sandbox = isinstance(found, dict) and "addresses" in found
    text = "This is a sandbox: what it says is not about the platform." if is_sandbox else "This is no sandbox."
    return ok(SANDBOX, text, recognized=is_sandbox)
