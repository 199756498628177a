"""The sandbox: time."""
