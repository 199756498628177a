"""Tests: cli/output."""
