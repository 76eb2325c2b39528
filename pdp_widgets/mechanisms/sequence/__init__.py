"""Release of streams: one symbol, or one batch of them, after the other, with what was released in mind."""
