"""Tests: sandbox/handlers."""
