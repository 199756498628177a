"""`asp call`: each operation of the catalogue is a command, made of the contract."""
