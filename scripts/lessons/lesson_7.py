"""The questions of lesson 7 with their answers: classes of k, and a number without noise."""

from __future__ import annotations

from itertools import count

import numpy as np

import pdp_widgets as pdp
from scripts.lessons.asking import Questions, choice, explorer, nats, number, text

QUASI = ["age", "income"]


def leanings(made: pdp.EquivalenceClasses) -> np.ndarray:
    """Return which leanings occur in the class of each voter, shape (944, 7)."""
    return (made.secret_counts("own leaning") > 0)[made.number]


def known_nine_of_ten(release: str, neighbours: int = 1) -> pdp.AnonymityAnalysis:
    """Return what a count says to an adversary who knows 90 % of the votes."""
    level = "III" if neighbours == 1 else "IV"
    return pdp.AnonymityAnalysis(
        pdp.anes96_records(), QUASI, "vote", 5, release=release, level=level, known=0.9, neighbours=neighbours
    )


def questions() -> Questions:
    """Finding people, plain votes, two tables, and the slack of a count."""
    voters = pdp.anes96_records()
    people = voters.to_dataframe()
    alone = int((~people.duplicated(["age", "education", "income"], keep=False)).sum())
    combinations = people["age"].nunique() * people["education"].nunique() * people["income"].nunique()
    different = len(people.drop_duplicates(["age", "education", "income"]))

    def plain(k: int) -> int:
        made = pdp.anonymise(voters, QUASI, k)
        return int(made.sizes[(made.secret_counts("vote") > 0).sum(axis=1) == 1].sum())

    enough = next(k for k in count(2) if plain(k) == 0)
    back = next(k for k in count(enough + 1) if plain(k) > 0)
    insurer = leanings(pdp.anonymise(voters, ["age", "education"], 5))
    bank = leanings(pdp.anonymise(voters, ["income", "population"], 5))
    found = int(((insurer & bank).sum(axis=1) == 1).sum())
    count_of_dole = known_nine_of_ten("count:Dole")
    slack, unknown = float(count_of_dole.slack(0.5).delta), int(count_of_dole.unknown)
    without = float(count_of_dole.slack(0.0).delta)
    before = pdp.AnonymityAnalysis(voters, QUASI, "vote", 5, release="count:Dole", level="I").epsilon(0.001)
    needed = float(count_of_dole.epsilon(0.001).epsilon)
    households = float(known_nine_of_ten("count:Dole", 4).slack(0.5).delta)
    printed = float(known_nine_of_ten("count:Clinton").printed(0.5, "t4:sum_of_powers").delta)
    return [
        choice(
            "predict the alone",
            "Names are struck out. How many of the 944 voters are the only ones with their age, education "
            "and income bracket?",
            {
                "About one in ten": "That is so for age and education. Every further answer divides the "
                "groups again.",
                "About four in ten": "That is so for age and income. Education divides these groups again.",
                "Nearly four in five": f"The answers that occur make {combinations:,} combinations, for 944 "
                "people.",
            },
            "Nearly four in five",
            hints=["How many combinations of the three are there?"],
        ),
        number(
            "your count",
            "Complete the function and run the cell. How many voters are alone with their age, education "
            "and income?",
            alone,
            0.5,
            f"{alone} of 944. Whoever knows these three things of one of them has found the vote.",
            wrong={different: "That is the number of different combinations. Some belong to several voters."},
            hints=[
                "A voter is alone whose combination occurs once.",
                "duplicated(columns, keep=False) is True for all those who are not alone.",
            ],
        ),
        choice(
            "predict the vote",
            "Now every voter shares age and income, as published, with at least four others. Can a reader "
            "who knows a neighbour's age and income still learn the neighbour's vote for certain?",
            {
                "No, one record in five is only a guess": "The record is a guess. Does the vote depend on "
                "which record it is?",
                "Yes, where all in the class vote alike": "Then it does not matter which record it is.",
                "Yes, always": "In most classes there are voters of both candidates.",
            },
            "Yes, where all in the class vote alike",
            hints=["What if all five vote alike?"],
        ),
        number(
            "plain votes",
            "At k = 5: how many voters are in a class that votes alike?",
            plain(5),
            0.5,
            f"{plain(5)} voters, each of them hidden among at least five.",
            hints=["The first row of the table."],
        ),
        explorer(
            "raise k",
            "Find the smallest k in the explorer for which nobody's vote is plain.",
            "anonymity_explorer",
            {"k": enough, "results.single": 0},
            explain=f"k = {enough}. But at k = {back} there is such a class again: the classes are cut "
            "without a look at the votes, so a larger k promises nothing.",
            hints=["Raise k by one at a time.", "The sentence says in how many classes all vote alike."],
            otherwise="In some class all vote alike, or a smaller k would do.",
        ),
        choice(
            "predict two tables",
            "An insurer publishes the voters by age and education, a bank by income and size of the town, "
            "both with k = 5. In neither is there a class with a single leaning. What does a reader of both "
            "learn?",
            {
                "No leaning for certain": "Each table leaves some leanings possible. Which ones do both "
                "leave?",
                "Some leanings for certain": "Only what is possible in both tables can be true.",
                "All leanings for certain": "Most pairs of classes share several leanings.",
            },
            "Some leanings for certain",
        ),
        number(
            "in both",
            "Of how many voters do the two tables together reveal the leaning?",
            found,
            0.5,
            f"{found}. k-anonymity does not compose: nobody who publishes a table knows which others will "
            "follow.",
            hints=["The last row of the table."],
        ),
        number(
            "unknown",
            "The exact number of votes for Dole is published. An adversary knows 90 % of the votes and "
            "wants one more. How many other votes are unknown to this adversary?",
            unknown,
            0.5,
            f"10 % of 944 are {unknown + 1}, and one of them is the target.",
            wrong={unknown + 1: "The target is one of these. How many others are there?"},
            hints=["Take a tenth of 944 and leave out the target."],
        ),
        number(
            "your slack",
            "Complete the function and run the cell. Which slack δ does the count have at ε = 0.5?",
            slack,
            0.00006,
            f"δ = {slack:.5f}. Apart from that much probability, no event is more than e^0.5 times as likely "
            "after one vote as after the other.",
            wrong={without: "That is the slack at ε = 0. Let the second law count e^ε times."},
            hints=[
                "δ is what one law has in excess of e^ε times the other.",
                "np.exp(epsilon) * dole in one line, np.exp(epsilon) * clinton in the other.",
            ],
        ),
        choice(
            "predict the curve",
            "k goes from 5 to 20. What happens to the slack of the published count?",
            {
                "It falls": "The classes grow. Does the count depend on the classes?",
                "Nothing": "The count is about all 944 voters. What hides one vote are the unknown votes of "
                "others, and k does not appear there.",
                "It rises": "Does the count depend on the classes?",
            },
            "Nothing",
        ),
        choice(
            "predict the known",
            "And if the adversary knows more of the votes?",
            {
                "The slack falls": "Fewer unknown votes hide less.",
                "Nothing": "Known votes are no longer a secret that hides another one.",
                "The slack rises": "Only unknown votes hide the target, and there are fewer of them.",
            },
            "The slack rises",
        ),
        number(
            "households",
            "Now the unknown voters live in households of four that vote alike. Which slack does the count "
            "have at ε = 0.5, if 90 % are known?",
            households,
            0.0006,
            f"δ = {households:.4f}, {households / slack:.0f} times as much. Votes that go together hide "
            "less: a few households are fewer coins than many voters.",
            hints=["The last row of the table."],
        ),
        text(
            "what to ask",
            "An office says: our table is 5-anonymous, and we publish exact totals beside it. What do you "
            "ask?",
            "How many different values of the secret does each class have? Which other tables of the same "
            "people exist, or may follow? For the totals: what is the adversary assumed to know, how many "
            "others remain unknown, and are their values independent? A slack belongs to such an adversary; "
            "k belongs to a table and says nothing about it.",
            least=15,
        ),
        number(
            "as printed",
            "Theorem 6 as printed, for the number of votes for Clinton, ε = 0.5, and 90 % known: which δ "
            "does it give?",
            printed,
            0.006,
            f"{printed:.3f}. The theorem takes the third moment with its sign, and for Clinton it is "
            "negative.",
            hints=["The row of Clinton."],
        ),
        text(
            "the proof",
            "Prove that no δ can be negative, and that the counts of Dole and of Clinton must have the same "
            "one.",
            "For the impossible outcome, O = ∅, both probabilities are 0, and 0 ≤ e^ε · 0 + δ says δ ≥ 0. "
            "The count of Clinton is 944 minus the count of Dole, so every event about one is an event "
            "about the other with the same probabilities. So both have the same least δ. The printed values "
            "are above 1 and below 0.",
            least=20,
        ),
        nats(
            "more known",
            "The paper also says that ε falls when the adversary knows more. For a slack of 0.001, an "
            f"adversary who knows no vote has ε = {before.epsilon:.2f}. Which ε has one who knows 90 %?",
            needed,
            f"{needed:.3f} nats, {needed / before.epsilon:.1f} times as much. ε rises with what is known.",
            tolerance=0.004,
            hints=["known_nine_of_ten.epsilon(0.001) says it."],
        ),
    ]
