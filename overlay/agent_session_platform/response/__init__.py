"""What comes back: a response, its decoded value, or the typed error of a problem."""
