"""Tests of codegen/vendoring."""
