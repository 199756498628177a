"""Tests: send_path."""
