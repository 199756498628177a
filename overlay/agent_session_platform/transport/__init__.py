"""How a request travels: the only modules that import an HTTP library."""
