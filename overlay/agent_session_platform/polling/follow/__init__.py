"""Follow a list that grows at its end."""
