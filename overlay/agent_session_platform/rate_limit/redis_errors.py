"""The meaning of an error of Redis: whether it passes by itself, or somebody has to correct something.

An error is described by its class and by words of ours, never by its message: that may contain a password.
"""

from __future__ import annotations

import logging
import ssl

PASSING = "Redis is unavailable ({name}); limiting in this process only until it recovers"
PERMANENT = "Redis cannot be used ({name}): {reason}. Until that is corrected, the limit holds in this process only"

PASSWORD = "it refuses the user name or password, or wants one; correct the URL of redis="
PERMISSION = (
    "its ACL does not let this user run EVALSHA, SCRIPT LOAD, TIME, GET and SET on the keys below prefix=; allow it"
)
NO_SCRIPTS = "it does not allow Lua scripts; use a Redis or Valkey with EVALSHA and SCRIPT LOAD"
REPLICA = "it is a replica, which takes no writes; give the URL of its primary as redis="
CLUSTER = "it is one node of a cluster; give the URL of a Redis without cluster mode as redis="
TYPE = "another program uses the key of this limit for a value of another type; delete it, or give another prefix="
DATABASE = "it has no database of that number; correct the URL of redis="
PROTOCOL = "what responds there is no Redis; correct the URL of redis="
CERTIFICATE = "its certificate is refused; correct it, or give ssl_ca_certs in the URL of redis="

# The errors that do not pass, by name: redis-py need not be installed, and its older versions do not have all of them.
CLASSES = {
    "AuthenticationError": PASSWORD,
    "AuthenticationWrongNumberOfArgsError": PASSWORD,
    "AuthorizationError": PERMISSION,
    "NoPermissionError": PERMISSION,
    "ReadOnlyError": REPLICA,
    "MovedError": CLUSTER,
    "InvalidResponse": PROTOCOL,
}

# The same by a part of the message, in small letters, where the class is only ResponseError.
MESSAGES = {
    "unknown command": NO_SCRIPTS,
    "unknown subcommand": NO_SCRIPTS,
    "unknown redis command": NO_SCRIPTS,
    "noauth": PASSWORD,
    "wrongpass": PASSWORD,
    "invalid password": PASSWORD,
    "without any password configured": PASSWORD,
    "noperm": PERMISSION,
    "can't run this command": PERMISSION,
    "no permissions": PERMISSION,
    "wrongtype": TYPE,
    "wrong kind of value": TYPE,
    "readonly": REPLICA,
    "read only replica": REPLICA,
    "db index": DATABASE,
}


logger = logging.getLogger("agent_session_platform")


class OutageLog:
    """The log of an outage of Redis: each kind of error once, and the recovery."""

    def __init__(self) -> None:
        self._logged: set[str] = set()

    def add(self, error: Exception) -> None:
        """Log an error: of those that pass only the first one, of the others each that is new."""
        message, is_passing = describe(error)
        kind = "" if is_passing else message
        if kind not in self._logged:
            self._logged.add(kind)
            logger.log(logging.WARNING if is_passing else logging.ERROR, message)
        else:
            logger.debug("Redis still cannot be used (%s)", type(error).__name__)

    def end(self) -> None:
        """Log that Redis has recovered, and begin anew."""
        logger.info("Redis has recovered: the rate limit is shared again")
        self._logged.clear()


def describe(error: BaseException) -> tuple[str, bool]:
    """Return a message about an error of Redis, and whether it passes by itself."""
    name, reason = type(error).__name__, permanent_reason(error)
    if reason is None:
        return PASSING.format(name=name), True
    return PERMANENT.format(name=name, reason=reason), False


def permanent_reason(error: BaseException) -> str | None:
    """Return why an error of Redis does not pass, and what to do; None if it passes by itself."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return CERTIFICATE
        cause = cause.__cause__ or cause.__context__
    classes = [cls.__name__ for cls in type(error).__mro__]
    by_class = next((CLASSES[name] for name in classes if name in CLASSES), None)
    if by_class is not None or "ResponseError" not in classes:
        return by_class
    text = str(error).lower()
    return next((reason for part, reason in MESSAGES.items() if part in text), None)
