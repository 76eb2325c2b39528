"""Where somebody is, from noisy centres of the places of many and the places of friends.

**Data.** `SocialNetwork`, made of `CheckIns` and `Friendships`, which `read_check_ins` and
`read_friendships` read; `synthetic_network` makes one up. `great_circle_km`, and how far friends live
apart, `location_patterns` (`LocationPatterns`).

**The attack.** `InferenceAttack` publishes noisy centres and infers the place of a victim, with each result
an `AttackResult`; `AllAttacks` on every user, `DrawnAttacks` over draws of the noise, `AttackCurves` over
budgets. `attack_score` says how many bits a guess is worth (`AttackScore`).

Looked at in `AttackExplorer`, which `pdp_widgets` itself has.
"""

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
