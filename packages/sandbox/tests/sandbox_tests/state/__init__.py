"""Tests: sandbox/state."""
