"""Rows over four workers, one of which is killed in the middle: none is lost, and none is created twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox

from tests.servers.redis_server import SERVER, RedisServer

pytest.importorskip("taskiq_redis", reason="needs the group `examples`")
pytestmark = pytest.mark.skipif(SERVER is None, reason="needs redis-server")

EXAMPLES = Path(__file__).parents[1]
# These rows make enough chunks for every worker, before and after one worker is killed.
ROWS = 400
# In seconds; the test takes less than a third of this.
TIMEOUT = 60
WORKER = """
import asyncio
from taskiq.api import run_receiver_task
from workers.tasks import broker
asyncio.run(run_receiver_task(broker, run_startup=True, max_async_tasks=2))
"""


def test_no_row_of_a_killed_worker_is_lost_or_created_twice(redis: RedisServer, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = tmp_path / "rows.txt"
    rows.write_text("".join(f"Fix issue {number}\n" for number in range(ROWS)))
    with sandbox.serve() as base_url:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(EXAMPLES), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "AGENT_PLATFORM_BASE_URL": base_url,
            "AGENT_PLATFORM_TOKEN": sandbox.token,
            "AGENT_PLATFORM_ORG_ID": "org-acme",
            "REDIS_URL": redis.url,
            "WORKERS_REQUEST": "3",
            "WORKERS_LEASE": "4",
            "WORKERS_IDLE": "5",
        }
        started: list[subprocess.Popen[str]] = []

        def start(*arguments: str) -> subprocess.Popen[str]:
            command = [sys.executable, *arguments]
            started.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
            return started[-1]

        sessions = sandbox.state.collection("sessions", "org-acme")
        try:
            workers = [start("-c", WORKER) for _ in range(4)]
            run = start("-m", "workers.run", str(rows))
            deadline = time.monotonic() + TIMEOUT
            while len(sessions) < ROWS // 4:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            workers[0].send_signal(signal.SIGKILL)
            printed, _ = run.communicate(timeout=TIMEOUT)
        finally:
            for process in started:
                process.kill()
                process.communicate()
    assert printed.strip() == str(Counter(settled=ROWS))
    assert workers[0].returncode == -signal.SIGKILL
    titles = Counter(session.fields["title"] for session in sessions.values())
    assert titles == Counter(f"rows/{number}" for number in range(ROWS))
