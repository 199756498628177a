"""Tests: cli/call."""
