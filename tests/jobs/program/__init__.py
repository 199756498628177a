"""Tests: jobs/program."""
