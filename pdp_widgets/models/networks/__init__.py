"""Networks of tuples: their tables, their files, and what follows from them without a joint table."""
