"""The command `asp`. It can also be run as `python -m agent_session_platform_cli`."""
