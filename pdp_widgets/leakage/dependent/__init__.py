"""What a release says about one of several dependent tuples, beside what is promised."""
