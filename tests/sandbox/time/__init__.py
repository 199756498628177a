"""Tests: sandbox/time."""
