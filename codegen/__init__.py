"""Tools that turn openapi.yaml into the SDK: generate, compare, release and vendor it."""
