"""The operations of the catalogue for AI assistants: `asp mcp`, a server of the Model Context Protocol."""
