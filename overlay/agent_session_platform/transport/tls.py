"""The certificates that connections trust and show."""

from __future__ import annotations

import functools
import os
import ssl
from pathlib import Path
from typing import Any

from ..errors import ConfigurationError
from ..text import format_value, type_name

# A file with certificate and key, or both with the password of the key.
ClientCertificate = str | os.PathLike[str] | tuple[str | os.PathLike[str], ...]


def make_context(verify: Any = True, cert: Any = None) -> ssl.SSLContext:
    """Return the SSL context of a client.

    Args:
        verify: True for the certificates that SSL_CERT_FILE and SSL_CERT_DIR name, or else those of the system where
            truststore is installed, or else certifi's; a file or folder of certificates; an SSLContext.
        cert: A file with the certificate and the key to show to the server, or (certificate, key) or (certificate, key,
            password); None for none.

    Raises:
        ConfigurationError: They cannot be read.
    """
    try:
        if isinstance(verify, ssl.SSLContext):
            context = verify
        elif verify is True:
            named = (os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
            if cert is None:
                return trusted_context(*named)
            context = trusted_context.__wrapped__(*named)
        else:
            path = os.fspath(verify)
            is_folder = Path(path).is_dir()
            context = ssl.create_default_context(cafile=None if is_folder else path, capath=path if is_folder else None)
    except (OSError, ValueError) as error:
        named = "SSL_CERT_FILE or SSL_CERT_DIR names" if verify is True else f"verify={verify!r} names"
        raise ConfigurationError(f"the certificates that {named} cannot be read: {error}") from None
    if cert is not None:
        load_client_certificate(context, cert)
    return context


@functools.cache
def trusted_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    """Return the context of the certificates that the environment names; once a process, because it takes long."""
    if cert_file or cert_dir:
        return ssl.create_default_context(cafile=cert_file or None, capath=cert_dir or None)
    try:
        import truststore
    except ImportError:
        import certifi

        return ssl.create_default_context(cafile=certifi.where())
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def load_client_certificate(context: ssl.SSLContext, cert: Any) -> None:
    """Show a certificate to servers that ask for one; no message has the password of its key."""
    files = cert if isinstance(cert, tuple) else (cert,)
    try:
        # Without the password of None OpenSSL would ask for it on the terminal.
        context.load_cert_chain(*files[:2], password=files[2] if len(files) > 2 else "")
    except (OSError, ValueError) as error:
        reason = str(error) or type_name(error)
        names = ", ".join(map(str, files[:2]))
        raise ConfigurationError(f"the client certificate cert={names} cannot be used: {reason}") from None


def check_verify(verify: Any) -> None:
    """Refuse what is neither True, nor a path, nor an SSL context."""
    if verify is True or isinstance(verify, str | os.PathLike | ssl.SSLContext):
        return
    if verify is False:
        raise ConfigurationError(
            "verify must not be False: anybody on the way could read the credential; pass the path of the certificate "
            "of the authority that you trust, or an ssl.SSLContext"
        )
    raise ConfigurationError(f"verify must be True, a path or an ssl.SSLContext, not {format_value(verify)}")


def check_cert(cert: Any) -> None:
    """Refuse what is neither a path nor a tuple of paths with, perhaps, a password."""
    parts = cert if isinstance(cert, tuple) else (cert,)
    if cert is None or (1 <= len(parts) <= 3 and all(isinstance(part, str | os.PathLike) for part in parts)):
        return
    raise ConfigurationError("cert must be a path, (certificate, key) or (certificate, key, password)")
