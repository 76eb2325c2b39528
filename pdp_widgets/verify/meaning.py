"""Cases on what a leakage means: tests, profiles, guesses, information, compositions, all adversaries."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pdp_widgets.leakage.adversary import known_of
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.meaning.all_adversaries import measure_all
from pdp_widgets.leakage.meaning.calibration import calibrate_noise
from pdp_widgets.leakage.meaning.composition import gaussian_composition
from pdp_widgets.leakage.meaning.information import leakage_bounds, shannon_capacity
from pdp_widgets.leakage.meaning.laws import ChannelLaws, Laws
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.meaning.mixtures import noisy_laws
from pdp_widgets.leakage.meaning.sources import (
    report_laws,
    stream_laws,
    sum_laws,
    table_cases,
    table_laws,
)
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.noise import IntegerNoise, Noise, noise_named
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.verify.formats import Input, Kinds


def _noise(law: Input) -> Noise:
    return noise_named(law["noise"], None if law["noise"] == "none" else law["scale"])


def _distribution(law: Input) -> JointDistribution:
    if "counts" in law:
        return JointDistribution.from_counts(law["counts"], law["domains"])
    return JointDistribution(law["table"], law["domains"])


def _query(law: Input, distribution: JointDistribution) -> LinearQuery:
    if "weights" in law:
        return LinearQuery.weighted(distribution, law["weights"])
    return LinearQuery.sum(distribution)


def _table(law: Input) -> Any:
    joint = _distribution(law)
    known = dict(zip(law["known"], law["known_values"], strict=True))
    return table_laws(joint, _query(law, joint), _noise(law), law["target"], known)


_LAWS: dict[str, Callable[[Input], Laws]] = {
    "mixture": lambda law: noisy_laws(_noise(law), law["centres"], law["weights"], law.get("prior")),
    "channel": lambda law: ChannelLaws(law["rows"], law.get("prior")),
    "table": _table,
    "local": lambda law: report_laws(
        law["joint"], law["target"], {int(axis): matrix for axis, matrix in law["channels"].items()}
    ),
    "chain": lambda law: stream_laws(law["initial"], law["transition"], law["channels"], law["target"]),
    "sum": lambda law: sum_laws(law["own"], law["others"]),
}


def _meaning(data: Input) -> Meaning:
    law = data["law"]
    if law["type"] == "gaussian_data":
        model = GaussianModel(None, law["cov"])
        one = GaussianAdversary(model, law["target"], law["known"], weights=law.get("weights"))
        return Meaning.of_gaussian(one, _noise(law), law["distance"])
    return Meaning(_LAWS[law["type"]](law))


def _pair(data: Input, meaning: Meaning) -> tuple[Any, Any]:
    """Return the labels of a pair that is given by position."""
    return _label(meaning, data["pair"][0]), _label(meaning, data["pair"][1])


def _label(meaning: Meaning, place: int) -> Any:
    """Return the label at a place; one that cannot occur is refused by the measure itself."""
    return meaning.labels.get(place, f"the label at {place}")


def _both_ways(measure: str, at: str, named: str, name: str) -> Callable[[Input], dict[str, Any]]:
    """Return a curve of a pair, of the same pair the other way round, and the worst of all pairs."""

    def curves(data: Input) -> dict[str, Any]:
        meaning = _meaning(data)
        v, w = _pair(data, meaning)
        pairs = {name: (v, w), "reverse": (w, v), "worst": None}
        found = ((key, meaning.measure(measure, pair, **{named: data[at]})) for key, pair in pairs.items())
        return {key: curve.values.tolist() for key, curve in found}

    return curves


def _fields(found: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(found, name) for name in names}


def _measures(meaning: Meaning, *names: str, pair: Any = None) -> dict[str, float]:
    return {name: float(meaning.measure(name, pair)) for name in names}


def _trade_off(data: Input) -> dict[str, Any]:
    meaning = _meaning(data)
    return {"beta": meaning.trade_off(data["alpha"], _pair(data, meaning)).values.tolist()}


def _test(data: Input) -> dict[str, Any]:
    meaning = _meaning(data)
    found = meaning.tests(data["threshold"], _pair(data, meaning))
    return {
        "tests": [
            {
                "region": [list(part) if isinstance(part, tuple) else part for part in test.region],
                "type_one": test.false_alarm,
                "power": test.power,
                "tie_null": test.tie_null,
                "tie_alternative": test.tie_alternative,
            }
            for test in found
        ]
    }


def _roc(data: Input) -> dict[str, Any]:
    meaning = _meaning(data)
    names = "auc", "advantage", "balanced_guess", "equal_error"
    return _measures(meaning, *names, pair=_pair(data, meaning))


def _sup(data: Input) -> dict[str, Any]:
    meaning = _meaning(data)
    low, high = meaning.ends(_pair(data, meaning))
    return {
        "value": float(meaning.measure("leakage", _pair(data, meaning))),
        "minus_inf": low,
        "plus_inf": high,
        "leakage": float(meaning.leakage),
    }


def _vulnerability(data: Input) -> dict[str, Any]:
    return _guesses(_meaning(data))


def _guesses(meaning: Meaning) -> dict[str, Any]:
    found = meaning.vulnerability()
    parts = "multiplicative", "additive", "min_entropy_leakage_bits", "bayes_security"
    return {
        "prior_vulnerability": found.prior,
        "posterior_vulnerability": found.posterior,
        **_fields(found, *parts, "guesses_before", "guesses_after"),
        **_measures(meaning, "maximal_leakage", "bayes_capacity", "bayes_security_worst"),
    }


def _mean_vulnerability(data: Input) -> dict[str, Any]:
    law = data["law"]
    joint = _distribution(law)
    cases = list(table_cases(joint, _query(law, joint), _noise(law), law["target"], law["known"]))
    meaning = Meaning(cases)
    return _guesses(meaning) | {"mutual_information": float(meaning.measure("mutual_information"))}


def _gain(data: Input) -> dict[str, Any]:
    return _fields(_meaning(data).gain(data["gain"]), "prior", "posterior", "additive", "multiplicative")


def _pml(data: Input) -> dict[str, Any]:
    meaning = _meaning(data)
    return {
        "at": meaning.measure("pointwise_maximal_leakage", r=data["at"]).values.tolist(),
        "max": float(meaning.measure("largest_pointwise_leakage")),
        "tail": meaning.measure("pointwise_tail", level=data["levels"]).values.tolist(),
        "log_mean_exp": float(meaning.measure("maximal_leakage")),
    }


def _information(data: Input) -> dict[str, Any]:
    meaning = _meaning(data)
    v, w = _pair(data, meaning)
    found: dict[str, Any] = {
        **_measures(meaning, "kl", "squared_hellinger", "chi_squared", pair=(v, w)),
        "kl_reverse": float(meaning.measure("kl", (w, v))),
        "total_variation": float(meaning.measure("advantage", (v, w))),
        "renyi": meaning.measure("renyi_divergence", (v, w), order=data["alpha"]).values.tolist(),
        "renyi_reverse": meaning.measure("renyi_divergence", (w, v), order=data["alpha"]).values.tolist(),
    }
    if meaning.has_prior or data["law"]["type"] == "gaussian_data":
        found["mutual_information"] = float(meaning.measure("mutual_information"))
    if meaning.has_prior:
        found |= _measures(meaning, "expected_posterior")
        found["expected_posterior_by_label"] = meaning.expected_posteriors()
    return found


def _capacity(data: Input) -> dict[str, Any]:
    nats = shannon_capacity(data["rows"])
    return {"capacity_nats": nats, "capacity_bits": nats / math.log(2)}


def _bounds(data: Input) -> dict[str, Any]:
    found = leakage_bounds(data["leakage"], data["prior"], data["labels"])
    return {
        **_fields(found, *found.__dataclass_fields__),
        "mutual_information": found.mutual_information_any,
        "mutual_information_prior": found.mutual_information,
        "pml": found.largest_pointwise_leakage,
        "delta": found.delta(data["eps"]).tolist(),
        "renyi": found.renyi(data["alpha"]).tolist(),
        "chance": list(found.chance(data["chance"])),
    }


def _compose(data: Input) -> dict[str, Any]:
    meaning = _meaning(data)
    found = meaning.compose(data.get("repeats", 1), data["eps"], _pair(data, meaning))
    curves = {
        name: None if curve is None else curve.tolist()
        for name, curve in _fields(found, "joint", "composed").items()
    }
    return {**curves, **_fields(found, "joint_sup", "composed_sup", "exact")}


def _gdp(data: Input) -> dict[str, Any]:
    found = gaussian_composition(
        GaussianModel(None, data["cov"]),
        data["queries"],
        data["scales"],
        data["target"],
        data["known"],
        data["distance"],
    )
    names = "mu", "mu_composed", "zcdp_rho", "mutual_information", "auc", "maximal_leakage"
    return {**_fields(found, *names), "delta": found.delta(data["eps"]).tolist()}


def _all(data: Input) -> dict[str, Any]:
    law = data["law"]
    joint = _distribution(law)
    found = measure_all(
        joint,
        _query(law, joint),
        _noise(law),
        data["measure"],
        epsilon=data.get("eps"),
        instance=data.get("instance"),
        convention="instance" if data["convention"] == "instance" else "sup",
    )
    n = joint.n_tuples
    nodes = [
        [i, list(known_of(n, i, c)), float(found[i, c])] for i in range(n) for c in range(found.shape[1])
    ]
    return {"nodes": nodes, "largest": float(found.max())}


def _calibrate(data: Input) -> dict[str, Any]:
    law = data["law"]
    joint = _distribution(law)
    one = (law["target"], law["known"]) if "target" in law else None
    found = calibrate_noise(
        joint,
        _query(law, joint),
        law["noise"],
        data["eps"],
        data["delta"],
        adversary=one,
        instance=data.get("instance"),
        convention=data["convention"],
    )
    return {"scale": found.scale}


def _noise_kind(data: Input) -> dict[str, Any]:
    noise = noise_named(data["noise"], data["scale"])
    assert isinstance(noise, IntegerNoise)
    return {"pmf": noise.pmf(data["at"]).tolist(), "variance": noise.variance}


KINDS: Kinds = {
    ("profile", None): _both_ways("delta", "eps", "epsilon", "delta"),
    ("epsilon", None): _both_ways("epsilon", "delta", "delta", "eps"),
    ("tradeoff", None): _trade_off,
    ("test", None): _test,
    ("roc", None): _roc,
    ("sup_log_ratio", None): _sup,
    ("vulnerability", None): _vulnerability,
    ("vulnerability", "mean"): _mean_vulnerability,
    ("g_vulnerability", None): _gain,
    ("pml", None): _pml,
    ("information", None): _information,
    ("capacity", None): _capacity,
    ("bounds", None): _bounds,
    ("compose", None): _compose,
    ("gdp", None): _gdp,
    ("all_adversaries", "instance"): _all,
    ("all_adversaries", "sup"): _all,
    ("all_adversaries", "mean"): _all,
    ("calibrate", "instance"): _calibrate,
    ("calibrate", "sup"): _calibrate,
    ("noise", None): _noise_kind,
}
