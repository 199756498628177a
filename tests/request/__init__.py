"""Tests: request."""
