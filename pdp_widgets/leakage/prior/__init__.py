"""Leakage to adversaries with prior knowledge: exact, by the paper's chain rule, and bounded."""
