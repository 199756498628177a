"""Tests: sandbox/redaction."""
