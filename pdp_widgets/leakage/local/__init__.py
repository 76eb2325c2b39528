"""What the randomised report of one attribute says about another attribute of the same record."""
