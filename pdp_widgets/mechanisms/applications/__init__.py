"""Uses of a private release: clusters, a classifier, the degrees of a graph."""
