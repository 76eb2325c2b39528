"""The tests. A package, so that `tests.browser` never means another project's `tests`."""
