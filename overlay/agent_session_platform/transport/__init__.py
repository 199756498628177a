"""Transports, which send a request: the only modules that import an HTTP library.

Begin at `interface`: a `Transport` sends a request of plain values and returns status, headers and a body. What all of
them have in common, from the headers to the limits of a body, is in `sender`; `choose` chooses one.
"""
