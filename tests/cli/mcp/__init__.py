"""Tests: cli/mcp."""
