"""Everything that comes back: judge the status of a response, and decode its body or make its typed error.

Begin at `exchange` (the values), `problem` (what a status means) and `decode` (from a body to a model).
"""
