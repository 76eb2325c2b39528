"""What an adversary infers about a place from released cluster centres."""
