/** The explorer of Gaussian data: its parts, the one state they share, and undo over all of it. */
import { rDecimals } from "../curves/r-handle";
import { createHand, gate, Stable } from "../explorer/hand";
import { chooseLineBeside, createStale, createTop, results } from "../explorer/top";
import { belongs, headline, told } from "../explorer/words";
import { createAnyGraph, type AnyGraphProps } from "../graph/leakage-graph";
import type { MatrixState, Numbers } from "../matrix/editing";
import { createEmpty, type EmptyProps } from "../matrix/import";
import { createMatrixEditor, type MatrixEditorProps } from "../matrix/matrix-editor";
import { ofShift } from "../meaning/laws";
import { createMeaning, type MeaningProps } from "../meaning/panel";
import { plainly } from "../meaning/promise";
import { h, setText, type Component } from "../ui/dom";
import { createRunningDesk, runShell } from "../ui/explorer-shell";
import { GIVEN_UP } from "../ui/goal";
import type { LineProps } from "../ui/lines";
import { WEIGHTS } from "../ui/protocol";
import { createRoot } from "../ui/root";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { editedTitle, isEdited } from "../ui/undo";
import { number, sameBytes, toBytes } from "../ui/wire";
import { createAudit } from "./audit";
import { createDensities, frameOf, startingR, valueTexts, type DensitiesProps, type Frame } from "./densities";
import { createFacts, createWaterfall } from "./facts";
import { createLead } from "./lead";
import type { GaussianChosen, GaussianRequest, GaussianView } from "./protocol";
import { createAdversary, createRelease, weightsOf } from "./release";
import { createRescaler, enoughFor, LATTICES_TO, nextKnown } from "./rescale";
import { editOf, largestWeight, look, sameEdit, wishOf, type Edit } from "./screen";
import { STYLES } from "./styles";
import { amount, graphNote, HEAD, withUnit } from "./words";
import shape from "shape:./protocol#GaussianView";

// Where the parts of the Gaussian explorer stand; a matrix of many tuples takes a row of its own.

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "release" | "adversary" | "facts" | "densities" | "waterfall" | "meaning" | "audit";

/** From here on the matrix stands above the other columns. */
const WIDE_FROM = 6;

export interface Places {
  el: HTMLElement;
  /** The matrix and the graph come here once there is something to show; without a matrix, two ways to begin. */
  matrix: HTMLElement;
  graph: HTMLElement;
  empty: HTMLElement;
  /** How many tuples there are; 0 shows the two ways to begin. */
  show(tuples: number): void;
}

function isWide(tuples: number): boolean {
  return tuples >= WIDE_FROM;
}

function arrange(parts: Record<Name, Part>): Places {
  const { header, lead, line, running, release, adversary, facts, densities, waterfall, meaning, audit } = parts;
  const matrix = h("section", { class: "panel gx-matrix", "aria-label": "Matrix" });
  const graph = h("div", { class: "px-leak" });
  const upper = h("div", { class: "px-columns gx-upper" }, matrix, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(graph));
  const lower = h("div", { class: "px-columns px-lower" }, ...results(facts.el, densities.el, waterfall.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const empty = h("div", { class: "gx-empty" });
  const body = h("div", { class: "px-body" }, upper, lower, ...results(meaning.el), audit.el);
  const frame = h(
    "div",
    { class: "px px-fits gx", role: "group", "aria-label": "Prior knowledge explorer, Gaussian data" },
    header.el,
    lead.el,
    slot,
    empty,
    body,
  );
  return {
    el: h("div", { class: "px-scroll" }, frame),
    matrix,
    graph,
    empty,
    show(tuples) {
      empty.hidden = tuples > 0;
      lead.el.hidden = body.hidden = tuples === 0;
      frame.classList.toggle("gx-wide", isWide(tuples));
    },
  };
}

export interface GaussianExplorer {
  destroy(): void;
}

export function createGaussianExplorer(model: Model, host: HTMLElement): GaussianExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<GaussianView, GaussianRequest>(model, { request: wishOf, shape, el: host });
  const kept = new Stable();
  const rescale = createRescaler();
  const desk = createRunningDesk(model, draw);
  let screen = look(session, kept, rescale, desk.shown(session.view()));
  let width = 1000;
  /** The numbers that Python was asked for come as a step of the hand. */
  let asked = false;
  let r = 0;
  let rKey = "";
  let rMoved = false;
  let frame: Frame | null = null;
  let framedFor: unknown[] = [];
  /** What the matrix has to say; it stands in the line above the panels. */
  let said: LineProps | null = null;
  const gates = { adversary: gate(), matrix: gate(), graph: gate(), facts: gate(), curves: gate(), waterfall: gate(), meaning: gate() };

  const disabled = (): boolean => screen.disabled;
  const hand = createHand<Edit>(session, { edit: () => editOf(screen.wish), same: sameEdit, disabled });
  const { propose } = hand;
  const top = createTop({
    model,
    about: HEAD,
    session,
    desk,
    hand: {
      get canUndo() {
        return hand.canUndo || asked;
      },
      get canRedo() {
        return hand.canRedo;
      },
      travel,
    },
    title,
    disabled,
    choose: (refusal) => chooseLineBeside("matrix", session, said, refusal, screen.busy || screen.choosing, desk.resume),
  });
  const lead = createLead(leadProps(), { onScale, onChange });
  const release = createRelease(releaseProps(), {
    onQuery,
    onScale,
    onChange,
    onGoal: (goal) => propose({ goal }, { commit: true }),
    onRefused: top.onRefused,
  });
  const adversary = createAdversary(adversaryProps(), onChoose);
  const facts = createFacts(factsProps());
  const densities = createDensities(densityProps(), (next) => {
    r = next;
    rMoved = true;
    drawCurves();
  });
  const waterfall = createWaterfall(waterfallProps());
  const meaning = createMeaning(meaningProps());
  const audit = createAudit(auditProps());
  const note = h("p", { class: "small muted gx-graph-note" });
  /** Old values of the graph say so below it. */
  const old = createStale();
  let matrix: Component<MatrixEditorProps> | null = null;
  let empty: Component<EmptyProps> | null = null;
  let graph: Component<AnyGraphProps> | null = null;
  const places = arrange({ ...top, lead, release, adversary, facts, densities, waterfall, meaning, audit });
  root.root.append(places.el);

  function onScale(scale: number, how: Change): void {
    propose({ scale }, how);
  }

  function onChange(max_change: number, how: Change): void {
    propose({ max_change }, how);
  }

  function onQuery(query: string): void {
    propose({ query, weights: toBytes(weightsOf(query, screen.weights)) }, { commit: true });
  }

  /** Another weight is another query: the weighted sum. */
  function onMatrix(next: Numbers, how: Change): void {
    const weights = next.weights && toBytes(next.weights);
    const before = screen.wish.weights;
    const same = weights && before ? sameBytes(weights, before) : weights === before;
    propose({ cov: toBytes(next.cov), mean: toBytes(next.mean), ...(same ? {} : { weights, query: WEIGHTS }) }, how);
  }

  function onChoose(target: number, known: number[]): void {
    session.propose({ target, known }, { commit: true });
  }

  function bring(names: string[] | null, cov: Float64Array): void {
    session.propose({ command: "import", names: names ?? [], import: toBytes(cov) }, { commit: true });
  }

  function travel(way: "undo" | "redo"): void {
    if (way === "redo" || !asked || screen.disabled || hand.dragging()) return hand.travel(way);
    // The nearest matrix has not come: what was typed stands again, whatever comes.
    asked = false;
    session.propose({ ...editOf(screen.wish), command: "" }, { commit: true });
  }

  function title(): string {
    const { matrix: state, naming, unit, numbers, loaded } = screen;
    const edited = isEdited(numbers.cov, loaded.cov) || isEdited(numbers.mean, loaded.mean);
    return [
      state ? headline(editedTitle(state.title, edited), naming.names, edited ? null : state.records) : "",
      state?.title.includes(unit) ? "" : unit,
    ]
      .filter(Boolean)
      .join(", ");
  }

  function leadProps() {
    const { view, naming, unit, wish, promise, results, chosen, subject, busy, choosing, stale, disabled } = screen;
    // Results of something else do not belong in one sentence with what is promised now.
    const apart = stale !== "" && !busy && (view.stopped !== null || Math.abs(screen.kept - promise) > 1e-9 * promise);
    const instead = apart ? belongs(stale) : "";
    const most = results && {
      ...results.largest,
      determined: results.largest.value === 0 && chosen?.determined === true,
    };
    return {
      query: view.subject,
      naming,
      unit,
      scale: wish.scale,
      change: wish.max_change,
      promise,
      largest: apart ? null : most,
      chosen: { ...subject, value: choosing ? null : (chosen?.value ?? null) },
      instead,
      busy,
      disabled,
    };
  }

  function releaseProps() {
    const { view, naming, wish, weights, unit, promise, results, busy, stale, disabled } = screen;
    // What belongs to another matrix is no answer for this one.
    const enough =
      view.disabled && view.stopped !== null
        ? GIVEN_UP
        : busy || stale || !results
          ? undefined
          : enoughFor(results.largest.value, results.scale, wish.goal);
    return {
      naming,
      query: wish.query,
      weights,
      unit,
      scale: wish.scale,
      change: wish.max_change,
      promise,
      goal: wish.goal,
      enough,
      disabled,
    };
  }

  function adversaryProps() {
    const { naming, wish, disabled } = screen;
    return { naming, target: wish.target, known: wish.known, disabled };
  }

  function factsProps() {
    const { chosen, naming, unit, kept: promise, subject, choosing, stale, results, wish: { goal } } = screen;
    const enough = enoughFor(chosen?.value ?? 0, results?.scale ?? 1, goal);
    return { chosen, naming, unit, promise, goal, enough, subject, busy: choosing, stale, width: width > 860 ? 264 : width > 520 ? 250 : width };
  }

  /** r starts where the values part; once moved by hand it stays, as far as the range allows. */
  function follow(chosen: GaussianChosen | null): void {
    const { results, wish, kept: promise } = screen;
    const { scale, max_change: change } = results ?? wish;
    const on = [chosen, scale, change, promise];
    if (on.some((part, k) => part !== framedFor[k])) frame = chosen && frameOf(chosen, scale, change, promise);
    framedFor = on;
    if (!chosen || !frame) return;
    const key = `${chosen.target}/${chosen.known.join()}`;
    if (key !== rKey) rMoved = rMoved && rKey !== "" && r >= frame.low && r <= frame.high;
    rKey = key;
    if (!rMoved) r = Number(startingR(frame).toFixed(rDecimals(frame)));
    r = Math.min(frame.high, Math.max(frame.low, r));
  }

  function densityProps(): DensitiesProps {
    const { chosen, naming, unit, kept: promise, wish, results, choosing, stale } = screen;
    follow(chosen);
    const free = width > 860 ? width - 264 - 212 - 48 : width > 520 ? width - 212 - 24 : width;
    const words = choosing ? "being computed" : "drag r";
    return { chosen, frame, naming, unit, promise, change: (results ?? wish).max_change, r, width: free, note: words, busy: choosing, stale };
  }

  function waterfallProps() {
    const { results, chosen, naming, unit, choosing } = screen;
    return {
      chosen,
      naming,
      unit,
      allowed: largestWeight(weightsOfResults()),
      next: results && nextKnown(results),
      width: width > 520 ? 212 : width,
      busy: choosing,
    };
  }

  function meaningProps(): MeaningProps {
    const { results, chosen, naming, unit, wish, kept: promise, choosing, disabled } = screen;
    const { scale, max_change: change } = results ?? wish;
    const values = chosen ? valueTexts(chosen, change) : (["", ""] as [string, string]);
    const laws = ofShift(chosen, scale, change, told(naming, chosen?.target ?? 0, 40), values, withUnit(amount(change), unit));
    return { ...laws, promise: plainly(promise), caution: "", width, busy: choosing, disabled };
  }

  /** Those that the numbers belong to. */
  function weightsOfResults(): Float64Array {
    const { results, stale, weights } = screen;
    return stale && results ? Float64Array.from(results.weights) : weights;
  }

  function auditProps() {
    const { naming, unit, kept: promise, wish, results, busy, stale } = screen;
    const stacked = width <= 860;
    const { max_change: change } = (stale && results) || wish;
    return { naming, unit, weights: weightsOfResults(), promise, change, results, busy, stale, stacked, lineWidth: stacked ? width - 24 : null };
  }

  function matrixProps(state: MatrixState): MatrixEditorProps {
    const { view, wish, naming, unit, numbers, loaded, sound, disabled } = screen;
    const settled = sameEdit(editOf(wish), editOf(wishOf(view)));
    return {
      since: view.since,
      names: [...naming.names],
      unit,
      numbers,
      loaded,
      sound,
      kernel: sameBytes(wish.cov, state.cov) ? { valid: state.valid, smallest: number(state.smallest) } : null,
      correlation: wish.correlation,
      fault: settled ? view.fault : null,
      target: wish.target,
      dark: root.dark(),
      disabled,
    };
  }

  function drawMatrix(state: MatrixState): void {
    const props = matrixProps(state);
    if (matrix) return matrix.update(props);
    matrix = createMatrixEditor(props, {
      onEdit: onMatrix,
      onCorrelation: (correlation) => session.propose({ correlation }, { commit: true }),
      onNearest() {
        asked = true;
        session.propose({ command: "nearest" }, { commit: true });
      },
      onImport: bring,
      onUndo: () => travel("undo"),
      onRedo: () => travel("redo"),
      onMessage(message) {
        said = message;
        top.showLine();
      },
    });
    places.matrix.append(matrix.el);
  }

  function drawGraph(): void {
    const { results, wish, busy, waiting, disabled, naming } = screen;
    if (!results) return;
    const n = naming.names.length;
    const beside = isWide(n) ? 264 + 24 : 264 + 192 + 48;
    const props: AnyGraphProps = {
      graph: results.graph,
      digest: results.digest,
      search: wish.search,
      target: wish.target,
      known: wish.known,
      showPaper: false,
      threshold: wish.threshold,
      dark: root.dark(),
      disabled,
      busy: waiting,
      stale: busy,
      width: width > 860 ? width - beside : width,
    };
    places.graph.classList.toggle("gx-lattices", n <= LATTICES_TO);
    setText(note, graphNote(results));
    if (graph) return graph.update(props);
    graph = createAnyGraph(props, {
      onChoose,
      onShowPaper: () => undefined,
      onThreshold: (threshold, how) => session.propose({ threshold }, how),
      onSearch: (search) => session.propose({ search }, { commit: true }),
    });
    places.graph.append(graph.el, note, old.el);
  }

  function drawCurves(): void {
    densities.update(densityProps());
  }

  function drawEmpty(): void {
    const shown = { disabled: screen.disabled };
    if (empty) return empty.update(shown);
    empty = createEmpty(shown, bring);
    places.empty.append(empty.el);
  }

  function followHistory(): void {
    const another = hand.moved(screen.view.since);
    const came = asked && !another && !hand.dragging() && !session.pending();
    if (came) hand.record({});
    if (came || another) asked = false;
    hand.follow(another);
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session, kept, rescale, working);
    root.root.toggleAttribute("data-old", screen.stale !== "");
    followHistory();
    const {
      matrix: state,
      naming,
      view,
      wish,
      numbers,
      loaded,
      sound,
      results,
      chosen,
      busy,
      choosing,
      waiting,
      stale,
      disabled,
      kept: promise,
      unit,
      weights,
      subject,
    } = screen;
    places.show(naming.names.length);
    if (!state) {
      said = null;
      top.update(working);
      return drawEmpty();
    }
    empty?.destroy();
    empty = null;
    const dark = root.dark();
    const who = JSON.stringify([wish.target, wish.known]);
    const fault = kept.value("fault", view.fault);
    const pending = session.pending();
    gates.matrix(
      [
        view.since,
        naming,
        unit,
        numbers,
        loaded,
        sound,
        state.valid,
        state.smallest,
        wish.correlation,
        wish.target,
        fault,
        pending,
        dark,
        disabled,
      ],
      () => drawMatrix(state),
    );
    top.update(working);
    lead.update(leadProps());
    old.say(stale);
    release.update(releaseProps());
    audit.update(auditProps());
    const search = kept.value("search", wish.search);
    gates.adversary([naming, who, disabled], () => adversary.update(adversaryProps()));
    gates.graph([results, who, search, wish.threshold, dark, disabled, busy, waiting, width], drawGraph);
    gates.facts([chosen, naming, unit, promise, wish.goal, subject, choosing, stale, width], () => facts.update(factsProps()));
    gates.curves([chosen, naming, unit, promise, choosing, stale, width], drawCurves);
    gates.meaning([chosen, naming, unit, promise, choosing, disabled, width], () => meaning.update(meaningProps()));
    gates.waterfall([results, naming, unit, weights, choosing, width], () => waterfall.update(waterfallProps()));
  }

  return runShell({
    root,
    session,
    travel,
    draw,
    resized: (now) => (width = now),
    parts: () => [top, lead, release, adversary, facts, densities, waterfall, meaning, audit, matrix, empty, graph, desk, session],
  });
}
