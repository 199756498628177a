"""`asp mcp`: a server of the Model Context Protocol, by which AI assistants use the operations."""
