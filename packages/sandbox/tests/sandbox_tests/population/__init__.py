"""Tests: sandbox/population."""
