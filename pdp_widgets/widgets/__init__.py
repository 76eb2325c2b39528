"""The floor people touch: widgets, the explorers that compose them, and bqplot figures."""
