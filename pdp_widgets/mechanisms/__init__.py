"""How data are released: Laplace noise on an additive query."""
