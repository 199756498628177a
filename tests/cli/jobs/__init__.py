"""Tests: cli/jobs."""
