"""Tests of codegen/contract."""
