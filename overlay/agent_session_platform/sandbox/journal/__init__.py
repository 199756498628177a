"""The sandbox: journal."""
