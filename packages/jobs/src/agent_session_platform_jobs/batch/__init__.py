"""Batches: an object for each of many rows, which survive a crash."""
