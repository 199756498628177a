"""The base URL, and how the SDK's own connections reach it: the proxy, and the certificates that are trusted."""

from __future__ import annotations

import os
import re
import ssl
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import attrs
import certifi

from .errors import ConfigurationError
from .text import format_value, has_dot_segments, percent_encode_path, plain_text

StrPath: TypeAlias = str | os.PathLike[str]

# A name in DNS (RFC 1035, section 2.3.4), an IPv4 address, or an IPv6 address. The underscore is allowed, because some
# internal names have it. An IPv6 address with a zone is not allowed: it is valid on one machine only.
SERVER_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?|[0-9a-f:]*:[0-9a-f:.]*")

PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")


def parse_base_url(value: str) -> str:
    """Return *value* percent-encoded, and without a slash at its end.

    Raises:
        ConfigurationError: The value is not the address of a server.
    """
    value = plain_text(value).strip()
    try:
        parts = urlsplit(value)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        # `from None`: the message of the ValueError may show a part of a password.
        raise base_url_error("is malformed") from None
    path = parts.path.rstrip("/")
    if "@" in parts.netloc:
        raise base_url_error("must not contain credentials; pass token=...")
    if parts.scheme not in ("http", "https"):
        # Do not show the value: it may be a credential in the wrong place.
        raise base_url_error("must be an http or https address")
    if not SERVER_HOST.fullmatch(host) or port == 0:
        raise base_url_error(f"must have an ASCII host name or address, not {host[:80]!r}")
    if "?" in value or "#" in value:
        raise base_url_error("must have no query and no fragment")
    if path.endswith("/v3"):
        raise base_url_error(f"must not end in the version, as {value!r} does: every path begins with it")
    if has_dot_segments(path):
        raise base_url_error(f"must have no dot segments in its path, as {value!r} has")
    return f"{parts.scheme}://{parts.netloc}{percent_encode_path(path)}"


def base_url_error(reason: str) -> ConfigurationError:
    """Make the error for a base URL that cannot be used."""
    return ConfigurationError(f"base_url {reason}; it should look like https://platform.example.com")


def is_loopback(host: str) -> bool:
    """Return whether a host, in lower case, is always this machine, however its name is resolved."""
    # RFC 6761, section 6.3, reserves these names for this machine.
    if host == "localhost" or host.endswith(".localhost"):
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def refuse_cleartext(base_url: str, proxy: Proxy | None) -> None:
    """Refuse http to another machine: everybody on the network could read the credential.

    Args:
        base_url: Address of the server.
        proxy: The proxy that was passed to the client; None if no proxy was passed.

    Raises:
        ConfigurationError: The address is http, and its host or the host of the proxy is not clearly loopback.
    """
    if not base_url.startswith("http:"):
        return
    route = [base_url]
    if proxy is not None:
        route.append(proxy.url)
    where = " through the proxy ".join(route)
    for url in route:
        if not is_loopback(urlsplit(url).hostname or ""):
            raise ConfigurationError(
                f"base_url leads to {where}: over http everybody on the way can read the token; "
                "use https://, or set allow_http to true if you trust the network"
            )


@attrs.frozen(eq=False)
class Proxy:
    """A proxy; its repr does not show the login.

    Attributes:
        url: Its address, without the login.
        login: User name and password; None if the proxy needs none.
    """

    url: str
    login: tuple[str, str] | None = attrs.field(default=None, repr=False)

    @property
    def has_tls(self) -> bool:
        """True if the connection to the proxy itself is encrypted."""
        return self.url.startswith("https:")


def parse_proxy(address: Any, named: str = "proxy") -> Proxy:
    """Return the proxy of an address.

    Args:
        address: The address; the scheme is http if none is given.
        named: Where the address comes from, for the message.

    Raises:
        ConfigurationError: The address cannot be used; the message does not show it, because it may have a password.
    """
    refusal = ConfigurationError(f"{named} must be an address such as http://user:p%40ss@proxy.example.com")
    if not isinstance(address, str) or not address.isprintable():
        raise refusal
    if "://" not in address:
        address = f"http://{address}"
    try:
        url = urlsplit(address)
        has_port = url.port != 0
    except ValueError:
        raise refusal from None
    has_server = has_port and SERVER_HOST.fullmatch(url.hostname or "")
    has_more = url.path.strip("/") or url.query or url.fragment
    if url.scheme not in PROXY_SCHEMES or not has_server or has_more:
        raise refusal
    userinfo, _, server = url.netloc.rpartition("@")
    login = None
    if userinfo:
        login = (unquote(url.username or ""), unquote(url.password or ""))
    return Proxy(f"{url.scheme}://{server}", login)


def find_proxy(url: str) -> Proxy | None:
    """Return the proxy that the environment, or the system, names for a URL; None when it is reached directly.

    Raises:
        ConfigurationError: The address of the proxy cannot be used; the message shows no part of the address.
    """
    proxies = getproxies()
    parts = urlsplit(url)
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address or proxy_bypass(parts.netloc):
        return None
    return parse_proxy(address, "the proxy of the environment, in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY")


def make_context(verify: Any) -> ssl.SSLContext:
    """Return an SSL context.

    Args:
        verify: A file or folder of certificates, or an SSLContext. True means the certificates that SSL_CERT_FILE and
            SSL_CERT_DIR name. Without these variables it means the certificates of the system if truststore is
            installed, or else those of certifi.

    Raises:
        ConfigurationError: The certificates cannot be read.
    """
    if isinstance(verify, ssl.SSLContext):
        return verify
    file = os.environ.get("SSL_CERT_FILE") or None
    folder = os.environ.get("SSL_CERT_DIR") or None
    named = f"SSL_CERT_FILE={file!r}"
    if verify is not True:
        file, folder = verify, None
        named = f"verify={str(verify)!r}"
        if os.path.isdir(verify):
            file, folder = None, verify
    try:
        return context_of(file, folder)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{named} cannot be used: {error}") from None


def context_of(file: StrPath | None, folder: StrPath | None) -> ssl.SSLContext:
    """Return a context with the certificates of a file or a folder, or else with those of the system or of certifi."""
    if file is not None or folder is not None:
        return ssl.create_default_context(cafile=file, capath=folder)
    if find_spec("truststore") is None:
        return ssl.create_default_context(cafile=certifi.where())
    # Only the extra `truststore` installs this package.
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def parse_verify(value: Any) -> Any:
    """Return `verify` if it is True, a path, or an SSL context that verifies certificates; refuse anything else."""
    if value is True:
        return True
    # Without verification anybody on the network could read the credential.
    if isinstance(value, ssl.SSLContext) and value.verify_mode != ssl.CERT_NONE:
        return value
    if isinstance(value, str | os.PathLike) and value != "":
        # The certificates are read again when the client opens. A wrong file is an error of the constructor.
        make_context(value)
        return value  # pyright: ignore[reportUnknownVariableType]
    rule = "True, the path of certificates, or an ssl.SSLContext that verifies them"
    given = format_value(value)  # pyright: ignore[reportUnknownArgumentType]
    raise ConfigurationError(f"verify must be {rule}, not {given}")
