"""What an adversary learns from a stream that is released symbol by symbol."""
