"""The questions of lesson 2 with their answers: every adversary."""

from __future__ import annotations

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text


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


def questions() -> Questions:
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
        number(
            "how many readers",
            "A reader wants to know one of three answers, and knows any of the other two, both, or none. "
            "How many different readers are there, if a reader is told apart by which answers are known?",
            12,
            0.1,
            "Three answers to attack, and 2² = 4 sets of known ones for each: 12.",
            wrong={
                8: "Those are all sets of three answers. Who is attacked?",
                3: "Each of these may know things.",
            },
            hints=["For each attacked answer, each of the other two is known or not."],
        ),
        choice(
            "predict the graph",
            "Which reader learns most from the noisy number of yes answers?",
            {
                "One who knows both other answers": "That is the reader whom the promise is about: exactly "
                "1 nat.",
                "One who knows one other answer": "More than 1 nat, but something else is possible.",
                "One who knows no other answer": "All three answers tend to be yes together, so for this "
                "reader the count moves furthest.",
            },
            "One who knows no other answer",
        ),
        nats(
            "largest",
            "How much does the reader who learns most learn?",
            largest,
            f"{largest:.3f} nats about being a Republican: the party goes with both other answers.",
            tolerance=0.003,
            hints=["Look at the number of the brightest card, or at the first row of the table."],
        ),
        number(
            "above the promise",
            "How many of the readers learn more than the promised 1 nat?",
            analysis.above_promise,
            0.1,
            "All but those three who know everything else.",
            hints=["Count the cards with a number above 1.000."],
        ),
        choice(
            "known values",
            "A reader knows that a voter is a Republican. Another one knows that a voter is not. Do both "
            "learn equally much about the vote?",
            {
                "Yes, always": "What is known changes how likely the remaining answers are.",
                "No, and a guarantee has to take the worse of them": "The explorer says worst case for that.",
                "No, and a guarantee may take the average": "A promise that holds on average fails somebody.",
            },
            "No, and a guarantee has to take the worse of them",
        ),
        nats(
            "too little noise",
            "The noise is chosen by the paper's chain rule so that nobody learns more than 1 nat. How much "
            "does the reader who learns most really learn?",
            float(noise["chain rule"].leakage),
            f"The estimate says {paper:.3f} nats at scale 1 where {largest:.3f} leak. So the noise is too "
            "small, and the promise is broken by a tenth.",
            tolerance=0.003,
            wrong={1.0: "So it was meant. Look at what leaks in that row."},
            hints=["The row chain rule of the table."],
        ),
        explorer(
            "set the scale",
            "Set the noise so that no reader learns more than 1 nat, with as little noise as possible.",
            "prior_explorer",
            {"scale": (2.385, 2.45), "results.largest.value": (0, 1.0005), "convention": "sup"},
            explain=f"Scale {noise['exact'].scale:.3f}, rounded up: that is how much the correlation costs. "
            "The rule for groups would ask for 3.",
            hints=["Try scales between 2.2 and 2.6.", "The panel of the release says which scale is enough."],
            otherwise="More than 1 nat leaks, there is more noise than needed, or it is not the worst case.",
        ),
        nats(
            "sample",
            "The table was counted from 944 voters. What is the upper end of the 95 % interval of the "
            "leakage about the party, to somebody who knows no answer?",
            float(high),
            f"Between {low:.2f} and {high:.2f} nats. Plan with the upper end, not with the middle.",
            tolerance=0.01,
            hints=["The second number in brackets."],
        ),
        choice(
            "predict the news",
            "A fourth answer joins the count: whether somebody watches the news on four days a week or "
            "more. It is nearly independent of the other three. Who learns most about the party now?",
            {
                "One who knows no other answer": "Nearly, and not quite: compare the two numbers.",
                "One who knows the answer about the news, and no other": "The other answers move together "
                "a little more among those who watch less, and the worst case picks that group. A difference "
                "this small may be chance: section 5 says how to tell.",
                "One who knows all other answers": "Exactly 1 nat, as ever.",
            },
            "One who knows the answer about the news, and no other",
            hints=["Do the other three move together alike among those who watch and those who do not?"],
        ),
        nats(
            "with the news",
            "How much does that reader learn?",
            float(wider.largest),
            f"{float(wider.largest):.3f} nats, and only {float(wider.node('Republican')):.3f} without the "
            "news. No simple rule says who learns most: one has to look at all readers.",
            tolerance=0.003,
            wrong={float(wider.node("Republican")): "That is the reader who knows nothing."},
        ),
        text(
            "say who reads",
            "A colleague says: our release leaks at most 1 nat. What do you have to ask before you believe "
            "it?",
            "About whom, and to whom? The number is for a reader with some knowledge. Is it the worst over "
            "all attacked answers, all sets of known answers and all known values? Is it exact, a bound, or "
            "an estimate? And where does the table of probabilities come from: is it a sample, and how "
            "large?",
            least=12,
        ),
        nats(
            "middle layer",
            "In layer 2, one of the other two bits is known. What is the largest exact leakage there?",
            float(by_layer[2]),
            "Reached by a reader who knows the third answer.",
            tolerance=0.002,
            hints=["The layer counts the unknown bits, the attacked one included."],
        ),
        nats(
            "top layer",
            "And the largest exact leakage in layer 3, where nothing is known?",
            float(by_layer[3]),
            "Less than in layer 2, though the corollary says that the weakest reader learns most.",
            tolerance=0.002,
        ),
        text(
            "the counterexample",
            "Write the proof that Corollary 1(2) is false, so that somebody else can check it.",
            "One counterexample is enough. Take the counts 7, 8, 1, 9, 1, 7, 3, 4 of three bits in the "
            "usual order, the sum, and scale 1, with all values known to be 0. Every edge has a positive "
            "increment, so the corollary says that a reader who knows nothing learns most. But the largest "
            f"exact leakage with one known bit is {float(by_layer[2]):.3f} nats, and with none only "
            f"{float(by_layer[3]):.3f}. The printed estimates contradict the corollary too.",
            least=20,
        ),
    ]
