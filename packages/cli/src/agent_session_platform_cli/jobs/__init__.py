"""The jobs as commands: waiting, following, exports, changes and batches, on the public surface of the SDK."""
