"""What a release says about tuples that depend on one another."""
