"""Tests of codegen/release."""
