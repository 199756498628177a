"""The base URL: checked when the client is made, so that no HTTP library refuses it at the first call."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

import idna

from .errors import ConfigurationError

EXAMPLE = "it should look like https://platform.example.com"
MAX_LENGTH = 2000

VERSION_SUFFIXES = ("/v3", "/v3/")

# RFC 1035, section 2.3.4, with the underscore that some internal names have.
NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")
MAX_NAME_LENGTH = 253
FOUR_NUMBERS = re.compile(r"([0-9]+\.){3}[0-9]+")


def check_base_url(value: str) -> str:
    """Return *value* without a slash at its end, its host in ASCII.

    Raises:
        ConfigurationError: It is not the address of a server.
    """
    if value != value.strip() or not value.isprintable() or " " in value:
        raise ConfigurationError(f"base_url must have no spaces or line breaks; {EXAMPLE}")
    if len(value) > MAX_LENGTH:
        raise ConfigurationError(f"base_url must have at most {MAX_LENGTH:,} characters, not {len(value):,}; {EXAMPLE}")
    try:
        parts = urlsplit(value)
        host, port = parts.hostname, parts.port
    except ValueError:
        # The message of that error may show a part of a password.
        raise ConfigurationError(f"base_url is malformed; {EXAMPLE}") from None
    if "@" in parts.netloc:
        raise ConfigurationError(f"base_url must not contain credentials; pass token=... ({EXAMPLE})")
    if parts.scheme not in ("http", "https") or not host:
        # Without a scheme it may be a credential in the wrong place.
        value = f", not {value!r}" if "://" in value else ""
        raise ConfigurationError(f"base_url must be an http or https address{value}; {EXAMPLE}")
    if "?" in value or "#" in value:
        raise ConfigurationError(f"base_url must have no query and no fragment; {EXAMPLE}")
    if value.endswith(VERSION_SUFFIXES):
        raise ConfigurationError(f"base_url must not end in the version, unlike {value!r}: every path begins with it")
    if port == 0:
        raise ConfigurationError(f"base_url has the port 0, which no server has; {EXAMPLE}")
    try:
        name = check_host(f"[{host}]" if "[" in parts.netloc else host)
    except ValueError as error:
        raise ConfigurationError(f"base_url has the host {host[:80]!r}, which {error}; {EXAMPLE}") from None
    if not host.isascii():
        value = parts._replace(netloc=name if port is None else f"{name}:{port}").geturl()
    scheme, _, rest = value.partition(":")
    return f"{scheme.lower()}:{rest.rstrip('/')}"


def check_host(host: str) -> str:
    """Return a host as DNS has it (RFC 5891).

    Args:
        host: A name or an address in lower case, an IPv6 address in brackets.

    Raises:
        ValueError: It is neither; the message says what it is not.
    """
    if host.startswith("["):
        # With a zone an address is valid on one machine only.
        if "%" in host or not is_address(host[1:-1]):
            raise ValueError("is no IPv6 address without a zone")
        return host
    if not host.isascii() or "xn--" in host:
        try:
            host = idna.encode(host).decode("ascii")
        except UnicodeError as error:
            raise ValueError(f"is no valid IDN ({error})") from None
    if not NAME.fullmatch(host) or len(host) > MAX_NAME_LENGTH:
        raise ValueError(
            f"is no host name: labels of 1 to 63 letters, digits and hyphens, {MAX_NAME_LENGTH} characters in all"
        )
    if FOUR_NUMBERS.fullmatch(host) and not is_address(host):
        raise ValueError("is no IPv4 address")
    return host


def refuse_cleartext(base_url: str, proxy: str | None = None) -> None:
    """Refuse http to another host than this one: everybody on the way could read the credential.

    Args:
        base_url: Address of the server.
        proxy: Address of the proxy that the client was given; None without.

    Raises:
        ConfigurationError: The address is http, and its host, or that of the proxy, is not clearly loopback.
    """
    parts = urlsplit(base_url)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise ConfigurationError(
            f"base_url is {base_url!r}: over http everybody on the way can read the token; use https://, or pass "
            "AgentPlatform(allow_http=True) if you trust the network"
        )
    if parts.scheme == "http" and proxy is not None and not is_loopback(urlsplit(proxy).hostname or ""):
        raise ConfigurationError(
            f"base_url is {base_url!r}: over http everybody on the way to the proxy {proxy} can read the token; pass "
            "proxy=None, or AgentPlatform(allow_http=True) if you trust the network"
        )


def is_loopback(host: str) -> bool:
    """Return whether a host, in lower case, is this machine and no other, however it is resolved."""
    # RFC 6761, section 6.3.
    if host == "localhost" or host.endswith(".localhost"):
        return True
    if not is_address(host):
        return False
    address = ipaddress.ip_address(host)
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def is_address(host: str) -> bool:
    """Return whether a host is an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
