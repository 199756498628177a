"""Tests: repository."""
