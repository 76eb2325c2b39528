"""Small joint distributions that show what correlation does to privacy: ``pdp.examples.parity()``.

Those given by their rows are for dependent tuples, see `DependenceAnalysis`; the others for local reports.

Examples
--------
>>> import pdp_widgets as pdp
>>> pdp.examples.two_attributes().names
('secret', 'source')
"""

from pdp_widgets.models.joint_examples import (
    agreeing_bits,
    bit_chain,
    chain,
    collider,
    conditionally_independent,
    coupled_uniform,
    covered_shift,
    identical_attributes,
    identical_tuples,
    mod_three,
    parity,
    simplex_code,
    two_attributes,
    xor_bits,
)

__all__ = [
    "agreeing_bits",
    "bit_chain",
    "chain",
    "collider",
    "conditionally_independent",
    "coupled_uniform",
    "covered_shift",
    "identical_attributes",
    "identical_tuples",
    "mod_three",
    "parity",
    "simplex_code",
    "two_attributes",
    "xor_bits",
]
