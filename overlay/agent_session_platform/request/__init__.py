"""Everything that is sent: the arguments of a call checked, its request written, its credential and its files.

Begin at `prepare`: it turns the arguments of a generated method into a `PreparedRequest`.
"""
