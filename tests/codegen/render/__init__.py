"""Tests of codegen/render."""
