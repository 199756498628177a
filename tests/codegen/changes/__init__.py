"""Tests of codegen/changes."""
