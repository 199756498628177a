"""The sandbox: http."""
