"""Measured times: run ``python -m benchmarks`` in the root of the project."""
