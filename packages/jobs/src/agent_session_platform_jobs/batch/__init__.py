"""Batches: create an object for each of many rows, and continue after a crash."""
