"""Tests: transport."""
