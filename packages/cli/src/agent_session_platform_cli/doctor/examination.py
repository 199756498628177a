"""The checks in their order: a check that depends on one that failed is not tried, and says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import attrs
from agent_session_platform import AgentPlatform, ConfigurationError, Credential

from ..exit_codes import OK, USAGE
from ..settings import Settings
from .address import ADDRESS, check_address
from .clock import CLOCK, judge_clock
from .credential import AUTHENTICATION, CREDENTIAL, check_credential, judge_authentication
from .finding import Finding, not_tried, ok, problem
from .organization import ORGANIZATION, check_setting, judge_organization
from .permissions import PERMISSIONS, judge_permissions
from .reach import CONNECTION, DNS, PROXY, check_connection, check_name, check_proxy
from .reads import ONCE, Read, read, read_all, reads_for
from .redis import check_redis
from .response import RESPONSE, is_of_api, judge_response
from .sandbox import SANDBOX, check_sandbox
from .setup import NO_ORGANIZATION, PATIENCE, Setup, describe_profile, read_setup
from .software import check_extras, check_versions
from .streams import speaks_tls
from .tls import TLS, check_tls
from .way import Way, find_way

PROFILE: Final = "profile"
CONNECTIONS: Final = 4

# In the order of the report, after the profile.
OF_SERVER: Final = (PROXY, DNS, CONNECTION, TLS, RESPONSE, CLOCK, AUTHENTICATION, ORGANIZATION, PERMISSIONS, SANDBOX)

STEPS: Final[tuple[Callable[[Way, Setup], Awaitable[Finding]], ...]] = (
    check_proxy,
    check_name,
    check_connection,
    check_tls,
)


@attrs.define
class Examination:
    """The findings so far, and what the report must not show.

    Attributes:
        findings: The findings, in their order.
        setup: The settings; None if they cannot be read.
        credential: The credential; None if there is none.
        way: The way to the server; None if it is not known.
    """

    findings: list[Finding] = attrs.field(factory=list[Finding])
    setup: Setup | None = None
    credential: Credential | None = None
    way: Way | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the first problem; 0 without one."""
        return next((each.code for each in self.findings if each.state == "problem"), OK)

    def add(self, finding: Finding) -> bool:
        """Add a finding, and return whether what depends on it can be tried."""
        self.findings.append(finding)
        return finding.state != "problem"

    def skip(self, because: str, *checks: str) -> None:
        """Add that checks are not tried, unless there is a finding of them."""
        found = {each.check for each in self.findings}
        self.findings += [not_tried(check, because) for check in checks if check not in found]


async def examine(settings: Settings) -> Examination:
    """Make all checks.

    Args:
        settings: The global options.
    """
    examination = Examination()
    try:
        examination.setup = setup = read_setup(settings)
        examination.add(ok(PROFILE, describe_profile(setup)))
    except ConfigurationError as error:
        examination.add(problem(PROFILE, f"The profile cannot be used: {error}.", "Correct the file.", USAGE))
        examination.skip("the profile cannot be used", ADDRESS, CREDENTIAL, *OF_SERVER)
    else:
        await _examine_server(examination, setup)
    examination.add(check_versions())
    examination.add(check_extras(examination.setup))
    examination.add(await check_redis())
    return examination


async def _examine_server(examination: Examination, setup: Setup) -> None:
    has_address = examination.add(check_address(setup))
    finding, credential = await check_credential(setup)
    examination.credential = credential
    examination.add(finding)
    if not has_address:
        examination.skip("there is no address that can be used", *OF_SERVER)
        return
    try:
        examination.way = way = find_way(setup)
    except ConfigurationError as error:
        examination.add(problem(PROXY, f"{error}.", "Correct the address of the proxy.", USAGE))
        examination.skip("the proxy cannot be used", *OF_SERVER)
        return
    for step in STEPS:
        found = await step(way, setup)
        if not examination.add(found):
            examination.skip(f"the check of the {found.check} has found a problem", *OF_SERVER)
            return
    if credential is None:
        examination.skip("there is no credential to send", *OF_SERVER)
        return
    await _examine_api(examination, setup, way, credential)


async def _examine_api(examination: Examination, setup: Setup, way: Way, credential: Credential) -> None:
    of_setting = check_setting(setup)
    organization = None if of_setting is not None else setup.organization
    operations = reads_for(credential, organization)
    if not operations:
        examination.skip("no read of the API accepts a credential of this kind", *OF_SERVER)
        return
    try:
        platform = _client(setup, credential, organization)
    except ConfigurationError as error:
        examination.add(problem(RESPONSE, f"No client can be made: {error}.", "Correct the setting.", USAGE))
        examination.skip("no client can be made", *OF_SERVER)
        return
    async with platform:
        reads = [await read(platform, operations[0], organization, ONCE)]
        # 401 and what is not the API say the same of all others; a 404 may be about this one only.
        if reads[0].status == 404 or (is_of_api(reads[0]) and reads[0].status != 401):
            reads += await read_all(platform, operations[1:], organization)
        await _judge(examination, reads, setup, way)
        if of_setting is not None:
            examination.findings = [each for each in examination.findings if each.check != ORGANIZATION]
            examination.add(of_setting)
        if way.proxy is None or reads[0].status is not None:
            examination.add(await check_sandbox(platform, way))


async def _judge(examination: Examination, reads: list[Read], setup: Setup, way: Way) -> None:
    is_api = any(map(is_of_api, reads))
    # A server of https has no better response to http than to hang up, or 400.
    may_want_tls = not is_api and reads[0].status in (None, 400) and not way.has_tls and way.proxy is None
    wants_tls = may_want_tls and await speaks_tls(way)
    response = examination.add(judge_response(reads, setup, way, wants_tls=wants_tls))
    examination.add(judge_clock(reads))
    if not response:
        examination.skip("the API does not respond", AUTHENTICATION, ORGANIZATION, PERMISSIONS)
    elif not examination.add(judge_authentication(reads, setup)):
        examination.skip("the server refuses the credential", ORGANIZATION, PERMISSIONS)
    else:
        examination.add(judge_organization(reads, setup))
        examination.add(judge_permissions(reads))


def _client(setup: Setup, credential: Credential, organization: str | None) -> AgentPlatform:
    names = ("proxy", "verify", "transport", "allow_http")
    return AgentPlatform(
        setup.base_url,
        # The command of a profile is not run again.
        lambda: credential,
        # Each path names its own; that of the environment may be malformed.
        organization=organization or NO_ORGANIZATION,
        timeout=PATIENCE,
        max_connections=CONNECTIONS,
        user_agent="asp",
        **{name: setup.values[name] for name in names if name in setup.values},
    )
