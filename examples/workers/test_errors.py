"""An error of a worker comes to the program that waits, through taskiq's results, which are JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, NotFoundError
from agent_session_platform_jobs import BatchStoppedError, BatchStoreError, IdTakenError
from agent_session_platform_sandbox import Sandbox

from tests.servers.redis_server import SERVER, RedisServer

pytest.importorskip("taskiq_redis", reason="needs the group `examples`")

from taskiq import TaskiqResult

EXAMPLES = Path(__file__).parents[1]
WORKER = """
import asyncio
from taskiq.api import run_receiver_task
from workers.tasks import broker
asyncio.run(run_receiver_task(broker, run_startup=True))
"""


def through_a_result(error: BaseException) -> Any:
    """Return an error as the program that waits gets it."""
    result = TaskiqResult[Any](is_err=True, return_value=None, execution_time=0.0, error=error)
    kept = json.dumps(result.model_dump(mode="json"))
    return TaskiqResult[Any].model_validate(json.loads(kept)).error


@pytest.mark.parametrize("error", [BatchStoppedError("no"), BatchStoreError("no"), IdTakenError("id", "row-1")])
def test_an_error_of_a_batch_keeps_its_class_and_text(error: AgentPlatformError) -> None:
    back = through_a_result(error)
    assert (type(back), str(back)) == (type(error), str(error))


async def test_an_error_of_the_server_keeps_its_class_and_text(sandbox: Sandbox) -> None:
    async with sandbox.client() as platform:
        with pytest.raises(NotFoundError) as caught:
            await platform.organization().sessions.get("assistant-404")
    back = through_a_result(caught.value)
    assert (type(back), str(back)) == (NotFoundError, str(caught.value))


@pytest.mark.skipif(SERVER is None, reason="needs redis-server")
def test_the_program_that_waits_says_why_a_chunk_fails(redis: RedisServer, tmp_path: Path) -> None:
    rows = tmp_path / "rows.txt"
    rows.write_text("Fix it\n")
    with Sandbox().serve() as base_url:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(EXAMPLES), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "AGENT_PLATFORM_BASE_URL": base_url,
            "AGENT_PLATFORM_TOKEN": "svc_wrong",
            "AGENT_PLATFORM_ORG_ID": "org-acme",
            "REDIS_URL": redis.url,
            "WORKERS_IDLE": "1",
        }
        commands = (("-c", WORKER), ("-m", "workers.run", str(rows)))
        started = [
            subprocess.Popen([sys.executable, *command], env=environment, stderr=subprocess.PIPE, text=True)
            for command in commands
        ]
        try:
            assert started[1].stderr is not None
            line = started[1].stderr.readline()
        finally:
            for process in started:
                process.kill()
                process.communicate()
    assert line.startswith("AuthenticationError: ")
    assert "401 Unauthorized" in line
    assert line.endswith("; tried again in 1 s\n")
