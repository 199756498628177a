"""Tests: sandbox/resources."""
