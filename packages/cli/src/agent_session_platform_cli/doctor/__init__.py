"""`asp doctor`: finds out why the platform cannot be reached, or refuses what it is asked. Nothing is ever written.

Begin at `examination`, which has the order of the checks; each check is a function that returns findings.
"""
