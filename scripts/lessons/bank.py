"""Short answers to the bank of questions in docs/teaching/assess.md, by their numbers there."""

from __future__ import annotations

import numpy as np

__all__ = ["answers"]


def _belief(before: float, nats: float) -> float:
    """Return the largest probability after a leakage."""
    odds = before / (1 - before) * np.exp(nats)
    return float(odds / (1 + odds))


def answers() -> dict[int, str]:
    """Return what a good answer says, for each question."""
    kind = np.log(0.5 / 0.375)
    rare = 1 / (1 + np.exp(2))
    return {
        1: f"Odds 1/9 are multiplied by e^0.5, so at most {_belief(0.1, 0.5):.3f}.",
        2: "ε = |ln(t / (1 − t))|, and t = e^ε / (1 + e^ε). ε = 0 at t = 1/2: the report is a fair coin and "
        "says nothing. A report that is never true says as much as one that always is.",
        3: "ln((a e² + (1 − a) e) / (a + (1 − a) e)): 0, 1 and 2 nats.",
        4: "Given everybody else, only one record moves the released number, and by no more than the promise "
        "was made for. Correlation is knowledge that this reader had before.",
        5: "2 nats about each vote, to readers who know the other one. To readers who know neither, it has "
        "to be computed for the couple at hand.",
        6: "n · 2^(n − 1): each of n answers may be wanted, with any set of the other n − 1 known.",
        7: "XOR of three bits and their sum: knowing one bit makes the others equal or opposite. Knowing "
        "none leaks ln((1 + e²) / 2) nats at scale 1, knowing one leaks 2.",
        8: "No. One of the ten others is enough to break the promise. A bound must not be below the exact "
        "value for any reader.",
        9: "The leakage is computed from the frequencies, which hardly differ on average. The interval is "
        "about √1,000 ≈ 32 times as narrow with 100,000 people.",
        10: f"(1 + 1/4) / 2 = {1.25 / 2} nats for the first, (1 + 1/1) / 2 = {2 / 2:g} for the second.",
        11: f"{-1 / 4}. The variance of the sum of five is 5 v + 20 c, which is negative for c < −v / 4.",
        12: "No smaller number is a bound: some release comes as near to the limit as you like.",
        13: f"A sends report 1 with probability 1/2, B with 5/8; the reports 0 have 1/2 and 3/8. The larger "
        f"log ratio is ln(4/3) = {kind:.3f} nats.",
        14: "For each kind, the report has a mixture of the rows of the channel. Two mixtures of numbers "
        "between m and M have a ratio of at most M / m, in every column.",
        15: "It shows which report this attack can use better. Another attack may do better still, so it is "
        "a lower bound, and says nothing about the most that can leak.",
        16: "Yes: two fair bits and their parity. Each report alone says nothing about another answer, and "
        "all three leak ε + ln cosh ε.",
        17: "(3/4 · 5 + 1/4) / (1/4 · 5 + 3/4) = 2.",
        18: f"1 / (1 + e²) = {rare:.3f} or more.",
        19: "3 nats for all ten. If only the mean is 0.3, single releases can have led to more, and nothing "
        "is guaranteed.",
        20: "The belief follows from the law and the reports, which the reader has too. Nothing about the "
        "data goes into it beyond what was reported.",
        21: "Scale 5, for everybody: the largest group has five people.",
        22: "Two fair bits and their XOR. The sum with noise of scale 1 leaks ln((1 + e²) / 2) = "
        f"{np.log((1 + np.exp(2)) / 2):.3f} nats.",
        23: "For readers who knew nothing beforehand. For others it counts their knowledge as well.",
        24: "x₁ + x₂ and x₁ + 2 x₂ modulo 3, for independent uniform numbers from 0 to 2.",
        25: "Nothing. The class says the diagnosis of all of its members.",
        26: "The counts with and without the secret are 1 or 2, and 0 or 1, with probability 1/2 each. The "
        "excess is 1/2.",
        27: "It is the number of records minus the count, so every event about one is an event about the "
        "other, with the same probabilities.",
        28: "Need none: differential privacy (the reader knows the rest), local privacy (each report has its "
        "own coin). Need a law: calibrated noise, noiseless privacy. The group rule needs the groups only.",
        29: "Outcome A with probability 1/100 if the secret is 1 and 0 if it is 0, otherwise B. A settles "
        "the matter, and the advantage is 1/100.",
        30: "By the rubric. It should name the unit of privacy (a visit, a day or a person), readers who "
        "know days or families, what adds up over days, and that absence on a day is not covered by itself.",
    }
