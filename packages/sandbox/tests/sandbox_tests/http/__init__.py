"""Tests: sandbox/http."""
