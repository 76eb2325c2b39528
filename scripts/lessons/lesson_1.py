"""The questions of lesson 1 with their answers: two people whose votes are correlated."""

from __future__ import annotations

import numpy as np

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text

VOTES = ("Clinton", "Dole")


def couple(alike: float) -> pdp.JointDistribution:
    """Return the votes of two people who vote alike with a probability, each for Dole half of the time."""
    same, other = alike / 2, (1 - alike) / 2
    return pdp.JointDistribution([[same, other], [other, same]], [VOTES, VOTES], ["Ann", "Ben"])


def leaks(
    joint: pdp.JointDistribution, weights: list[float], known: dict[str, str], scale: float = 1.0
) -> float:
    """Return what the noisy weighted count of Dole leaks about Ann, in nats."""
    query = pdp.LinearQuery([[0, weight] for weight in weights])
    release = pdp.LaplaceMechanism(query, scale)
    return float(pdp.prior.PriorAdversary(joint, release, "Ann", known).leakage)


def questions() -> Questions:
    """Two people whose votes are correlated, and two readers."""
    joint = couple(0.8)
    both = [1.0, 1.0]
    weak = leaks(joint, both, {})
    release = pdp.LaplaceMechanism(pdp.LinearQuery.count(joint, "Dole"), 1.0)
    least = pdp.PriorAnalysis(joint, release, convention="sup").calibrate(1.0).scale
    after = float(pdp.prior.PriorAdversary(joint, release, "Ann", {}).posterior([2.0])[0, 1])
    printed = pdp.JointDistribution([[0.2, 0.3], [0.3, 0.2]])
    sum_of_two = pdp.LaplaceMechanism(pdp.LinearQuery.sum(printed), 1.0)
    example_2 = float(pdp.prior.PriorAdversary(printed, sum_of_two, 0, {}).leakage)
    return [
        number(
            "both for Dole",
            "Each of the two votes for Dole half of the time, and they vote alike four times in five. With "
            "which probability do both vote for Dole?",
            0.4,
            0.001,
            "Alike has probability 0.8, and half of that is Dole and Dole.",
            wrong={
                0.8: "That is alike, for either of the two.",
                0.25: "So it would be for independent votes.",
            },
            hints=["There are two ways to vote alike, and they are equally likely."],
        ),
        nats(
            "what Ben tells",
            "Somebody learns that Ben voted for Dole. By how many nats do the log odds of Ann rise, before "
            "anything is published?",
            float(np.log(4)),
            "The odds go from 1 to 0.8 / 0.2 = 4, and ln 4 = 1.386 nats. No noise protects from that: it "
            "was known without any release.",
            wrong={4: "That is the factor of the odds. Take its logarithm."},
            hints=["What are the odds of Ann for Dole, once Ben is known to have voted for Dole?"],
        ),
        choice(
            "predict the reader",
            "The number of their votes for Dole is published with Laplace noise of scale 1, a promise of 1 "
            "nat. To which reader can it say most about Ann?",
            {
                "The one who knows how Ben voted": "Such a reader knows more in the end. But how much of "
                "that came from the release?",
                "The one who knows neither vote": "When Ann changes, Ben probably changes too, so the count "
                "moves by nearly 2. The promise counts on 1.",
                "Both the same": "That would be so for independent votes.",
            },
            "The one who knows neither vote",
            hints=[
                "By how much does the count change if Ann had voted otherwise, in the eyes of each reader?"
            ],
        ),
        nats(
            "your formula",
            "Complete the function and run the cell. What can the release say at most about Ann to a reader "
            "who knows neither vote?",
            weak,
            f"ln((0.8 e² + 0.2 e) / (0.8 + 0.2 e)) = {weak:.3f} nats, reached at every r of 2 or more.",
            tolerance=0.004,
            wrong={
                1.0: "The function still uses only one value of Ben. Mix both, weighted by how likely they "
                "are.",
                1.386: "That is what Ben's vote says about Ann, not the release.",
            },
            hints=[
                "Given a vote of Ann, the count has two possible values, one for each vote of Ben.",
                "If Ann voted for Dole: alike * laplace(r - 2) + (1 - alike) * laplace(r - 1).",
            ],
        ),
        number(
            "belief at 2",
            "The released number is 2. What is now the probability that Ann voted for Dole, for the reader "
            "who knew neither vote?",
            after,
            0.004,
            f"From even odds the gain of {weak:.3f} nats leads to odds of {np.exp(weak):.2f}, which is a "
            f"probability of {after:.3f}.",
            hints=["Begin with even odds.", "r = 2 is where the gain is largest."],
        ),
        nats(
            "always alike",
            "Now they always vote alike. What does the same release leak to the reader who knows neither "
            "vote?",
            leaks(couple(1.0), both, {}),
            "The count is 0 or 2: changing Ann changes it by 2, which is twice the promise.",
            tolerance=0.001,
        ),
        nats(
            "never alike",
            "And if they never vote alike?",
            leaks(couple(0.0), both, {}),
            "The count is 1 in any case, so the release says nothing at all. Correlation can also protect.",
            tolerance=0.001,
            hints=["Which counts are possible?"],
        ),
        explorer(
            "enough noise",
            "Set the noise of the explorer so that nobody learns more than 1 nat, with as little noise as "
            "possible.",
            "prior_explorer",
            {"scale": (float(np.floor(100 * least) / 100), 1.62), "results.largest.value": (0, 1.0005)},
            explain=f"Scale {least:.3f}, rounded up. The rule for groups asks for 2, for any couple.",
            hints=["Raise the scale until the largest number is 1.000.", "It lies between 1.5 and 1.7."],
            otherwise="Either more than 1 nat leaks, or there is more noise than needed.",
        ),
        choice(
            "predict the difference",
            "Instead of the sum, the difference is published: Ann's vote minus Ben's, with noise of scale "
            "1. They vote alike four times in five. Does a reader who knows neither vote learn more than 1 "
            "nat, or less?",
            {
                "More than 1 nat": "When Ann changes, Ben tends to follow. What does that do to a "
                "difference?",
                "Exactly 1 nat": "That is what the reader who knows Ben learns.",
                "Less than 1 nat": "Ben's change takes back most of Ann's: "
                f"{leaks(joint, [1.0, -1.0], {}):.3f} nats.",
            },
            "Less than 1 nat",
        ),
        text(
            "why the weaker one",
            "Why can a reader who knows less learn more from the same number?",
            "The promise compares two cases that differ in Ann alone. A reader who knows Ben's vote really "
            "is in that position, and learns at most 1 nat. For a reader who knows neither vote, a change "
            "of Ann probably comes with a change of Ben, so the two cases differ by up to 2 in the count. "
            "That reader starts with less knowledge, and does not end with more.",
            least=15,
        ),
        nats(
            "second copy",
            "Example 4 prints the same table (c) once more as table (d), with x₂ in {0, 1}, and says that "
            "it leaks 6 nats. What does table (c) leak, with scale 1?",
            2.0,
            "x₁ and x₂ agree and both are 0 or 1, so the sum changes by 2.",
            tolerance=0.001,
            wrong={6: "So it is printed. Run the cell."},
        ),
        number(
            "the right labels",
            "With x₂ in {0, k} and always large when x₁ is 1: for which k does the table leak 6 nats?",
            5.0,
            0.001,
            "The sum changes by 1 + k. So table (d) has to say {0, 5}.",
            hints=["By how much does the sum change when both change?"],
        ),
        nats(
            "two decimals",
            "Example 2 prints a leakage of 0.82 for its table (b). Give the exact value with four decimals.",
            example_2,
            f"It is {example_2:.4f}, which rounds to 0.81. A small slip, and easy to prove.",
            tolerance=0.00006,
            wrong={0.82: "So it is printed. Run the cell."},
        ),
        text(
            "prove it",
            "Prove that table (d) cannot have x₂ in {0, 1}.",
            "With scale 1, no release of a sum leaks more than the largest change of that sum. If x₁ and x₂ "
            "are both 0 or 1, the sum changes by at most 2, so at most 2 nats leak, for any table. The "
            "printed 6 nats need a change of 6, so x₂ must be able to change by 5.",
            least=12,
        ),
    ]
