"""Tests: sandbox/snapshots."""
