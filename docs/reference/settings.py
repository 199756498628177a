"""Write the page of the settings: the arguments of a client, of a call and of a policy, and the environment."""

from __future__ import annotations

import inspect
from typing import Any, Final, NamedTuple

import griffe
from agent_session_platform import AgentPlatform, RequestOptions, RetryPolicy
from agent_session_platform.configuration import LEVELS

from docs.reference.docstrings import sections_of
from docs.reference.markdown import code, document, link, one_line, table, type_text
from docs.reference.source import public_names
from docs.reference.themes import linked, places

PAGE: Final = "reference/settings.md"
CLASSES: Final[tuple[tuple[type[Any], str], ...]] = (
    (AgentPlatform, "The settings of a client. All but the first two are given by name."),
    (
        RequestOptions,
        "The settings of one call: `options=RequestOptions(...)` of any operation. None means the client's.",
    ),
    (RetryPolicy, "How often and for how long a call is attempted: `retry=` of a client or of a call."),
)


class Variable(NamedTuple):
    """A variable of the environment: who reads it, its default, and what it does."""

    name: str
    reader: str
    default: str
    meaning: str

    @property
    def names(self) -> list[str]:
        """The names of variables that are described together."""
        return self.name.split(", ")


CLIENT: Final = "client"
TOOL: Final = "`asp`"
DOCTOR: Final = "`asp doctor`"
NETWORK: Final = "client, unless `proxy=` is passed"

# The code has the names; a test finds one that is missing here.
VARIABLES: Final = (
    Variable("AGENT_PLATFORM_BASE_URL", CLIENT, "none", "Address of the server; `base_url=` wins."),
    Variable("AGENT_PLATFORM_TOKEN", CLIENT, "none", "The credential; `token=` and `token_file=` win."),
    Variable(
        "AGENT_PLATFORM_TOKEN_FILE",
        CLIENT,
        "none",
        "Path of a file with the credential, if there is no AGENT_PLATFORM_TOKEN. It is read again once a second, and "
        "after a 401.",
    ),
    Variable(
        "AGENT_PLATFORM_ORG_ID", CLIENT, "none", "Id of the organization, with the prefix `org-`; `organization=` wins."
    ),
    Variable(
        "AGENT_PLATFORM_LOG",
        CLIENT,
        "no logging",
        f"Level of the log: {', '.join(map(code, LEVELS))}. It goes to the handlers of the program, or to stderr.",
    ),
    Variable(
        "AGENT_PLATFORM_OBSERVE",
        f"{TOOL}, {code('observations_from_environment()')}",
        "nothing is kept",
        "Path of a file that keeps the form of what comes, and no value; pass what the function returns as "
        "`on_exchange=`.",
    ),
    Variable("AGENT_PLATFORM_PROFILE", TOOL, "the default profile", "Name of the profile to use; `--profile` wins."),
    Variable(
        "AGENT_PLATFORM_CONFIG",
        TOOL,
        "`config.toml` in the user's configuration folder",
        "Path of the file with the profiles; `asp profile path` prints it.",
    ),
    Variable(
        "AGENT_PLATFORM_RECENT_IDS",
        TOOL,
        "on",
        "`0`, `off`, `no` or `false`: ids of recent results are not kept for the completion of the shell.",
    ),
    Variable("AGENT_PLATFORM_REDIS", DOCTOR, "REDIS_URL", "Address of the Redis to check."),
    Variable("REDIS_URL", DOCTOR, "none", "The same, if there is no AGENT_PLATFORM_REDIS."),
    Variable("NO_COLOR", TOOL, "colors on a terminal", "If it is set, no colors are used."),
    Variable(
        "LOCALAPPDATA, XDG_CACHE_HOME",
        TOOL,
        "the folder of the system",
        "Where the ids of recent results are kept: Windows, Linux.",
    ),
    Variable(
        "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY",
        NETWORK,
        "none",
        "The proxies, also in lower case; none is used for an http server of this machine.",
    ),
    Variable(
        "SSL_CERT_FILE, SSL_CERT_DIR",
        "client, unless `verify=` is passed",
        "the system's or certifi's",
        "Certificates of the authorities to trust: a file, a folder.",
    ),
)


def pages() -> dict[str, str]:
    """Return the page of the settings."""
    rows = [(", ".join(map(code, each.names)), each.reader, each.default, each.meaning) for each in VARIABLES]
    return {
        PAGE: document(
            "# Settings",
            "Every argument that changes how the SDK works, and every variable of the environment that is read. An "
            "argument wins over the environment. Bounds are part of the meaning; a value outside of them raises "
            f"{linked('InvalidArgumentError', PAGE)} or {linked('ConfigurationError', PAGE)} before anything is sent.",
            "## Environment",
            table(("Variable", "Read by", "Default", "Meaning"), rows),
            *(class_text(cls, about) for cls, about in CLASSES),
        )
    }


def class_text(cls: type[Any], about: str) -> str:
    """Return the table of the arguments of a class."""
    found = next(each for each in public_names().values() if each.name == cls.__name__)
    assert isinstance(found, griffe.Class)
    described = descriptions_of(found)
    parameters = inspect.signature(cls).parameters.values()
    rows = [
        (code(each.name), type_text(str(each.annotation)), _default(each), described[each.name]) for each in parameters
    ]
    return document(
        f"## {cls.__name__}",
        f"{about} More: {link(code(cls.__name__), places()[found.path], PAGE)}.",
        table(("Argument", "Type", "Default", "Meaning and bounds"), rows),
    )


def descriptions_of(found: griffe.Class) -> dict[str, str]:
    """Return the descriptions of the arguments of a class; those of a value class are its attributes."""
    kinds = (griffe.DocstringSectionKind.parameters, griffe.DocstringSectionKind.attributes)
    return {
        each.name: one_line(each.description)
        for section in sections_of(found)
        if section.kind in kinds
        for each in section.value
    }


def _default(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return "required"
    # The policy of a client has a table of its own.
    return code("RetryPolicy()" if isinstance(parameter.default, RetryPolicy) else repr(parameter.default))
