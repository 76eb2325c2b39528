"""How data are correlated: joint distributions, their tables, and editing them cell by cell."""
