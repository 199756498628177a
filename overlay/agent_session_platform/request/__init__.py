"""Everything that is sent: the arguments of a call checked, its request and its files written.

Begin at `prepare`: it turns the arguments of a generated method into a `PreparedRequest`.
"""
