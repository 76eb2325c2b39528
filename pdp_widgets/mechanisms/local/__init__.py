"""Local privacy: each attribute of a record is randomised by its owner before it is collected."""
