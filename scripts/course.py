"""The questions of the course with their answers: `python scripts/course.py` seals them for the package.

Every number is computed here, and nowhere typed in. The notebooks in notebooks/course read sealed questions
by their names.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import pdp_widgets as pdp
from pdp_widgets.publish.answers import write_questions
from pdp_widgets.publish.questions import (
    SealedQuestion,
    choice_question,
    explorer_question,
    number_question,
    text_question,
)

PLACE = ROOT / "pdp_widgets" / "data" / "course"


def voters_of_dole() -> tuple[int, int]:
    """Return how many of the voters of 1996 voted for Dole, and how many there are."""
    votes = pdp.anes96_records().to_dataframe()["vote"]
    return int((votes == "Dole").sum()), len(votes)


def lesson_0() -> list[SealedQuestion]:
    """Odds, randomised response, Laplace noise."""
    dole, all_voters = voters_of_dole()
    odds = dole / (all_voters - dole)
    coin = pdp.GRR(float(np.log(3)))
    after = odds * float(np.exp(coin.epsilon))
    reported = 0.25 + 0.5 * dole / all_voters
    one_nat = float(pdp.GRR(1.0).channel(2)[0, 0])
    return [
        number_question(
            "odds",
            f"Of {all_voters} voters, {dole} voted for Dole and {all_voters - dole} for Clinton. You "
            "meet one of "
            "them and know nothing else. What are the odds of Dole against Clinton?",
            odds,
            tolerance=0.006,
            explain=f"{dole} / {all_voters - dole} = {odds:.3f}: a little below even.",
            wrong={
                dole
                / all_voters: "That is the probability of Dole. Odds divide by the other case, not by all.",
                1 / odds: "Those are the odds of Clinton against Dole.",
            },
            hints=[
                "Odds compare two cases with each other.",
                "Divide the voters of Dole by those of Clinton.",
            ],
        ),
        number_question(
            "log odds",
            "And the log odds of Dole against Clinton, with the natural logarithm?",
            float(np.log(odds)),
            tolerance=0.006,
            unit="nats",
            explain=f"ln {odds:.3f} = {np.log(odds):.3f} nats. Below 0 means: less likely than not.",
            wrong={
                -float(np.log(odds)): "The size is right. Which of the two is less likely?",
                float(np.log10(odds)): "That is the decimal logarithm. Nats belong to the natural one.",
            },
            hints=["np.log is the natural logarithm.", "Odds below 1 have a negative logarithm."],
        ),
        choice_question(
            "two pieces",
            "Two independent pieces of evidence each raise the log odds of Dole by 0.5 nats. By how much "
            "do both "
            "together?",
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
        choice_question(
            "predict the coin",
            "The voters tell the truth with probability 3/4, and otherwise the opposite. One of them "
            "reports Dole. "
            "How sure can you be that it is true?",
            {
                "More than 75 %": "Before the report, Dole was the less likely vote. Does that raise or "
                "lower it?",
                "75 %": "That would be so if both votes were equally likely beforehand.",
                "Less than 75 %": "Dole was less likely than not beforehand, and that still counts.",
            },
            "Less than 75 %",
        ),
        number_question(
            "your coin",
            "Run your function on all voters. Which share of the reports differs from the vote?",
            0.25,
            tolerance=0.035,
            explain="About one report in four is a lie. With 944 voters the share varies by about 0.014.",
            wrong={0.0: "No report differs yet: the function still returns the votes themselves."},
            hints=[
                "rng.random(len(votes)) < 0.75 is True three times in four.",
                "np.where(truthful, votes, 1 - votes) keeps a vote or turns it around.",
            ],
        ),
        number_question(
            "budget of the coin",
            "How many times as likely is the report Dole from a voter of Dole as from a voter of "
            "Clinton? Give the "
            "natural logarithm of that ratio. This is the budget ε of the coin.",
            coin.epsilon,
            tolerance=0.006,
            unit="nats",
            explain="0.75 / 0.25 = 3, and ln 3 = 1.099 nats. No report moves anybody's log odds further.",
            wrong={
                3: "That is the ratio. Take its logarithm.",
                0.75: "That is a probability. Divide two of them.",
            },
            hints=["A voter of Clinton reports Dole only by lying."],
        ),
        number_question(
            "after the report",
            "A voter reports Dole. What is now the probability that this voter chose Dole?",
            after / (1 + after),
            tolerance=0.006,
            explain=f"The odds were {odds:.3f} and become 3 times that, {after:.3f}. Odds of {after:.3f} "
            "are a "
            f"probability of {after / (1 + after):.3f}.",
            wrong={
                0.75: "That would be so from even odds. Begin with the odds you had.",
                after: "Those are the odds. A probability is odds / (1 + odds).",
            },
            hints=["The report multiplies the odds by 3.", "A probability is odds / (1 + odds)."],
        ),
        number_question(
            "a coin for 1 nat",
            "With which probability must a voter tell the truth so that ε is exactly 1 nat?",
            one_nat,
            tolerance=0.004,
            explain=f"p / (1 − p) = e, so p = e / (1 + e) = {one_nat:.3f}.",
            hints=["The ratio p / (1 − p) has to be e^ε.", "Solve p / (1 − p) = 2.718 for p."],
        ),
        number_question(
            "estimate",
            f"Of all reports, {100 * reported:.1f} % say Dole. Everybody told the truth with probability "
            "3/4. Which "
            "share of the voters voted for Dole, by your best estimate?",
            dole / all_voters,
            tolerance=0.006,
            explain="A share s of votes gives a share of 0.75 s + 0.25 (1 − s) = 0.25 + 0.5 s of "
            "reports. Solved "
            f"for s: (reports − 0.25) / 0.5 = {dole / all_voters:.3f}.",
            wrong={reported: "That is the share of the reports. Lies pull it towards one half."},
            hints=["Write down which share of reports to expect if s of the votes are for Dole."],
        ),
        choice_question(
            "predict the density",
            f"The count of {dole} is published with Laplace noise of scale 1. Which published numbers "
            "say most about "
            f"whether the count is {dole} or {dole - 1}?",
            {
                "Those between the two counts": "In the middle both counts explain the number equally well.",
                "Those far away from both": "They do not say more than others on the same side, and not "
                "less.",
                f"All below {dole - 1} say equally much, and all above {dole}": "Outside the two counts "
                "the ratio of "
                "the densities is constant: e to the power of 1. No number says more than 1 nat.",
            },
            f"All below {dole - 1} say equally much, and all above {dole}",
            hints=["How does the density of Laplace noise fall from one unit to the next?"],
        ),
        number_question(
            "your noise",
            "Draw 100,000 numbers with your function, at scale 2. What is their mean distance from 0?",
            2.0,
            tolerance=0.06,
            explain="The mean error of Laplace noise is its scale. That is the price of the promise.",
            wrong={0.0: "There is no noise yet: the function still returns zeros."},
            hints=[
                "rng.exponential(scale, n) has the right size and is never negative.",
                "The difference of two such draws is Laplace noise of that scale.",
            ],
        ),
        number_question(
            "scale",
            "One vote changes the count by at most 1. Which scale keeps every change of log odds below "
            "0.1 nats?",
            10.0,
            tolerance=0.01,
            explain="Promise = largest change of the count / scale, so scale = 1 / 0.1 = 10.",
            wrong={0.1: "That is the promise. With scale 0.1 there would be hardly any noise, and 10 nats."},
            hints=["The promise is 1 / scale nats."],
        ),
        explorer_question(
            "set the noise",
            "Set the explorer so that no vote leaks more than 0.25 nats, with as little noise as possible.",
            "prior_explorer",
            {"scale": (3.95, 4.1), "results.largest.value": (0, 0.2501)},
            explain="Scale 4: 1 / 4 = 0.25 nats. These three votes are independent, so nobody learns more.",
            hints=["Drag or type the scale in the first sentence.", "Scale 4 or a little more."],
            otherwise="Either more than 0.25 nats leak, or there is more noise than needed.",
        ),
        number_question(
            "ten reports",
            "A voter answers ten different questions through a coin with ε = 0.1 nats each. All ten "
            "reports together "
            "are about one person. By how many nats can they move somebody's log odds about that person "
            "at most?",
            1.0,
            tolerance=0.001,
            unit="nats",
            explain="Nats add: ten times 0.1. This bound holds however the ten answers depend on each other.",
            wrong={0.1: "That is one report alone. Log odds move with each of them."},
        ),
        text_question(
            "the promise",
            "Explain to a friend what a promise of 1 nat says, and what it does not say. Three sentences "
            "are enough.",
            "Whatever is published, it multiplies the odds between two possible values of one record by "
            "at most e, "
            "about 2.7. That holds while the other records stay as they are, and for whatever odds "
            "somebody began "
            "with. It does not say that nobody can guess the record: odds that were high before stay "
            "high. It says "
            "nothing yet about records that change together; that is what the next lessons are about.",
            least=15,
        ),
        number_question(
            "as printed",
            "Noise with densities exp(−distance / ε), as printed: which leakage does it give for ε = 2, "
            "when one "
            "record changes the sum by 1?",
            0.5,
            tolerance=0.001,
            unit="nats",
            explain="As printed ε stands where a scale belongs: the log ratio is 1 / ε = 0.5 nats.",
            wrong={2: "That is what was meant. Put ε = 2 into the printed density."},
            hints=["The ratio is exp(−d / ε) / exp(−(d + 1) / ε)."],
        ),
        number_question(
            "unnoticed",
            "For one value of ε the printed density and the right one agree. Which one?",
            1.0,
            tolerance=0.001,
            unit="nats",
            explain="1 / ε = ε only at ε = 1. An example with ε = 1 would never have shown it.",
        ),
        text_question(
            "the proof",
            "Prove in two or three lines that the printed density cannot be the one that was meant.",
            "A promise of ε asks for a density ratio of at most exp(ε) when the sum changes by 1. The "
            "printed "
            "densities have the ratio exp(1/ε) at every point outside the two sums. For ε = 2 that is "
            "exp(0.5), so "
            "the noise is four times as large as needed; for ε = 0.5 it is exp(2), and the promise is "
            "broken.",
            least=12,
        ),
    ]


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


def lesson_1() -> list[SealedQuestion]:
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
        number_question(
            "both for Dole",
            "Each of the two votes for Dole half of the time, and they vote alike four times in five. "
            "With which "
            "probability do both vote for Dole?",
            0.4,
            tolerance=0.001,
            explain="Alike has probability 0.8, and half of that is Dole and Dole.",
            wrong={
                0.8: "That is alike, for either of the two.",
                0.25: "So it would be for independent votes.",
            },
            hints=["There are two ways to vote alike, and they are equally likely."],
        ),
        number_question(
            "what Ben tells",
            "Somebody learns that Ben voted for Dole. By how many nats do the log odds of Ann rise, "
            "before anything "
            "is published?",
            float(np.log(4)),
            tolerance=0.006,
            unit="nats",
            explain="The odds go from 1 to 0.8 / 0.2 = 4, and ln 4 = 1.386 nats. No noise protects from "
            "that: it was "
            "known without any release.",
            wrong={4: "That is the factor of the odds. Take its logarithm."},
            hints=["What are the odds of Ann for Dole, once Ben is known to have voted for Dole?"],
        ),
        choice_question(
            "predict the reader",
            "The number of their votes for Dole is published with Laplace noise of scale 1, a promise of "
            "1 nat. To which reader can it say most about Ann?",
            {
                "The one who knows how Ben voted": "Such a reader knows more in the end. But how much of "
                "that came "
                "from the release?",
                "The one who knows neither vote": "When Ann changes, Ben probably changes too, so the "
                "count moves by "
                "nearly 2. The promise counts on 1.",
                "Both the same": "That would be so for independent votes.",
            },
            "The one who knows neither vote",
            hints=[
                "By how much does the count change if Ann had voted otherwise, in the eyes of each reader?"
            ],
        ),
        number_question(
            "your formula",
            "Complete the function and run the cell. What can the release say at most about Ann to a "
            "reader who "
            "knows neither vote?",
            weak,
            tolerance=0.004,
            unit="nats",
            explain=f"ln((0.8 e² + 0.2 e) / (0.8 + 0.2 e)) = {weak:.3f} nats, reached at every r of 2 or "
            "more.",
            wrong={
                1.0: "The function still uses only one value of Ben. Mix both, weighted by how likely "
                "they are.",
                1.386: "That is what Ben's vote says about Ann, not the release.",
            },
            hints=[
                "Given a vote of Ann, the count has two possible values, one for each vote of Ben.",
                "If Ann voted for Dole: alike * laplace(r - 2) + (1 - alike) * laplace(r - 1).",
            ],
        ),
        number_question(
            "belief at 2",
            "The released number is 2. What is now the probability that Ann voted for Dole, for the "
            "reader who knew "
            "neither vote?",
            after,
            tolerance=0.004,
            explain=f"From even odds the gain of {weak:.3f} nats leads to odds of {np.exp(weak):.2f}, "
            "which is a "
            f"probability of {after:.3f}.",
            hints=["Begin with even odds.", "r = 2 is where the gain is largest."],
        ),
        number_question(
            "always alike",
            "Now they always vote alike. What does the same release leak to the reader who knows neither "
            "vote?",
            leaks(couple(1.0), both, {}),
            tolerance=0.001,
            unit="nats",
            explain="The count is 0 or 2: changing Ann changes it by 2, which is twice the promise.",
        ),
        number_question(
            "never alike",
            "And if they never vote alike?",
            leaks(couple(0.0), both, {}),
            tolerance=0.001,
            unit="nats",
            explain="The count is 1 in any case, so the release says nothing at all. Correlation can "
            "also protect.",
            hints=["Which counts are possible?"],
        ),
        explorer_question(
            "enough noise",
            "Set the noise of the explorer so that nobody learns more than 1 nat, with as little noise "
            "as possible.",
            "prior_explorer",
            {"scale": (float(np.floor(100 * least) / 100), 1.62), "results.largest.value": (0, 1.0005)},
            explain=f"Scale {least:.3f}, rounded up. The rule for groups asks for 2, for any couple.",
            hints=["Raise the scale until the largest number is 1.000.", "It lies between 1.5 and 1.7."],
            otherwise="Either more than 1 nat leaks, or there is more noise than needed.",
        ),
        choice_question(
            "predict the difference",
            "Instead of the sum, the difference is published: Ann's vote minus Ben's, with noise of "
            "scale 1. They "
            "vote alike four times in five. Does a reader who knows neither vote learn more than 1 nat, "
            "or less?",
            {
                "More than 1 nat": "When Ann changes, Ben tends to follow. What does that do to a "
                "difference?",
                "Exactly 1 nat": "That is what the reader who knows Ben learns.",
                "Less than 1 nat": "Ben's change takes back most of Ann's: "
                f"{leaks(joint, [1.0, -1.0], {}):.3f} nats.",
            },
            "Less than 1 nat",
        ),
        text_question(
            "why the weaker one",
            "Why can a reader who knows less learn more from the same number?",
            "The promise compares two cases that differ in Ann alone. A reader who knows Ben's vote "
            "really is in "
            "that position, and learns at most 1 nat. For a reader who knows neither vote, a change of "
            "Ann probably "
            "comes with a change of Ben, so the two cases differ by up to 2 in the count. That reader "
            "starts with "
            "less knowledge, and does not end with more.",
            least=15,
        ),
        number_question(
            "second copy",
            "Example 4 prints the same table (c) once more as table (d), with x₂ in {0, 1}, and says "
            "that it leaks "
            "6 nats. What does table (c) leak, with scale 1?",
            2.0,
            tolerance=0.001,
            unit="nats",
            explain="x₁ and x₂ agree and both are 0 or 1, so the sum changes by 2.",
            wrong={6: "So it is printed. Run the cell."},
        ),
        number_question(
            "the right labels",
            "With x₂ in {0, k} and always large when x₁ is 1: for which k does the table leak 6 nats?",
            5.0,
            tolerance=0.001,
            explain="The sum changes by 1 + k. So table (d) has to say {0, 5}.",
            hints=["By how much does the sum change when both change?"],
        ),
        number_question(
            "two decimals",
            "Example 2 prints a leakage of 0.82 for its table (b). Give the exact value with four decimals.",
            example_2,
            tolerance=0.00006,
            unit="nats",
            explain=f"It is {example_2:.4f}, which rounds to 0.81. A small slip, and easy to prove.",
            wrong={0.82: "So it is printed. Run the cell."},
        ),
        text_question(
            "prove it",
            "Prove that table (d) cannot have x₂ in {0, 1}.",
            "With scale 1, no release of a sum leaks more than the largest change of that sum. If x₁ and "
            "x₂ are both "
            "0 or 1, the sum changes by at most 2, so at most 2 nats leak, for any table. The printed 6 "
            "nats need a "
            "change of 6, so x₂ must be able to change by 5.",
            least=12,
        ),
    ]


def answers_of_a_voter(columns: list[str]) -> pdp.JointDistribution:
    """Return how the yes-or-no answers of the 944 voters of lesson 2 are distributed."""
    people = pdp.anes96_records().to_dataframe()
    facts = {
        "Dole": people["vote"] == "Dole",
        "Republican": people["party"].str.contains("Republican"),
        "conservative": people["own leaning"].str.contains("conservative"),
        "news": people["TV news"] >= 4,
    }
    frame = people.iloc[:, :0].assign(**facts).replace({True: "yes", False: "no"})
    return pdp.JointDistribution.from_dataframe(frame[columns])


def lesson_2() -> list[SealedQuestion]:
    """Every adversary: who knows what, and who learns most."""
    joint = answers_of_a_voter(["Dole", "Republican", "conservative"])
    release = pdp.LaplaceMechanism(pdp.LinearQuery.count(joint, "yes"), 1.0)
    analysis = pdp.PriorAnalysis(joint, release, convention="sup")
    noise = {row.name: row for row in analysis.compare_noise(1.0).rows}
    largest, paper = float(analysis.largest), float(analysis.paper.max())
    four = answers_of_a_voter(["Dole", "Republican", "conservative", "news"])
    wider = pdp.PriorAnalysis(
        four, pdp.LaplaceMechanism(pdp.LinearQuery.count(four, "yes"), 1.0), convention="sup"
    )
    counts = pdp.JointDistribution.from_counts([[[7, 8], [1, 9]], [[1, 7], [3, 4]]])
    example = pdp.PriorAnalysis(
        counts, pdp.LaplaceMechanism(pdp.LinearQuery.sum(counts), 1.0), instance=(0, 0, 0)
    ).to_dataframe(with_paper=True)
    by_layer = example.groupby("layer")["exact"].max()
    low, high = analysis.interval("Republican", rng=1).interval
    return [
        number_question(
            "how many readers",
            "A reader wants to know one of three answers, and knows any of the other two, both, or none. "
            "How many "
            "different readers are there?",
            12,
            tolerance=0.1,
            explain="Three answers to attack, and 2² = 4 sets of known ones for each: 12.",
            wrong={
                8: "Those are all sets of three answers. Who is attacked?",
                3: "Each of these may know things.",
            },
            hints=["For each attacked answer, each of the other two is known or not."],
        ),
        choice_question(
            "predict the graph",
            "Which reader learns most from the noisy number of yes answers?",
            {
                "One who knows both other answers": "That is the reader whom the promise is about: "
                "exactly 1 nat.",
                "One who knows one other answer": "More than 1 nat, but something else is possible.",
                "One who knows no other answer": "All three answers tend to be yes together, so for this "
                "reader the "
                "count moves furthest.",
            },
            "One who knows no other answer",
        ),
        number_question(
            "largest",
            "How much does the reader who learns most learn?",
            largest,
            tolerance=0.003,
            unit="nats",
            explain=f"{largest:.3f} nats about being a Republican: the party goes with both other answers.",
            hints=["Look at the number of the brightest card, or at the first row of the table."],
        ),
        number_question(
            "above the promise",
            "How many of the readers learn more than the promised 1 nat?",
            analysis.above_promise,
            tolerance=0.1,
            explain="All but those three who know everything else.",
            hints=["Count the cards with a number above 1.000."],
        ),
        choice_question(
            "known values",
            "A reader knows that a voter is a Republican. Another one knows that a voter is not. Do both "
            "learn equally "
            "much about the vote?",
            {
                "Yes, always": "What is known changes how likely the remaining answers are.",
                "No, and a guarantee has to take the worse of them": "The explorer says worst case for that.",
                "No, and a guarantee may take the average": "A promise that holds on average fails somebody.",
            },
            "No, and a guarantee has to take the worse of them",
        ),
        number_question(
            "too little noise",
            "The noise is chosen by the paper's chain rule so that nobody learns more than 1 nat. How "
            "much does the "
            "reader who learns most really learn?",
            float(noise["chain rule"].leakage),
            tolerance=0.003,
            unit="nats",
            explain=f"The estimate says {paper:.3f} nats at scale 1 where {largest:.3f} leak. So the "
            "noise is too "
            "small, and the promise is broken by a tenth.",
            wrong={1.0: "So it was meant. Look at what leaks in that row."},
            hints=["The row chain rule of the table."],
        ),
        explorer_question(
            "set the scale",
            "Set the noise so that no reader learns more than 1 nat, with as little noise as possible.",
            "prior_explorer",
            {"scale": (2.385, 2.45), "results.largest.value": (0, 1.0005), "convention": "sup"},
            explain=f"Scale {noise['exact'].scale:.3f}, rounded up: that is how much the correlation "
            "costs. The rule "
            "for groups would ask for 3.",
            hints=["Try scales between 2.2 and 2.6.", "The panel of the release says which scale is enough."],
            otherwise="More than 1 nat leaks, there is more noise than needed, or it is not the worst case.",
        ),
        number_question(
            "sample",
            "The table was counted from 944 voters. What is the upper end of the 95 % interval of the "
            "largest leakage?",
            float(high),
            tolerance=0.01,
            unit="nats",
            explain=f"Between {low:.2f} and {high:.2f} nats. Plan with the upper end, not with the middle.",
            hints=["The second number in brackets."],
        ),
        choice_question(
            "predict the news",
            "A fourth answer joins the count: whether somebody watches the news on four days a week or "
            "more. It is "
            "nearly independent of the other three. Who learns most about the party now?",
            {
                "One who knows no other answer": "For this reader the news blurs the count, like "
                "additional noise.",
                "One who knows the answer about the news, and no other": "Knowing it takes the blur "
                "away. The other "
                "answers still move together. Knowing something unrelated can help.",
                "One who knows all other answers": "Exactly 1 nat, as ever.",
            },
            "One who knows the answer about the news, and no other",
            hints=["What does an unknown answer that has nothing to do with the others do to the count?"],
        ),
        number_question(
            "with the news",
            "How much does that reader learn?",
            float(wider.largest),
            tolerance=0.003,
            unit="nats",
            explain=f"{float(wider.largest):.3f} nats, and only {float(wider.node('Republican')):.3f} "
            "without the "
            "news. No simple rule says who learns most: one has to look at all readers.",
            wrong={float(wider.node("Republican")): "That is the reader who knows nothing."},
        ),
        text_question(
            "say who reads",
            "A colleague says: our release leaks at most 1 nat. What do you have to ask before you "
            "believe it?",
            "About whom, and to whom? The number is for a reader with some knowledge. Is it the worst "
            "over all "
            "attacked answers, all sets of known answers and all known values? Is it exact, a bound, or "
            "an estimate? "
            "And where does the table of probabilities come from: is it a sample, and how large?",
            least=12,
        ),
        number_question(
            "middle layer",
            "In layer 2, one of the other two bits is known. What is the largest exact leakage there?",
            float(by_layer[2]),
            tolerance=0.002,
            unit="nats",
            explain="Reached by a reader who knows the third answer.",
            hints=["The layer counts the unknown bits, the attacked one included."],
        ),
        number_question(
            "top layer",
            "And the largest exact leakage in layer 3, where nothing is known?",
            float(by_layer[3]),
            tolerance=0.002,
            unit="nats",
            explain="Less than in layer 2, though the corollary says that the weakest reader learns most.",
        ),
        text_question(
            "the counterexample",
            "Write the proof that Corollary 1(2) is false, so that somebody else can check it.",
            "One counterexample is enough. Take the counts 7, 8, 1, 9, 1, 7, 3, 4 of three bits in the "
            "usual order, the "
            "sum, and scale 1, with all values known to be 0. Every edge has a positive increment, so "
            "the corollary "
            "says that a reader who knows nothing learns most. But the largest exact leakage with one "
            "known bit is "
            f"{float(by_layer[2]):.3f} nats, and with none only {float(by_layer[3]):.3f}. The printed "
            "estimates contradict the corollary too.",
            least=20,
        ),
    ]


LESSONS = {"lesson-0": lesson_0, "lesson-1": lesson_1, "lesson-2": lesson_2}


def main() -> None:
    """Write the sealed questions of every lesson."""
    PLACE.mkdir(exist_ok=True)
    for name, questions in LESSONS.items():
        print(write_questions(questions(), PLACE / f"{name}.json").relative_to(ROOT))


if __name__ == "__main__":
    main()
