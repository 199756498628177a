"""The ways to servers of the SDK's own connections: proxies, certificates, sockets. No HTTP library is imported.

Begin at `settings`; a transport asks `routes` for the proxy of a server, and `certificates` for an SSL context.
"""
