"""Transports, which send a request: the only modules that import an HTTP library.

Begin at `interface`: every transport has an `exchange` of one request against one outcome. `open` chooses one.
"""
