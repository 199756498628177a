"""The settings of a client: from arguments or the environment, checked before anything is sent.

One of the settings is AGENT_PLATFORM_LOG, which switches the log on.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import attrs
from attrs.converters import optional

from ._api import ReceivedResponse
from .credentials import (
    Credential,
    CredentialProvider,
    Hidden,
    TokenProvider,
    file_provider,
    fixed_provider,
    function_provider,
    kind_of,
)
from .errors import AgentPlatformError, ConfigurationError, InvalidOrganizationError
from .network import Proxy, parse_base_url, parse_proxy, parse_verify
from .options import is_header_value, valid_headers
from .response.exchange import ExchangeRecord
from .retry import RetryPolicy, valid_retry_policy
from .text import format_value, plain_text, type_name
from .validators import mapping_field, valid_callback, valid_flag, valid_seconds, valid_whole_number

T = TypeVar("T")

# The version of the SDK, the same as in pyproject.toml; a release writes both.
VERSION = "0.1.0"

BASE_URL_VARIABLE = "AGENT_PLATFORM_BASE_URL"
LOG_VARIABLE = "AGENT_PLATFORM_LOG"
TOKEN_VARIABLE = "AGENT_PLATFORM_TOKEN"
TOKEN_FILE_VARIABLE = "AGENT_PLATFORM_TOKEN_FILE"
ORGANIZATION_VARIABLE = "AGENT_PLATFORM_ORG_ID"

# The defaults of a client: its timeout in seconds, and its requests in flight.
DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_CONNECTIONS = 100

# The part Conventions of the API's description states the prefix. No id has a character that is percent-encoded in
# paths.
ORGANIZATION_ID = re.compile(r"org-[^/\\?#%\s]+")

LEVELS = ("debug", "info", "warning", "error")
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def parse_organization(value: Any) -> str:
    """Return *value* as a plain str if it can be the id of an organization.

    Raises:
        InvalidOrganizationError: It cannot be one.
    """
    if value is None:
        raise InvalidOrganizationError(
            f"no organization: pass it to platform.organization() or AgentPlatform(), or set {ORGANIZATION_VARIABLE}"
        )
    if isinstance(value, str) and ORGANIZATION_ID.fullmatch(value):
        return plain_text(value)
    given = format_value(value)
    if isinstance(value, str) and kind_of(value) is not None:
        given = "a credential"
    raise InvalidOrganizationError(f"organization must be an id that starts with 'org-', not {given}")


def read_setting(value: Any, variable: str, parse: Callable[[Any], T]) -> T | None:
    """Return an argument or, if it is None, an environment variable, parsed; None if neither is set.

    Raises:
        ConfigurationError: The value cannot be used; the message also names the variable.
    """
    if value is not None:
        return parse(value)
    if not os.environ.get(variable):
        return None
    try:
        # No local variable has the value, which may be a token: error reporters show local variables.
        return parse(os.environ[variable])
    except ConfigurationError as error:
        error.remark(f"it is taken from {variable}")
        raise


def missing_error(argument: str, variable: str) -> ConfigurationError:
    """Make the error of a setting that is missing: as an argument, and in the environment."""
    return ConfigurationError(f"no {argument}: pass AgentPlatform({argument}=...) or set {variable}")


def read_base_url(value: str | None) -> str:
    """Return the base URL of a client.

    Raises:
        ConfigurationError: There is none, or it cannot be used.
    """
    base_url = read_setting(value, BASE_URL_VARIABLE, parse_base_url)
    if base_url is None:
        raise missing_error("base_url", BASE_URL_VARIABLE)
    return base_url


def read_organization(value: str | None) -> str | None:
    """Return the organization of a client; None if the client has no organization."""
    return read_setting(value, ORGANIZATION_VARIABLE, parse_organization)


def read_credentials(token: Any, token_file: Any) -> CredentialProvider:
    """Return the provider of the credential.

    An argument comes before the environment, and AGENT_PLATFORM_TOKEN before AGENT_PLATFORM_TOKEN_FILE.

    Args:
        token: The argument of `AgentPlatform`; `Hidden` if it is a string.
        token_file: The argument of `AgentPlatform`.

    Raises:
        ConfigurationError: Both arguments are given, or there is no credential, or the credential cannot be used.
    """
    if token is not None and token_file is not None:
        raise ConfigurationError("pass token or token_file, not both")
    if isinstance(token, Hidden):
        return fixed_provider(Credential(token()))
    if callable(token):
        return function_provider(cast("TokenProvider", token))
    if token is not None:
        raise ConfigurationError(f"token must be a string, not {type_name(token)}")
    if token_file is None:
        credential = read_setting(None, TOKEN_VARIABLE, Credential)
        if credential is not None:
            return fixed_provider(credential)
    provider = read_setting(token_file, TOKEN_FILE_VARIABLE, file_provider)
    if provider is None:
        raise missing_error("token", TOKEN_VARIABLE)
    return provider


def parse_user_agent(value: Any) -> str:
    """Return the text that stands before the name of the SDK in User-Agent."""
    if isinstance(value, str):
        text = value.strip()
        if text and is_header_value(text):
            return text
    raise ConfigurationError("user_agent must be text such as 'acme/1.0', of printable ASCII characters")


def switch_logging_on() -> None:
    """Log at the level in AGENT_PLATFORM_LOG: to the handlers of the program or, if it has no handlers, to stderr.

    Raises:
        ConfigurationError: The value is neither a level nor blank.
    """
    level = os.environ.get(LOG_VARIABLE, "").strip().lower()
    if not level:
        return
    if level not in LEVELS:
        raise ConfigurationError(f"{LOG_VARIABLE} must be one of {', '.join(LEVELS)}, not {format_value(level)}")
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
        credential_provider: Where the credential of a call comes from; see `read_credentials`.
        proxy: The proxy that was passed; None means that the environment names it.
    """

    base_url: str = attrs.field(converter=read_base_url)
    credential_provider: CredentialProvider
    organization: str | None = attrs.field(converter=read_organization)
    timeout: float = attrs.field(validator=valid_seconds(positive=True, finite=True))
    retry: RetryPolicy = attrs.field(validator=valid_retry_policy)
    max_connections: int = attrs.field(validator=valid_whole_number(1, ConfigurationError))
    max_body: int = attrs.field(validator=valid_whole_number(1, ConfigurationError))
    preflight: bool = attrs.field(validator=valid_flag)
    allow_http: bool = attrs.field(validator=valid_flag)
    default_headers: Mapping[str, str] | None = mapping_field(valid_headers)
    user_agent: str | None = attrs.field(default=None, converter=optional(parse_user_agent))
    proxy: Proxy | None = attrs.field(default=None, converter=optional(parse_proxy))
    verify: Any = attrs.field(default=True, converter=parse_verify, repr=False)
    on_response: Callable[[ReceivedResponse], None] | None = attrs.field(default=None, validator=valid_callback)
    on_exchange: Callable[[ExchangeRecord], None] | None = attrs.field(default=None, validator=valid_callback)

    def redact(self, text: str) -> str:
        """Replace the last credentials in a text of a server; see `AgentPlatform.redact`."""
        return self.credential_provider.redact(text)

    def redact_error(self, error: AgentPlatformError) -> None:
        """Redact the text of an error: a caller may have passed the credential as another argument."""
        error.operation_text = self.redact(error.operation_text)
        error.message = self.redact(error.message)

    @property
    def rate_limit_key(self) -> str:
        """A digest of base URL and credential: clients with the same digest share a rate limit.

        If the credential comes from a file, the digest uses its path; if it comes from a function, the identity of
        the function. So the key stays the same when the credential changes.
        """
        limited = f"{self.base_url}\n{self.credential_provider.identity}"
        return hashlib.blake2s(limited.encode(), digest_size=12).hexdigest()
