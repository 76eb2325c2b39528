"""The questions of lesson 0 with their answers: odds, randomised response, Laplace noise."""

from __future__ import annotations

import numpy as np

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text


def voters_of_dole() -> tuple[int, int]:
    """Return how many of the voters of 1996 voted for Dole, and how many there are."""
    votes = pdp.anes96_records().to_dataframe()["vote"]
    return int((votes == "Dole").sum()), len(votes)


def questions() -> Questions:
    """Odds, randomised response, Laplace noise."""
    dole, all_voters = voters_of_dole()
    share = dole / all_voters
    odds = dole / (all_voters - dole)
    coin = pdp.GRR(float(np.log(3)))
    after = odds * float(np.exp(coin.epsilon))
    reported = 0.25 + 0.5 * share
    one_nat = float(pdp.GRR(1.0).channel(2)[0, 0])
    return [
        number(
            "odds",
            f"Of {all_voters} voters, {dole} voted for Dole and {all_voters - dole} for Clinton. You meet "
            "one of them and know nothing else. What are the odds of Dole against Clinton?",
            odds,
            0.006,
            f"{dole} / {all_voters - dole} = {odds:.3f}: a little below even.",
            wrong={
                share: "That is the probability of Dole. Odds divide by the other case, not by all.",
                1 / odds: "Those are the odds of Clinton against Dole.",
            },
            hints=[
                "Odds compare two cases with each other.",
                "Divide the voters of Dole by those of Clinton.",
            ],
        ),
        nats(
            "log odds",
            "And the log odds of Dole against Clinton, with the natural logarithm?",
            float(np.log(odds)),
            f"ln {odds:.3f} = {np.log(odds):.3f} nats. Below 0 means: less likely than not.",
            wrong={
                -float(np.log(odds)): "The size is right. Which of the two is less likely?",
                float(np.log10(odds)): "That is the decimal logarithm. Nats belong to the natural one.",
            },
            hints=["np.log is the natural logarithm.", "Odds below 1 have a negative logarithm."],
        ),
        choice(
            "two pieces",
            "Two independent pieces of evidence each raise the log odds of Dole by 0.5 nats. By how much do "
            "both together?",
            {
                "0.25 nats": "Probabilities of independent events multiply. What do log odds do?",
                "0.5 nats": "The second piece would say nothing then, yet it is independent of the first.",
                "1 nat": "Odds are multiplied by e^0.5 twice, so log odds rise by 0.5 twice. Nats add.",
                "It depends on where one starts": "A probability would. Log odds rise by the same amount "
                "anywhere.",
            },
            "1 nat",
            hints=["What does the first piece do to the odds? And the second?"],
        ),
        choice(
            "predict the coin",
            "The voters tell the truth with probability 3/4, and otherwise the opposite. One of them "
            "reports Dole. How sure can you be that it is true?",
            {
                "More than 75 %": "Before the report, Dole was the less likely vote. Does that raise or "
                "lower it?",
                "75 %": "That would be so if both votes were equally likely beforehand.",
                "Less than 75 %": "Dole was less likely than not beforehand, and that still counts.",
            },
            "Less than 75 %",
        ),
        number(
            "your coin",
            "Run your function on all voters. Which share of the reports differs from the vote?",
            0.25,
            0.035,
            "About one report in four is a lie. With 944 voters the share varies by about 0.014.",
            wrong={0.0: "No report differs yet: the function still returns the votes themselves."},
            hints=[
                "rng.random(len(votes)) < 0.75 is True three times in four.",
                "np.where(truthful, votes, 1 - votes) keeps a vote or turns it around.",
            ],
        ),
        nats(
            "budget of the coin",
            "How many times as likely is the report Dole from a voter of Dole as from a voter of Clinton? "
            "Give the natural logarithm of that ratio. This is the budget ε of the coin.",
            coin.epsilon,
            "0.75 / 0.25 = 3, and ln 3 = 1.099 nats. No report moves anybody's log odds further.",
            wrong={
                3: "That is the ratio. Take its logarithm.",
                0.75: "That is a probability. Divide two of them.",
            },
            hints=["A voter of Clinton reports Dole only by lying."],
        ),
        number(
            "after the report",
            "A voter reports Dole. What is now the probability that this voter chose Dole?",
            after / (1 + after),
            0.006,
            f"The odds were {odds:.3f} and become 3 times that, {after:.3f}. Odds of {after:.3f} are a "
            f"probability of {after / (1 + after):.3f}.",
            wrong={
                0.75: "That would be so from even odds. Begin with the odds you had.",
                after: "Those are the odds. A probability is odds / (1 + odds).",
            },
            hints=["The report multiplies the odds by 3.", "A probability is odds / (1 + odds)."],
        ),
        number(
            "a coin for 1 nat",
            "With which probability must a voter tell the truth so that ε is exactly 1 nat?",
            one_nat,
            0.004,
            f"p / (1 − p) = e, so p = e / (1 + e) = {one_nat:.3f}.",
            hints=["The ratio p / (1 − p) has to be e^ε.", "Solve p / (1 − p) = 2.718 for p."],
        ),
        number(
            "estimate",
            f"Of all reports, {100 * reported:.1f} % say Dole. Everybody told the truth with probability "
            "3/4. Which share of the voters voted for Dole, by your best estimate?",
            share,
            0.006,
            "A share s of votes gives a share of 0.75 s + 0.25 (1 − s) = 0.25 + 0.5 s of reports. Solved "
            f"for s: (reports − 0.25) / 0.5 = {share:.3f}.",
            wrong={reported: "That is the share of the reports. Lies pull it towards one half."},
            hints=["Write down which share of reports to expect if s of the votes are for Dole."],
        ),
        choice(
            "predict the density",
            f"The count of {dole} is published with Laplace noise of scale 1. Which published numbers say "
            f"most about whether the count is {dole} or {dole - 1}?",
            {
                "Those between the two counts": "In the middle both counts explain the number equally well.",
                "Those far away from both": "They do not say more than others on the same side, and not "
                "less.",
                f"All below {dole - 1} say equally much, and all above {dole}": "Outside the two counts the "
                "ratio of the densities is constant: e to the power of 1. No number says more than 1 nat.",
            },
            f"All below {dole - 1} say equally much, and all above {dole}",
            hints=["How does the density of Laplace noise fall from one unit to the next?"],
        ),
        number(
            "your noise",
            "Draw 100,000 numbers with your function, at scale 2. What is their standard deviation?",
            float(np.sqrt(8)),
            0.06,
            "√2 times the scale, and their mean is 0. That is the price of the promise.",
            wrong={
                0.0: "There is no noise yet: the function still returns zeros.",
                2.0: "Are some of your numbers below 0? Laplace noise lies on both sides.",
            },
            hints=[
                "rng.exponential(scale, n) has the right size and is never negative.",
                "The difference of two such draws is Laplace noise of that scale.",
            ],
        ),
        number(
            "scale",
            "One vote changes the count by at most 1. What is the least scale at which no change of log odds "
            "exceeds 0.1 nats?",
            10.0,
            0.01,
            "Promise = largest change of the count / scale, so scale = 1 / 0.1 = 10.",
            wrong={0.1: "That is the promise. With scale 0.1 there would be hardly any noise, and 10 nats."},
            hints=["The promise is 1 / scale nats."],
        ),
        explorer(
            "set the noise",
            "Set the explorer so that no vote leaks more than 0.25 nats, with as little noise as possible.",
            "prior_explorer",
            {"scale": (3.95, 4.1), "results.largest.value": (0, 0.2501)},
            explain="Scale 4: 1 / 4 = 0.25 nats. These three votes are independent, so nobody learns more.",
            hints=["Drag or type the scale in the first sentence.", "Scale 4 or a little more."],
            otherwise="Either more than 0.25 nats leak, or there is more noise than needed.",
        ),
        nats(
            "ten reports",
            "A voter answers ten different questions through a coin with ε = 0.1 nats each. All ten reports "
            "together are about one person. By how many nats can they move somebody's log odds about that "
            "person at most?",
            1.0,
            "Nats add: ten times 0.1. This bound holds however the ten answers depend on each other.",
            tolerance=0.001,
            wrong={0.1: "That is one report alone. Log odds move with each of them."},
        ),
        text(
            "the promise",
            "Explain to a friend what a promise of 1 nat says, and what it does not say. Three sentences "
            "are enough.",
            "Whatever is published, it multiplies the odds between two possible values of one record by at "
            "most e, about 2.7. That holds while the other records stay as they are, and for whatever odds "
            "somebody began with. It does not say that nobody can guess the record: odds that were high "
            "before stay high. It says nothing yet about records that change together; that is what the "
            "next lessons are about.",
            least=15,
        ),
        nats(
            "as printed",
            "Noise with densities exp(−distance / ε), as printed: which leakage does it give for ε = 2, "
            "when one record changes the sum by 1?",
            0.5,
            "As printed ε stands where a scale belongs: the log ratio is 1 / ε = 0.5 nats.",
            tolerance=0.001,
            wrong={2: "That is what was meant. Put ε = 2 into the printed density."},
            hints=["The ratio is exp(−d / ε) / exp(−(d + 1) / ε)."],
        ),
        nats(
            "unnoticed",
            "For one value of ε the printed density and the right one agree. Which one?",
            1.0,
            "1 / ε = ε only at ε = 1. An example with ε = 1 would never have shown it.",
            tolerance=0.001,
        ),
        text(
            "the proof",
            "Prove in two or three lines that the printed density cannot be the one that was meant.",
            "A promise of ε asks for a density ratio of at most exp(ε) when the sum changes by 1. The "
            "printed densities have the ratio exp(1/ε) at every point outside the two sums. For ε = 2 that "
            "is exp(0.5), so the noise is four times as large as needed; for ε = 0.5 it is exp(2), and the "
            "promise is broken.",
            least=12,
        ),
    ]
