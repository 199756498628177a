"""Wait for an object by polling it."""
