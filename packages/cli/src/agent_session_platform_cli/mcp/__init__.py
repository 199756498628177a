"""The operations of the catalogue as tools of AI assistants: `asp mcp`, a server of the Model Context Protocol."""
