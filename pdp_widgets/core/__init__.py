"""What all floors rest on: what a result is, and what it shows."""
