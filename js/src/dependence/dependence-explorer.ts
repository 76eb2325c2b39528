/** The explorer of dependent tuples: its parts, the one state they share, and undo over all of it. */
import { createHand, gate, Stable } from "../explorer/hand";
import { createTop, results } from "../explorer/top";
import { told } from "../explorer/words";
import { measureEnd } from "../graph/measure";
import { noLaws, NO_RESULTS, NOTHING, ofOutputs } from "../meaning/laws";
import { createMeaning, type MeaningProps } from "../meaning/panel";
import { plainly } from "../meaning/promise";
import { magnitudeDomain } from "../ui/colours";
import { h } from "../ui/dom";
import { createAfterPaint, createRunningDesk, runShell } from "../ui/explorer-shell";
import { createRoot } from "../ui/root";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { editedTitle, isEdited } from "../ui/undo";
import { createAccuracy } from "./accuracy";
import { createAdversary } from "./adversary";
import { createAudit } from "./audit";
import { createFacts } from "./facts";
import { createGraph, createGraphHead, createKey } from "./graph";
import { createLead } from "./lead";
import type { DependenceRequest, DependenceView } from "./protocol";
import { createRelease } from "./release";
import { partnerOf } from "./results";
import { createCoefficientTable, createRows } from "./rows";
import { chooseLine, editOf, look, sameEdit, wired, wishOf, type Edit } from "./screen";
import { STYLES } from "./styles";
import { createTablePanel } from "./table-panel";
import { HEAD, knows } from "./words";
import shape from "shape:./protocol#DependenceView";

// Where the parts of the explorer of dependent tuples stand.

type Part = { el: HTMLElement };
type Name =
  | "header"
  | "lead"
  | "line"
  | "running"
  | "table"
  | "coefficients"
  | "release"
  | "adversary"
  | "graphHead"
  | "graph"
  | "key"
  | "facts"
  | "rows"
  | "accuracy"
  | "meaning"
  | "audit";

function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, table, coefficients, release, adversary, graphHead, graph, key, facts, rows, accuracy, meaning, audit } = parts;
  const leak = h("section", { class: "panel px-leak", "aria-label": "Dependence graph" }, graphHead.el, graph.el, key.el);
  table.el.append(coefficients.el);
  const upper = h("div", { class: "px-columns dx-upper" }, table.el, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(leak));
  const lower = h("div", { class: "px-columns px-lower dx-lower" }, ...results(facts.el, rows.el, accuracy.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, upper, lower, ...results(meaning.el), audit.el);
  const frame = h("div", { class: "px px-fits dx", role: "group", "aria-label": "Dependence explorer" }, header.el, lead.el, slot, body);
  return h("div", { class: "px-scroll" }, frame);
}

export interface DependenceExplorer {
  destroy(): void;
}

export function createDependenceExplorer(model: Model, host: HTMLElement): DependenceExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<DependenceView, DependenceRequest>(model, { request: wishOf, shape, el: host });
  const kept = new Stable();
  const rest = createAfterPaint();
  const desk = createRunningDesk(model, draw);
  let screen = look(session, kept, desk.shown(session.view()));
  let width = 1000;
  let example = screen.view.example;
  /** Probabilities that undo brings back once their table stands again. */
  let returning: Edit | null = null;
  const gates = {
    table: gate(),
    coefficients: gate(),
    adversary: gate(),
    graph: gate(),
    key: gate(),
    facts: gate(),
    rows: gate(),
    accuracy: gate(),
    meaning: gate(),
  };

  const disabled = (): boolean => screen.disabled;
  const hand = createHand<Edit>({ ...session, propose: send }, { edit: () => editOf(screen), same: sameEdit, disabled, take });
  const { propose } = hand;
  const top = createTop({ model, about: HEAD, session, desk, hand, title, disabled, choose: (said) => chooseLine(session, said, screen.busy, desk.resume) });
  const lead = createLead(leadProps(), { onEpsilon });
  const table = createTablePanel(tableProps(), {
    onEdit: (probabilities, how) => propose({ probabilities }, how),
    onPair(tuple, other) {
      if (other === null) onTuple(tuple);
      else session.propose({ tuple, other }, { commit: true });
    },
    onExample: (next) => next !== screen.wish.example && propose({ example: next }, { commit: true }),
    onMessage: top.say,
  });
  const coefficients = createCoefficientTable(coefficientProps());
  const release = createRelease(releaseProps(), {
    onQuery: (query) => propose({ query }, { commit: true }),
    onMechanism: (mechanism) => propose({ mechanism }, { commit: true }),
    onCoefficient: (coefficient) => propose({ coefficient }, { commit: true }),
    onEpsilon,
    onRefused: top.onRefused,
  });
  const adversary = createAdversary(adversaryProps(), {
    onKnowing: (knowing) => propose({ knowing }, { commit: true }),
    onKnown: (known) => propose({ known, knowing: "chosen" }, { commit: true }),
    onTuple,
  });
  const graphHead = createGraphHead(graphHeadProps(), (paper) => session.propose({ paper }, { commit: true }), {
    onMeasure: (measure, measure_epsilon) => propose({ measure, measure_epsilon }, { commit: true }),
    onRefused: top.onRefused,
  });
  const graph = createGraph(graphProps(), { onTuple, onOther: (other) => session.propose({ other }, { commit: true }) });
  const key = createKey(keyProps());
  const facts = createFacts(factsProps());
  const rows = createRows(rowsProps(), onTuple);
  const accuracy = createAccuracy(accuracyProps(), {
    onAlpha: (alpha, how) => propose({ alpha: wired(alpha) }, how),
    onMechanism(row) {
      const coefficient = /^dpm_(exact|mean|eq18)$/.exec(row)?.[1] as DependenceRequest["coefficient"] | undefined;
      propose(coefficient ? { mechanism: "dpm", coefficient } : { mechanism: row as DependenceRequest["mechanism"] }, { commit: true });
    },
  });
  const meaning = createMeaning(meaningProps());
  const audit = createAudit(auditProps());
  root.root.append(arrange({ ...top, lead, table, coefficients, release, adversary, graphHead, graph, key, facts, rows, accuracy, meaning, audit }));

  function send({ probabilities, ...patch }: Partial<Edit>, how: { commit: boolean }): void {
    session.propose({ ...patch, ...(probabilities ? { probabilities: Array.from(probabilities) } : {}) }, how);
  }

  function onEpsilon(epsilon: number, how: Change): void {
    propose({ epsilon: wired(epsilon) }, how);
  }

  function onTuple(tuple: number): void {
    const { shown, blocks, tuple: before } = screen;
    session.propose({ tuple, other: partnerOf(shown, blocks, tuple, before) }, { commit: true });
  }

  function take(edit: Edit): void {
    top.say(null);
    const { probabilities, ...others } = edit;
    // Of another table the rows mean nothing here: they follow once it stands.
    const same = edit.example === screen.view.example && probabilities.length === screen.probabilities.length;
    returning = same ? null : edit;
    send(same ? edit : others, { commit: true });
  }

  function title(): string {
    const { view, probabilities, loaded } = screen;
    return editedTitle(view.title, isEdited(probabilities, loaded));
  }

  function leadProps() {
    const { naming, view, epsilon, blocks, shown, busy, disabled } = screen;
    // Who knows what as the results have it: the controls may be ahead of them.
    return { naming, subject: view.subject, epsilon, blocks, shown, knowing: view.knowing, known: view.known, busy, disabled };
  }

  function tableProps() {
    const { view, naming, blocks, rows: all, probabilities, loaded, tuple, other, facts: chosen, wish, disabled } = screen;
    return {
      since: view.since,
      naming,
      blocks,
      rows: all,
      probabilities,
      loaded,
      tuple,
      other,
      known: wish.knowing === "nobody" || !chosen ? NOBODY : chosen.known,
      values: chosen?.values ?? NOBODY,
      editable: view.model.editable,
      note: view.model.note,
      examples: view.examples,
      example: wish.example,
      disabled,
    };
  }

  function coefficientProps() {
    const { naming, blocks, shown, tuple, other, busy } = screen;
    return { naming, blocks, shown, tuple, other, busy };
  }

  function releaseProps() {
    const { naming, view, wish, epsilon, shown, busy, disabled } = screen;
    return {
      naming,
      query: wish.query,
      queries: view.queries,
      mechanism: wish.mechanism,
      mechanisms: view.mechanisms,
      coefficient: wish.coefficient,
      epsilon,
      shown,
      nobody: view.knowing === "nobody",
      busy,
      disabled,
    };
  }

  function adversaryProps() {
    const { naming, wish, known, tuple, disabled } = screen;
    return { naming, knowing: wish.knowing, known, tuple, disabled };
  }

  /** Width of the column with the graph. */
  function leakWidth(): number {
    return width > 860 ? width - 264 - 192 - 48 : width;
  }

  function domain(): readonly [number, number] {
    const { shown, promise } = screen;
    const { measured } = shown ?? {};
    const values = Array.from((measured?.drawn ?? shown)?.exact ?? []).filter(Number.isFinite);
    return kept.value("domain", measured ? [0, measureEnd(measured.measure, Math.max(...values))] : magnitudeDomain(values, promise));
  }

  /** What the graph draws: leakages, or what is shown in their place. */
  function drawn() {
    const { shown, promise } = screen;
    const { measured } = shown ?? {};
    return { shown: measured?.drawn ?? shown, measure: measured?.measure, epsilon: measured?.drawn.epsilon ?? promise };
  }

  function graphHeadProps() {
    const { wish, promise, disabled } = screen;
    const asked = { name: wish.measure, epsilon: wish.measure_epsilon, promise };
    return { paper: wish.paper, measure: drawn().measure, asked, disabled };
  }

  function graphProps() {
    const { naming, blocks, tuple, other, wish, busy, disabled } = screen;
    const kind = wish.mechanism === "dpm" ? wish.coefficient : "exact";
    return {
      naming,
      blocks,
      ...drawn(),
      tuple,
      other,
      kind,
      domain: domain(),
      paper: wish.paper && !drawn().measure,
      busy,
      dark: root.dark(),
      disabled,
      width: leakWidth(),
    };
  }

  function keyProps() {
    const { tuple, busy } = screen;
    return { ...drawn(), tuple, domain: domain(), busy, dark: root.dark(), width: leakWidth() };
  }

  function factsProps() {
    const { view, naming, shown, tuple, facts: chosen, wish, promise, busy, stale } = screen;
    const wide = width > 520 && width <= 860;
    return {
      naming,
      shown,
      tuple,
      facts: chosen,
      knowing: view.knowing,
      known: view.known,
      epsilon: promise,
      paper: wish.paper,
      busy,
      stale,
      width: width > 520 ? 264 : width,
      histogramWidth: wide ? width - 288 : width > 520 ? 264 : width,
    };
  }

  function rowsProps() {
    const { view, naming, blocks, shown, tuple, promise, wish, busy, disabled } = screen;
    return {
      naming,
      blocks,
      shown,
      tuple,
      epsilon: promise,
      paper: wish.paper,
      knowing: view.knowing,
      busy,
      disabled,
      width: width > 860 ? width - 264 - 300 - 48 : width,
    };
  }

  function accuracyProps() {
    const { shown, wish, promise, alpha, busy, disabled } = screen;
    return { shown, mechanism: wish.mechanism, coefficient: wish.coefficient, epsilon: promise, alpha, busy, disabled, width: width > 860 ? 300 : width };
  }

  function meaningProps(): MeaningProps {
    const { naming, shown, tuple, facts: chosen, promise, busy, disabled } = screen;
    const about = { labels: naming.labels[tuple] ?? [], name: told(naming, tuple, 40), attained: chosen?.attained?.pair };
    const laws = !shown || !chosen ? noLaws(NO_RESULTS) : chosen.leakage === 0 ? noLaws(NOTHING) : ofOutputs(chosen.outputs, shown.scale, about);
    const caution = laws.meaning && chosen && chosen.known.length > 0 ? `to someone who ${knows(naming, chosen.known, chosen.values)}` : "";
    return { ...laws, promise: plainly(promise), caution, width, busy, disabled };
  }

  function auditProps() {
    const { view, naming, shown, promise, busy, stale } = screen;
    const stacked = width <= 860;
    return { naming, shown, epsilon: promise, knowing: view.knowing, known: view.known, busy, stale, stacked, lineWidth: stacked ? width - 24 : null };
  }

  function followHistory(): void {
    const { view } = screen;
    // An example comes and goes by the hand: what came before it can be undone.
    const moved = hand.moved(view.since);
    const another = moved && example === view.example;
    example = view.example;
    const back = moved && !another ? returning : null;
    if (moved) {
      returning = null;
      top.say(null);
    }
    if (back && back.example === view.example && back.probabilities.length === screen.probabilities.length) {
      send({ probabilities: back.probabilities }, { commit: true });
    } else hand.follow(another);
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session, kept, working);
    root.root.toggleAttribute("data-old", screen.stale !== "");
    followHistory();
    const { naming, blocks, rows: all, probabilities, loaded, shown, tuple, other, facts: chosen, wish, view, known, promise, busy, disabled } = screen;
    top.update(working);
    lead.update(leadProps());
    gates.table(
      [
        naming,
        blocks,
        all,
        probabilities,
        loaded,
        tuple,
        other,
        chosen,
        wish.knowing,
        view.since,
        view.model.editable,
        view.model.note,
        wish.example,
        disabled,
      ],
      () => table.update(tableProps()),
    );
    release.update(releaseProps());
    gates.adversary([naming, wish.knowing, known, tuple, disabled], () => adversary.update(adversaryProps()));
    graphHead.update(graphHeadProps());
    gates.graph(
      [
        naming,
        blocks,
        shown,
        tuple,
        other,
        wish.mechanism,
        wish.coefficient,
        wish.paper,
        promise,
        domain(),
        busy,
        root.dark(),
        disabled,
        width,
      ],
      () => graph.update(graphProps()),
    );
    // What the hand moves is drawn before what is read beside it.
    if (naming.names.length > 12 && session.pending()) rest.ask(drawRest);
    else drawRest();
  }

  function drawRest(): void {
    rest.cancel();
    const { naming, blocks, shown, tuple, other, view, facts: chosen, wish, promise, alpha, busy, stale, disabled } = screen;
    const who = kept.value("who", [view.knowing, view.known]);
    gates.key([shown, tuple, promise, domain(), busy, root.dark(), width], () => key.update(keyProps()));
    gates.coefficients([naming, blocks, shown, tuple, other, busy], () => coefficients.update(coefficientProps()));
    gates.facts([naming, shown, tuple, chosen, who, wish.paper, promise, busy, stale, width], () => facts.update(factsProps()));
    gates.rows([naming, blocks, shown, tuple, promise, wish.paper, view.knowing, busy, disabled, width], () => rows.update(rowsProps()));
    gates.meaning([naming, shown, tuple, chosen, promise, busy, disabled, width], () => meaning.update(meaningProps()));
    gates.accuracy([shown, wish.mechanism, wish.coefficient, promise, alpha, busy, disabled, width], () => accuracy.update(accuracyProps()));
    audit.update(auditProps());
  }

  return runShell({
    root,
    session,
    travel: hand.travel,
    draw,
    resized: (now) => (width = now),
    parts: () => [
      { destroy: rest.cancel },
      top,
      lead,
      table,
      coefficients,
      release,
      adversary,
      graphHead,
      graph,
      key,
      facts,
      rows,
      accuracy,
      meaning,
      audit,
      desk,
      session,
    ],
  });
}

const NOBODY: readonly number[] = [];
