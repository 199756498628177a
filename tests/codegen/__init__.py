"""Tests: codegen."""
