"""The questions of lesson 5 with their answers: reports that follow each other, and a belief that moves."""

from __future__ import annotations

from itertools import count

import numpy as np

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text

STAY, WEEKS = 0.9, 10


def first_step(belief: float, epsilon: float) -> float:
    """Return what the printed mechanism leaks at a belief in the rarer of two votes, in nats."""
    return float(pdp.ConditionalResponse(epsilon).channel([1 - belief, belief]).leakage)


def whole_sequence(belief: float, mechanism: str, weeks: int) -> float:
    """Return what all weeks together leak at 1 nat a week, in nats."""
    chain = pdp.MarkovChain.symmetric(STAY, start=[1 - belief, belief])
    return float(pdp.SequenceAnalysis(chain, mechanism, weeks, epsilon=1.0).sequence)


def questions() -> Questions:
    """Weekly reports of one voter, what keeps a promise about them, and two errata."""
    people = pdp.anes96_records().to_dataframe()
    democrats = float((people.loc[people["party"] == "weak Democrat", "vote"] == "Dole").mean())
    fair = pdp.MarkovChain.symmetric(STAY)
    weekly = pdp.streams.temporal_leakage(fair, 0.5, WEEKS)
    last = float(weekly.backward[-1])
    middle = float(pdp.streams.temporal_leakage(fair, 0.5, 21).total[10])
    surprise = first_step(democrats, 1.0)
    threshold = float(pdp.streams.crr_valid_threshold(STAY))
    four = whole_sequence(democrats, "crr", 4)
    kept = whole_sequence(democrats, "crr_balanced", 4)

    def helps(weeks: int) -> bool:
        bounds = pdp.compose(0.1, weeks, delta=1e-5)
        return float(bounds.advanced) < float(bounds.linear)

    useful = next(weeks for weeks in count(1) if helps(weeks))
    example = pdp.streams.TwoPoints(0.5, 0.1, 1.0, 1.0)
    printed = float(example.printed_noise_correlation)
    right = float(example.noise_correlation)
    return [
        choice(
            "predict the weeks",
            "For 21 weeks a voter sends a randomised vote, with a promise of 0.5 nats for each report. "
            "From one week to the next the vote stays the same with probability 0.9. What can all reports "
            "together say about the vote in the middle week?",
            {
                "0.5 nats": "The other reports are about other weeks. But those votes are likely to be the "
                "same one.",
                "More than 0.5 nats, and less than all budgets together": "Reports of near weeks say "
                "nearly as much as the own one, those of far weeks next to nothing.",
                "10.5 nats, all budgets together": "That would be so if the vote never changed.",
            },
            "More than 0.5 nats, and less than all budgets together",
            hints=["What does last week's vote say about this week's?"],
        ),
        nats(
            "your carry",
            f"Complete the function and run the cell. What can the reports of {WEEKS} weeks say together "
            "about the vote of the last week?",
            last,
            f"{last:.3f} nats. All budgets add up to {0.5 * WEEKS:g}, and most of that is forgotten on the "
            "way.",
            wrong={
                0.5 * WEEKS: "That is the sum of all budgets: nothing has been forgotten. Let votes change.",
                0.5: "That is one report alone.",
            },
            hints=[
                "Suppose that the reports make last week's Dole e^leak times as likely as before.",
                "This week Dole comes from Dole with probability stay, and from Clinton with 1 − stay.",
                "np.log((stay * odds + 1 - stay) / ((1 - stay) * odds + stay)) with odds = np.exp(leak).",
            ],
        ),
        nats(
            "the middle week",
            "What can the reports of all 21 weeks say about the middle one?",
            middle,
            f"{middle:.3f} nats: {middle / 0.5:.1f} times the promise for its own report.",
            hints=["The row of 21 weeks, the column stay 0.9."],
        ),
        nats(
            "a weak Democrat",
            f"Of the weak Democrats in the survey {100 * democrats:.1f} % vote for Dole. The mechanism knows "
            "that, and so does the reader. What does the first report of one of them say at most, at ε = 1?",
            surprise,
            f"{surprise:.3f} nats, where 1 was promised. A report of Dole is mostly genuine here, since a "
            "random one would hardly ever be Dole.",
            wrong={1.0: "That is the promise. Run the cell with the belief of a weak Democrat."},
            hints=["The second line of the output."],
        ),
        number(
            "the rarest vote",
            "How likely must the rarer vote be, at least, so that the mechanism keeps a promise of 1 nat?",
            float(1 / (1 + np.e)),
            0.003,
            "1 / (1 + e) = 0.269. In the mini-project you prove it.",
            hints=[
                "Solve e^−1 + (1 − e^−1) / b = e for b.",
                "Or try beliefs between 0.2 and 0.3 in the cell above.",
            ],
        ),
        explorer(
            "a safe budget",
            "Find the smallest budget at which the printed mechanism keeps its promise in every week. Set "
            "it, start again and play to check.",
            "stream_simulator",
            {"epsilon": (float(np.ceil(1e3 * threshold) / 1e3), 2.2)},
            explain=f"{threshold:.3f} nats a week. For two votes that stay with probability s it is "
            "ln(s / (1 − s) − 1): the rarer vote is always believed with a little more than 1 − s, since no "
            "report is certain.",
            hints=[
                "The belief in the rarer vote never falls below 1 − 0.9.",
                "1 / (1 + e^ε) = 0.1 says ε = ln 9 = 2.197. A little less is enough.",
            ],
            otherwise="Either some week leaks more than the budget, or a smaller budget would do.",
        ),
        choice(
            "predict the sequence",
            "Single weeks leak more than 1 nat. Do four weeks together leak more than 4 nats?",
            {
                "Always": "The worst vote of one week need not lead to the worst of the next.",
                "Never": "The first week of a weak Democrat alone leaks more than 2 nats.",
                "It depends on what is believed at the start": "From a fair start four weeks keep to 4 nats, "
                "although single weeks do not keep to 1.",
            },
            "It depends on what is believed at the start",
        ),
        nats(
            "four weeks",
            "What do four weekly reports of a weak Democrat leak together, by the printed mechanism?",
            four,
            f"{four:.3f} nats, 4 promised. The balanced mechanism leaks {kept:.3f}.",
            wrong={kept: "That is the balanced mechanism."},
            hints=["The row of weak Democrats, the column of the printed mechanism."],
        ),
        choice(
            "choose",
            "Which mechanism would you take for this panel, with a promise of 1 nat a week?",
            {
                "The printed one: it is wrong least often": "It is, because it leaks more than it says.",
                "The optimum": "It keeps the promise and is wrong less often than all others that do.",
                "Randomised response: it is the safest": "It keeps the promise and is safe without any "
                "belief. But it is wrong most often.",
            },
            "The optimum",
            hints=["Strike out who breaks the promise. Who is wrong least often among the rest?"],
        ),
        number(
            "when it helps",
            "At 0.1 nats a week and δ = 0.00001: from how many weeks on is the advanced bound below the "
            "linear one?",
            useful,
            0.5,
            f"{useful} weeks. Before that, the plain sum is the better bound.",
            hints=["The table has it between 20 and 30 weeks.", "Try pdp.compose(0.1, weeks, delta=1e-5)."],
        ),
        choice(
            "predict the batch",
            "Three weeks are collected and released together, with three times the budget. What changes?",
            {
                "Fewer errors, and nothing else": "What can now be said about one single week?",
                "Fewer errors, but one week can take the whole budget": "The promise is 3 nats about three "
                "weeks. It does not say how they are divided.",
                "More errors": "The mechanism sees three weeks at once and can spend the budget where it "
                "matters.",
            },
            "Fewer errors, but one week can take the whole budget",
            hints=["What does a promise of 3 nats about three weeks say about one of them?"],
        ),
        text(
            "tell the panel",
            "Write to the voters of the panel: what does ε = 1 a week promise, and what does it not?",
            "If every week keeps its promise whatever was sent before, T weeks change the probability of any "
            "history of your votes by a factor of e^T at most. That holds for somebody who believes "
            "what we believe about how votes change. It does not hold for the printed mechanism when one "
            "vote is rare. And it is no promise of 1 nat about one single week: the reports of its "
            "neighbours speak of it too.",
            least=20,
        ),
        nats(
            "sixteen alike",
            "A symbol is one of sixteen that are equally likely. From which ε on does the printed mechanism "
            "keep its promise in the first step?",
            float(np.log(15)),
            "ln 15 = 2.708 nats, since 1/16 has to be at least 1 / (1 + e^ε).",
            hints=["All sixteen are rare.", "Set 1/16 = 1 / (1 + e^ε)."],
        ),
        text(
            "the proof",
            "Prove that the mechanism of Theorem 4 leaks more than ε exactly where some possible symbol has "
            "a belief b below 1 / (1 + e^ε).",
            "Symbols are published as often as they are believed, so output y has probability b. From symbol "
            "y it has e^−ε b + 1 − e^−ε, and the ratio is e^−ε + (1 − e^−ε) / b. From any other symbol the "
            "ratio is e^−ε, which keeps the promise. So the promise is broken where e^−ε + (1 − e^−ε) / b "
            "> e^ε, that is (1 − e^−ε) / b > e^ε − e^−ε = (1 − e^−ε)(1 + e^ε), that is b < 1 / (1 + e^ε).",
            least=20,
        ),
        number(
            "a correlation",
            "The appendix of the paper gives a formula for the correlation of two errors. What does it give "
            "for P₁ = 0.5 and φ = 0.1, with 1 nat for each answer?",
            printed,
            0.006,
            f"{printed:.2f}. A correlation is at most 1. The formula divides by variances in place of "
            f"standard deviations; the right value is {right:.3f}.",
            wrong={right: "That is the right correlation."},
            hints=["The last column."],
        ),
    ]
