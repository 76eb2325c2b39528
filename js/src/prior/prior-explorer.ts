/** The explorer of prior knowledge: its parts, the one state they share, and undo over all of it. */
import { createAdversary } from "../explorer/adversary";
import { createHand, gate, Stable } from "../explorer/hand";
import { createLead } from "../explorer/lead";
import { createRelease } from "../explorer/release";
import { STYLES } from "../explorer/styles";
import { chooseLineBeside, createStale, createTop } from "../explorer/top";
import { belongs, givenValues, headline, plural } from "../explorer/words";
import { roundingOf } from "../graph/data";
import { createAnyGraph, type AnyGraphProps } from "../graph/leakage-graph";
import { createMeasure, type MeasureProps } from "../graph/measure";
import { ofMixtures } from "../meaning/laws";
import { createMeaning, type MeaningProps } from "../meaning/panel";
import { plainly } from "../meaning/promise";
import type { Component } from "../ui/dom";
import { createRunningDesk, runShell } from "../ui/explorer-shell";
import { GIVEN_UP } from "../ui/goal";
import type { HeadWords } from "../ui/head";
import type { LineProps } from "../ui/lines";
import { WEIGHTS } from "../ui/protocol";
import { createRoot } from "../ui/root";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { editedTitle, isEdited } from "../ui/undo";
import { toBytes } from "../ui/wire";
import shape from "shape:./protocol#PriorView";
import { arrange, createTablePanel, tableRoom } from "./arrange";
import { createAudit, type Filter } from "./audit";
import { createCurves, curvesNote, type CurvesProps } from "./curves";
import { createFacts } from "./facts";
import { createLateDesk } from "./late";
import type { PriorRequest, PriorView } from "./protocol";
import { asksOther, look, measured, sameEdit, wishOf, type Edit, type Screen } from "./screen";

/** What the explorer says about itself. */
const HEAD: HeadWords = {
  name: "Prior knowledge",
  equation: "papers/prior#exact-leakage",
  about: [
    "A number is published with Laplace noise. The noise promises that no single tuple leaks more than the " +
      "promise. When tuples are correlated, someone who knows some of them can learn more about another. Here " +
      "you see how much, exactly, for every such adversary.",
    "Leakage is the largest change of the log odds of two values that any published r can cause, in nats. Edit " +
      "the table, drag the scale, choose who knows what. A small triangle in the corner of a cell marks a number " +
      "that is not as it was loaded; above it then says “edited from” the data.",
  ],
  legend: [
    ["exact", "exact: computed from the table, no approximation"],
    ["promise", "promise: what the noise guarantees for one tuple on its own, GS/λ"],
    ["paper", "paper’s estimate: the chain rule as printed; it may be too low or too high"],
    ["bound", "group bound: holds for every table and every adversary"],
    ["low", "the paper’s estimate is too low here"],
    ["high", "the paper’s estimate is too high here"],
  ],
  paper: "Y. Li, X. Ren, S. Yang, X. Yang: Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis.",
};

export interface PriorExplorer {
  destroy(): void;
}

export function createPriorExplorer(model: Model, host: HTMLElement): PriorExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<PriorView, PriorRequest>(model, { request: wishOf, shape, el: host });
  const kept = new Stable();
  const desk = createRunningDesk(model, draw);
  let screen = look(session, kept, desk.shown(session.view()));
  let width = 1000;
  const gates = { adversary: gate(), table: gate(), graph: gate(), facts: gate(), curves: gate(), meaning: gate() };
  /** What the table has to say; it stands in the line above the panels. */
  let said: LineProps | null = null;
  /** The adversaries that this view brings out; a way of looking, so it is not shared. Of a large graph the search says it. */
  let broughtOut: Filter | null = null;

  const late = createLateDesk(model, draw, () => session.connected());
  const disabled = (): boolean => screen.disabled;
  // What the hand did stands in its history before it is answered: whatever else comes meanwhile is taken over.
  const hand = createHand<Edit>({ ...session, pending: () => false }, { edit: () => editOf(screen), same: sameEdit, disabled });
  const { propose } = hand;
  const top = createTop({
    model,
    about: HEAD,
    session,
    desk,
    hand,
    title,
    disabled,
    choose: (refusal) => chooseLineBeside("table", session, said, refusal, session.busy(), desk.resume),
  });
  const lead = createLead(leadProps(), { onScale });
  const release = createRelease(releaseProps(), {
    onScale,
    onGoal: (goal) => propose({ goal }, { commit: true }),
    onQuery,
    onRefused: top.onRefused,
  });
  const adversary = createAdversary(adversaryProps(), {
    onChoose,
    onInstance: (instance) => session.propose({ instance }, { commit: true }),
    onConvention: (convention) => session.propose({ convention }, { commit: true }),
  });
  const facts = createFacts(factsProps());
  const curves = createCurves(curvesProps());
  const meaning = createMeaning(meaningProps());
  const audit = createAudit(auditProps(), {
    onShowPaper,
    onFilter(next) {
      if (screen.results?.digest) session.propose({ search: { ...screen.wish.search, only: next ?? "all", first: 0 } }, { commit: true });
      broughtOut = next;
      draw();
    },
  });
  const table = createTablePanel({
    onEdit,
    onKeepSum: (keep_sum) => session.propose({ keep_sum }, { commit: true }),
    onPivot: (rows, columns) => session.propose({ rows, columns }, { commit: true }),
    onWeights: (weights) => onQuery(WEIGHTS, weights),
    onRefused: top.onRefused,
    onUndo: () => hand.travel("undo"),
    onRedo: () => hand.travel("redo"),
    onMessage(message) {
      said = message;
      top.showLine();
    },
  });
  const shows = createMeasure(measureProps(), {
    onMeasure: (measure, measure_epsilon) => propose({ measure, measure_epsilon }, { commit: true }),
    onRefused: top.onRefused,
  });
  let graph: Component<AnyGraphProps> | null = null;
  /** Old values of the graph say so below it. */
  const old = createStale();

  const { densities, posterior } = curves;
  const places = arrange({ ...top, lead, release, adversary, facts, densities, posterior, meaning, audit });
  places.table.append(table.el);
  root.root.append(places.el);

  function editOf(s: Screen): Edit {
    const { entries, locks, scale, goal, query, weights, measure, measure_epsilon } = s.wish;
    return { entries, locks, scale, goal, query, weights, measure, measure_epsilon };
  }

  function onScale(scale: number, how: Change): void {
    propose({ scale }, how);
  }

  function onQuery(query: string, weights: number[]): void {
    propose({ query, weights }, { commit: true });
  }

  function onEdit(next: { entries: Float64Array; locks: Uint8Array }, { commit }: { commit: boolean }): void {
    propose({ entries: toBytes(next.entries), locks: toBytes(next.locks) }, { commit });
  }

  function onChoose(target: number, known: number[]): void {
    session.propose({ target, known }, { commit: true });
  }

  function onShowPaper(show_paper: boolean): void {
    // Nobody can be looked for by an estimate that is not shown.
    const search = show_paper ? {} : { search: { ...screen.wish.search, only: "all" as const } };
    session.propose({ show_paper, ...search }, { commit: true });
  }

  function title(): string {
    const { view, naming, records, entries, loaded } = screen;
    const edited = isEdited(entries, loaded);
    return headline(editedTitle(view.table?.spec.title ?? "", edited), naming.names, edited ? null : records);
  }

  function leadProps() {
    const { view, naming, wish, results, chosen, subject, promise, outdated: busy, stale, disabled } = screen;
    // Results of something else do not belong in one sentence with what is promised now.
    const apart = stale !== "" && !busy && (view.stopped !== null || results?.promise !== promise);
    return {
      query: view.query.subject,
      naming,
      scale: wish.scale,
      promise,
      largest: apart ? null : (results?.largest ?? null),
      chosen: { ...subject, value: screen.busy ? null : (chosen?.value ?? null) },
      instead: apart ? belongs(stale) : "",
      instance: results?.largest_instance ?? wish.instance,
      worst: (results?.convention ?? wish.convention) === "sup",
      caution: view.caution ?? "",
      busy,
      disabled,
    };
  }

  function releaseProps() {
    const { view, naming, wish, promise, stale, disabled } = screen;
    const { choices, text } = view.query;
    // What belongs to another goal, table or query is no answer for this one; the present scale does not matter.
    const other = stale || view.running || wish.goal !== view.goal || asksOther(view, wish);
    const enough = view.disabled && view.stopped !== null ? GIVEN_UP : other ? undefined : late.numbers(view).enough;
    const weightsElsewhere = view.table !== null && view.table.summary === null;
    return {
      naming,
      choices,
      chosen: wish.query,
      weights: wish.weights,
      weightsElsewhere,
      text,
      scale: wish.scale,
      promise,
      goal: wish.goal,
      enough,
      given: givenValues(wish.convention === "sup"),
      disabled,
    };
  }

  function adversaryProps() {
    const { naming, wish, subject, disabled } = screen;
    const worst = subject.worst && subject.target === wish.target ? subject.instance : null;
    return { naming, target: wish.target, known: wish.known, instance: wish.instance, convention: wish.convention, worst, disabled };
  }

  function factsProps() {
    const { view, chosen, results, naming, subject, wish, records, busy, stale } = screen;
    const lineWidth = width > 860 ? 264 : width > 520 ? 250 : width;
    const { sample } = late.numbers(view);
    return {
      chosen,
      naming,
      ...subject,
      showPaper: wish.show_paper,
      rounding: roundingOf(results?.group_bound ?? 0),
      records,
      sample,
      busy,
      stale,
      width: lineWidth,
    };
  }

  function curvesProps(): CurvesProps {
    const { chosen, results, naming, wish, stale, slow: { busy } } = screen;
    const free = long() ? 264 + 24 + 212 : width > 860 ? width - 264 - 212 - 48 : width > 520 ? width - 212 - 24 : width;
    return { chosen, scale: results?.scale ?? wish.scale, naming, showPaper: wish.show_paper, busy, stale, width: free };
  }

  function meaningProps(): MeaningProps {
    const { chosen, results, naming, wish, promise, stale, disabled, slow: { busy } } = screen;
    const laws = ofMixtures(chosen, results?.scale ?? wish.scale, naming.names, naming.labels);
    const caution = curvesNote({ ...curvesProps(), busy: false });
    return {
      ...laws,
      promise: plainly((stale ? results?.promise : promise) ?? results?.promise ?? 0),
      caution: chosen?.grouped ? caution : "",
      width,
      busy,
      disabled,
    };
  }

  function measureProps(): MeasureProps {
    const { wish, results, promise, disabled } = screen;
    return { name: wish.measure, epsilon: wish.measure_epsilon, promise: promise ?? results?.promise ?? 0, disabled };
  }

  /** The graph is much longer than what stands beside it. */
  function long(): boolean {
    return width > 860 && (screen.results?.digest ?? null) !== null;
  }

  function tableWidth(): number {
    const { view, spec, wish } = screen;
    const shown = view.table?.summary || long() ? null : spec;
    return tableRoom(shown, { rows: wish.rows, columns: wish.columns }, width);
  }

  function filter(): Filter | null {
    const { results, wish } = screen;
    if (results?.digest) return wish.search.only === "all" ? null : wish.search.only;
    return broughtOut;
  }

  function auditProps() {
    const { naming, promise, groupBound, results, wish, outdated: busy, stale, disabled } = screen;
    const n = naming.names.length;
    const paper =
      results && results.paper_largest !== null && results.too_low !== null && results.too_high !== null
        ? { largest: results.paper_largest, tooLow: results.too_low, tooHigh: results.too_high }
        : null;
    const shown = results && measured(results);
    return {
      naming,
      ...(shown ?? {
        promise: stale ? (results?.promise ?? promise) : promise,
        largest: results?.largest ?? null,
        groupBound,
        measure: undefined,
      }),
      worst: results?.convention === "sup",
      adversaries: n * 2 ** Math.max(0, n - 1),
      showPaper: wish.show_paper,
      paper,
      filter: filter(),
      busy,
      stale,
      disabled,
      stacked: width <= 860,
      lineWidth: width <= 860 ? width - 24 : null,
    };
  }

  /** Of a weighted sum: one number for each tuple in the header of the table. */
  function weightsShown(): number[] | null {
    return screen.wish.query === WEIGHTS ? kept.value("weights", screen.wish.weights) : null;
  }

  function drawTable(): void {
    const { view, wish, spec, entries, locks, loaded, disabled, subject } = screen;
    if (!spec) return;
    const summary = kept.value("summary", view.table?.summary ?? null);
    places.nameTable(summary ? "a summary" : "probabilities");
    table.update({
      since: view.since,
      spec,
      summary,
      entries,
      locks,
      loaded,
      keepSum: wish.keep_sum,
      rows: wish.rows,
      columns: wish.columns,
      fit: { known: subject.instance ? subject.known : [], instance: subject.instance ?? wish.instance },
      fault: view.fault,
      weights: weightsShown(),
      disabled,
    });
  }

  function drawGraph(): void {
    const { results, wish, slow: { outdated }, disabled, chosen } = screen;
    if (!results) return;
    const { noun } = screen.naming;
    const props: AnyGraphProps = {
      ...(noun === "tuple" ? {} : { called: plural(noun) }),
      graph: results.graph,
      digest: results.digest,
      target: wish.target,
      known: wish.known,
      search: wish.search,
      edges: chosen?.edges ?? null,
      showPaper: wish.show_paper,
      shows: shows.el,
      only: filter(),
      worst: results.convention === "sup",
      threshold: wish.threshold,
      dark: root.dark(),
      disabled,
      busy: outdated || session.busy(),
      stale: outdated,
      width: width > 860 ? width - tableWidth() - (long() ? 212 : 192) - 48 : width,
    };
    if (graph) return graph.update(props);
    graph = createAnyGraph(props, {
      onChoose,
      onShowPaper,
      onThreshold: (threshold, how) => session.propose({ threshold }, how),
      onSearch: (search) => session.propose({ search }, { commit: true }),
    });
    places.graph.append(graph.el, old.el);
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session, kept, working);
    root.root.toggleAttribute("data-old", screen.stale !== "");
    late.expect(screen.view, session.connected() && !session.pending() && !hand.dragging() && screen.view.running === null);
    const { too_low, too_high } = screen.results ?? { too_low: 0, too_high: 0 };
    // Where nobody is left to be brought out, all are.
    if (!screen.wish.show_paper || (broughtOut === "low" ? too_low : too_high) === 0) broughtOut = null;
    hand.follow(hand.moved(screen.view.since));
    const has = screen.view.table !== null;
    places.showBody(has);
    places.beside(long());
    const room = tableWidth();
    places.giveTable(room);
    top.update(working);
    if (!has) return;
    lead.update(leadProps());
    old.say(screen.stale);
    release.update(releaseProps());
    shows.update(measureProps());
    audit.update(auditProps());
    const { wish, spec, naming, entries, locks, loaded, view, results, chosen, busy, slow, stale, disabled, records } = screen;
    const subject = kept.value("subject", screen.subject);
    const dark = root.dark();
    const asked = JSON.stringify([wish.target, wish.known, wish.instance, wish.convention]);
    const { sample } = late.numbers(view);
    gates.adversary([naming, asked, subject, disabled], () => adversary.update(adversaryProps()));
    const pivot = JSON.stringify([wish.rows, wish.columns]);
    const fault = kept.value("fault", view.fault);
    const summary = kept.value("summary", view.table?.summary ?? null);
    gates.table([view.since, spec, summary, entries, locks, loaded, wish.keep_sum, pivot, subject, fault, weightsShown(), disabled], drawTable);
    const searched = kept.value("search", wish.search);
    gates.graph(
      [
        results,
        naming.noun,
        asked,
        wish.show_paper,
        wish.threshold,
        searched,
        filter(),
        dark,
        disabled,
        slow.outdated,
        session.busy(),
        width,
        room,
      ],
      drawGraph,
    );
    gates.facts([chosen, naming, subject, wish.show_paper, records, sample, busy, stale, width], () =>
      facts.update(factsProps()),
    );
    gates.curves([chosen, naming, wish.show_paper, slow.busy, stale, width], () => curves.update(curvesProps()));
    gates.meaning([chosen, naming, screen.promise, slow.busy, stale, disabled, width], () => meaning.update(meaningProps()));
  }

  return runShell({
    root,
    session,
    travel: hand.travel,
    draw,
    resized: (now) => (width = now),
    parts: () => [top, lead, release, adversary, facts, curves, meaning, audit, table, shows, graph, late, desk, session],
  });
}
