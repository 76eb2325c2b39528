"""What an explorer of inferred locations is given in Python: a network with room on a screen, and numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.models.labels import shown
from pdp_widgets.models.social_network import SocialNetwork
from pdp_widgets.models.synthetic_network import synthetic_network

#: What a screen has room for, and what can be looked at while a hand waits.
_MOST_USERS, _MOST_CELLS, _MOST_CLUSTERS, _MOST_COUNTS = 20_000, 50, 60, 4_000_000
#: Of the simulated city: a user whom friends give away, so that the two attacks differ.
SIMULATED_VICTIM = 60
#: Users among whom the victim is chosen on a screen.
MOST_LISTED = 2000
#: Draws are told apart up to here.
MOST_DRAWS = 1_000_000_000


def simulated_city() -> SocialNetwork:
    """Return the city that an explorer opens on without data."""
    city = synthetic_network(450, mean_degree=8, rng=11).city("New York")
    return SocialNetwork(city.check_ins, city.friendships, "Simulated New York")


def as_network(network: Any) -> SocialNetwork:
    """Return the network given in Python, or raise NetworkError."""
    if isinstance(network, SocialNetwork):
        return network
    raise NetworkError(
        f"The network is {shown(network)}; give a SocialNetwork, such as synthetic_network().city('New "
        "York').",
        Where("parameter", name="value"),
    )


def check_room(network: SocialNetwork, grid: Any, clusters: Any) -> None:
    """Raise LimitError for more than an explorer shows, with what to do instead."""
    n = network.n
    if n > _MOST_USERS:
        raise LimitError(
            f"The network has {n:,} users; the explorer takes at most {_MOST_USERS:,}. Take one city with "
            "network.city('New York'), or compute all with InferenceAttack.",
            Where("parameter", name="value"),
        )
    if is_whole(grid) and grid > _MOST_CELLS:
        raise LimitError(
            f"grid is {shown(grid)}; the explorer draws at most {_MOST_CELLS} cells a side. Finer grids are "
            "computed with InferenceAttack.",
            Where("parameter", name="grid"),
        )
    if is_whole(clusters) and clusters > _MOST_CLUSTERS:
        raise LimitError(
            f"clusters is {shown(clusters)}; the explorer draws at most {_MOST_CLUSTERS}. More are computed "
            "with InferenceAttack.",
            Where("parameter", name="clusters"),
        )
    if is_whole(grid) and grid > 0 and n * grid**2 > _MOST_COUNTS:
        most = max(1, math.isqrt(_MOST_COUNTS // n))
        raise LimitError(
            f"{n:,} users on {grid} × {grid} cells are too many to follow a hand; take at most {most} cells "
            "a side, or one city with network.city('New York').",
            Where("parameter", name="grid"),
        )


def listed_users(network: SocialNetwork, victim: int) -> tuple[int, ...]:
    """Return positions of users for a list: all, or of many those with most friends and the victim."""
    if network.n <= MOST_LISTED:
        return tuple(range(network.n))
    most = np.argsort(-network.degrees, kind="stable")[:MOST_LISTED].tolist()
    if victim not in most:
        most[-1] = victim
    return tuple(sorted(most))


def opening_victim(attack: InferenceAttack) -> int:
    """Return the user whom an explorer opens on: one who can be found, and whom friends give away."""
    # Of the users in whose cell somebody else is known, and near a known friend, the one with most friends;
    # if there is none, of those who can be found at all; else of all users.
    setting, degrees = attack.setting, attack.network.degrees
    here = (np.arange(attack.network.n), setting.cells)
    found = setting.counts[here] + attack.smoothing > 0
    for chosen in (found & setting.near(attack.radius)[here], found):
        if chosen.any():
            return int(attack.network.users[np.where(chosen, degrees, -1).argmax()])
    return int(attack.network.users[degrees.argmax()])
