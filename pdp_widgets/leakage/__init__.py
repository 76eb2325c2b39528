"""What an adversary learns from a release."""
