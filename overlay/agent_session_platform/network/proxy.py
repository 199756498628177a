"""A proxy: its address, and the credentials for it, which nothing shows."""

from __future__ import annotations

import ipaddress
from base64 import b64encode
from collections.abc import Callable
from typing import NoReturn
from urllib.parse import unquote, urlsplit

from ..base_url import NAME
from ..errors import ConfigurationError
from ..request.credentials import MIN_REDACTED_LENGTH, make_redactor

SCHEMES = ("http", "https", "socks5", "socks5h")

DEFAULT_PORTS = {"http": 80, "https": 443}
SOCKS_PORT = 1080


class Proxy:
    """A proxy; its credentials are in no repr, no attribute and no pickle.

    Args:
        url: Its address, without credentials.
        credentials: User name and password; None without.

    Attributes:
        url: Its address, without credentials.
    """

    __slots__ = ("_credentials", "_redactor", "url")

    def __init__(self, url: str, credentials: tuple[str, str] | None = None) -> None:
        self.url = url
        # A function: error reporters show the attributes of objects.
        self._credentials: Callable[[], tuple[str, str] | None] = lambda: credentials
        self._redactor: Callable[[str], str] | None = None

    @property
    def credentials(self) -> tuple[str, str] | None:
        """User name and password; None without."""
        return self._credentials()

    @property
    def authorization(self) -> str | None:
        """The value of the Proxy-Authorization header (RFC 7617); None without credentials."""
        credentials = self._credentials()
        return None if credentials is None else f"Basic {b64encode(':'.join(credentials).encode()).decode()}"

    @property
    def has_tls(self) -> bool:
        """True if the connection to the proxy itself is encrypted."""
        return self.url.startswith("https:")

    @property
    def is_socks(self) -> bool:
        """True if it speaks SOCKS and not HTTP."""
        return self.url.startswith("socks")

    def redact(self, text: str) -> str:
        """Take the password out of a text: also encoded, or a piece of it, and in the header that is sent."""
        if self._redactor is None:
            _, password = self._credentials() or ("", "")
            header = (self.authorization or "").removeprefix("Basic ")
            find_password = make_redactor(password)

            def redact(shown: str) -> str:
                # A password that is too short to be found by itself is found in the header.
                shown = shown.replace(header, "[credential]") if len(header) >= MIN_REDACTED_LENGTH else shown
                return find_password(shown)

            self._redactor = redact
        return self._redactor(text)

    def __repr__(self) -> str:
        return f"Proxy({self.url}{'' if self._credentials() is None else ', [hidden]'})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Proxy cannot be pickled or copied: it has a password")


def parse_proxy(address: str, named: str) -> Proxy:
    """Return the proxy of an address.

    Args:
        address: The address; without a scheme it is http.
        named: Where it is from, for the message.

    Raises:
        ConfigurationError: It cannot be used; the message shows nothing of it, because it may have a password.
    """
    try:
        return read_address(address)
    except ValueError:
        # An error reporter shows the local variables of this frame.
        del address
    raise ConfigurationError(
        f"{named} cannot be used: its address must look like http://user:password@proxy.example.com:3128, with %40 for "
        "an @ in the password, and so on"
    )


def read_address(address: str) -> Proxy:
    """Return the proxy of an address; raise ValueError if it cannot be used."""
    if not (address.isprintable() and address.isascii()) or " " in address:
        raise ValueError
    url = urlsplit(address if "://" in address else f"http://{address}")
    host, port = url.hostname or "", url.port
    if url.scheme not in SCHEMES or url.path.strip("/") or url.query or url.fragment or port == 0:
        raise ValueError
    if "[" in url.netloc.rpartition("@")[2]:
        host = f"[{ipaddress.IPv6Address(host)}]"
    elif not NAME.fullmatch(host):
        raise ValueError
    credentials = None
    if url.username or url.password:
        credentials = (unquote(url.username or ""), unquote(url.password or ""))
        if ":" in credentials[0]:
            # Of RFC 7617, section 2: the password begins at the first colon.
            raise ValueError
    return Proxy(f"{url.scheme}://{host}:{port or DEFAULT_PORTS.get(url.scheme, SOCKS_PORT)}", credentials)
