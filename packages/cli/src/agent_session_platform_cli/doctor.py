"""`asp doctor`: find out why the platform cannot be used. It only sends GET requests.

The errors of the SDK already name the proxy, the certificate, the host and the remedy, so they are shown unchanged.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import platform as machine
import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import attrs
import click
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    Catalogue,
    CertificateError,
    ConfigurationError,
    CredentialMismatchError,
    CredentialUnavailableError,
    Operation,
    ProblemError,
    RateLimitedError,
    RetryPolicy,
    __version__,
    to_json,
)
from agent_session_platform.contract import Node, is_array, is_object

from .connect import Setup, connect, read_setup
from .contract import OperationContract
from .errors import ExitCode, advised, exit_code_of
from .running import run
from .settings import Settings, asp_command
from .terminal_text import escaped, redacted, to_text

# The states of a finding, in the order of a report. Problems come last, where a reader looks first.
COLORS: Final = {"ok": "green", "not tried": None, "warning": "yellow", "problem": "red"}
WIDEST: Final = 100
INDENT: Final = " " * 11
# The checks in their order. After a problem, the checks that follow are not tried.
CHECKS: Final = ("settings", "response", "credential", "organization", "permissions")

ORG_ID: Final = "org_id"
ORGANIZATION: Final = re.compile(r"\borg-[^\s,\"'\\]+")
# An attempt ends after this many seconds without a byte, so that the report comes soon. Few requests are sent at the
# same time, so that the server is not loaded.
PATIENCE: Final = 10.0
CONNECTIONS: Final = 4
RETRY: Final = RetryPolicy(attempts=2, deadline=30.0, max_retry_after=10.0)
# The statuses by which the API refuses a read, and shows that it is there.
REFUSALS: Final = (401, 403, 429)
# A read that gets a 429 is sent again this often, and waits for at most this many seconds in all.
MOST_WAITS: Final = 4
LONGEST_WAIT: Final = 30.0
# The list in which a misspelled organization is looked for.
ORGANIZATIONS: Final = "enterprise.organizations.list"

NEW_KEY: Final = "make a key of a service user in the settings area, under service users."


@attrs.frozen
class Finding:
    """The result of a check.

    Attributes:
        check: The name of the check.
        state: The state, which is a key of COLORS.
        text: The result, as a sentence.
        remedy: What to do; empty if there is nothing to do.
        code: The exit code of a problem.
        lines: Details.
    """

    check: str
    state: str
    text: str
    remedy: str = ""
    code: int = 0
    lines: tuple[str, ...] = ()


@attrs.frozen
class Read:
    """A read of the API, and its result.

    Attributes:
        operation: The operation.
        error: The error; None after a success.
        status: The status of the response; 0 without a response.
        is_known: Whether the body has the form that the contract shows. A page of a firewall or a login has another
            one. None for a success whose form the contract does not show.
    """

    operation: Operation
    error: AgentPlatformError | None
    status: int = 0
    is_known: bool | None = False

    @property
    def is_of_api(self) -> bool:
        """True if the API itself has responded, with a success or a refusal."""
        return self.is_known is not False and (self.error is None or self.status in REFUSALS)

    def __str__(self) -> str:
        is_plain = self.error is None or exit_code_of(self.error) is ExitCode.DENIED
        return self.operation.name if is_plain else f"{self.operation.name} ({self.status or 'no response'})"


async def examine(settings: Settings) -> list[Finding]:
    """Run all checks.

    Args:
        settings: The global options.
    """
    findings: list[Finding] = []
    setup = Setup({}, {})
    try:
        setup = read_setup(settings)
        async with connect(settings, timeout=PATIENCE, max_connections=CONNECTIONS, retry=RETRY) as platform:
            text = f"base_url is {setup.arguments['base_url']}, from {setup.place('base_url')}."
            findings.append(Finding("settings", "ok", text))
            await _examine_server(findings, platform, setup)
    except ConfigurationError as error:
        findings.append(_finding_of(error, setup))
    problem = next((each.check for each in findings if each.state == "problem"), "")
    left = [check for check in CHECKS if check not in {each.check for each in findings}]
    findings += [Finding(check, "not tried", f"because {problem} has a problem.") for check in left]
    text = f"agent-session-platform {__version__}, Python {machine.python_version()}, {machine.platform()}."
    return [*findings, Finding("versions", "ok", text)]


def _finding_of(error: ConfigurationError, setup: Setup) -> Finding:
    """Return the finding for a wrong setting, or for a missing credential."""
    text = f"{advised(str(error))}."
    if isinstance(error, CredentialUnavailableError) or str(error).startswith("token"):
        place = f" in {setup.place('token', 'token_file')}" if setup.places else ""
        remedy = f"Correct it{place}, or {NEW_KEY}"
        return Finding("credential", "problem", text, remedy, ExitCode.DENIED)
    place = next((place for name, place in setup.places.items() if str(error).startswith(name)), "")
    return Finding("settings", "problem", text, f"Correct {place}." if place else "", ExitCode.USAGE)


async def _examine_server(findings: list[Finding], platform: AgentPlatform, setup: Setup) -> None:
    """Send the reads, and add the findings about the server, the credential and the organization."""
    organization: str | None = setup.arguments.get("organization")
    left = operations_for(organization)
    reads = [await read(platform, left.pop(0), organization)]
    while isinstance(reads[-1].error, CredentialMismatchError) and left:
        # The operation needs another kind of credential; nothing was sent.
        reads.append(await read(platform, left.pop(0), organization))
    first = reads[-1]
    if isinstance(first.error, CredentialMismatchError):
        findings.append(_refused(first.error, setup))
        return
    # After a 401 or 429 of the API, or without a response, all other reads would get the same result.
    is_final = first.is_of_api and first.status in (401, 429)
    if first.error is None or (400 <= first.status < 500 and not is_final):
        reads += await asyncio.gather(*(read(platform, each, organization) for each in left))
    sent = [each for each in reads if not isinstance(each.error, CredentialMismatchError)]
    forms = Counter(each.is_known for each in sent if each.error is None)
    if forms[False] > forms[True]:
        # Where most forms are other ones than the contract shows, the others are the same by chance.
        sent = [attrs.evolve(each, is_known=False) if each.error is None else each for each in sent]
    findings.append(_judge_response(sent, first, setup))
    if findings[-1].state == "problem":
        return
    findings.append(_judge_credential(sent, setup))
    if findings[-1].state == "problem":
        return
    findings.append(_judge_organization(sent, organization, setup))
    if findings[-1].state == "problem":
        findings[-1] = attrs.evolve(findings[-1], remedy=findings[-1].remedy + await _near(platform, organization))
        # The organization is wrong, so these reads say nothing about the permissions.
        reads = [each for each in reads if ORG_ID not in each.operation.path]
    findings.append(_judge_permissions(reads))


def operations_for(organization: str | None) -> list[Operation]:
    """Return the reads to send. Reads that accept more kinds of credential come first.

    Args:
        organization: The organization; if it is None, operations that need an organization are left out.
    """
    found: list[Operation] = []
    for each in Catalogue():
        required = {parameter.name for parameter in each.parameters if parameter.required}
        is_plain = each.method == "GET" and not (each.deprecated or each.streamed)
        if is_plain and required <= ({ORG_ID} if organization else set()):
            found.append(each)
    return sorted(found, key=lambda each: (-len(each.credentials), ORG_ID in each.path, each.name))


async def read(platform: AgentPlatform, operation: Operation, organization: str | None) -> Read:
    """Send a read. If it reads a list, request only one item. After a 429, wait and send it again.

    Args:
        platform: The client.
        operation: One of `operations_for`.
        organization: The organization for the path.

    Raises:
        ConfigurationError: Nothing can be sent.
    """
    found = await _read_once(platform, operation, organization)
    left = LONGEST_WAIT
    for number in range(MOST_WAITS):
        if not isinstance(found.error, RateLimitedError):
            break
        wait = found.error.retry_after
        wait = 2.0**number if wait is None else wait
        left -= wait
        if left < 0:
            break
        await asyncio.sleep(wait)
        found = await _read_once(platform, operation, organization)
    return found


async def _read_once(platform: AgentPlatform, operation: Operation, organization: str | None) -> Read:
    path = operation.path.replace(f"{{{ORG_ID}}}", quote(organization or "", safe=""))
    query: dict[str, Any] = {"first": 1} if any(each.name == "first" for each in operation.parameters) else {}
    try:
        value, response = await platform.with_response(platform.request("GET", path, query=query))
    except ConfigurationError:
        raise
    except AgentPlatformError as error:
        status = error.response.status if error.response is not None else 0
        return Read(operation, error, status, isinstance(error, ProblemError) and is_problem(error))
    return Read(operation, None, response.status, is_result(operation, to_json(value)))


def is_problem(error: ProblemError) -> bool:
    """Return whether a body is a problem detail, which the API sends with an error: it has its title and status."""
    return is_object(error.body) and bool(error.body.get("title")) and error.body.get("status") == error.status


def is_result(operation: Operation, value: Any) -> bool | None:
    """Return whether a value may be the result of an operation; None if the contract does not show the result."""
    contract = OperationContract(operation)
    schema = contract.contract.flatten(contract.result)
    properties: Node = schema.get("properties", {})
    if not properties:
        return None if is_object(value) or is_array(value) else False
    required = schema.get("required", ())
    return is_object(value) and not properties.keys().isdisjoint(value) and value.keys() >= {*required}


def _judge_response(reads: Sequence[Read], first: Read, setup: Setup) -> Finding:
    """Return the finding about whether the API responds."""
    known = next((each for each in reads if each.is_of_api), None)
    if known is not None:
        return Finding("response", "ok", f"The API responds: {known.operation} with {known.status}.")
    base_url, place, error = setup.arguments["base_url"], setup.place("base_url"), first.error
    if error is None or (first.status in REFUSALS and not first.is_known):
        what = f"{first.operation} got {first.status} with a body that the API does not send"
        text = f"What responds at {base_url} is not the API: {what}."
        remedy = f"Look for a firewall, a gateway or a login in front of it: a VPN may be missing. Or check {place}."
        return Finding("response", "problem", text, remedy, ExitCode.FAILURE)
    code, remedy = exit_code_of(error), f"Check host and path in {place}: it must be the part before /v3."
    text = f"What responds at {base_url} is not the API: {advised(str(error))}."
    if not first.status:
        # With the wrong scheme, a server hangs up, responds with 400, or causes an error of TLS.
        other = "speaks http only" if base_url.startswith("https:") else "wants https"
        text = f"No response came: {advised(str(error))}."
        remedy = f"Follow the error's advice, or check host and port in {place}."
        if not isinstance(error, CertificateError):
            remedy += f" Check the proxy, too, and whether the server {other}; then the network and the firewall."
    elif first.status >= 500:
        text = f"The server, or a gateway in front of it, fails: {advised(str(error))}."
        remedy = "Try again later."
    elif all(each.status in (404, 405) for each in reads):
        text, code = f"The API is not at {base_url}: every read got {first.status}.", ExitCode.NOT_FOUND
    return Finding("response", "problem", text, remedy, code)


def _judge_credential(reads: Sequence[Read], setup: Setup) -> Finding:
    """Return the finding about whether the server accepts the credential."""
    place = setup.place("token", "token_file")
    of_api = [each for each in reads if each.is_of_api]
    if any(each.error is None or each.status == 403 for each in of_api):
        return Finding("credential", "ok", f"The server accepts the credential from {place}.")
    # The statuses of the others are 401 and 429.
    refused = min(of_api, key=lambda each: each.status)
    assert refused.error is not None, "a read without an error is accepted"
    if refused.status == 401:
        return _refused(refused.error, setup)
    text = f"Whether the credential from {place} is accepted is not known: {advised(str(refused.error))}."
    return Finding("credential", "problem", text, "Run asp doctor again later.", ExitCode.RATE_LIMITED)


def _refused(error: AgentPlatformError, setup: Setup) -> Finding:
    place = setup.place("token", "token_file")
    text = f"The credential from {place} is refused: {advised(str(error))}."
    remedy = f"Check that it belongs to the server in {setup.place('base_url')}, or {NEW_KEY}"
    return Finding("credential", "problem", text, remedy, ExitCode.DENIED)


def _judge_organization(reads: Sequence[Read], organization: str | None, setup: Setup) -> Finding:
    """Return the finding about whether the platform knows the organization."""
    place = setup.place("organization")
    if organization is None:
        text = "No organization is set. Operations of the organization scope need one."
        return Finding("organization", "warning", text, f"Set {place} to an id that starts with 'org-'.")
    within = [each for each in reads if ORG_ID in each.operation.path]
    named = f"The organization {organization}, from {place},"
    if any(each.error is None for each in within):
        return Finding("organization", "ok", f"{named} is known.")
    if all(each.status in (403, 404) for each in within):
        code = ExitCode.NOT_FOUND if any(each.status == 404 for each in within) else ExitCode.DENIED
        text = f"{named} is not known to the platform, or the credential has no role in it."
        remedy = f"Compare {place} with the settings area. The service user needs a role in it."
        return Finding("organization", "problem", text, remedy, code)
    text = f"{named} may exist, but no read of it succeeded: {', '.join(map(str, within))}."
    return Finding("organization", "warning", text, "Run asp doctor again later.")


async def _near(platform: AgentPlatform, organization: str | None) -> str:
    """Return a sentence with the organization whose id is most similar; empty if the platform shows none."""
    known: set[str] = set()
    with suppress(AgentPlatformError):
        pending = [to_json(await platform.request("GET", Catalogue()[ORGANIZATIONS].path))]
        # The description does not show the form of this list.
        while pending:
            value = pending.pop()
            if is_object(value):
                known.add(str(value.get(ORG_ID)))
            pending += value.values() if is_object(value) else value if is_array(value) else ()
    if organization is None or organization in known:
        return ""
    # All ids have the same prefix, which would make each one similar.
    names = {each.partition("-")[2]: each for each in known}
    close = difflib.get_close_matches(organization.partition("-")[2], names, n=1)
    return f" Did you mean {names[close[0]]}?" if close else ""


def _judge_permissions(reads: Sequence[Read]) -> Finding:
    """Return the finding about the permissions that the reads show."""
    verdicts: dict[str, list[str]] = {"granted": [], "refused": [], "unknown": []}
    for each in sorted(reads, key=str):
        refused = "refused" if each.error and exit_code_of(each.error) is ExitCode.DENIED else "unknown"
        name = each.operation.permission or "permission not shown"
        verdicts["granted" if each.error is None else refused].append(f"{name}: {each}")
    lines = tuple(f"{verdict} {text}" for verdict, texts in verdicts.items() for text in texts)
    text = f"{', '.join(f'{len(texts)} {verdict}' for verdict, texts in verdicts.items())}; no write is sent."
    if len(verdicts["granted"]) > len(verdicts["refused"]):
        return Finding("permissions", "ok", text, lines=lines)
    remedy = "Use a key of a service user with the permissions that `asp permissions PROGRAM` lists: most need one."
    return Finding("permissions", "warning", text, remedy, lines=lines)


def print_report(findings: Sequence[Finding], settings: Settings) -> None:
    """Print a report for a person, with the problems at its end."""
    width = max(2 * len(INDENT), min(shutil.get_terminal_size((WIDEST, 0)).columns, WIDEST))
    states = [*COLORS]
    for each in sorted(findings, key=lambda each: states.index(each.state)):
        remedies = [f"-> {each.remedy}"] if each.remedy else []
        texts = redacted([f"{each.check}: {each.text}", *each.lines, *remedies], settings.redact)
        lines = [escaped(text) for text in texts]
        text = "\n".join(textwrap.fill(line, width, initial_indent=INDENT, subsequent_indent=INDENT) for line in lines)
        color = None if settings.no_color else COLORS[each.state]
        click.echo(click.style(f"{each.state:{len(INDENT)}}", fg=color) + text[len(INDENT) :])
    counts = Counter(each.state for each in findings)
    click.echo(f"\nProblems: {counts['problem']}. Warnings: {counts['warning']}. Not tried: {counts['not tried']}.")
    click.echo("Nothing was written: only GET requests were sent. For a bug report: asp doctor --json")


def json_report(findings: Sequence[Finding], code: int, settings: Settings) -> str:
    """Return a report for other people: without tokens, the home folder and ids of organizations."""
    shown = [attrs.asdict(each, filter=lambda field, value: bool(value)) for each in findings]
    text = to_text(redacted({"exit_code": code, "findings": shown}, settings.redact), indent=2)
    # In a container, the user may have no home folder, or the root folder.
    with suppress(RuntimeError):
        home = Path.home()
        if home != home.parent:
            text = text.replace(json.dumps(str(home))[1:-1], "~")
    return ORGANIZATION.sub("(set)", text)


@asp_command(examples=("asp doctor", "asp doctor --profile staging", "asp doctor --json > report.json"))
def doctor_command(settings: Settings) -> int:
    """Find out why the platform cannot be reached, or refuses the token. Only GET requests are sent.

    The checks are about the settings, the response of the API, the credential, the organization and the permissions.
    The exit code is that of the first problem.
    """
    findings = run(examine(settings))
    code = next((each.code for each in findings if each.state == "problem"), 0)
    if settings.errors_as_json:
        click.echo(json_report(findings, code, settings))
    else:
        print_report(findings, settings)
    return code
