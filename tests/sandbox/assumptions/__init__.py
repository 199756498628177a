"""Tests: sandbox/assumptions."""
