"""Tests of `asp doctor`."""
