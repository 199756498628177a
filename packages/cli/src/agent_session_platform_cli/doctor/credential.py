"""Checks of the credential: where it comes from, what its prefix says, and whether the server accepts it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from agent_session_platform import AuthenticationError, ConfigurationError, Credential

from ..exit_codes import DENIED
from .finding import Finding, not_tried, ok, problem, warning
from .reads import Read
from .setup import Setup

CREDENTIAL: Final = "credential"
AUTHENTICATION: Final = "authentication"
MAX_BYTES: Final = 64 * 1024

# Part Authentication of the API's description.
KIND_NAMES: Final = {
    "serviceUser": "A service-user credential",
    "personalAccessToken": "A personal access token",
    "enterpriseAdminApiKey": "A personal API key of an enterprise administrator",
    "legacyApiKey": "A legacy API key, of the paths of v1 and v2,",
}

NEW_KEY: Final = "Make a key of a service user in the settings area, under service users."


async def check_credential(setup: Setup) -> tuple[Finding, Credential | None]:
    """Get the credential, and read its prefix; nothing is sent.

    Returns:
        The finding, and the credential; None if there is none.
    """
    if setup.token_error is not None:
        text = f"The profile gives no credential: {setup.token_error}."
        return problem(CREDENTIAL, text, "Do what the message says, or use another profile.", DENIED), None
    if setup.token_from is None:
        remedy = f"Set AGENT_PLATFORM_TOKEN, or AGENT_PLATFORM_TOKEN_FILE, or use a profile. {NEW_KEY}"
        return problem(CREDENTIAL, "There is no credential.", remedy, DENIED), None
    try:
        credential = Credential(await _token(setup))
    except ConfigurationError as error:
        text = f"The credential from {setup.token_from} cannot be used: {str(error).partition('; it is')[0]}."
        return problem(CREDENTIAL, text, f"Correct {setup.token_from}.", DENIED), None
    except OSError as error:
        text = f"The credential from {setup.token_from} cannot be read: {error.strerror}."
        return problem(CREDENTIAL, text, f"Correct {setup.token_from}, or its permissions.", DENIED), None
    return _of_kind(credential, setup), credential


async def _token(setup: Setup) -> str:
    """Return the token; where both variables are set, the token itself counts."""
    token = setup.values.get("token")
    if callable(token):
        # A command of the profile may take a while.
        return str(await asyncio.to_thread(token))
    if token is not None:
        return str(token)
    with open(setup.values["token_file"], "rb") as file:  # noqa: ASYNC230  # nothing else is to be done meanwhile
        return file.read(MAX_BYTES).decode("utf-8", "replace").rstrip("\r\n")


def _of_kind(credential: Credential, setup: Setup) -> Finding:
    facts = {"source": setup.token_from, "kind": credential.kind}
    origin = f"from {setup.token_from}"
    if credential.kind is None:
        text = f"One {origin}, with a prefix of no kind that is known; it may be a personal access token."
        return ok(CREDENTIAL, text, **facts)
    text = f"{KIND_NAMES.get(credential.kind, credential.kind)} {origin}."
    if credential.kind == "legacyApiKey":
        remedy = f"The current operations do not accept it. {NEW_KEY}"
        return problem(CREDENTIAL, text, remedy, DENIED, **facts)
    if credential.kind == "enterpriseAdminApiKey":
        return warning(CREDENTIAL, text, f"Few operations accept it; `asp show OPERATION` says. {NEW_KEY}", **facts)
    if setup.values.get("token") and setup.values.get("token_file"):
        remedy = "AGENT_PLATFORM_TOKEN counts; remove one of them."
        return warning(CREDENTIAL, f"{text} AGENT_PLATFORM_TOKEN_FILE is set as well.", remedy, **facts)
    return ok(CREDENTIAL, text, **facts)


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
