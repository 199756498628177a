"""A file of the server: streamed with bounds, followed to where it is stored, resumed, and saved whole or not at all.

The methods of a `Download` are `FileDownload`'s.
"""
