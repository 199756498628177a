"""Tests: sandbox/journal."""
