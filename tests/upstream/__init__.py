"""Tests: faults of the HTTP libraries, which SECURITY.md lists."""
