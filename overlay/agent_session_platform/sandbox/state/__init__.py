"""The sandbox: state."""
