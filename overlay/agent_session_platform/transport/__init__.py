"""Transports, which send a request: the only modules that import an HTTP library.

Begin at `protocol`: a `Transport` sends a request of plain values and returns status, headers and a body. The parts
that all transports share, from the headers to the limits of a body, are in `sender`; `choose` chooses the transport of
a client.
"""
