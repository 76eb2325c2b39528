"""The questions of lesson 3 with their answers: numbers in place of answers from a list."""

from __future__ import annotations

from typing import Any

import numpy as np

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text


def scores() -> Any:
    """Return three numbers from 0 to 6 for each of the 944 voters, as a data frame."""
    people = pdp.anes96_records()
    frame = people.to_dataframe()[["party", "own leaning", "Clinton's leaning"]]
    for name in frame:
        frame[name] = frame[name].map(people.column(name).labels.index).astype(int)
    return frame.set_axis(["party", "leaning", "Clinton"], axis=1)


def questions() -> Questions:
    """A Gaussian model of three numbers of a voter, and every reader of a noisy score."""
    data = scores()
    cov = data.cov()
    slope = float(cov.loc["party", "leaning"] / cov.loc["leaning", "leaning"])
    back = float(cov.loc["party", "leaning"] / cov.loc["party", "party"])
    two = pdp.GaussianAnalysis(pdp.GaussianModel.from_dataframe(data[["party", "leaning"]]), scale=1.0)
    weak = two.adversary("leaning")
    passes = weak.reaches(1.0, 4, 3)
    assert passes is not None
    model = pdp.GaussianModel.from_dataframe(data)
    right_of = pdp.GaussianAnalysis(model, weights=[1, 1, -1], scale=1.0)
    total = pdp.GaussianAnalysis(model, scale=1.0)
    enough = right_of.scale_for(1.0)
    joint = pdp.JointDistribution.from_dataframe(data[["party", "leaning"]])
    release = pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.0)
    table = pdp.prior.PriorAdversary(joint, release, "leaning", {})
    steps = [float(abs(table.gain(x + 1, x, np.linspace(-10, 25, 1401))).max()) for x in range(6)]
    opposed = pdp.GaussianAnalysis(pdp.GaussianModel.equicorrelated(15, -0.05), scale=1.0)
    return [
        number(
            "slope",
            "Of two voters, one is a step further right in leaning. By how many steps do you expect their "
            "parties to differ?",
            slope,
            0.006,
            f"Covariance / variance of leaning = {slope:.3f}: nearly a whole step.",
            wrong={
                float(cov.loc["party", "leaning"]): "That is the covariance. Divide it by a variance.",
                float(data.corr().loc["party", "leaning"]): "That is the correlation, which has no unit.",
                back: "That is what a step of the party says about leaning.",
            },
            hints=["It is the slope of a regression.", "The covariance divided by the variance of leaning."],
        ),
        choice(
            "predict the reader",
            "The score is published with Laplace noise of scale 1. A reader knows nothing about a voter and "
            "compares two values of leaning that are one step apart. By how much can the log odds move?",
            {
                "At most 1 nat": "That is so if only the leaning changes. Does the party stay where it was?",
                "About 2 nats": f"The party moves along by {slope:.3f} steps, so the score moves by nearly "
                "2.",
                "Without any limit": "The expected score moves by a fixed amount, which sets a limit.",
            },
            "About 2 nats",
            hints=["How far does the expected score move when the leaning moves by one step?"],
        ),
        nats(
            "your formula",
            "Complete the function and run the cell. What leaks about one step of leaning, at most?",
            float(weak.leakage),
            f"1 + {slope:.3f} = {float(weak.leakage):.3f} nats: twice the promise, nearly.",
            wrong={
                1.0: "The function still leaves out the party.",
                1 + back: "That is for one step of the party. Divide by the variance of the target.",
            },
            hints=[
                "Each other number moves by covariance / variance of the target.",
                "Multiply by the weights and add up: weights @ cov[target] / cov[target, target].",
            ],
        ),
        nats(
            "the party",
            "And about one step of the party?",
            float(two.node("party")),
            f"The leaning moves along by {back:.3f} only: the party varies more, so one step of it says "
            "less.",
            hints=["Call your function with target 0."],
        ),
        choice(
            "predict the limit",
            "Which published score lets this reader learn all of it?",
            {
                "Every score above both expected ones": "That is so for Laplace noise alone, as in lesson 0.",
                "A score far out, but no particular one": "The further out, the closer. The limit itself is "
                "never reached.",
                "The score halfway between both": "There the two values explain the score equally well.",
            },
            "A score far out, but no particular one",
            hints=["The unknown party is noise too, and Gaussian."],
        ),
        number(
            "beyond the promise",
            "Leaning 4 against 3: from which score on does the reader who knows nothing gain more than the "
            "promised 1 nat?",
            passes[1],
            0.06,
            f"From {passes[1]:.2f} on, and also below {passes[0]:.2f}, where the log odds fall.",
            hints=["Where does the curve cross the level?", "weak.reaches(1.0, 4, 3) says it exactly."],
        ),
        choice(
            "predict the sign",
            "Now the score is party + leaning − Clinton. Voters further right place Clinton further left. "
            "What does the third number change for a reader who knows nothing?",
            {
                "That reader learns more": "When leaning rises, Clinton falls and is subtracted: the score "
                "moves further.",
                "That reader learns less": "So it would be if Clinton were added.",
                "Nothing changes": "It would if Clinton were uncorrelated with the other two.",
            },
            "That reader learns more",
        ),
        nats(
            "largest",
            "How much does the reader who learns most learn?",
            float(right_of.largest),
            f"{float(right_of.largest):.3f} nats about leaning, knowing none.",
            tolerance=0.003,
            hints=["The largest number on a card."],
        ),
        choice(
            "known values",
            "A reader knows the party of a voter. Does it matter for the leakage which party that is?",
            {
                "Yes, a strong Republican leaks more": "The expected score moves with it. Does the spread "
                "of what is unknown?",
                "Yes, the most frequent one leaks least": "How often something is known is no part of the "
                "formula.",
                "No": "Known Gaussian numbers move the centre of the others, and not their covariances.",
            },
            "No",
            hints=["What does knowing a number do to the covariance of the others?"],
        ),
        explorer(
            "set the scale",
            "Set the noise so that no reader learns more than 1 nat, with as little noise as possible.",
            "gaussian_explorer",
            {
                "scale": (float(np.floor(100 * enough) / 100), 2.16),
                "max_change": (0.999, 1.001),
                "results.largest.value": (0, 1.0005),
            },
            explain=f"Leakage is inversely proportional to the scale, so {enough:.3f} is enough, rounded up.",
            hints=["At scale 1 the largest leakage says which scale is enough.", "A little above 2.1."],
            otherwise="Either more than 1 nat leaks, or there is more noise than needed.",
        ),
        nats(
            "the plain sum",
            "Clinton is added instead: party + leaning + Clinton. How much does the reader who learns most "
            "learn now?",
            float(total.largest),
            f"{float(total.largest):.3f} nats, knowing Clinton. Unknown, it would cover for the other two, "
            "so knowing it helps.",
            tolerance=0.003,
            hints=["The first row of the table."],
        ),
        nats(
            "moves along",
            "A second number moves by 50 for every step of the first, and both are added. What can scale 1 "
            "leak about one step of the first?",
            51.0,
            "1 + 50. Nothing limits how far other numbers move along, so no scale is enough for every "
            "matrix.",
            tolerance=0.1,
            wrong={50: "The step itself counts too."},
        ),
        nats(
            "the table",
            "Without the Gaussian model: which is the largest leakage about one step of leaning, by the "
            "counts of the 944 voters?",
            max(steps),
            f"{max(steps):.3f} nats between the two most liberal answers. The model says "
            f"{float(weak.leakage):.3f} for every step.",
            hints=["The largest number of the column."],
        ),
        text(
            "the model",
            "The model says one number for all steps, the table a different one for each. Which would you "
            "report, and with which remark?",
            "The Gaussian number is exact for the model, and the model is an assumption: votes are whole "
            "numbers from 0 to 6, and people at the ends differ from those in the middle. With few values, "
            "the table is better and needs no model, but rare values make it uncertain. With real numbers "
            "there is no table, and then the model has to be named with the result.",
            least=15,
        ),
        number(
            "least correlation",
            "Fifteen numbers have variance 1, and every two have the same correlation. Which is the least "
            "possible one?",
            -1 / 14,
            0.0008,
            "The variance of the sum is 15 + 15 · 14 ρ. It is not negative, so ρ ≥ −1/14 = −0.0714.",
            wrong={-1: "So it is for two numbers. Can three of them all be opposed to each other?"},
            hints=["Which variance does the sum of all fifteen have?", "15 + 210 ρ must not be negative."],
        ),
        number(
            "printed variance",
            "Which variance would the sum have at the correlation −0.8 of the figure?",
            15 + 15 * 14 * -0.8,
            0.1,
            "15 − 168 = −153. A variance is never negative, so there are no such numbers.",
            hints=["15 variances and 15 · 14 covariances."],
        ),
        nats(
            "weakest at -0.05",
            "At the correlation −0.05, which exists: what does the sum leak, with scale 1, to a reader who "
            "knows none of the fifteen?",
            float(opposed.node(0)),
            "1 + 14 · (−0.05) = 0.3 nats. Whoever knows all others learns 1. So leakage rises with "
            "knowledge here.",
            tolerance=0.002,
            hints=["Your function, or the last row of the table."],
        ),
        text(
            "the proof",
            "Write down what is wrong in the figure and in the sentence, so that somebody else can check it.",
            "Fifteen numbers with variance 1 and common correlation ρ have a sum with variance 15 + 210 ρ. "
            "For ρ = −0.8 that is −153, which is impossible; only ρ ≥ −1/14 exists. For such a negative ρ a "
            "reader who knows m of the others gains less than 1 nat, and gains more the larger m is; one "
            "who knows all others learns exactly 1. So leakage does not decrease with prior knowledge.",
            least=20,
        ),
    ]
