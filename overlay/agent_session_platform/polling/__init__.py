"""Repeated calls that wait: for a change of an object, and for new items of a list."""
