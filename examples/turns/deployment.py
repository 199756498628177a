"""What the states of a session mean on our deployment: made-up values, because the API's description shows none."""

from agent_session_platform_jobs import States

STATES = States(
    done={"status": {"ready"}},
    waiting={"status_detail": {"question"}},
    failed={"status": {"failed", "stopped"}},
)
