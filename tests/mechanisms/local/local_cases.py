"""Mechanisms to test, and what is guessed from each of their outputs, by enumeration."""

from itertools import combinations, product

import numpy as np

from pdp_widgets import BLH, EXP, GRR, OLH, OUE, RAPPOR, SHE, SS, SUE
from pdp_widgets.local import LOSUE, THE, DeltaGRR

#: Every mechanism with a budget of its own.
BUDGETED = [GRR, EXP, OUE, SUE, LOSUE, BLH, OLH, SHE, SS]
EXTREME = [0.0, 1e-300, 1e-9, 1e-3, 0.5, 36.0, 700.0, 710.0, 1000.0, 3000.0, 1e300, float("inf")]


def finite(epsilon):
    """Mechanisms with finitely many outputs, for alphabets of 3 symbols or more."""
    return [
        GRR(epsilon),
        EXP(epsilon),
        OUE(epsilon),
        SUE(epsilon),
        RAPPOR(0.5, 0.5, 0.75),
        RAPPOR(0.1, 0.05, 0.9),
        LOSUE(epsilon, alpha=0.3),
        THE(epsilon),
        THE(epsilon, theta=0.9),
        BLH(epsilon),
        OLH(epsilon, g=3),
        SS(epsilon),
        SS(epsilon, omega=2),
        DeltaGRR(epsilon, 0.05),
    ]


def supported(mechanism, k):
    """Which symbols each output supports, in the order of the columns of the exact matrix."""
    if isinstance(mechanism, GRR | EXP | DeltaGRR):
        return np.eye(k, dtype=bool)
    if isinstance(mechanism, SS):
        sets = list(combinations(range(k), mechanism.subset_size(k)))
        return np.array([[symbol in one for one in sets] for symbol in range(k)])
    if isinstance(mechanism, BLH | OLH):
        g = mechanism.groups
        outputs = [(function, y) for function in product(range(g), repeat=k) for y in range(g)]
        return np.array([[function[symbol] == y for function, y in outputs] for symbol in range(k)])
    return np.array([[bits[symbol] == 1 for bits in product(range(2), repeat=k)] for symbol in range(k)])


def guesses(mechanism, k):
    """P(guess | output): uniform among what is supported, among all symbols if that is nothing."""
    chosen = supported(mechanism, k).T.astype(float)
    chosen[chosen.sum(axis=1) == 0] = 1
    return chosen / chosen.sum(axis=1, keepdims=True)


def output_of(mechanism, reports):
    """The column of the exact matrix of every report."""
    k = reports.k
    if isinstance(mechanism, GRR | EXP | DeltaGRR):
        return reports.values
    if isinstance(mechanism, SS):
        places = {one: p for p, one in enumerate(combinations(range(k), mechanism.subset_size(k)))}
        return np.array([places[tuple(one)] for one in reports.values.tolist()])
    if isinstance(mechanism, BLH | OLH):
        from pdp_widgets.mechanisms.local.reports import hashed

        g = mechanism.groups
        function = hashed(reports.seeds[:, None], np.arange(k), g)
        return (function @ g ** np.arange(k - 1, -1, -1)) * g + reports.values
    return reports.values @ (1 << np.arange(k - 1, -1, -1))
