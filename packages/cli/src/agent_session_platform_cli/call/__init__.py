"""`asp call`: a command for each operation."""
