"""The questions of lesson 4 with their answers: reports of one answer that speak of another."""

from __future__ import annotations

import numpy as np

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text

ANSWERS = ["vote", "party", "own leaning", "TV news"]


def questions() -> Questions:
    """What one report, a guess of it, and all reports of a voter say."""
    survey = pdp.anes96().select(ANSWERS)
    grr = pdp.LocalAnalysis(survey, "GRR", 1.0)
    there, back = float(grr.pair("vote", "party")), float(grr.pair("party", "vote"))
    own = float(grr.pair("party", "own leaning"))
    oue = float(pdp.LocalAnalysis(survey, "OUE", 1.0).pair("party", "own leaning"))
    guess = float(pdp.LocalAnalysis(survey, "OUE", 1.0, output="inferred").pair("party", "own leaning"))
    together = grr.joint("vote")
    exact, added = float(together.exact), float(together.pairwise_sum)
    budget = float(pdp.local.calibrate_budget(survey, 1.0, pdp.GRR(1.0)).epsilon)
    people = survey.to_dataframe()
    dole = (people["vote"] == "Dole").groupby(people["party"]).mean()
    most, least = dole["strong Republican"], dole["strong Democrat"]
    largest = float(pdp.local.all_reports(grr).exact.max())
    truth = float(pdp.GRR(1.0).channel(7)[0, 0])
    parity = pdp.LocalAnalysis(pdp.examples.parity(), "GRR", 1.0)
    three = float(parity.joint("parity").exact)
    return [
        number(
            "truth of seven",
            "There are seven parties. With which probability does a voter report the true one, at ε = 1?",
            truth,
            0.004,
            f"e / (e + 6) = {truth:.3f}: less than one report in three is true.",
            wrong={float(np.e / (1 + np.e)): "That is for two answers. Here a lie has six ways to go."},
            hints=["The truth is e times as likely as each of the six lies.", "All seven add up to 1."],
        ),
        choice(
            "predict the report",
            "A report of the vote promises at most 1 nat about the vote. What can it say about the party, "
            "which the coin never saw?",
            {
                "Nothing": "Hardly any strong Democrat votes for Dole. So a report of Dole says something.",
                "Up to 1 nat, and here a little less": "It speaks of the party only through the vote, so "
                "never by more than it says about the vote.",
                "More than 1 nat": "It says 1 nat about the vote, and the party only through that.",
            },
            "Up to 1 nat, and here a little less",
            hints=["How does the party reach the report?"],
        ),
        nats(
            "your formula",
            "Complete the function and run the cell. What does a report of the vote say about the party, at "
            "most?",
            there,
            f"{there:.3f} nats: nearly all that it may say about the vote.",
            tolerance=0.004,
            wrong={
                1.0: "That is what it says about the vote. Mix the votes of each party first.",
                float(np.exp(there)): "That is a ratio. Take its logarithm.",
            },
            hints=[
                "For each party: how likely is each report?",
                "Matrices do the mixing: conditional @ channel.",
            ],
        ),
        choice(
            "predict the mirror",
            "And the other way round: does a report of the party say as much about the vote?",
            {
                "Yes, correlation is symmetric": "Correlation is. What matters here is how likely a report "
                "is, given the secret.",
                "It says more": "A party tells the vote better than a vote tells the party. But this is "
                "about reports, and two of three reports of a party are false.",
                "It says less": "Two of three reports of a party are false, and the voters of Dole belong "
                "to several parties.",
            },
            "It says less",
        ),
        nats(
            "the mirror",
            "How much does a report of the party say about the vote?",
            back,
            f"{back:.3f} nats, where the mirror says {there:.3f}. Leakage has a direction.",
            tolerance=0.004,
            hints=["The row is the report, the column is the secret."],
        ),
        choice(
            "which two",
            "Choose the cell vote, party in the explorer. Which two parties does a report of the vote tell "
            "apart best?",
            {
                "Independents and weak Republicans": "Some of both vote for Dole, and some for Clinton.",
                "Strong Republicans and strong Democrats": f"{100 * most:.0f} % of the one vote for Dole, "
                f"and {100 * least:.1f} % of the other. A leakage is a maximum, so the two most distant ones "
                "decide it.",
                "Weak Democrats and strong Democrats": "Both hardly ever vote for Dole.",
            },
            "Strong Republicans and strong Democrats",
        ),
        choice(
            "predict the guess",
            "OUE sends one bit for each answer in place of one answer. A paper lets an adversary keep one "
            "of the answers whose bit is 1 as a guess, and measures what that guess says. What does it "
            "measure?",
            {
                "What the report leaks": "The other bits are in the report too, and the guess drops them.",
                "Less than the report leaks": "A guess is computed from the report, so it cannot say more, "
                "and here it says less than half.",
                "More than the report leaks": "A guess is computed from the report. It cannot add anything.",
            },
            "Less than the report leaks",
        ),
        nats(
            "the whole report",
            "How much does the whole OUE report of the party say about a voter's own leaning?",
            oue,
            f"{oue:.3f} nats, and a guess from it only {guess:.3f}. GRR leaks {own:.3f}, so by the released "
            "report the ranking of the two turns around.",
            tolerance=0.004,
            wrong={guess: "That is the guess.", own: "That is GRR."},
            hints=["Row OUE, column of the report."],
        ),
        choice(
            "predict the sum",
            "A voter reports all four answers. Each of the other three reports says something about the "
            "vote. Add these three numbers to the 1 nat of the vote's own report. What is the sum?",
            {
                "The exact leakage of all four reports": "It would be if the other answers were independent "
                "given the vote, and all worst cases occurred together.",
                "An upper bound": "Two reports together can say more than both say alone.",
                "An estimate, too high or too low": "Reports can repeat each other, which makes it too "
                "high. They can also complete each other, which makes it too low.",
            },
            "An estimate, too high or too low",
            hints=["Can two pieces of evidence say more together than the sum of what each says alone?"],
        ),
        nats(
            "all four",
            "How much do all four reports together say about the vote, exactly?",
            exact,
            f"{exact:.3f} nats, and the sum says {added:.3f}: too low. For the other three answers it is too "
            "high.",
            tolerance=0.003,
            wrong={added: "That is the sum."},
            hints=["Column exact, row vote."],
        ),
        number(
            "the split",
            "All four reports together are to say at most 1 nat about any answer, whatever the data are. "
            "Which ε may each report have?",
            0.25,
            0.001,
            "A quarter of a nat each: promises add up, so 4 · 0.25 = 1.",
            unit="nats",
            hints=["Promises about one person add up."],
        ),
        explorer(
            "set the budget",
            "These voters allow more than the split. Set ε in the explorer as large as possible, so that "
            "all four GRR reports together leak at most 1 nat about any answer.",
            "local_explorer",
            {"epsilon": (0.37, float(np.floor(1e4 * budget) / 1e4)), "mechanism": "GRR", "output": "raw"},
            explain=f"The exact answer is {budget:.4f}, {budget / 0.25:.2f} times the split. It holds for "
            "this table, and the split for every table.",
            hints=["More, then Find a budget.", "It lies between 0.37 and 0.38."],
            otherwise="Either all reports leak more than 1 nat about some answer, or there is room left.",
        ),
        text(
            "who promises",
            "Explain to a participant of the survey what ε = 1 for each of four answers promises, and what "
            "it does not.",
            "Each report changes the odds between two values of its own answer by a factor of e at most. It "
            "also says something about the other answers, because they are correlated. All four reports "
            f"together can say more than 1 nat about one answer, here up to {largest:.1f}, but never more "
            "than 4. Nobody has to be trusted for that, since only the randomised reports are sent.",
            least=15,
        ),
        nats(
            "one bit",
            "One report of bit 1 alone: how much does it say about the parity?",
            0.0,
            "Nothing. Given the parity, bit 1 is still a fair coin.",
            tolerance=0.001,
            hints=["Is bit 1 any different when the parity is 1?"],
        ),
        nats(
            "three reports",
            "And all three reports together?",
            three,
            f"{three:.3f} = 1 + ln cosh 1, where the sum says 1 + 0 + 0.",
            tolerance=0.003,
            hints=["The column exact."],
        ),
        text(
            "the proof",
            "Prove by hand that the sum is not an upper bound, for any ε above 0.",
            "Let a report be true with probability p and false with q, where p / q = exp(ε). Suppose that "
            "both bits are reported as 0. If the parity is 0, the bits are 00 or 11 with probability 1/2 "
            "each, so this has probability (p² + q²) / 2. If the parity is 1, it has probability pq. The "
            "ratio is (p² + q²) / (2pq) = cosh ε, which is above 1. The own report is independent of that "
            "given the parity and adds ε. So the three reports leak ε + ln cosh ε, and the sum says ε.",
            least=20,
        ),
        number(
            "half the budget",
            "A second erratum. The paper finds that EXP leaks less than GRR at the same ε. At which ε does "
            "GRR leak as much as EXP at ε = 1?",
            0.5,
            0.01,
            "At 1/2. As defined, EXP spends half of its budget only: it is GRR at ε/2, and no better.",
            unit="nats",
            hints=[
                "Compare the channel of EXP with those of GRR.",
                "Try pdp.GRR(ε).channel(7) with a smaller ε.",
            ],
        ),
    ]
