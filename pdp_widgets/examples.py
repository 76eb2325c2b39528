"""Small joint distributions that show what correlation does to local privacy: ``pdp.examples.parity()``.

Examples
--------
>>> import pdp_widgets as pdp
>>> pdp.examples.two_attributes().names
('secret', 'source')
"""

from pdp_widgets.models.local_examples import (
    chain,
    collider,
    conditionally_independent,
    copies,
    parity,
    two_attributes,
)

__all__ = ["chain", "collider", "conditionally_independent", "copies", "parity", "two_attributes"]
