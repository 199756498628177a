"""The settings of a client: from arguments or the environment, checked before anything is sent.

One of the settings is AGENT_PLATFORM_LOG, which switches the log on.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs
from attrs.converters import optional

from ._api import ReceivedResponse
from .credentials import (
    Credential,
    CredentialSource,
    FixedCredential,
    HiddenToken,
    TokenFile,
    TokenFunction,
    TokenProvider,
    kind_of,
)
from .errors import AgentPlatformError, ConfigurationError, InvalidOrganizationError
from .network import Network, parse_base_url
from .response.outcome import ExchangeRecord
from .retry import RetryPolicy, valid_retry_policy
from .text import format_value, type_name
from .validators import mapping_field, valid_callback, valid_flag, valid_headers, valid_seconds, valid_whole_number

# The version of the SDK, the same as in pyproject.toml; a release writes both.
VERSION = "0.1.0"

BASE_URL = "AGENT_PLATFORM_BASE_URL"
LOG = "AGENT_PLATFORM_LOG"
TOKEN = "AGENT_PLATFORM_TOKEN"
TOKEN_FILE = "AGENT_PLATFORM_TOKEN_FILE"
ORGANIZATION = "AGENT_PLATFORM_ORG_ID"

# The defaults of a client: its timeout in seconds, its requests in flight, and the largest body in bytes.
DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_CONNECTIONS = 100
DEFAULT_MAX_BODY = 16 * 1024 * 1024

# The part Conventions of the API's description states the prefix. No id has a character that is percent-encoded in
# paths.
ORGANIZATION_ID = re.compile(r"org-[^/\\?#%\s]+")

LEVELS = ("debug", "info", "warning", "error")
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def parse_organization(value: Any) -> str:
    """Return *value* if it can be the id of an organization; raise InvalidOrganizationError if it cannot."""
    if value is None:
        raise InvalidOrganizationError(
            f"no organization: pass it to platform.organization() or AgentPlatform(), or set {ORGANIZATION}"
        )
    if not isinstance(value, str) or not ORGANIZATION_ID.fullmatch(value):
        described = "a credential" if isinstance(value, str) and kind_of(value) else format_value(value)
        raise InvalidOrganizationError(f"organization must be an id that starts with 'org-', not {described}")
    return value


def read_setting(argument: str, value: str | None, variable: str) -> str:
    """Return a setting from its argument or the environment.

    Args:
        argument: Name of the argument, for the message.
        value: Value of the argument; None means that the environment is read.
        variable: Name of the environment variable.

    Raises:
        ConfigurationError: The setting is missing in both places, or is not a string.
    """
    if value is None:
        value = os.environ.get(variable) or None
    if value is None:
        raise ConfigurationError(f"no {argument}: pass AgentPlatform({argument}=...) or set {variable}")
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise ConfigurationError(f"{argument} must be a string, not {type_name(value)}")
    return value


def read_base_url(value: str | None) -> str:
    """Return the base URL of a client."""
    return parse_base_url(read_setting("base_url", value, BASE_URL))


def read_credentials(token: str | TokenProvider | None, token_file: Any) -> CredentialSource:
    """Return the source of the credential.

    An argument comes before the environment, and AGENT_PLATFORM_TOKEN before AGENT_PLATFORM_TOKEN_FILE.

    Args:
        token: The argument of `AgentPlatform`; a HiddenToken if it is a string.
        token_file: The argument of `AgentPlatform`.

    Raises:
        ConfigurationError: Both arguments are given, or there is no credential, or the credential cannot be used.
    """
    if token is not None and token_file is not None:
        raise ConfigurationError("pass token or token_file, not both")
    if token is None and token_file is None and not os.environ.get(TOKEN):
        token_file = os.environ.get(TOKEN_FILE) or None
    if token_file is not None:
        return TokenFile(token_file)
    if isinstance(token, HiddenToken):
        return FixedCredential(Credential(token()))
    if callable(token):
        return TokenFunction(token)
    return FixedCredential(Credential(read_setting("token", token, TOKEN)))


def read_organization(value: str | None) -> str | None:
    """Return the organization of a client; None if the client has no organization."""
    value = value if value is not None else os.environ.get(ORGANIZATION) or None
    return None if value is None else parse_organization(value)


def parse_user_agent(value: Any) -> str:
    """Return the text that stands before the name of the SDK in User-Agent."""
    text = value.strip() if isinstance(value, str) else ""
    if not text or not (text.isascii() and text.isprintable()):
        raise ConfigurationError("user_agent must be text such as 'acme/1.0', of printable ASCII characters")
    return text


def switch_logging_on() -> None:
    """Log at the level in AGENT_PLATFORM_LOG: to the handlers of the program or, if it has no handlers, to stderr.

    Raises:
        ConfigurationError: The value is neither a level nor blank.
    """
    level = os.environ.get(LOG, "").strip().lower()
    if not level:
        return
    if level not in LEVELS:
        raise ConfigurationError(f"{LOG} must be one of {', '.join(LEVELS)}, not {format_value(level)}")
    logger = logging.getLogger("agent_session_platform")
    logger.setLevel(level.upper())
    if not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(LOG_FORMAT))
        logger.addHandler(handler)


@attrs.frozen(eq=False)
class Configuration:
    """The settings of a client. If `base_url` or `organization` is None, it is read from the environment.

    The attributes are the arguments of `AgentPlatform`, whose docstring describes them. A wrong setting raises a
    ConfigurationError. A wrong callback, or a wrong setting that a single call can have as well, raises an
    InvalidArgumentError.

    Attributes:
        base_url: Address of the server, without a slash at its end.
        credential_source: Where the credential of a call comes from; see `read_credentials`.
        network: How servers are reached.
    """

    base_url: str = attrs.field(converter=read_base_url)
    credential_source: CredentialSource
    organization: str | None = attrs.field(converter=read_organization)
    timeout: float = attrs.field(validator=valid_seconds(positive=True, finite=True))
    retry: RetryPolicy = attrs.field(validator=valid_retry_policy)
    max_connections: int = attrs.field(validator=valid_whole_number(1, ConfigurationError))
    max_body: int = attrs.field(validator=valid_whole_number(1, ConfigurationError))
    preflight: bool = attrs.field(validator=valid_flag)
    allow_http: bool = attrs.field(validator=valid_flag)
    default_headers: Mapping[str, str] | None = mapping_field(valid_headers)
    user_agent: str | None = attrs.field(default=None, converter=optional(parse_user_agent))
    network: Network = attrs.field(factory=Network)
    on_response: Callable[[ReceivedResponse], None] | None = attrs.field(default=None, validator=valid_callback)
    on_exchange: Callable[[ExchangeRecord], None] | None = attrs.field(default=None, validator=valid_callback)

    def redact(self, text: str) -> str:
        """Replace the credential and the passwords of proxies in a text of a server, in plain and in encoded form."""
        return self.network.redact(self.credential_source.redact(text))

    def redact_error(self, error: AgentPlatformError) -> None:
        """Redact the text of an error: a caller may have passed the credential as another argument."""
        error.place, error.message = self.redact(error.place), self.redact(error.message)

    @contextmanager
    def redacted_errors(self) -> Generator[None]:
        """Redact the message of an error that is raised within the block."""
        try:
            yield
        except AgentPlatformError as error:
            self.redact_error(error)
            raise

    @property
    def rate_limit_key(self) -> str:
        """A digest of base URL and credential: clients with the same digest share a rate limit.

        If the credential comes from a file, the digest uses its path; if it comes from a function, the name of the
        function and what it carries (see `identity.py`). So the key stays the same when the credential changes.
        """
        return hashlib.blake2s(
            f"{self.base_url}\n{self.credential_source.identity}".encode(), digest_size=12
        ).hexdigest()
