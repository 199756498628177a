"""Everything that comes back: a response, its status judged, its body decoded; or the typed error of a problem.

Begin at `outcome` (the values), `problem` (what a status means) and `decode` (from a body to a model).
"""
