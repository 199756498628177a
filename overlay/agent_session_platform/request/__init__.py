"""Everything that is sent: check the arguments of a call, and write its request and its files.

Begin at `prepare`: it turns the arguments of a generated method into a `PreparedRequest`.
"""
