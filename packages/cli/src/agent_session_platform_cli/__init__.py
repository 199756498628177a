"""The command `asp`, also `python -m agent_session_platform_cli`."""
