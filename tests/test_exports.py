"""The names that the package exports, what importing them costs, and the tree of exceptions."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any, get_origin

import agent_session_platform
import pytest
from agent_session_platform import AgentPlatformError, errors as tree, operations


def loaded_by(statement: str) -> set[str]:
    """Return the names of the modules that a fresh interpreter has loaded after *statement*."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_every_exported_name_exists_once_and_is_documented() -> None:
    exported = agent_session_platform.__all__
    assert sorted(exported) == sorted(set(exported))
    # An alias of types has no docstring at run time.
    aliases = {name for name in exported if get_origin(getattr(agent_session_platform, name)) is not None}
    named = [name for name in exported if not name.startswith("__") and name not in {"UNSET", *aliases}]
    assert [name for name in named if not (getattr(agent_session_platform, name).__doc__ or "").strip()] == []


@pytest.mark.parametrize("package", ["", "_cli", "_jobs", "_observe", "_sandbox"])
def test_dir_shows_all_that_is_public(package: str) -> None:
    """A fresh interpreter has loaded nothing on demand."""
    code = f"import agent_session_platform{package} as it; print(*(set(getattr(it, '__all__', ())) - set(dir(it))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


SANDBOX = "agent_session_platform_sandbox"
MODELS = "agent_session_platform_api.models."
RESOURCES = "agent_session_platform_api.api."
FIRST_CALL = """
import asyncio, httpx
from agent_session_platform import AgentPlatform
async def main():
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json={}))
    async with AgentPlatform("https://e.example", "svc_x", transport=transport) as platform:
        await platform.organization("org-a").sessions.get("assistant-1")
asyncio.run(main())
"""
# A transport that was not chosen and the library of an extra are imported at their first use.
NOT_NEEDED = {
    "from agent_session_platform import AgentPlatform; AgentPlatform('https://e.example', 'svc_x')": (
        *("httpx", MODELS, RESOURCES),
    ),
    FIRST_CALL: ("redis", "httpx2", "aiohttp", "opentelemetry"),
    "from agent_session_platform.resources import OrganizationSchedules": (f"{RESOURCES}sessions", f"{MODELS}review"),
    "from agent_session_platform.models import Session; repr(Session(title='x'))": ("pydantic", f"{MODELS}review"),
    # Pytest loads it in every project of its environment.
    "import agent_session_platform_sandbox.pytest_plugin": (f"{SANDBOX}.sandbox", "starlette", "httpx"),
}


@pytest.mark.parametrize(
    ("code", "unwanted"), NOT_NEEDED.items(), ids=["client", "call", "resource", "model", "plugin"]
)
def test_nothing_is_imported_that_is_not_needed(code: str, unwanted: tuple[str, ...]) -> None:
    assert [name for name in loaded_by(code) if name.startswith(unwanted)] == []


# The tree of exceptions: documented, exported, and able to travel between processes.

OPERATION = operations["organization.sessions.list"]
# Errors of a status are copied in test_bodies, those of an unknown outcome in test_unknown_outcome.
ERRORS = [
    tree.ConfigurationError("no token"),
    tree.CredentialMismatchError("no", operation=OPERATION, kind="legacyApiKey", accepted=("serviceUser",)),
    tree.ConnectionFailedError("reset", operation=OPERATION, may_have_arrived=True),
    tree.DeadlineExceededError("late", operation=OPERATION),
    tree.DecodeError("HTML", operation=OPERATION, status=200),
    tree.PagingError("stuck", operation=OPERATION, cursor="c"),
    tree.MissingFieldError("absent", model="Session", field="session_id"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("through", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_every_error_survives_pickling_and_copying(error: AgentPlatformError, through: Any) -> None:
    other = through(error)
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert vars(other) == vars(error)


def test_every_error_is_below_the_root_and_exported() -> None:
    classes = {
        name for name, value in vars(tree).items() if isinstance(value, type) and issubclass(value, AgentPlatformError)
    }
    assert {name for name in classes if not name.startswith("_")} <= set(agent_session_platform.__all__)


def test_client_and_loop_errors_are_configuration_and_runtime_errors() -> None:
    for error in (tree.ClientClosedError, tree.EventLoopError):
        assert issubclass(error, tree.ConfigurationError)
        assert issubclass(error, RuntimeError)
