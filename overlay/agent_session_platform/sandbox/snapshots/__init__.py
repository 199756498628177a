"""The sandbox: snapshots."""
