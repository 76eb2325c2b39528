"""Networks of friends, their places, and the attack on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

#: Names at the top of the package, by the module that has them.
HOMES = {
    "leakage.inference.all_attacks": ("AllAttacks",),
    "leakage.inference.attack_curves": ("AttackCurves",),
    "leakage.inference.attack_result": ("AttackResult", "DrawnAttacks"),
    "leakage.inference.attack_score": ("AttackScore", "attack_score"),
    "leakage.inference.inference_attack": ("InferenceAttack",),
    "models.check_ins": ("CheckIns", "read_check_ins"),
    "models.friendships": ("Friendships", "read_friendships"),
    "models.great_circle": ("great_circle_km",),
    "models.location_patterns": ("LocationPatterns", "location_patterns"),
    "models.social_network": ("SocialNetwork",),
    "models.synthetic_network": ("synthetic_network",),
    "widgets.attack_explorer": ("AttackExplorer",),
}

if TYPE_CHECKING:
    from pdp_widgets.leakage.inference.all_attacks import AllAttacks as AllAttacks
    from pdp_widgets.leakage.inference.attack_curves import AttackCurves as AttackCurves
    from pdp_widgets.leakage.inference.attack_result import AttackResult as AttackResult
    from pdp_widgets.leakage.inference.attack_result import DrawnAttacks as DrawnAttacks
    from pdp_widgets.leakage.inference.attack_score import AttackScore as AttackScore
    from pdp_widgets.leakage.inference.attack_score import attack_score as attack_score
    from pdp_widgets.leakage.inference.inference_attack import InferenceAttack as InferenceAttack
    from pdp_widgets.models.check_ins import CheckIns as CheckIns
    from pdp_widgets.models.check_ins import read_check_ins as read_check_ins
    from pdp_widgets.models.friendships import Friendships as Friendships
    from pdp_widgets.models.friendships import read_friendships as read_friendships
    from pdp_widgets.models.great_circle import great_circle_km as great_circle_km
    from pdp_widgets.models.location_patterns import LocationPatterns as LocationPatterns
    from pdp_widgets.models.location_patterns import location_patterns as location_patterns
    from pdp_widgets.models.social_network import SocialNetwork as SocialNetwork
    from pdp_widgets.models.synthetic_network import synthetic_network as synthetic_network
    from pdp_widgets.widgets.attack_explorer import AttackExplorer as AttackExplorer
