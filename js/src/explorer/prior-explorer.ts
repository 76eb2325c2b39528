/** The explorer of prior knowledge: its parts, the one state they share, and undo over all of it. */
import { createDensities, rDecimals, type DensitiesProps } from "../curves/densities";
import { frameOf, startingR, type Frame } from "../curves/frame";
import { createPosterior } from "../curves/posterior";
import { decodeGraph } from "../graph/decode";
import { createLeakageGraph } from "../graph/leakage-graph";
import { createJointTable } from "../table/joint-table";
import { toBytes } from "../ui/codec";
import { listen } from "../ui/dom";
import { historyKey } from "../ui/keys";
import { createLine, type LineProps } from "../ui/lines";
import type { GraphState, PriorRequest, PriorView } from "../ui/protocol";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { createRoot } from "../ui/theme";
import { createAdversary } from "./adversary";
import { arrange } from "./arrange";
import { createAudit, type Filter } from "./audit";
import { createFacts } from "./facts";
import { createHeader, headline } from "./header";
import { EditHistory, type Edit } from "./history";
import { createLateDesk } from "./late";
import { createLead } from "./lead";
import { createRelease } from "./release";
import { createSaver } from "./save";
import { chooseLine, look, splitFault, wishOf, type Screen } from "./screen";
import { Stable, gate } from "./stable";
import { STYLES } from "./styles";

const LEAST = 480;
const MOST = 1200;

export interface PriorExplorer {
  destroy(): void;
}

export function createPriorExplorer(model: Model, host: HTMLElement): PriorExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<PriorView, PriorRequest>(model, { request: wishOf, el: host });
  const kept = new Stable();
  let screen = look(session, kept);
  const history = new EditHistory(editOf(screen));
  let width = 1000;
  let gesture = false;
  let since = screen.view.since;
  let r = 0;
  let rKey = "";
  let rMoved = false;
  const gates = { adversary: gate(), table: gate(), graph: gate(), facts: gate(), curves: gate() };
  let frame: Frame | null = null;
  /** What the table has to say; it stands in the line above the panels. */
  let said: LineProps | null = null;
  /** Why the scale as typed is refused. */
  let refused: string | null = null;
  /** Why there is no picture. */
  let unsaved: string | null = null;
  /** The adversaries that this view brings out; a way of looking, so it is not shared. */
  let filter: Filter | null = null;
  let graphFrom: GraphState | null = null;
  let graph: ReturnType<typeof decodeGraph> | null = null;

  const late = createLateDesk(model, draw);
  const saver = createSaver(model, (reason) => {
    unsaved = reason;
    showLine();
  });
  const header = createHeader(headerProps(), { onUndo: () => travel("undo"), onRedo: () => travel("redo"), onSave: saver.save });
  const lead = createLead(leadProps(), { onScale });
  const line = createLine(chooseLine(session, null));
  const release = createRelease(releaseProps(), {
    onScale,
    onQuery,
    onRefused(reason) {
      refused = reason;
      showLine();
    },
  });
  const adversary = createAdversary(adversaryProps(), {
    onChoose,
    onInstance: (instance) => session.propose({ instance }, { commit: true }),
    onConvention: (convention) => session.propose({ convention }, { commit: true }),
  });
  const facts = createFacts(factsProps());
  const densities = createDensities(densityProps(), {
    onR(next) {
      r = next;
      rMoved = true;
      drawR();
    },
  });
  const posterior = createPosterior(posteriorProps());
  const audit = createAudit(auditProps(), {
    onShowPaper: (show) => session.propose({ show_paper: show }, { commit: true }),
    onFilter(next) {
      filter = next;
      draw();
    },
  });
  let table: ReturnType<typeof createJointTable> | null = null;
  let leakage: ReturnType<typeof createLeakageGraph> | null = null;

  const places = arrange({ header, lead, line, release, adversary, facts, densities, posterior, audit });
  root.root.append(places.el);

  function editOf(s: Screen): Edit {
    const { entries, locks, scale, query, weights } = s.wish;
    return { entries, locks, scale, query, weights };
  }

  function onScale(scale: number, { commit, pressed }: Change): void {
    gesture = !commit;
    if (commit) history.record({ ...editOf(screen), scale }, pressed);
    session.propose({ scale }, { commit });
  }

  function onQuery(query: string, weights: number[]): void {
    history.record({ ...editOf(screen), query, weights });
    session.propose({ query, weights }, { commit: true });
  }

  function refusal(): LineProps | null {
    const reason = refused ?? (unsaved === null ? null : `There is no picture: ${unsaved}`);
    return reason === null ? null : { kind: "error", ...splitFault(reason) };
  }

  function showLine(): void {
    line.update(chooseLine(session, said?.kind === "error" ? said : (refusal() ?? said)));
  }

  function onEdit(next: { entries: Float64Array; locks: Uint8Array }, { commit }: { commit: boolean }): void {
    gesture = !commit;
    const entries = toBytes(next.entries);
    const locks = toBytes(next.locks);
    if (commit) history.record({ ...editOf(screen), entries, locks });
    session.propose({ entries, locks }, { commit });
  }

  function onChoose(target: number, known: number[]): void {
    session.propose({ target, known }, { commit: true });
  }

  function travel(way: "undo" | "redo"): void {
    if (screen.disabled || gesture) return;
    const edit = way === "undo" ? history.undo() : history.redo();
    if (edit) session.propose({ ...edit }, { commit: true });
  }

  function headerProps() {
    const { view, naming, records, disabled } = screen;
    const title = headline(view.table?.spec.title ?? "", naming.names, records);
    return { title, canUndo: history.canUndo, canRedo: history.canRedo, canSave: session.connected(), disabled };
  }

  function leadProps() {
    const { view, naming, wish, results, promise, busy, disabled } = screen;
    return {
      query: view.query.subject,
      naming,
      scale: wish.scale,
      promise,
      largest: results?.graph.largest ?? null,
      instance: results?.largest_instance ?? wish.instance,
      worst: (results?.convention ?? wish.convention) === "sup",
      busy,
      disabled,
    };
  }

  function releaseProps() {
    const { view, naming, wish, promise, stale, disabled } = screen;
    const { choices, text } = view.query;
    // What belongs to another scale, table or query is no answer for this one.
    const enough = stale || session.pending() ? undefined : late.numbers(view).enough;
    return { naming, choices, chosen: wish.query, weights: wish.weights, text, scale: wish.scale, promise, enough, disabled };
  }

  function adversaryProps() {
    const { naming, wish, disabled } = screen;
    return { naming, target: wish.target, known: wish.known, instance: wish.instance, convention: wish.convention, disabled };
  }

  function factsProps() {
    const { view, chosen, naming, subject, wish, records, busy, stale } = screen;
    const lineWidth = width > 860 ? 264 : width > 520 ? 250 : width;
    const { sample } = late.numbers(view);
    return { chosen, naming, ...subject, showPaper: wish.show_paper, records, sample, busy, stale, width: lineWidth };
  }

  function densityProps(): DensitiesProps {
    const { chosen, results, naming, wish, stale, busy } = screen;
    followR();
    const free = width > 860 ? width - 264 - 212 - 48 : width > 520 ? width - 212 - 24 : width;
    return {
      chosen,
      scale: results?.scale ?? wish.scale,
      names: [...naming.names],
      labels: naming.labels.map((l) => [...l]),
      r,
      showPaper: wish.show_paper,
      width: free,
      note: busy ? "being computed" : stale ? "of the last valid table" : "drag r",
      busy,
      disabled: false,
    };
  }

  /** r starts where the leakage is attained; once moved by hand it stays, as far as the range allows. */
  function followR(): void {
    const { chosen, results } = screen;
    frame = chosen && results ? frameOf(chosen, results.scale) : null;
    if (!chosen || !frame) return;
    const key = `${chosen.target}/${chosen.known.join()}/${frame.inner.join()}`;
    if (key !== rKey) rMoved = rMoved && rKey !== "" && r >= frame.low && r <= frame.high;
    rKey = key;
    if (!rMoved) r = Number(startingR(chosen, frame).toFixed(rDecimals(frame)));
    r = Math.min(frame.high, Math.max(frame.low, r));
  }

  function posteriorProps() {
    const { chosen, results, naming, wish, busy } = screen;
    return {
      chosen,
      scale: results?.scale ?? wish.scale,
      names: [...naming.names],
      labels: naming.labels.map((l) => [...l]),
      r,
      rDecimals: frame ? rDecimals(frame) : 2,
      busy,
    };
  }

  /** Like the promise, the group bound is arithmetic on the scale. */
  function groupBound(): number | null {
    const { results, wish } = screen;
    if (!results) return null;
    return wish.scale === results.scale ? results.graph.group_bound : (results.graph.group_bound * results.scale) / wish.scale;
  }

  function auditProps() {
    const { naming, promise, results, wish, busy, stale, disabled } = screen;
    const n = naming.names.length;
    const paper =
      results && results.paper_largest !== null && results.too_low !== null && results.too_high !== null
        ? { largest: results.paper_largest, tooLow: results.too_low, tooHigh: results.too_high }
        : null;
    return {
      naming,
      promise,
      largest: results?.graph.largest ?? null,
      worst: results?.convention === "sup",
      groupBound: groupBound(),
      adversaries: n * 2 ** Math.max(0, n - 1),
      showPaper: wish.show_paper,
      paper,
      filter,
      busy,
      stale,
      disabled,
      stacked: width <= 860,
      lineWidth: width <= 860 ? width - 24 : null,
    };
  }

  function drawTable(): void {
    const { view, wish, spec, entries, locks, loaded, disabled, subject } = screen;
    if (!spec) return;
    const props = {
      since: view.since,
      spec,
      entries,
      locks,
      loaded,
      keepSum: wish.keep_sum,
      rows: wish.rows,
      columns: wish.columns,
      fit: { known: subject.instance ? subject.known : [], instance: subject.instance ?? wish.instance },
      fault: view.fault,
      disabled,
    };
    if (table) return table.update(props);
    table = createJointTable(props, {
      onEdit,
      onKeepSum: (keep_sum) => session.propose({ keep_sum }, { commit: true }),
      onPivot: (rows, columns) => session.propose({ rows, columns }, { commit: true }),
      onUndo: () => travel("undo"),
      onRedo: () => travel("redo"),
      onMessage(message) {
        said = message;
        showLine();
      },
    });
    places.table.append(table.el);
  }

  function drawGraph(): void {
    const { results, wish, busy, disabled, chosen } = screen;
    if (!results) return;
    // Bytes are read once for each answer, not on every frame of a gesture.
    if (graphFrom !== results.graph || !graph) graph = decodeGraph(results.graph);
    graphFrom = results.graph;
    const props = {
      graph,
      target: wish.target,
      known: wish.known,
      edges: chosen?.edges ?? null,
      showPaper: wish.show_paper,
      only: filter,
      worst: results.convention === "sup",
      threshold: wish.threshold,
      dark: root.dark(),
      disabled,
      busy,
      width: width > 860 ? width - 264 - 192 - 48 : width,
    };
    if (leakage) return leakage.update(props);
    leakage = createLeakageGraph(props, {
      onChoose,
      onShowPaper: (show_paper) => session.propose({ show_paper }, { commit: true }),
      onThreshold: (threshold, how) => session.propose({ threshold }, how),
    });
    places.graph.append(leakage.el);
  }

  function drawR(): void {
    densities.update(densityProps());
    posterior.update(posteriorProps());
  }

  function draw(): void {
    screen = look(session, kept);
    late.expect(screen.view, session.connected() && !session.pending() && !gesture);
    const { too_low, too_high } = screen.results ?? { too_low: 0, too_high: 0 };
    // Where nobody is left to be brought out, all are.
    if (!screen.wish.show_paper || (filter === "low" ? too_low : too_high) === 0) filter = null;
    // Other tuples or labels: a gesture on the table before is over, and its history is none of this one.
    const another = since !== screen.view.since;
    since = screen.view.since;
    if (another) gesture = false;
    if (!gesture) history.follow(editOf(screen), another);
    const has = screen.view.table !== null;
    places.showBody(has);
    header.update(headerProps());
    showLine();
    if (!has) return;
    lead.update(leadProps());
    release.update(releaseProps());
    audit.update(auditProps());
    const { wish, spec, naming, entries, locks, loaded, view, results, chosen, busy, stale, disabled, records } = screen;
    const subject = kept.value("subject", screen.subject);
    const dark = root.dark();
    const asked = JSON.stringify([wish.target, wish.known, wish.instance, wish.convention]);
    const { sample } = late.numbers(view);
    gates.adversary([naming, asked, disabled], () => adversary.update(adversaryProps()));
    const pivot = JSON.stringify([wish.rows, wish.columns]);
    const fault = kept.value("fault", view.fault);
    gates.table([view.since, spec, entries, locks, loaded, wish.keep_sum, pivot, subject, fault, disabled], drawTable);
    gates.graph([results, asked, wish.show_paper, wish.threshold, filter, dark, disabled, busy, width], drawGraph);
    gates.facts([chosen, naming, subject, wish.show_paper, records, sample, busy, stale, width], () => facts.update(factsProps()));
    gates.curves([chosen, naming, wish.show_paper, busy, stale, width], drawR);
  }

  // A field with typing in it that has not been taken over yet has an undo of its own.
  let typing: EventTarget | null = null;
  listen(root.root, "input", (event) => {
    typing = event.target;
  });
  for (const name of ["change", "focusout"] as const) listen(root.root, name, () => (typing = null));
  listen(root.root, "keydown", (event) => {
    if (event.key === "Enter" || event.key === "Escape") typing = null;
    const step = historyKey(event);
    if (step === null || event.defaultPrevented || (typing !== null && typing === event.target)) return;
    event.preventDefault();
    travel(step);
  });

  function measure(): void {
    const now = Math.round(Math.min(MOST, Math.max(LEAST, root.root.clientWidth)));
    // Hidden: keep the last size, the observer calls again when it is shown.
    if (root.root.clientWidth === 0 || now === width) return;
    width = now;
    draw();
  }

  const observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(measure);
  observer?.observe(root.root);
  const unsubscribe = session.subscribe(draw);
  const untheme = root.onChange(draw);
  if (root.root.clientWidth > 0) width = Math.round(Math.min(MOST, Math.max(LEAST, root.root.clientWidth)));
  draw();

  return {
    destroy() {
      unsubscribe();
      untheme();
      observer?.disconnect();
      for (const part of [header, lead, line, release, adversary, facts, densities, posterior, audit, table, leakage]) part?.destroy();
      late.destroy();
      saver.destroy();
      session.destroy();
      root.destroy();
    },
  };
}
