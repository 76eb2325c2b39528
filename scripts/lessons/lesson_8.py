"""The questions of lesson 8 with their answers: one data set through all notions, readers and guarantees."""

from __future__ import annotations

from itertools import count

import numpy as np

import pdp_widgets as pdp
from pdp_widgets.meaning import LaplaceNoise, Meaning, noisy_laws
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text

DOLE, VOTERS = 393, 944


def couple(alike: float) -> pdp.JointDistribution:
    """Return two votes, each for Dole half of the time, alike with the given probability."""
    same, other = alike / 2, (1 - alike) / 2
    votes = ("Clinton", "Dole")
    return pdp.JointDistribution([[same, other], [other, same]], [votes, votes], ["Ann", "Ben"])


def weak(alike: float, scale: float) -> float:
    """Return what a noisy count says about Ann to a reader who knows neither vote, in nats."""
    joint = couple(alike)
    release = pdp.LaplaceMechanism(pdp.LinearQuery.count(joint, "Dole"), scale)
    return float(pdp.prior.PriorAdversary(joint, release, "Ann", {}).leakage)


def slack(percent: int) -> float:
    """Return the slack of the exact count at half a nat, if so many percent of the votes are known."""
    analysis = pdp.AnonymityAnalysis(
        pdp.anes96_records(),
        ["age", "income"],
        "vote",
        5,
        release="count:Dole",
        level="III",
        known=percent / 100,
    )
    return float(analysis.slack(0.5).delta)


def questions() -> Questions:
    """What a leakage means, who learns it, what keeps it small, and a sentence to sign."""
    share = DOLE / VOTERS
    odds = share / (1 - share) * np.exp(weak(0.8, 1.0))
    believed = float(odds / (1 + odds))
    known_all = Meaning(noisy_laws(LaplaceNoise(1.0), [0, 1], [[1, 0], [0, 1]]))
    advantage = float(known_all.measure("advantage"))
    coin = float(np.tanh(0.5))
    # From above: the first share that is small enough is the largest one.
    enough = next(percent for percent in count(99, -1) if slack(percent) <= 1e-4)
    joint = couple(0.8)
    count_of_dole = pdp.LaplaceMechanism(pdp.LinearQuery.count(joint, "Dole"), 1.0)
    scale = float(pdp.PriorAnalysis(joint, count_of_dole, convention="sup").calibrate(1.0).scale)
    other = weak(0.95, scale)
    step = pdp.ConditionalResponse(1.0).channel([0.5, 0.5])
    surer = pdp.streams.mismatched_prior(step.matrix, step.belief, [0.9, 0.1])
    return [
        choice(
            "predict the exact count",
            "The number of votes for Dole is published without any noise. A reader knows nine votes in ten, "
            "and takes the other ones for independent. What is the leakage about one unknown vote, in nats?",
            {
                "Nearly 0: 93 other unknown votes hide it": "They nearly always do. But a leakage is a "
                "maximum over everything that can be published.",
                "1 nat": "There is no noise whose scale would say 1.",
                "Infinite": "The count can be the largest that is possible. Then everybody unknown voted for "
                "Dole, for certain.",
            },
            "Infinite",
            hints=["Which published number would settle the matter?"],
        ),
        number(
            "your belief",
            "Complete the function and run the cell. A reader believes in Dole with probability 0.416, and "
            "1.569 nats leak, as in the second row. What can the reader believe after the release, at most?",
            believed,
            0.003,
            f"{believed:.3f}. Log odds add up, so odds are multiplied by e^1.569.",
            wrong={
                share: "That is the belief before.",
                share * float(np.exp(weak(0.8, 1.0))): "That multiplies a probability. Multiply the odds.",
            },
            hints=[
                "Turn the probability into odds, multiply by np.exp(leak), and turn it back.",
                "odds / (1 + odds)",
            ],
        ),
        choice(
            "predict the test",
            "A randomised vote with ε = 1 and a noisy count of scale 1, for a reader who knows all other "
            "votes: both leak 1 nat. Is a vote guessed equally well from both?",
            {
                "Yes, 1 nat is 1 nat": "It is the same worst case. How often is the worst case reached?",
                "Better from the randomised vote": "Its two reports both reach the worst case. The noisy "
                "count often falls between 0 and 1, where it says less.",
                "Better from the noisy count": "It has many more outcomes, but none says more than 1 nat, "
                "and many say less.",
            },
            "Better from the randomised vote",
            hints=["How often does each release say the full 1 nat?"],
        ),
        number(
            "the advantage",
            "What is the advantage of the best guess from the noisy count?",
            advantage,
            0.003,
            f"{advantage:.3f} = 1 − e^(−1/2). The randomised vote gives {coin:.3f} = tanh(1/2), the most "
            "that 1 nat allows.",
            wrong={coin: "That is the randomised vote."},
            hints=["The second row."],
        ),
        choice(
            "worse or better",
            "The exact count leaks infinitely much and has the smallest advantage. Which statement is right?",
            {
                "The leakage is wrong": "It is exact. There are counts that settle the vote.",
                "Both are right: nearly always it says little, and it can say all": "A worst case and an "
                "average are two things. For a guarantee you have to say which one you mean.",
                "The advantage is wrong": "It is exact as well: an average over everything that can be "
                "published.",
            },
            "Both are right: nearly always it says little, and it can say all",
        ),
        explorer(
            "how much may be known",
            "The office accepts a slack of 0.0001 at ε = 0.5. Find the largest share of known votes for "
            "which the exact count keeps that, in whole percent.",
            "anonymity_explorer",
            {"known": (enough / 100 - 0.004, enough / 100 + 0.004), "epsilon": (0.499, 0.501)},
            explain=f"{enough} %. So the promise is: to readers who know at most {enough} % of the votes. "
            "Whether there is one who knows more is no question of mathematics.",
            hints=["Lower the share until δ in the sentence is at most 0.0001.", "It is above 80 %."],
            otherwise="Either the slack is larger than 0.0001, or more could be known.",
        ),
        nats(
            "another law",
            f"Noise of scale {scale:.3f} was computed for couples who vote alike four times in five, and "
            "keeps 1 nat. In another town couples vote alike 19 times in 20. What leaks there?",
            other,
            f"{other:.3f} nats. The scale is exact for its table, and a promise for nothing else. The rule "
            "for groups, scale 2, holds in both towns.",
            hints=["The row 0.95."],
        ),
        choice(
            "two totals",
            "A town publishes the exact number of votes for Dole. A week later one voter has moved away, and "
            "the number is published again. Each has a slack of 0.001. What about both?",
            {
                "The slack is at most 0.002": "That is so for two releases of differential privacy.",
                "The vote of the one who moved is known": "It is the difference. The unknown votes hide a "
                "single total and cancel out in two.",
                "The slack stays 0.001": "Subtract one number from the other.",
            },
            "The vote of the one who moved is known",
            hints=["What can be done with two numbers?"],
        ),
        choice(
            "a table for researchers",
            "A clinic wants to publish a table of patients for anybody to use, and other clinics publish "
            "theirs. What would you tell it?",
            {
                "k = 5 is enough": "Lesson 7: two tables with k = 5 revealed 25 leanings.",
                "A larger k is enough": "A larger k is no promise either, and nothing adds up.",
                "Publish noisy counts with a budget instead, or give the table under contract": "Promises "
                "with noise add up, whatever else is published. A contract limits who reads.",
            },
            "Publish noisy counts with a budget instead, or give the table under contract",
            hints=["Which promises survive a second release?"],
        ),
        choice(
            "a diary",
            "An app sends a randomised mood every day, ε = 0.5 each. Nobody is to be trusted, and nobody "
            "knows for sure how moods follow each other. What can it promise, whatever that law is?",
            {
                "0.5 nats about each day": "Reports of other days speak of this one (lesson 5).",
                "Half a nat times the number of days, about all of them": "Promises about one person add up, "
                "for every law. Any smaller number needs to know how days depend on each other.",
                "Nothing": "A randomised report keeps its promise without any law.",
            },
            "Half a nat times the number of days, about all of them",
            hints=["Which bound of lesson 5 did not need the chain?"],
        ),
        text(
            "sign it",
            "Choose one release of section 1 and write a promise that you would sign. Say about whom, to "
            "which readers, under which assumptions, how much, and what it does not cover.",
            "For example: we publish the number of votes for Dole with Laplace noise of scale 2. If nobody "
            "shares a household with more than one other voter, and households are independent, this moves "
            "the log odds of any vote by at most 1 nat, for readers who know any other votes or none. It is "
            "one release; a second one adds to it. It does not cover what readers knew before, nor voters "
            "who depend on more than one other.",
            least=30,
        ),
        nats(
            "a surer reader",
            "The mechanism of lesson 5 is made for the belief 1/2 and ε = 1. What does a report leak to a "
            "reader who believes in Clinton with probability 0.9?",
            float(surer.adversary),
            f"{surer.adversary:.3f} nats, more than to the reader it was made for.",
            hints=["The row of 0.9."],
        ),
        nats(
            "the ceiling",
            "The surer the reader, the more. Towards which number does it go?",
            float(surer.ceiling),
            "ln(2e − 1) = 1.490 nats, the level of local differential privacy of this channel.",
            hints=[
                "If Clinton is certain, how likely is the report Dole?",
                "The ratio of the two entries in a column of the channel.",
            ],
        ),
        text(
            "the proof",
            "Prove that a reader with another belief can learn more than ε, for any ε above 0.",
            "Made for the belief 1/2, the channel has p = 1 − e^−ε / 2 for the true vote and q = e^−ε / 2 "
            "for the other. A reader who believes in Clinton with probability c expects the report Dole with "
            "probability c q + (1 − c) p. A voter of Dole sends it with probability p. For c near 1 the "
            "ratio comes near p / q = 2 e^ε − 1. That is above e^ε, because e^ε is above 1. So this reader "
            "can learn more than ε about that vote, and the paper says that such a reader learns less.",
            least=20,
        ),
    ]
