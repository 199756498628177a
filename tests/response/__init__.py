"""Tests: response."""
