"""Networks: the base URL, and how the SDK's own connections reach it: proxies, certificates and sockets.

A transport asks `ProxyResolver` for the proxy to a server, and `make_context` for an SSL context. No HTTP library is
imported here. The settings that aiohttp does not support are listed here, so that they are refused when the client is
made.
"""

from __future__ import annotations

import os
import re
import ssl
from base64 import b64encode
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import attrs
import certifi
from attrs.converters import optional

from .credentials import redact_secret
from .errors import ConfigurationError
from .text import format_value
from .validators import true_or_false

StrPath: TypeAlias = str | os.PathLike[str]

# Either one file with certificate and key, or two files, or two files and the password of the key.
ClientCertificate: TypeAlias = StrPath | tuple[StrPath] | tuple[StrPath, StrPath] | tuple[StrPath, StrPath, str]

# The schemes of proxies and servers.
DEFAULT_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}

EXAMPLE = "it should look like https://platform.example.com"

# Host names as in RFC 1035, section 2.3.4. The underscore is allowed, because some internal names have it.
NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")

OF_ENVIRONMENT = "a proxy that the environment names in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY"


def check_base_url(value: str) -> str:
    """Return *value* without a slash at its end.

    Raises:
        ConfigurationError: The value is not the address of a server.
    """
    if value != value.strip() or not value.isprintable() or " " in value:
        raise ConfigurationError(f"base_url must have no spaces or line breaks; {EXAMPLE}")
    try:
        parts = urlsplit(value)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        # `from None`: the message of the ValueError may show a part of a password.
        raise ConfigurationError(f"base_url is malformed; {EXAMPLE}") from None
    if "@" in parts.netloc:
        raise ConfigurationError(f"base_url must not contain credentials; pass token=... ({EXAMPLE})")
    if parts.scheme not in ("http", "https") or not host:
        # Do not show a value without a scheme: it may be a credential in the wrong place.
        value = f", not {value!r}" if "://" in value else ""
        raise ConfigurationError(f"base_url must be an http or https address{value}; {EXAMPLE}")
    if "?" in value or "#" in value:
        raise ConfigurationError(f"base_url must have no query and no fragment; {EXAMPLE}")
    if parts.path.rstrip("/").endswith("/v3"):
        raise ConfigurationError(f"base_url must not end in the version, as {value!r} does: every path begins with it")
    if not is_host(host) or port == 0:
        raise ConfigurationError(f"base_url must have an ASCII host name or address, not {host[:80]!r}; {EXAMPLE}")
    scheme, _, rest = value.partition(":")
    return f"{scheme.lower()}:{rest.rstrip('/')}"


def is_host(host: str) -> bool:
    """Return whether a host, in lower case, can be a name in DNS or an IP address."""
    return (len(host) < 254 and NAME.fullmatch(host) is not None) or is_address(host)


def is_address(host: str) -> bool:
    """Return whether a host is an IP address without a zone: an address with a zone is valid on one machine only."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return "%" not in host


def is_loopback(host: str) -> bool:
    """Return whether a host, in lower case, is always this machine, however its name is resolved."""
    # RFC 6761, section 6.3, reserves these names for this machine.
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return is_address(host) and ip_address(host).is_loopback


def refuse_cleartext(base_url: str, proxy: str | None = None) -> None:
    """Refuse http to another machine: everybody on the network could read the credential.

    Args:
        base_url: Address of the server.
        proxy: Address of the proxy that was passed to the client; None if no proxy was passed.

    Raises:
        ConfigurationError: The address is http, and its host or the host of the proxy is not clearly loopback.
    """
    hosts = [urlsplit(url).hostname or "" for url in (base_url, proxy) if url is not None]
    if base_url.startswith("http:") and not all(map(is_loopback, hosts)):
        route = base_url if proxy is None else f"{base_url} through the proxy {proxy}"
        raise ConfigurationError(
            f"base_url leads to {route}: over http everybody on the way can read the token; use https://, or set "
            "allow_http to true if you trust the network"
        )


@attrs.frozen(eq=False)
class Proxy:
    """A proxy; its repr does not show the credentials.

    Attributes:
        url: Its address, without credentials.
        credentials: User name and password; None if the proxy needs none.
    """

    url: str
    credentials: tuple[str, str] | None = attrs.field(default=None, repr=False)

    @property
    def authorization(self) -> str | None:
        """The value of the Proxy-Authorization header (RFC 7617); None without credentials."""
        encoded = b64encode(":".join(self.credentials or ()).encode()).decode()
        return f"Basic {encoded}" if self.credentials else None

    @property
    def has_tls(self) -> bool:
        """True if the connection to the proxy itself is encrypted."""
        return self.url.startswith("https:")

    def redact(self, text: str) -> str:
        """Replace the password in a text: in plain form, percent-encoded, and as the header contains it."""
        password = self.credentials[1] if self.credentials else ""
        header = (self.authorization or "").removeprefix("Basic ")
        return redact_secret(header, redact_secret(password, text))


def parse_proxy(address: str, named: str = "proxy") -> Proxy:
    """Return the proxy of an address.

    Args:
        address: The address; the scheme is http if none is given.
        named: Where the address comes from, for the message.

    Raises:
        ConfigurationError: The address cannot be used; the message does not show it, because it may have a password.
    """
    try:
        url = urlsplit(address if "://" in address else f"http://{address}")
        host = url.hostname or ""
        default = DEFAULT_PORTS[url.scheme]
        port = default if url.port is None else url.port
        if not port or not is_host(host) or not address.isprintable() or url.path.strip("/") + url.query + url.fragment:
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise ConfigurationError(f"{named} must be an address such as http://user:p%40ss@proxy.example.com") from None
    credentials = (unquote(url.username or ""), unquote(url.password or ""))
    host = f"[{host}]" if ":" in host else host
    return Proxy(f"{url.scheme}://{host}:{port}", credentials if any(credentials) else None)


@attrs.frozen(eq=False)
class ClientFiles:
    """The files of a client certificate; their repr does not show the password of the key.

    Attributes:
        certificate: The file of the certificate.
        key: The file of its key; None if the key is in the same file.
        password: The password of the key; empty if it has none.
    """

    certificate: str
    key: str | None = None
    password: str = attrs.field(default="", repr=False, kw_only=True)


def make_context(verify: Any = True, cert: ClientFiles | None = None) -> ssl.SSLContext:
    """Return the SSL context of a client.

    Args:
        verify: A file or folder of certificates, or an SSLContext. True means the certificates that SSL_CERT_FILE and
            SSL_CERT_DIR name. Without these variables it means the certificates of the system if truststore is
            installed, or else those of certifi.
        cert: The certificate to show to the server; None for no certificate.

    Raises:
        ConfigurationError: The certificates cannot be read.
    """
    if isinstance(verify, ssl.SSLContext):
        return verify
    if verify is True:
        file, folder = os.environ.get("SSL_CERT_FILE") or None, os.environ.get("SSL_CERT_DIR") or None
    else:
        file, folder = (None, verify) if os.path.isdir(verify) else (verify, None)
    setting = "verify" if verify is not True else "SSL_CERT_FILE" if file else "SSL_CERT_DIR"
    named = f"{setting}={file or folder!r}"
    try:
        if folder is not None and not any(map(os.path.isdir, folder.split(os.pathsep))):
            # OpenSSL accepts a folder that does not exist, and then trusts nobody.
            raise FileNotFoundError(2, "No such directory")
        if file is not None or folder is not None:
            context = ssl.create_default_context(cafile=file, capath=folder)
        elif find_spec("truststore") is not None:
            # Only the extra `truststore` installs this package.
            import truststore

            context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        else:
            context = ssl.create_default_context(cafile=certifi.where())
        if cert is not None:
            # OpenSSL raises the same error for a wrong password and for a file that is not a certificate.
            named = f"cert={cert.certificate!r}, its key or its password"
            context.load_cert_chain(cert.certificate, cert.key, cert.password)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{named} cannot be used: {error}") from None
    return context


def trust_nobody() -> ssl.SSLContext:
    """Return the context of connections without TLS, which need no certificates."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def to_path(value: Any, expected: str) -> str:
    """Return a path as text; refuse anything else, with *expected* in the message."""
    path = os.fsdecode(value) if isinstance(value, str | os.PathLike) else ""  # pyright: ignore[reportUnknownArgumentType]
    if not path:
        raise ConfigurationError(f"{expected}, not {format_value(value)}")  # pyright: ignore[reportUnknownArgumentType]
    return path


def read_unix_socket(value: Any) -> str:
    """Return the path of a socket; refuse a value that is not a path."""
    return to_path(value, "unix_socket must be the path of a socket")


def read_verify(value: Any) -> Any:
    """Return `verify` if it is True, a path, or an SSL context that verifies certificates; refuse anything else."""
    verifies = isinstance(value, ssl.SSLContext) and value.verify_mode != ssl.CERT_NONE
    if value is True or verifies:
        return value
    # Without verification anybody on the network could read the credential.
    path = to_path(value, "verify must be True, the path of certificates, or an ssl.SSLContext that verifies them")
    if not os.path.exists(path):
        raise ConfigurationError(f"verify={path!r} cannot be used: there is no such file or folder")
    return path


def read_cert(value: Any) -> ClientFiles:
    """Return the files of a client certificate; refuse a value of any other form."""
    parts: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)  # pyright: ignore[reportUnknownVariableType]
    expected = "cert must be a path, (certificate, key) or (certificate, key, password)"
    password = parts[2] if len(parts) == 3 else ""
    if not 1 <= len(parts) <= 3 or not isinstance(password, str):
        raise ConfigurationError(expected)
    return ClientFiles(*(to_path(part, expected) for part in parts[:2]), password=password)


@attrs.frozen(eq=False)
class Network:
    """The settings of the SDK's own connections; a transport or a client that is passed has its own settings.

    Attributes:
        proxy: The proxy for every server; None means that the environment names it.
        verify: True, a file or folder of certificates, or an SSLContext.
        cert: The certificate to show to the server; None for no certificate.
        http2: Whether HTTP/2 is offered to servers with TLS.
        unix_socket: Path of a socket of this machine that the server listens on; None for the network.

    Raises:
        ConfigurationError: A setting cannot be used; the message names it, and shows no password.
    """

    proxy: Proxy | None = attrs.field(default=None, converter=optional(parse_proxy))
    verify: Any = attrs.field(default=True, converter=read_verify, repr=False)
    cert: ClientFiles | None = attrs.field(default=None, converter=optional(read_cert))
    http2: bool = attrs.field(default=False, validator=true_or_false)
    unix_socket: str | None = attrs.field(default=None, converter=optional(read_unix_socket))
    # The proxies of the environment, which a ProxyResolver adds when a server is used for the first time. Their
    # passwords are redacted, too. This is the only attribute that changes.
    of_environment: list[Proxy | None] = attrs.field(factory=list["Proxy | None"], init=False, repr=False)

    def redact(self, text: str) -> str:
        """Replace the passwords of proxies in a text of a server."""
        for proxy in filter(None, (self.proxy, *self.of_environment)):
            text = proxy.redact(text)
        return text

    def check(self, library: str | None, base_url: str) -> None:
        """Refuse settings that cannot be used together, or with the library.

        Args:
            library: Name of the library that makes the connections; None if a transport or a client was passed.
            base_url: Address of the server.

        Raises:
            ConfigurationError: A setting cannot be used; the message names it.
        """
        for setting in attrs.fields(Network) if library is None else ():
            if setting.init and getattr(self, setting.name) != setting.default:
                text = f"{setting.name} is for the SDK's own connections: set it on the client or transport instead"
                raise ConfigurationError(text)
        if self.cert is not None and isinstance(self.verify, ssl.SSLContext):
            raise ConfigurationError("pass cert or an ssl.SSLContext, not both: its load_cert_chain(...) loads a cert")
        if self.proxy is not None and self.unix_socket is not None:
            raise ConfigurationError("pass proxy or unix_socket, not both: a socket of this machine needs no proxy")
        if self.http2:
            check_feature("http2", library, "h2", "h2>=4.3,<5")
        if self.unix_socket is not None and library == "aiohttp" and base_url.startswith("https:"):
            raise ConfigurationError("aiohttp has no TLS on a unix_socket: use http, which does not leave this machine")


class ProxyResolver:
    """Resolver of the proxy for each server; all transports use it.

    Args:
        network: The settings of the client; None for a transport of the caller, which has its own proxies.
        base_url: Address of the platform's server.
        library: Name of the library that makes the connections.
        allow_http: Whether requests to an http base URL may leave this machine.
    """

    def __init__(
        self, network: Network | None = None, base_url: str = "", library: str = "", *, allow_http: bool = False
    ) -> None:
        self._network = network
        self._library = library
        self._known: dict[tuple[str, str], Proxy | None] = {}
        # Cleartext must not leave this machine, and a proxy that the environment names may be another machine.
        stays_here = base_url.lower().startswith("http:") and not allow_http
        if network is not None and network.proxy is None and (stays_here or network.unix_socket is not None):
            self._known[urlsplit(base_url)[:2]] = None

    def proxy_for(self, url: str) -> Proxy | None:
        """Return the proxy for a server; None when the server is reached directly.

        Raises:
            ConfigurationError: The address of the proxy cannot be used, or the library does not support it.
        """
        network, origin = self._network, urlsplit(url)[:2]
        if network is None:
            return None
        # Look up each server only once: reading the environment takes as long as sending.
        if origin not in self._known:
            proxy, named = network.proxy, "proxy"
            if proxy is None:
                proxy, named = find_proxy(url), OF_ENVIRONMENT
                network.of_environment.append(proxy)
            if proxy is not None and proxy.url.startswith("socks"):
                check_feature(f"{named} speaks SOCKS, which", self._library, "socksio", "socksio>=1.0,<2")
            self._known[origin] = proxy
        return self._known[origin]


def find_proxy(url: str) -> Proxy | None:
    """Return the proxy that the environment, or the system, names for a URL; None when it is reached directly.

    Raises:
        ConfigurationError: The address of the proxy cannot be used; the message shows no part of the address.
    """
    proxies, parts = getproxies(), urlsplit(url)
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address or proxy_bypass(parts.netloc) or is_in_networks(parts.hostname or "", proxies.get("no", "")):
        return None
    return parse_proxy(address, OF_ENVIRONMENT)


def is_in_networks(host: str, no_proxy: str) -> bool:
    """Return whether NO_PROXY names an address or its network, such as 10.0.0.0/8; urllib supports no networks."""
    for entry in no_proxy.replace(",", " ").split():
        with suppress(ValueError):
            if ip_address(host) in ip_network(entry, strict=False):
                return True
    return False


def check_feature(feature: str, library: str | None, module: str, requirement: str) -> None:
    """Refuse a feature that aiohttp does not have, or whose module is not installed."""
    if library == "aiohttp":
        raise ConfigurationError(f"{feature} needs transport='httpx' or 'httpx2': aiohttp does not support it")
    if find_spec(module) is None:
        raise ConfigurationError(f"{feature} needs {module}: pip install '{requirement}'")
