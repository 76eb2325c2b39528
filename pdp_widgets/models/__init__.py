"""How data hang together: joint distributions, their tables, and editing them cell by cell."""
