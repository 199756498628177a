"""The pytest plugin: its fixtures and options."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.pytest_plugin import VARIABLES

pytest_plugins = ["pytester"]

USER = """
    async def test_mine(agent_platform, agent_platform_sandbox):
        agent_platform_sandbox.add_session(title="Fix it")
        assert [each.title async for each in agent_platform.organization().sessions.list()] == ["Fix it"]
"""


@pytest.fixture(autouse=True)
def settings(pytester: pytest.Pytester) -> None:
    """The settings of a user's project; the plugin of schemathesis takes a second to import."""
    pytester.makeini("""
        [pytest]
        addopts = -p no:schemathesis -p no:randomly
        asyncio_mode = auto
        asyncio_default_fixture_loop_scope = function
    """)


def test_a_test_of_a_user_has_three_lines(pytester: pytest.Pytester) -> None:
    """Over TCP, and in a process of its own: the plugin is registered by its entry point."""
    pytester.makepyfile(USER)
    pytester.runpytest_subprocess("--agent-platform-tcp", "-W", "error").assert_outcomes(passed=1)


def test_the_clock_of_a_users_test_can_be_set(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "def test_time(agent_platform_sandbox):\n    assert agent_platform_sandbox.clock().year == 2030\n"
    )
    pytester.runpytest_inprocess("--agent-platform-now", "2030-01-01T00:00:00Z").assert_outcomes(passed=1)


def test_a_fault_that_too_few_requests_met_causes_a_warning(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        @pytest.mark.parametrize("times", [1, 3])
        def test_it(agent_platform_sandbox, times):
            fault = agent_platform_sandbox.faults.add(status=503, times=times)
            assert times == 1 or fault.meets(None)
    """)
    result = pytester.runpytest_inprocess("-W", "always")
    result.assert_outcomes(passed=2, warnings=2)
    for met in ("no request met", "only 1 of 3 requests met"):
        result.stdout.fnmatch_lines([f"*UnusedFaultWarning: {met} Fault(*status=503*"])


@pytest.mark.parametrize("now", ["yesterday", "2030-01-01T00:00:00", ""])
def test_an_invalid_clock_is_reported_before_any_test(pytester: pytest.Pytester, now: str) -> None:
    pytester.makepyfile(USER)
    result = pytester.runpytest_inprocess("--agent-platform-now", now)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--agent-platform-now: *, such as 2030-*"])


def test_applications_get_clients_of_their_own_over_tcp_too(pytester: pytest.Pytester) -> None:
    module = Path(__file__).with_name("test_agent_platform_factory.py")
    result = pytester.runpytest_inprocess(str(module), "--agent-platform-tcp", "-p", "no:cacheprovider", "-n0")
    assert result.ret == pytest.ExitCode.OK, result.stdout.str()


@pytest.mark.parametrize("options", [[], ["--agent-platform-tcp"]], ids=["in process", "tcp"])
def test_a_client_that_was_left_open_causes_a_warning(pytester: pytest.Pytester, options: list[str]) -> None:
    pytester.makepyfile("""
        import asyncio

        def test_it(agent_platform_factory):
            platform = agent_platform_factory()
            asyncio.run(platform.organization().sessions.create())
    """)
    # In a separate process, because connections that are left open would cause warnings in another test.
    result = pytester.runpytest_subprocess("-W", "always", "-W", "ignore::ResourceWarning", *options)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(
        ["*UnclosedClientWarning: a test left <AgentPlatform http* open> open; use `async with`*"]
    )


def test_every_variable_of_the_sdk_and_its_companions_is_decided() -> None:
    """A variable that the fixture of the environment does not know could lead a test to production."""
    read: set[str] = set()
    for name in ("", "_api", "_cli", "_jobs", "_observe"):
        spec = find_spec(f"agent_session_platform{name}")
        assert spec is not None
        for folder in spec.submodule_search_locations or ():
            for module in Path(folder).rglob("*.py"):
                read.update(re.findall(r"AGENT_PLATFORM_[A-Z_]+", module.read_text(encoding="utf-8")))
    assert read == VARIABLES.keys()


def test_a_child_of_a_test_reaches_no_other_platform(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with a profile of the developer, which would win over the address and the credential."""
    pytester.makepyfile("""
        import subprocess, sys

        def test_it(agent_platform_environment, agent_platform_sandbox):
            command = "from agent_session_platform_cli.__main__ import main; main()"
            subprocess.run([sys.executable, "-c", command, "call", "organization.sessions.create"], check=True)
            agent_platform_sandbox.journal.expect("organization.sessions.create", times=1)
    """)
    production = Sandbox()
    with production.serve() as address:
        profile = f'[profiles.prod]\nbase_url = "{address}"\norganization = "org-acme"\ntoken_variable = "PROD_TOKEN"\n'
        monkeypatch.setenv("PROD_TOKEN", production.token)
        monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(pytester.makefile(".toml", config=profile)))
        monkeypatch.setenv("AGENT_PLATFORM_PROFILE", "prod")
        monkeypatch.setenv("AGENT_PLATFORM_TOKEN_FILE", "/nowhere")
        monkeypatch.setenv("AGENT_PLATFORM_OBSERVE", "/nowhere/observed.json")
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        pytester.runpytest_inprocess().assert_outcomes(passed=1)
    assert len(production.journal) == 0


@pytest.mark.parametrize("scope", ["function", "class", "module", "package", "session"])
def test_the_client_is_in_the_loop_of_the_test(pytester: pytest.Pytester, scope: str) -> None:
    pytester.makepyfile(f"""
        import pytest

        @pytest.fixture
        async def session_id(agent_platform):
            sessions = agent_platform.organization().sessions
            session = await sessions.create()
            yield session.session_id
            await sessions.archive(session.session_id)

        class TestLoops:
            async def test_of_the_default(self, agent_platform):
                assert await agent_platform.organization().sessions.list().collect() == []

            @pytest.mark.asyncio(loop_scope="{scope}")
            async def test_of_the_marker(self, agent_platform):
                assert await agent_platform.organization().sessions.list().collect() == []

            async def test_with_a_fixture(self, agent_platform, session_id):
                assert (await agent_platform.organization().sessions.get(session_id)).session_id == session_id
    """)
    options = ["-o", f"asyncio_default_test_loop_scope={scope}", "-o", f"asyncio_default_fixture_loop_scope={scope}"]
    pytester.runpytest_inprocess(*options).assert_outcomes(passed=3)


def test_the_client_is_in_the_loop_of_a_test_of_anyio(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        @pytest.mark.anyio
        async def test_it(agent_platform):
            assert await agent_platform.organization().sessions.list().collect() == []
    """)
    pytester.runpytest_inprocess("-o", "asyncio_mode=strict").assert_outcomes(passed=1)
