"""Tests: wrong edits of openapi.yaml, each told with its place."""
