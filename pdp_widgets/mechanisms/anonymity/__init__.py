"""Releases that hide a record in a group of at least k."""
