"""Where to send and as whom: from arguments or the environment, checked before anything is sent."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from .errors import ConfigurationError, InvalidOrganizationError
from .request.credentials import Credential, kind_of

BASE_URL = "AGENT_PLATFORM_BASE_URL"
TOKEN = "AGENT_PLATFORM_TOKEN"
ORGANIZATION = "AGENT_PLATFORM_ORG_ID"

# Part Conventions of the API's description.
ORGANIZATION_PREFIX = "org-"

VERSION_SUFFIX = re.compile(r"/v3/?$")


@dataclass(frozen=True, slots=True)
class Configuration:
    """A base URL without a slash at its end, a credential, and the organization to use when none is named."""

    base_url: str
    credential: Credential
    organization: str | None

    @property
    def scope(self) -> str:
        """A name for base URL and credential that tells neither."""
        # Not at the top: it takes milliseconds.
        import hashlib

        return hashlib.blake2s(f"{self.base_url}\n{self.credential.header}".encode(), digest_size=12).hexdigest()

    @classmethod
    def resolve(cls, base_url: str | None, token: str | None, organization: str | None) -> Configuration:
        """Take each setting from its argument, or else from the environment; raises ConfigurationError."""
        return cls(
            base_url=check_base_url(_given("base_url", base_url, BASE_URL)),
            credential=Credential(_given("token", token, TOKEN)),
            organization=_optional(organization),
        )


def _given(argument: str, value: str | None, variable: str) -> str:
    if value is None:
        value = os.environ.get(variable) or None
    if value is None:
        raise ConfigurationError(f"no {argument}: pass AgentPlatform({argument}=...) or set {variable}")
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise ConfigurationError(f"{argument} must be a string, not {type(value).__name__}")
    return value


def _optional(organization: str | None) -> str | None:
    organization = organization if organization is not None else os.environ.get(ORGANIZATION) or None
    return None if organization is None else check_organization(organization)


def check_base_url(value: str) -> str:
    """Check that *value* is the http(s) address of a server, and take the slash off its end."""
    example = "it should look like https://platform.example.com"
    if value != value.strip() or not value.isprintable() or " " in value:
        raise ConfigurationError(f"base_url must have no spaces or line breaks; {example}")
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        # The message of that may show a part of a password.
        raise ConfigurationError(f"base_url is malformed; {example}") from None
    if "@" in parts.netloc:
        raise ConfigurationError(f"base_url must not contain credentials; pass token=... ({example})")
    if parts.scheme not in ("http", "https") or not host:
        # Without a scheme it may be anything, a credential in the wrong place among it.
        shown = f", not {value!r}" if "://" in value else ""
        raise ConfigurationError(f"base_url must be an http or https address{shown}; {example}")
    if "?" in value or "#" in value:
        raise ConfigurationError(f"base_url must have no query and no fragment, unlike {value!r}; {example}")
    if VERSION_SUFFIX.search(value):
        raise ConfigurationError(f"base_url must not end in the version, unlike {value!r}: every path begins with it")
    return value.rstrip("/")


def check_organization(value: object) -> str:
    """Check that *value* can be the id of an organization; raises InvalidOrganizationError."""
    if value is None:
        raise InvalidOrganizationError(
            f"no organization: pass platform.organization('{ORGANIZATION_PREFIX}...'), "
            f"AgentPlatform(organization=...) or set {ORGANIZATION}"
        )
    if not isinstance(value, str):
        raise InvalidOrganizationError(f"organization must be a string, not {type(value).__name__}")
    if not value.startswith(ORGANIZATION_PREFIX) or value == ORGANIZATION_PREFIX:
        shown = "a credential" if kind_of(value) else repr(value[:80])
        raise InvalidOrganizationError(
            f"organization must be an id that starts with {ORGANIZATION_PREFIX!r}, not {shown}"
        )
    if not value.isprintable() or any(character in "/\\?#% " for character in value):
        raise InvalidOrganizationError(f"organization must be a plain id, not {value[:80]!r}")
    return value
