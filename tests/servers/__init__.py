"""Tests: servers."""
