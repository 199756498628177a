"""Control: the sandbox's own HTTP API under /_sandbox, and the page at /."""
