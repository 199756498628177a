"""The checks in their order: a check that depends on one that failed is not tried, and says so."""

from __future__ import annotations

from contextlib import aclosing
from typing import Final

import attrs
from agent_session_platform import AgentPlatform, ConfigurationError, Credential

from ..errors import OK, USAGE
from ..settings import Settings
from .finding import Finding, not_tried, ok, problem
from .server import (
    AUTHENTICATION,
    CLOCK,
    ONCE,
    ORGANIZATION,
    PERMISSIONS,
    RESPONSE,
    SANDBOX,
    check_sandbox,
    check_setting,
    is_of_api,
    judge_authentication,
    judge_clock,
    judge_organization,
    judge_permissions,
    judge_response,
    read,
    read_all,
    reads_for,
)
from .setup import (
    ADDRESS,
    CREDENTIAL,
    NO_ORGANIZATION,
    Setup,
    check_address,
    check_credential,
    describe_profile,
    read_setup,
)
from .software import check_extras, check_redis, check_versions

PROFILE: Final = "profile"
# Seconds that a server, a proxy or a name server may take.
PATIENCE: Final = 10.0
CONNECTIONS: Final = 4

# In the order of the report, after the credential.
OF_SERVER: Final = (RESPONSE, CLOCK, AUTHENTICATION, ORGANIZATION, PERMISSIONS, SANDBOX)


@attrs.define
class Examination:
    """The findings so far, and what the report must not show.

    Attributes:
        findings: The findings, in their order.
        setup: The settings; None if they cannot be read.
        credential: The credential; None if there is none.
    """

    findings: list[Finding] = attrs.field(factory=list[Finding])
    setup: Setup | None = None
    credential: Credential | None = None

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
        has_address = examination.add(check_address(setup))
        finding, examination.credential = await check_credential(setup)
        examination.add(finding)
        if not has_address:
            examination.skip("there is no address that can be used", *OF_SERVER)
        elif examination.credential is None:
            examination.skip("there is no credential to send", *OF_SERVER)
        else:
            await _examine_server(examination, setup, examination.credential)
    examination.add(check_versions())
    examination.add(check_extras(examination.setup))
    examination.add(await check_redis())
    return examination


async def _examine_server(examination: Examination, setup: Setup, credential: Credential) -> None:
    of_setting = check_setting(setup)
    organization = None if of_setting is not None else setup.organization
    operations = reads_for(credential, organization)
    if not operations:
        examination.skip("no read of the API accepts a credential of this kind", *OF_SERVER)
        return
    names = ("proxy", "verify", "transport", "allow_http")
    try:
        platform = AgentPlatform(
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
    except ConfigurationError as error:
        examination.add(problem(RESPONSE, f"No client can be made: {error}.", "Correct the setting.", USAGE))
        examination.skip("no client can be made", *OF_SERVER)
        return
    # Not `async with`, which opens it: what is wrong with certificates is a finding of the first read.
    async with aclosing(platform):
        reads = [await read(platform, operations[0], organization, ONCE)]
        # 401 and what is not the API say the same of all others; a 404 may be about this one only.
        if reads[0].status == 404 or (is_of_api(reads[0]) and reads[0].status != 401):
            reads += await read_all(platform, operations[1:], organization)
        responds = examination.add(judge_response(reads, setup))
        examination.add(judge_clock(reads))
        if not responds:
            examination.skip("the API does not respond", AUTHENTICATION, ORGANIZATION, PERMISSIONS)
        elif not examination.add(judge_authentication(reads, setup)):
            examination.skip("the server refuses the credential", ORGANIZATION, PERMISSIONS)
        else:
            examination.add(of_setting or judge_organization(reads, setup))
            examination.add(judge_permissions(reads))
        examination.add(await check_sandbox(platform, setup))
