"""Turns: a text for the assistant, and what comes of it."""
