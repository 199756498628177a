"""Tests: sandbox/control."""
