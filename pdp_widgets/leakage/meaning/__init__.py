"""What a leakage means: tests, profiles, guesses and information of each adversary's output laws."""
