"""The sentences of the explorer of inferred locations; the same as in the browser (js/src/attack/lead.ts)."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from pdp_widgets.leakage.inference.attack_result import AttackResult
from pdp_widgets.leakage.inference.attack_results import AttackResults
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.publish.formatting import fixed, leakage, parameter
from pdp_widgets.publish.labels import isolate, shorten
from pdp_widgets.publish.wording import Part

__all__ = ["AttackCase", "amount", "audit", "bits", "centres", "km", "lead", "limit_name", "user_name"]

#: What rounding alone makes of no information, bits.
_NOTHING = 5e-10
_NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
#: Less than this apart, two numbers of bits are the same.
_SAME = 5e-7


def bits(value: float, beside: float | None = None) -> str:
    """Return bits as they stand in tables and sentences; digits are added where two would read alike.

    Examples
    --------
    >>> bits(1.0987), bits(1e-12), bits(0.51504, beside=0.51511)
    ('1.099', '0', '0.5150')
    """
    return "0" if abs(value) < _NOTHING else leakage(value, beside)


def km(value: float) -> str:
    """Return a distance in kilometres: metres matter near the truth only.

    Examples
    --------
    >>> km(0.342), km(1028.4)
    ('0.34', '1,028')
    """
    return fixed(value, 0 if value >= 1000 else 1 if value >= 100 else 2)


def amount(value: float) -> str:
    """Return a budget or a weight: two decimals where they are needed, no thousands signs.

    Examples
    --------
    >>> amount(40.0), amount(0.1), amount(33.25)
    ('40', '0.1', '33.25')
    """
    if float(value).is_integer() and abs(value) < 1e6:
        return str(int(value))
    text = parameter(value).replace(",", "")
    if "e" in text or "." not in text:
        return text
    return text.rstrip("0").removesuffix(".")


def centres(clusters: int) -> str:
    """Say how many centres are published, as words up to twelve.

    Examples
    --------
    >>> centres(8), centres(40)
    ('eight noisy cluster centres published', '40 noisy cluster centres published')
    """
    many = _NUMBERS[clusters] if clusters < len(_NUMBERS) else f"{clusters:,}"
    return f"{many} noisy cluster centre{'s'[: clusters != 1]} published"


def user_name(user: object) -> str:
    """Return "User 57" for a number, else the name itself.

    Examples
    --------
    >>> user_name(57), user_name("Ann")
    ('User 57', 'Ann')
    """
    text = str(user)
    shown = isolate(shorten(text, 40)) or "(no name)"
    return f"User {shown}" if text.strip().isdigit() else shown


@dataclass(frozen=True)
class AttackCase:
    """Two attacks on one victim, in words.

    Parameters
    ----------
    epsilon, weight
        The budget in nats, and how often a cell near a friend counts.
    error
        Kilometres between truth and guess of attack 2, after the release.
    printed, gap
        The paper's leaked information of attack 2, and what of it was known beforehand, bits.
    adds
        What the release adds to attack 1 and to attack 2, bits.
    impossible
        Whether the victim's own cell has probability 0, before and after any release.
    equal
        How many cells are as likely to attack 2 as its guess, which is the first of them.
    """

    epsilon: float
    weight: float
    error: float
    printed: float
    gap: float
    adds: tuple[float, float]
    impossible: bool = False
    equal: int = 1

    @classmethod
    def of(cls, attack: InferenceAttack) -> AttackCase:
        """Return the case of an attack."""
        one: AttackResult = attack.attack_1
        two: AttackResult = attack.attack_2
        return cls(
            attack.epsilon,
            attack.weight,
            two.error_km,
            two.leaked_bits,
            two.prior_gap_bits,
            (one.incremental_bits, two.incremental_bits),
            two.impossible,
            two.equal,
        )


def lead(case: AttackCase) -> list[Part]:
    """Say how near attack 2 comes, what it scores and how much the release added, as parts (text, role).

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> case = AttackCase(40.0, 10.0, 0.342, 1.6441, 0.6502, (1.0991, 0.9939))
    >>> for sentence in plain(lead(case)).split(". "):
    ...     print(sentence)
    With ε = 40 and friends weighted 10 times, attack 2 places the victim within 0.34 km and scores 1.644 bits
    It knew 0.650 of them before anything was published
    The release adds 0.994, less than the 1.099 it adds to attack 1.
    """
    found = _scored(case)
    if case.equal > 1:
        found.append((f" Its guess is the first of {case.equal:,} cells that are equally likely.", ""))
    if case.impossible:
        found.append((_IMPOSSIBLE, ""))
    return found


_IMPOSSIBLE = " Nobody known is in the victim’s own cell: no release can lead there."


def _scored(case: AttackCase) -> list[Part]:
    one, two = case.adds
    found: list[Part] = [
        ("With ε = ", ""),
        (amount(case.epsilon), "scale"),
        (" and friends weighted ", ""),
        (amount(case.weight), "scale"),
        (" times, attack 2 places the victim within ", ""),
        (f"{km(case.error)} km", "value"),
        (" and scores ", ""),
        (f"{bits(case.printed)} bits", "paper"),
        (". ", ""),
    ]
    if case.gap > _SAME:
        found += [
            ("It knew ", ""),
            (bits(case.gap), "value"),
            (" of them before anything was published. ", ""),
        ]
    elif case.gap < -_SAME:
        found += [
            ("Before anything was published it was less sure than attack 1, by ", ""),
            (bits(-case.gap), "value"),
            (". ", ""),
        ]
    else:
        found.append(("It knew no more than attack 1 before anything was published. ", ""))
    if two < -_SAME:
        return [
            *found,
            ("The release takes ", ""),
            (bits(-two), "value"),
            (
                f" away, and {bits(-one)} from attack 1."
                if one < -_SAME
                else f" away; it adds {bits(one)} to attack 1.",
                "",
            ),
        ]
    apart = abs(two - one) > _SAME
    # Next to nothing is nothing here: no sign and no power of ten.
    added = bits(two, one if apart else None) if apart or abs(two) > _SAME else "0"
    found += [("The release adds ", ""), (added, "value")]
    if not apart:
        return [*found, (", as much as to attack 1.", "")]
    than = "less" if two < one else "more"
    return [*found, (f", {than} than the {bits(one, two)} it adds to attack 1.", "")]


def limit_name(attack: InferenceAttack) -> str:
    """Return what ε/ln 2 is: it bounds what a release adds only where the budget is a guarantee.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> city = synthetic_network(60, rng=1).city("New York")
    >>> [limit_name(InferenceAttack(city, clusters=4, sensitivity=name)) for name in ("unit", "worst_case")]
    ['budget', 'bound']
    """
    return "bound" if attack.formal else "budget"


def audit(solved: AttackResults) -> str:
    """Return the audit strip as sentences: as printed, known before, added, bound."""
    means, limit = solved.means, solved.inputs.epsilon / log(2)
    attack = solved.attack
    nothing = "" if attack.formal else ", no guarantee"
    bound = f"{limit_name(attack).capitalize()} ε/ln 2 {bits(limit)} bits{nothing}."
    if means is None:
        return f"Means over all users are not computed. {bound}"
    many = f"{means.users:,} user{'s'[: means.users != 1]}"
    printed, gap = means.leaked_bits[1], means.prior_gap_bits[1]
    one, two = means.incremental_bits.tolist()
    return (
        f"As printed, attack 2: {bits(printed)} bits, mean of {many}. Known before: prior gap {bits(gap)}. "
        f"The release adds {bits(two)}; attack 1: {bits(one)}. {bound}"
    )
