"""Checks of what is set, by itself: the profile, the address and the credential. Nothing is sent."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final

import attrs
from agent_session_platform import ConfigurationError, Credential

from ..errors import DENIED, USAGE
from ..profiles import PROFILE, Profile, chosen_profile, connection_of
from ..settings import Settings
from ..unused_client import unused_client
from .finding import Finding, ok, problem, warning

ADDRESS: Final = "address"
CREDENTIAL: Final = "credential"
MAX_BYTES: Final = 64 * 1024

# Part Authentication of the API's description.
KIND_NAMES: Final = {
    "serviceUser": "A service-user credential",
    "personalAccessToken": "A personal access token",
    "enterpriseAdminApiKey": "A personal API key of an enterprise administrator",
    "legacyApiKey": "A legacy API key, of the paths of v1 and v2,",
}

NEW_KEY: Final = "Make a key of a service user in the settings area, under service users."

VARIABLES: Final = {
    "base_url": "AGENT_PLATFORM_BASE_URL",
    "token": "AGENT_PLATFORM_TOKEN",
    "token_file": "AGENT_PLATFORM_TOKEN_FILE",
    "organization": "AGENT_PLATFORM_ORG_ID",
}
# For clients that name the organization in each path themselves.
NO_ORGANIZATION: Final = "org-none"


@attrs.frozen
class Setup:
    """The settings of a client.

    Attributes:
        values: What options, profile and environment say, by the argument of `AgentPlatform`.
        places: Where each of them comes from.
        profile: The profile that is used; None for none.
        token_from: Where the token comes from; None for nowhere.
        token_error: Why the profile gives no token; None if it does.
    """

    values: dict[str, Any] = attrs.field(repr=False)
    places: dict[str, str]
    profile: Profile | None
    token_from: str | None
    token_error: str | None = None

    @property
    def base_url(self) -> str:
        """The base URL; empty without."""
        return self.values.get("base_url") or ""

    @property
    def organization(self) -> str | None:
        """The organization; None for none."""
        return self.values.get("organization")

    @property
    def allow_http(self) -> bool:
        """True if the credential may be sent over http."""
        return bool(self.values.get("allow_http"))

    def place(self, name: str) -> str:
        """Return where a setting comes from, or would."""
        return self.places.get(name, VARIABLES.get(name, name))


def read_setup(settings: Settings) -> Setup:
    """Return the settings of a client.

    Args:
        settings: The global options.

    Raises:
        ConfigurationError: The profile cannot be used.
    """
    profile = chosen_profile(settings.profile)
    values: dict[str, Any] = {}
    places: dict[str, str] = {}

    def add(found: dict[str, Any], place: str = "") -> None:
        for name, value in found.items():
            if value:
                values[name] = value
                places[name] = place or VARIABLES[name]

    token_error = None
    add({name: os.environ.get(variable) for name, variable in VARIABLES.items()})
    if profile is not None:
        try:
            of_profile = connection_of(settings.profile)
        except ConfigurationError as error:
            # Of its settings only the token is read from elsewhere.
            token_error = str(error)
            of_profile = profile.settings()
        if of_profile.keys() & {"token", "token_file"} or token_error:
            values.pop("token", None)
            values.pop("token_file", None)
        add(of_profile, f"the profile {profile.name!r} in {profile.path}")
    options = {name: getattr(settings, name) for name in ("base_url", "organization", "transport")}
    for name, value in options.items():
        add({name: value}, f"--{name.replace('_', '-')}")
    named = profile.token_from if profile is not None else None
    token_from = named or next((VARIABLES[name] for name in ("token", "token_file") if name in values), None)
    return Setup(values, places, profile, token_from, token_error)


def describe_profile(setup: Setup) -> str:
    """Return which profile is used, as a sentence."""
    if setup.profile is None:
        return f"No profile is used; --profile or {PROFILE} would name one."
    return f"The profile {setup.profile.name!r} in {setup.profile.path} is used."


def check_address(setup: Setup) -> Finding:
    """Check the base URL by itself: nothing is sent."""
    if not setup.base_url:
        return problem(
            ADDRESS,
            "There is no address of the platform.",
            "Set AGENT_PLATFORM_BASE_URL, for example to https://platform.example.com, or use --base-url or a profile.",
            USAGE,
        )
    place = setup.place("base_url")
    try:
        unused_client(base_url=setup.base_url, allow_http=True)
    except ConfigurationError as error:
        remedy = f"Correct {place}: it is what stands before /v3 in the paths of the API."
        return problem(ADDRESS, f"The address from {place} cannot be used: {error}.", remedy, USAGE)
    address = setup.base_url.rstrip("/")
    try:
        unused_client(base_url=address, allow_http=setup.allow_http, proxy=setup.values.get("proxy"))
    except ConfigurationError:
        text = f"The address {address} from {place} begins with http: everybody on the way can read the token."
        remedy = f"Write https:// in {place}; in a network that you trust, write allow_http = true into a profile."
        return problem(ADDRESS, text, remedy, USAGE)
    return ok(ADDRESS, f"{address}, from {place}.", base_url=address, source=place)


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
