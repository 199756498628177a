"""Copy the packages into another repository, and build the project under the vendor's own word."""
