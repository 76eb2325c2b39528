"""The questions of lesson 6 with their answers: people who depend on each other, and an attack on places."""

from __future__ import annotations

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text

VICTIM, BUDGET = 372, 40.0


def plain(joint: pdp.SparseJoint, known: tuple[str, ...] = ()) -> float:
    """Return what a plain noisy sum, made for 1 nat, leaks about the first person, in nats."""
    return float(pdp.DependenceAnalysis(joint, "sum", 1.0, "lpm", known).per_tuple[0])


def attack() -> pdp.InferenceAttack:
    """Return the attack on one user of a simulated city."""
    city = pdp.synthetic_network(450, rng=1).city("New York")
    return pdp.InferenceAttack(city, victim=VICTIM, epsilon=BUDGET)


def questions() -> Questions:
    """Households, coefficients of pairs, promises that do not add up, and what a score is made of."""
    pair, three = pdp.examples.agreeing_bits(0.8), pdp.examples.xor_bits()
    coefficient = float(pdp.dependent.dependence_coefficients(pair, 1.0, "exact")[0, 1])
    solved = float(pdp.DependenceAnalysis(pair, "sum", 1.0, "dpm_exact").scale)
    once = float(pdp.DependenceAnalysis(pair, scale=1 + coefficient).largest)
    alone, friend = plain(three), plain(three, ("x2",))
    six = float(pdp.DependenceAnalysis(pdp.examples.covered_shift(), "sum", 1.0, "dpm_exact").largest)
    weighted = attack().attack_2
    known, added, score = weighted.prior_gap_bits, weighted.incremental_bits, weighted.leaked_bits
    seven = float(pdp.DependenceAnalysis(pdp.examples.simplex_code(3), "sum", 1.0, "dpm_exact").largest)
    return [
        choice(
            "predict the household",
            "Four people live together and always vote alike. The number of votes for Dole in a town is "
            "published with noise of scale 1. What can it say about one of the four, to a reader who knows "
            "nobody's vote?",
            {
                "1 nat": "That is the promise for a count that moves by 1. How far does it move if this "
                "vote changes?",
                "Up to 4 nats": "With one vote all four change, and the count moves by 4.",
                "Up to 944 nats, since all voters are in the count": "Only those who change along with the "
                "target matter.",
            },
            "Up to 4 nats",
            hints=["The other three vote as the target does."],
        ),
        nats(
            "put in once",
            "At scale 1 the coefficient of Ben for Ann is 0.569, so take noise of scale 1.569. What leaks?",
            once,
            f"{once:.3f} nats: still more than 1. With more noise Ben repeats more of Ann, relative to the "
            "noise, so the coefficient has grown.",
            tolerance=0.002,
            hints=["The row put in once."],
        ),
        number(
            "your scale",
            "Complete the function and run the cell. Which scale solves the equation?",
            solved,
            0.002,
            f"{solved:.4f}. It is the exact scale of lesson 1: for two people and a sum nothing is wasted.",
            wrong={
                1 + coefficient: "That is the first step. Put it in again.",
                2.0: "That is noise for two people who are the same.",
            },
            hints=[
                "Begin with 1 and put the result in again and again.",
                "for _ in range(50): scale = 1 + coefficient(scale)",
            ],
        ),
        choice(
            "predict the pairs",
            "Ann, Ben and Cy each vote for Dole half of the time. Cy votes for Dole exactly if one of the "
            "two others does, but not both. How much of Ann does Ben repeat, and how much does Cy?",
            {
                "Both repeat half of it": "Whoever knows Ann's vote: what do they know about Ben's? And "
                "about Cy's?",
                "Ben nothing, and Cy all of it": "Cy follows from both others. Ann alone says nothing about "
                "Cy.",
                "Neither repeats anything": "Each pair is independent. Only all three together are not.",
            },
            "Neither repeats anything",
            hints=["List the four equally likely rows.", "Keep those with Ann = 1. How often is Cy 1?"],
        ),
        nats(
            "all three",
            "All coefficients are 0, so the mechanism takes noise of scale 1. What does the noisy sum leak "
            "about Ann, to a reader who knows nobody?",
            alone,
            f"{alone:.3f} nats, 1 promised. Coefficients of pairs do not see a group of three.",
            wrong={friend: "That reader knows Ben."},
            hints=["The row with nobody known."],
        ),
        explorer(
            "enough for the house",
            "Choose a mechanism in the explorer that keeps 1 nat about everybody in the house, with the "
            "least noise. The readers know nobody.",
            "dependence_explorer",
            {"mechanism": "calibrated", "epsilon": (0.999, 1.001)},
            explain="Calibrated noise is the least that is enough for this table, this query and readers "
            "who know nobody. The baseline adds more, and is enough for every table with these groups.",
            hints=[
                "The marks beside the names say about whom more than 1 nat leaks.",
                "One mechanism does not use coefficients at all: it looks for the scale itself.",
            ],
            otherwise="Either more than 1 nat leaks about somebody, or less noise would do.",
        ),
        choice(
            "predict the second sum",
            "Two people have numbers from 0 to 2, independent and uniform. Their sum modulo 3 is published "
            "with a little noise, and says nothing about the first number. Then x₁ + 2 x₂ modulo 3 is "
            "published in the same way, which alone says nothing either. What do both say?",
            {
                "Nothing: 0 + 0 = 0": "Two equations with two unknowns have one solution.",
                "A good deal about both numbers": "Two equations with two unknowns have one solution, and "
                "the noise blurs it a little.",
                "Nothing about the first number, but the second one": "Both numbers are treated alike.",
            },
            "A good deal about both numbers",
            hints=["Add both, modulo 3."],
        ),
        choice(
            "predict the score",
            "The centres are published with so much noise that they say nothing. What does the score of "
            "the reader who knows friendships show?",
            {
                "0 bits": "It begins with what somebody believes who does not know the friends.",
                "What the friendships said beforehand": "Nothing is released, and the score is still there.",
                "Less than 0 bits": "The reader's belief does not change.",
            },
            "What the friendships said beforehand",
            hints=["What is subtracted from what?"],
        ),
        number(
            "your bits",
            "Complete the function and run the cell. How many bits does the release add, to the reader who "
            f"knows the friends, at ε = {BUDGET:g}?",
            added,
            0.0006,
            f"{added:.3f} bits, of {score:.3f} in the score. The other {known:.3f} were known before.",
            wrong={
                score: "That is the score of the paper.",
                known: "That is what was known before.",
            },
            hints=[
                "Whose belief was it before the release?",
                "Subtract from the entropy of the second belief before, not of the first one.",
            ],
            unit="bits",
        ),
        text(
            "the newspaper",
            "A newspaper writes: differential privacy is broken, since an attack finds users by their "
            "friends. What do you answer?",
            "The friends were known before anything was published, and no mechanism can take that back. "
            "What the release adds is a small part of the score. The promise is about that part, and holds "
            "for somebody who knows all other places. But it is true that it does not hold for somebody "
            "who does not know them, if places depend on each other: then one user's place shows in the "
            "places of several.",
            least=20,
        ),
        nats(
            "seven bits",
            "Seven bits can be made in the same way, any two of them independent (a simplex code). What "
            "leaks there, where 1 nat is promised?",
            seven,
            f"{seven:.3f} nats, and more with more bits: the gap has no bound.",
            hints=["The last row of the table."],
        ),
        text(
            "the proof",
            "Prove by hand that the noisy sum of Ann, Ben and Cy leaks ln((1 + e²) / 2) nats about Ann, with "
            "noise of scale 1 and all pairs independent.",
            "If Ann is 0, the rows are 000 and 011, so the sum is 0 or 2, each half of the time. If Ann is "
            "1, the rows are 101 and 110, and the sum is 2. For a published number s of 0 or less the "
            "densities are (e^s + e^(s − 2)) / 4 and e^(s − 2) / 2. Their ratio is (1 + e^(−2)) / 2 · e² = "
            "(e² + 1) / 2. Between 0 and 2 the ratio falls, and from 2 on it is (1 + e^(−2)) / 2, whose "
            "reciprocal is smaller. So the leakage is "
            f"ln((1 + e²) / 2) = {alone:.3f} nats, and Theorem 9 promises 1.",
            least=20,
        ),
        nats(
            "the six",
            "A second case, from the house of section 2: the mechanism with coefficients of pairs promises "
            "1 nat about Ann. What does it leak?",
            six,
            f"{six:.3f} nats. The paper's estimate for Ann is below 1, because no pair shows her part.",
            tolerance=0.002,
            hints=["Set the mechanism to DPM with exact coefficients and click Ann."],
        ),
    ]
