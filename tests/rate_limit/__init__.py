"""Tests: rate_limit."""
