"""What a report says of each kind of result: its release, data, adversaries, numbers and least noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

from pdp_widgets.core.chart import nats, number
from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.inference.attack_setting import attack_setting
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.labels import short
from pdp_widgets.publish.formatting import count
from pdp_widgets.publish.report_words import (
    GIVEN,
    MOST_LISTED,
    Cell,
    Row,
    Told,
    closely,
    everyone,
    in_short,
    law_of,
    least_noise,
    listed,
    meaning_or_why,
    per_cent,
    promised,
    real,
    row,
    slack,
    tried,
)

__all__ = ["told_of"]

#: Seconds that what is computed for a report alone may take, each.
_LIMIT = 20.0
#: Tuples of which the paper's estimate takes a moment.
_MOST_ESTIMATED = 10
_LAW = "Adversaries who believe in another law of the data; and other data."
_BALANCED = "The balanced conditional response (crr_balanced) keeps the promise by construction."
_OWN_GENERATOR = "its clusters and noise come from a generator of its own; give rng=0, or ask an explorer."
_ONE_RELEASE = "Several releases of the same data: what is learned from each does not add up."


def told_of(result: Any, **choice: Any) -> Told:
    """Return what is said of a result, or raise TypeError for one of no such kind."""
    for kind, tell in _KINDS.items():
        if isinstance(result, kind):
            offered = list(signature(tell).parameters)[1:]
            for name in choice:
                if name not in offered:
                    there = ", ".join(f"{one}=" for one in offered) or "nothing"
                    raise DomainError(
                        f"{type(result).__name__}.report has no choice {name}=; there is {there} to choose "
                        "beside path and paper.",
                        Where("parameter", name=name),
                    )
            return tell(result, **choice)
    raise TypeError(f"There is no report of a {type(result).__name__}; there is one of analyses and runs.")


def _known(named: Iterable[str]) -> str:
    names = listed(named)
    return f"the values of {names}" if names else "no other tuple"


# Tables and Gaussian data


def _chosen(analysis: Any, target: Any, known: Iterable[Any]) -> tuple[dict[str, Any], Leakage, list[Row]]:
    """Return a chosen adversary, without one whoever learns most, with its leakage, beside the largest."""
    largest = analysis.largest
    if target is None:
        target, known = largest.about.target, [name for name, _ in largest.about.known]
    found = analysis.node(target, known)
    rows = [row(largest, "Largest"), *([] if found.about == largest.about else [row(found, "Chosen")])]
    named = {"target": found.about.target, "known": [name for name, _ in found.about.known]}
    return named, found, rows


def _prior(analysis: PriorAnalysis, target: Any = None, known: Iterable[Any] = ()) -> Told:
    joint, scale = analysis.distribution, analysis.mechanism.scale
    named, found, rows = _chosen(analysis, target, known)
    assumed = law_of(joint)
    if joint.counts is not None:

        def plausible() -> str:
            several = analysis.interval(**named, rng=0, limit=_LIMIT)
            rows.append(row(several, "With its interval"))
            low, high = several.interval or (several.value, several.value)
            return f"95 % of plausible tables leak {number(low, 4)} to {nats(high, 4)} to that adversary."

        assumed.append(tried(plausible))
    if joint.n_tuples <= _MOST_ESTIMATED:
        rows.append(row(analysis.paper_node(**named), "The paper's estimate"))

    def least() -> str:
        if not analysis.promise:
            return "None is needed: the query is the same for all rows."
        kept = analysis.calibrate(analysis.promise, limit=_LIMIT)
        return least_noise(kept.scale, scale, analysis.promise, kept.adversaries, kept.status)

    return replace(
        _of_table(analysis, named, found, rows),
        assumed=assumed,
        noise=[tried(least)],
        meaning=meaning_or_why(lambda: analysis.meaning(**named)),
    )


def _histogram(analysis: HistogramAnalysis, target: Any = None, known: Iterable[Any] = ()) -> Told:
    return _of_table(analysis, *_chosen(analysis, target, known))


def _of_table(
    analysis: PriorAnalysis | HistogramAnalysis, named: dict[str, Any], found: Leakage, rows: list[Row]
) -> Told:
    """Return what is said of a table whatever is released."""
    joint, release = analysis.distribution, analysis.mechanism
    at_row = analysis.convention == "instance"
    values = listed(f"{a} = {b}" for a, b in zip(joint.names, analysis.instance, strict=True))
    given = f"the values of one row: {values}" if at_row else "any values that can occur"
    topic, kinds = "pdp", ("PriorAnalysis", "LaplaceMechanism")
    if isinstance(analysis, HistogramAnalysis):
        topic, kinds = "pdp.prior", ("HistogramAnalysis", "VectorLaplaceMechanism")
    query = f"{short(release.query.name)} of {count(joint.n_tuples, 'tuple')}: {listed(joint.names)}"
    return Told(
        joint.title or "A joint distribution",
        in_short(analysis.promise, "for one tuple", analysis.largest),
        [
            ("Query", query),
            ("Noise", f"Laplace, scale {number(release.scale, 4)}"),
            ("Promise", f"{nats(analysis.promise, 4)} for one tuple"),
        ],
        law_of(joint),
        [f"{everyone(joint.n_tuples)}; what is known are {given}.", closely(found)],
        [*(["Other known values than those of the row."] if at_row else []), _LAW, _ONE_RELEASE],
        [
            promised(analysis.promise, "for one tuple"),
            *rows,
            row(analysis.group_bound(**named), "Group bound, any table"),
        ],
        ["Several numbers are released together, for which no least noise is computed."],
        Cell(
            {"joint": joint, "query": release.query},
            f"{topic}.{kinds[0]}(joint, {topic}.{kinds[1]}(query, {real(release.scale)}), "
            f"{list(analysis.instance)!r}, {analysis.convention!r})",
        ),
        "Several numbers are released together; measures beyond the leakage are about one.",
        named,
    )


def _gaussian(analysis: GaussianAnalysis, target: Any = None, known: Iterable[Any] = ()) -> Told:
    model, promise, scale = analysis.model, analysis.promise, analysis.scale
    named, found, rows = _chosen(analysis, target, known)
    change = f"for a change of {number(analysis.max_change)}"
    from_records = "" if model.records is None else f", estimated from {model.records:,} records"
    return Told(
        model.title or f"Gaussian data: {listed(model.names)}",
        in_short(promise, change, analysis.largest),
        [
            ("Query", f"weighted sum of {count(model.n_tuples, 'tuple')}: {listed(model.names)}"),
            ("Noise", f"Laplace, scale {number(scale, 4)}"),
            ("Promise", f"{nats(promise, 4)} {change} in one tuple"),
        ],
        [f"The tuples are jointly normal with the given means and covariances{from_records}."],
        [f"{everyone(model.n_tuples)}; what their values are does not matter.", closely(found)],
        [f"Changes of more than {number(analysis.max_change)}.", _LAW, _ONE_RELEASE],
        [promised(promise, change), *rows],
        [
            tried(
                lambda: least_noise(
                    analysis.keeping_scale(promise), scale, promise, "all adversaries", "exact"
                )
            )
        ],
        Cell(
            {"model": model},
            f"pdp.GaussianAnalysis(model, {list(analysis.weights)!r}, {real(scale)}, "
            f"{real(analysis.max_change)})",
        ),
        meaning_or_why(lambda: analysis.meaning(**named)),
        named,
    )


# Local reports and dependent tuples


def _local(analysis: LocalAnalysis, secret: Any = None, source: Any = None) -> Told:
    names, own = analysis.names, float(max(analysis.dpl))
    found = {name: analysis.joint(name) for name in names}
    together = max((one.exact or one.joint_bound for one in found.values()), key=float)
    wanted = together.about.target if secret is None else names[analysis.tables.position(secret)]
    rows = [promised(own, "for an attribute's own report"), row(together, "Largest, all reports")]
    if source is not None and names[analysis.tables.position(source)] != wanted:
        rows.append(row(analysis.pair(source, wanted).leakage, "One report"))
    else:
        rows.append(row(analysis.largest, "Largest, one report about another attribute"))
    rows.append(row(found[wanted].joint_bound, "Bound"))
    used = dict.fromkeys(map(repr, analysis.mechanisms))
    same = len(used) == 1
    mechanisms = [f"pdp.local.{one!r}" for one in analysis.mechanisms]

    def least() -> str:
        found = analysis.calibrate(own, limit=_LIMIT)
        return (
            f"A budget of {number(found.epsilon, 4)} for each report keeps {nats(own, 4)} about every "
            f"attribute from all reports together ({found.leakage.status})."
        )

    return Told(
        getattr(analysis.data, "title", "") or "Local reports",
        in_short(own, "about the attribute that is reported", together),
        [
            ("Reports", f"{count(len(names), 'attribute')}, each randomised alone: {listed(names)}"),
            ("Mechanism", listed(used)),
            ("Promise", f"{nats(own, 4)} about the attribute that is reported"),
            ("What is seen", "the reports" if analysis.output == "raw" else "what is guessed from them"),
        ],
        law_of(analysis.data),
        [
            "Whoever knows how the attributes depend on each other, and sees one report, or all of them.",
            f"Looked at closely: {wanted}, from all reports.",
        ],
        ["Whoever knows some attributes themselves.", _LAW, _ONE_RELEASE],
        rows,
        [tried(least)],
        Cell(
            {"data": analysis.data},
            f"pdp.LocalAnalysis(data, {mechanisms[0] if same else '[' + ', '.join(mechanisms) + ']'}, "
            f"output={analysis.output!r}, min_count={analysis.min_count!r})",
        ),
        meaning_or_why(lambda: analysis.meaning(wanted)),
        {"secret": wanted} if source is None else {"secret": wanted, "source": source},
    )


def _dependence(analysis: DependenceAnalysis, target: Any = None) -> Told:
    joint, epsilon = analysis.joint, analysis.epsilon
    place = joint.axis(analysis.largest.about.target if target is None else target)
    name, here = joint.tuples[place], analysis.per_tuple[place]
    asked = getattr(analysis.query, "query", analysis.query)
    rows = [promised(epsilon, "for one tuple"), row(analysis.largest, "Largest")]
    if here.about != analysis.largest.about:
        rows.append(row(here, "Chosen"))
    estimates: list[tuple[str, Callable[[], Leakage]]] = [
        ("The paper's estimate", lambda: analysis.paper_estimates[place]),
        ("Mean bound", lambda: analysis.mean_bounds[place]),
    ]
    for said, make in estimates:
        try:
            rows.append(row(make(), said))
        except PdpError:
            # Not every query has one.
            continue
    asking = (
        "For every tuple, whoever learns most about it."
        if analysis.worst
        else f"Whoever knows the joint table and {_known(analysis.known)}."
    )

    def least() -> str:
        report = analysis.mechanisms
        at = report.mechanisms.index("calibrated")
        whom = "every tuple if no other is known"
        return least_noise(float(report.scales[at]), float(analysis.scale), epsilon, whom, "exact")

    scale = "" if analysis.given_scale is None else f", scale={real(analysis.given_scale)}"
    return Told(
        joint.title or "Dependent tuples",
        in_short(epsilon, "for one tuple", analysis.largest),
        [
            ("Query", f"{short(asked.name)} of {count(len(joint.tuples), 'tuple')}: {listed(joint.tuples)}"),
            ("Mechanism", analysis.mechanism_label),
            ("Noise", f"Laplace, scale {number(float(analysis.scale), 4)}"),
            ("Promise", f"{nats(epsilon, 4)} for one tuple"),
        ],
        [GIVEN],
        [asking, closely(here)],
        [*([] if analysis.worst else ["Whoever knows other tuples than these."]), _LAW, _ONE_RELEASE],
        rows,
        [tried(least)],
        Cell(
            {"joint": joint, "query": asked},
            f"pdp.DependenceAnalysis(joint, query, {real(epsilon)}, {analysis.mechanism!r}, "
            f"{list(analysis.known)!r}, {_blocks(analysis)}{scale}, worst={analysis.worst!r})",
        ),
        meaning_or_why(lambda: analysis.meaning(name)),
        {"target": name},
    )


def _blocks(analysis: DependenceAnalysis) -> str:
    return repr([list(map(int, block)) for block in analysis.blocks])


# Places, records and streams


def _attack(attack: InferenceAttack) -> Told:
    network, k = attack.network, attack.clusters.k
    others = len(network.users) - 1
    known = "" if len(attack.known) == others else f"known={attack.known.tolist()!r}, "
    seeded = attack_setting(network, attack.grid, k, 1.0, 0).seed == attack.setting.seed
    rows = [row(attack.promise, "Promised")]
    for name, found in (
        ("Attack 1, without friends", attack.attack_1),
        ("Attack 2, with friends", attack.attack_2),
    ):
        rows += [
            (f"{name}: score", f"{number(found.leaked_bits, 4)} bits", "as printed, one draw", _LIU),
            (
                f"{name}: the release adds",
                f"{number(found.incremental_bits, 4)} bits",
                "exact, one draw",
                "difference",
            ),
            (
                f"{name}: its guess is off by",
                f"{number(found.error_km, 3)} km",
                "exact, one draw",
                "difference",
            ),
        ]
    return Told(
        network.title,
        f"The guess of attack 2 is off by {number(attack.attack_2.error_km, 3)} km; the release adds "
        f"{number(attack.attack_2.incremental_bits, 3)} bits to what the attack knew.",
        [
            ("Released", f"{k} noisy cluster centres of {count(others + 1, 'user')}"),
            ("Mechanism", f"{attack.mechanism}, sensitivity {attack.sensitivity}"),
            ("Noise", f"Laplace, scale {number(attack.scale, 4)} in the unit square"),
            ("Budget", nats(attack.epsilon, 4)),
        ],
        [
            "A user is placed where most of her check-ins are. Attack 2 assumes that friends live near each "
            "other."
        ],
        [
            f"Whoever knows the places of {len(attack.known):,} of the {others:,} others and looks for user "
            f"{attack.victim}, without and with her friendships.",
        ],
        ["Other users, other draws of the noise, and whoever knows other places.", _ONE_RELEASE],
        rows,
        [
            "Not computed: the budget is a promise only where the sensitivity holds for every data set"
            + ("." if attack.formal else ", and here it is measured on these data.")
        ],
        Cell(
            {"network": network},
            f"pdp.InferenceAttack(network, {attack.victim}, {attack.mechanism!r}, {real(attack.epsilon)}, "
            f"{attack.grid}, {k}, {real(attack.weight)}, {real(attack.radius)}, "
            f"{known}sensitivity={attack.sensitivity!r}, smoothing={real(attack.smoothing)}, "
            f"draw={attack.draw})",
            "" if seeded else _OWN_GENERATOR,
        ),
        "An attack guesses a place among many cells; measures of two labels are not computed for it.",
    )


def _anonymity(analysis: AnonymityAnalysis) -> Told:
    data, quasi, secret = analysis.data, listed(analysis.quasi), analysis.secret
    slacks = [analysis.slack(epsilon) for epsilon in (0.0, 0.5, 1.0)]
    rows: list[Row] = [
        (f"Slack δ at ε = {nats(epsilon)}", slack(float(one)), one.status, one.source)
        for epsilon, one in zip((0.0, 0.5, 1.0), slacks, strict=True)
    ]
    changed = analysis.sensitivity()
    rows.append(
        (
            "A record left out changes the group of another by",
            f"{number(changed.largest, 4)} records",
            changed.status,
            changed.source,
        )
    )
    return Told(
        data.title or "Records",
        f"Every record shares a class with at least {analysis.k - 1} others. At ε = 1 nat the slack δ of the "
        f"published number is {slack(float(slacks[-1]))} ({slacks[-1].status}).",
        [
            ("Table", f"{count(data.records, 'record')} in classes of at least {analysis.k}, by {quasi}"),
            ("Beside it", analysis.about),
            ("Noise", "none"),
            ("Promise", f"{analysis.k}-anonymity: nothing about δ"),
        ],
        [
            "Records are independent, with the values of the table as their law"
            + (
                "." if analysis.neighbours == 1 else f", but for groups of {analysis.neighbours} that depend."
            ),
        ],
        [
            f"Level {analysis.level}: whoever knows {per_cent(analysis.known)} of the records and asks for "
            f"one more; {count(analysis.unknown, 'other record')} unknown.",
            f"What may differ of that record: its {analysis.neighbour}.",
        ],
        ["Whoever knows more records, or how records depend on each other otherwise.", _ONE_RELEASE],
        rows,
        ["No noise is added: other people's unknown records are what hides one."],
        Cell(
            {"data": data},
            f"pdp.AnonymityAnalysis(data, {list(analysis.quasi)!r}, {secret!r}, {analysis.k}, "
            f"release={analysis.release!r}, n={analysis.given_n!r}, neighbour={analysis.neighbour!r}, "
            f"level={analysis.level!r}, known={real(analysis.known)}, neighbours={analysis.neighbours}, "
            f"shift={analysis.given_shift!r}, group_change={real(float(analysis.group_change))})",
        ),
        meaning_or_why(analysis.meaning),
    )


def _sequence(analysis: SequenceAnalysis, step: int | None = None) -> Told:
    worst = analysis.steps.worst
    at = int(worst.argmax()) + 1 if step is None else step
    budget = float(max(analysis.budgets))
    rows = [
        (f"Promised for a {analysis.steps.unit}", nats(budget, 4), "promise", "the mechanism"),
        (f"Largest {analysis.steps.unit}", nats(float(worst.max()), 4), "exact", analysis.sequence.source),
        row(analysis.sequence, "Together"),
        row(analysis.promised.linear, "Added up"),
        row(analysis.ldp, "If the law is wrong"),
    ]
    given = analysis.mechanisms
    mechanism = f"pdp.streams.{given[0]!r}" if len(set(map(repr, given))) == 1 else "None"
    kept = "keeps" if analysis.keeps_promise else "does not keep"
    return Told(
        f"A stream of {count(analysis.n_steps, analysis.steps.unit)}",
        in_short(budget, f"for a {analysis.steps.unit}", analysis.sequence),
        [
            ("Released", f"one symbol at every {analysis.steps.unit}"),
            ("Mechanism", analysis.mechanism_label),
            ("Promise", f"{nats(budget, 4)} about each symbol, given the releases before"),
        ],
        ["The symbols follow the given law, which the adversary knows.", GIVEN],
        [
            "Whoever knows the law of the stream and sees every release.",
            f"Looked at closely: {analysis.steps.unit} {at}, from all releases.",
        ],
        ["Whoever knows some true symbols.", _LAW],
        rows,
        [f"This mechanism {kept} its promise for every {analysis.steps.unit} and history. {_BALANCED}"],
        Cell(
            {"chain": analysis.chain},
            f"pdp.SequenceAnalysis(chain, {mechanism}, {analysis.n_steps}, {real(analysis.delta)})",
        ),
        meaning_or_why(lambda: analysis.meaning(at, limit=_LIMIT)),
        {"step": at},
    )


def _run(run: StreamRun) -> Told:
    lanes = list(run.mechanisms)[:MOST_LISTED]
    epsilons = [segment.epsilon for segment in run.script.segments]
    rows = []
    for key in lanes:
        total, unit = run.totals(key), count(run.steps, "step")
        broken = f"; {count(total.over, 'step')} above the promise" if total.over else ""
        rows += [
            row(run.largest(key), f"{key}, largest step{broken}"),
            (f"{key}, {unit} together", nats(total.leakage, 4), "bound", "sum of the steps"),
        ]
    return Told(
        "A stream that is released step by step",
        in_short(*(epsilons[-1], "for a step"), max((run.largest(key) for key in lanes), key=float)),
        [
            ("Released", f"one symbol at each of {count(run.steps, 'step')}"),
            ("Mechanisms", listed(run.mechanisms)),
            ("Promise", f"{nats(epsilons[-1], 4)} about each symbol, given the releases before"),
        ],
        ["The symbols follow the given law, which the adversary knows.", GIVEN],
        ["Whoever knows the law of the stream and sees every release, step by step."],
        ["Other histories than the one that was released; whoever knows some true symbols.", _LAW],
        rows,
        [_BALANCED],
        Cell(
            {"chain": run.script.segments[-1].chain},
            f"pdp.StreamSimulator(chain, {real(epsilons[-1])}).results",
        ),
        "The leakage of each step is about one history; whole sequences are the matter of SequenceAnalysis.",
    )


_LIU = "Liu, Chakraborty and Mittal"
_KINDS: Mapping[type, Callable[..., Told]] = {
    PriorAnalysis: _prior,
    HistogramAnalysis: _histogram,
    GaussianAnalysis: _gaussian,
    LocalAnalysis: _local,
    DependenceAnalysis: _dependence,
    InferenceAttack: _attack,
    AnonymityAnalysis: _anonymity,
    SequenceAnalysis: _sequence,
    StreamRun: _run,
}
