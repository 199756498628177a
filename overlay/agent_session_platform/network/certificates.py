"""The certificates that connections trust and show."""

from __future__ import annotations

import functools
import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from ..errors import ConfigurationError
from ..text import format_value, type_name
from .paths import as_path

StrPath: TypeAlias = str | os.PathLike[str]

# A file with certificate and key, or both by themselves, or both with the password of the key.
ClientCertificate: TypeAlias = StrPath | tuple[StrPath] | tuple[StrPath, StrPath] | tuple[StrPath, StrPath, str]

HTTP_1 = ("http/1.1",)
HTTP_2 = ("h2", "http/1.1")


class ClientFiles:
    """The files of a client certificate; the password of the key is in no repr, no attribute and no pickle.

    Args:
        certificate: The file of the certificate.
        key: The file of its key; None: it is in the same one.
        password: The password of the key; None without.
    """

    __slots__ = ("_certificate", "_key", "_password")

    def __init__(self, certificate: str, key: str | None = None, password: str | None = None) -> None:
        self._certificate, self._key = certificate, key
        # A function: error reporters show the attributes of objects. Without a password OpenSSL would ask for it on the
        # terminal.
        self._password: Callable[[], str] = lambda: password or ""

    def check_existence(self) -> None:
        """Refuse files that cannot be found."""
        for name in (self._certificate, self._key or self._certificate):
            try:
                Path(name).stat()
            except (OSError, ValueError) as error:
                raise ConfigurationError(f"the client certificate cert={self} cannot be used: {error}") from None

    def load_into(self, context: ssl.SSLContext) -> None:
        """Let a context show the certificate to servers that ask for one.

        Raises:
            ConfigurationError: It cannot be used; the message does not show the password.
        """
        reason = ""
        try:
            context.load_cert_chain(self._certificate, self._key, self._password())
            return
        except ssl.SSLError as error:
            # OpenSSL does not tell a wrong password from a file that is no certificate.
            reason = (
                "the key does not belong to the certificate"
                if error.reason == "KEY_VALUES_MISMATCH"
                else "it has no certificate or no key in PEM, or its password is missing or wrong"
            )
        except (OSError, ValueError) as error:
            reason = str(error) or type_name(error)
        raise ConfigurationError(f"the client certificate cert={self} cannot be used: {reason}")

    def __str__(self) -> str:
        return self._certificate if self._key is None else f"{self._certificate}, {self._key}"

    def __repr__(self) -> str:
        return f"ClientFiles({self}, [hidden])"

    def __reduce__(self) -> NoReturn:
        raise TypeError("ClientFiles cannot be pickled or copied: they may have a password")


class UnchangedContext(ssl.SSLContext):
    """The context of a caller, for a library that changes the contexts that it gets: httpcore sets their protocols."""

    _context: ssl.SSLContext

    def __new__(cls, context: ssl.SSLContext) -> UnchangedContext:
        """Put a context before another one, which makes the connections."""
        made = super().__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        made._context = context
        return made

    def wrap_bio(self, *arguments: Any, **settings: Any) -> ssl.SSLObject:
        """Make a connection of asyncio; see `ssl.SSLContext`."""
        return self._context.wrap_bio(*arguments, **settings)

    def wrap_socket(self, *arguments: Any, **settings: Any) -> ssl.SSLSocket:
        """Make a connection of a socket; see `ssl.SSLContext`."""
        return self._context.wrap_socket(*arguments, **settings)


def make_context(verify: Any = True, cert: ClientFiles | None = None, *, http2: bool = False) -> ssl.SSLContext:
    """Return the SSL context of a client.

    Args:
        verify: True for the certificates that SSL_CERT_FILE and SSL_CERT_DIR name, or else those of the system where
            truststore is installed, or else certifi's; a file or folder of certificates; an SSLContext.
        cert: The certificate to show to the server; None for none.
        http2: Whether HTTP/2 is offered.

    Raises:
        ConfigurationError: They cannot be read.
    """
    if isinstance(verify, ssl.SSLContext):
        return verify
    try:
        if verify is True:
            file, folder = os.environ.get("SSL_CERT_FILE") or None, os.environ.get("SSL_CERT_DIR") or None
            # One that shows a certificate is of one client only.
            trust = trusted_context if cert is None else trusted_context.__wrapped__
            context = trust(file, folder, HTTP_2 if http2 else HTTP_1)
        else:
            file, folder = (None, verify) if Path(verify).is_dir() else (verify, None)
            context = trusted_context.__wrapped__(file, folder, HTTP_2 if http2 else HTTP_1)
    except (OSError, ValueError) as error:
        raise unreadable(verify, error) from None
    if cert is not None:
        cert.load_into(context)
    return context


@functools.cache
def trusted_context(file: str | None, folder: str | None, protocols: tuple[str, ...]) -> ssl.SSLContext:
    """Return the context of certificates to trust; once a process, because it takes long.

    Args:
        file: A file of certificates.
        folder: A folder of certificates, or several of them, as OpenSSL reads it; without both, the system's are used.
        protocols: What a server may choose from (ALPN); a context of HTTP/2 is another one for that.
    """
    if folder is not None and not any(Path(each).is_dir() for each in folder.split(os.pathsep)):
        # OpenSSL would trust nobody, and not say why.
        raise FileNotFoundError(2, "No such directory", folder)
    if file is not None or folder is not None:
        context = ssl.create_default_context(cafile=file, capath=folder)
    else:
        context = system_context()
    context.set_alpn_protocols(protocols)
    return context


def system_context() -> ssl.SSLContext:
    """Return a context of the system's certificates where truststore is installed, else one of certifi's."""
    try:
        import truststore
    except ImportError:
        import certifi

        return ssl.create_default_context(cafile=certifi.where())
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def trust_nobody() -> ssl.SSLContext:
    """Return the context of connections without TLS: reading certificates takes long, and none is needed."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def unreadable(verify: Any, error: Exception) -> ConfigurationError:
    """Make the error of certificates that cannot be read."""
    variables = [f"{name}={os.environ[name]!r}" for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)]
    named = " or ".join(variables) if verify is True else f"verify={verify!r}"
    return ConfigurationError(f"the certificates that {named} names cannot be read: {error}")


def check_verify(verify: Any) -> Any:
    """Return what is to be trusted, a path as text; refuse what is neither a path that exists nor an SSL context."""
    if isinstance(verify, ssl.SSLContext):
        if verify.verify_mode == ssl.CERT_NONE:
            raise ConfigurationError(
                "verify must be an ssl.SSLContext that verifies certificates (verify_mode=ssl.CERT_REQUIRED): anybody "
                "on the way could read the credential"
            )
        return verify
    if verify is False:
        raise ConfigurationError(
            "verify must not be False: anybody on the way could read the credential; pass the path of the certificate "
            "of the authority that you trust, or an ssl.SSLContext"
        )
    path = as_path(verify)
    if path is None:
        raise ConfigurationError(f"verify must be True, a path or an ssl.SSLContext, not {format_value(verify)}")
    try:
        Path(path).stat()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    return path


def check_cert(cert: Any) -> ClientFiles:
    """Return the files of a client certificate, which exist; refuse anything else, without showing it."""
    parts: tuple[Any, ...] = cert if isinstance(cert, tuple) else (cert,)  # pyright: ignore[reportUnknownVariableType]
    names = [name for part in parts[:2] if (name := as_path(part)) is not None]
    password = parts[2] if len(parts) == 3 else None
    if len(parts) > 3 or not names or len(names) != len(parts[:2]) or not isinstance(password, str | None):
        raise ConfigurationError("cert must be a path, (certificate, key) or (certificate, key, password)")
    files = ClientFiles(names[0], names[1] if len(names) == 2 else None, password)
    files.check_existence()
    return files
