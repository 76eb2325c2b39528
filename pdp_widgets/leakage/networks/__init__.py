"""What an adversary learns about a tuple of a large network from a noisy sum."""
