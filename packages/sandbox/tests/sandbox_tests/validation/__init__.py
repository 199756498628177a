"""Tests: sandbox/validation."""
