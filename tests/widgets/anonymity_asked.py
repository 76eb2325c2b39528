"""Requests to an anonymity explorer as a browser sends them, and tables of people."""

import numpy as np
import pandas as pd


def ask(explorer, **parts):
    view = explorer._view
    seq = 1 + max(explorer._newest.values(), default=0)
    explorer.set_state({"_request": {"origin": "a", "seq": seq, "base": view["revision"], **parts}})
    return explorer._view


def numbers(data):
    return np.frombuffer(data, dtype="<f8")


def curve(view, key):
    return next(one for one in view["results"]["curves"] if one["key"] == key)


def people(n, columns=2, rng=0):
    draw = np.random.default_rng(rng)
    frame = {f"q{j}": draw.integers(0, 50, n).astype(float) for j in range(columns)}
    return pd.DataFrame(frame | {"ill": draw.choice(["no", "yes"], n, p=[0.9, 0.1])})
