"""The sandbox: control."""
