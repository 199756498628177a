"""Tests: cli/commands."""
