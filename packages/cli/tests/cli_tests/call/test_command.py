"""Every operation of the catalogue, through `asp call` and through the facade, with the same result."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import Operation, RetryPolicy, operations, to_json
from agent_session_platform_cli.call.parameters import bind
from agent_session_platform_cli.contract import OperationContract
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp
from tests.contract.every_operation import arguments, call
from tests.contract.prepared_sandbox import bodies, given, token_for

OPERATIONS = sorted(operations, key=str)


def words_of(operation: Operation, path: list[Any], named: dict[str, Any], tmp_path: Path) -> list[str]:
    """Return the words of the command line for the arguments of the facade."""
    options = {each.parameter.argument_name: each for each in bind(operation, OperationContract(operation))}
    words = [str(value) for value in path]
    for name, value in named.items():
        if name == "body":
            words += ["--body", json.dumps(to_json(value))]
        elif isinstance(value, bytes):
            file = tmp_path / "file"
            file.write_bytes(value)
            words += [options[name].option, str(file)]
        else:
            for each in value if isinstance(value, list) else [value]:
                words += [options[name].option, each if isinstance(each, str) else json.dumps(to_json(each))]
    return words


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_has_the_same_result_as_through_the_facade(
    asp: Asp, sandbox: Sandbox, operation: Operation, tmp_path: Path
) -> None:
    other = Sandbox()
    made = asyncio.run(given(other, operation))
    assert asyncio.run(given(sandbox, operation)) == made
    # Of an optional body something is given as well: what is sent must be the same.
    overrides = made | bodies(operation)
    path, named = arguments(operation, **overrides)

    async def through_the_facade() -> Any:
        async with other.client(token_for(other, operation), retry=RetryPolicy.none()) as platform:
            result = await call(platform, operation, **overrides)
            return result if isinstance(result, bytes) else to_json(result.items if operation.paginated else result)

    words = words_of(operation, path, named, tmp_path)
    result = asp("-o", "json", "call", operation.name, *words, AGENT_PLATFORM_TOKEN=token_for(sandbox, operation))
    expected = asyncio.run(through_the_facade())
    assert result.exit_code == 0, result.stderr
    assert (result.stdout_bytes if isinstance(expected, bytes) else json.loads(result.stdout)) == expected
    assert sent(sandbox) == sent(other)


def sent(sandbox: Sandbox) -> tuple[Any, ...]:
    """Return what the sandbox has received last."""
    last = sandbox.journal[-1]
    return last.method, last.path, last.query, last.body, last.status


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_help_of_an_operation_fits_a_screen(offline: Asp, operation: Operation) -> None:
    lines = offline("call", operation.name, "--help").stdout.splitlines()
    assert len(lines) <= 40
    assert max(len(line) for line in lines if not line.startswith("  asp call")) <= 80
    assert any(line.startswith(f"  asp call {operation.name}") for line in lines)
