"""Tests: sandbox/contract."""
