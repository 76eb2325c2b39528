"""Leakage from Gaussian data: exact for every adversary, and everything one adversary sees."""
