/** The explorer of k-anonymity: its parts, the one state they share, and undo over all of it. */
import { adversaryOf, unknownOf } from "../compute/anonymity-exact";
import { createHand, gate, Stable } from "../explorer/hand";
import { chooseLine, createTop } from "../explorer/top";
import { plural, saysCount } from "../explorer/words";
import { noLaws, NO_RESULTS, ofStates } from "../meaning/laws";
import { createMeaning, type MeaningProps } from "../meaning/panel";
import { plainly } from "../meaning/promise";
import { createAfterPaint, createRunningDesk, runShell } from "../ui/explorer-shell";
import { count, fixed, list } from "../ui/format";
import { createRoot } from "../ui/root";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { floats, number } from "../ui/wire";
import { createAdversary } from "./adversary";
import { arrange, widthsAt } from "./arrange";
import { createAudit } from "./audit";
import { createClassMap } from "./class-map";
import { createClassTable } from "./class-table";
import { createCurvePanel } from "./curve-panel";
import { createFacts } from "./facts";
import { createKnownCurve } from "./known-curve";
import { createLead, type LeadCase } from "./lead";
import type { AnonymityRequest, AnonymityView } from "./protocol";
import { recordsOf, type Records } from "./records";
import { createMore, createRelease } from "./release";
import { createRemovals } from "./removals";
import { bestBound, featured, onlyValue, valueAt } from "./results";
import { look, newEcho, sameEdit, wired, wishOf, type Edit } from "./screen";
import { STYLES } from "./styles";
import { createTerms } from "./terms";
import { HEAD, parted, releaseNoun, told, valued } from "./words";
import shape from "shape:./protocol#AnonymityView";

export interface AnonymityExplorer {
  destroy(): void;
}

/** From here on the table is drawn after what the hand moves. */
const MANY = 500;

export function createAnonymityExplorer(model: Model, host: HTMLElement): AnonymityExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<AnonymityView, AnonymityRequest>(model, { request: wishOf, shape, el: host });
  const kept = new Stable();
  const echo = newEcho();
  const rest = createAfterPaint();
  const desk = createRunningDesk(model, draw);
  let screen = look(session, kept, echo, desk.shown(session.view()));
  let width = 1000;
  /** Records of the release that results belong to, while others are refused. */
  let sound: number | null = null;
  /** The class that the hand chose: a way of looking, so it is not shared. */
  let chosen: string | null = null;
  let records: { on: readonly unknown[]; value: Records } | null = null;
  const gates = {
    table: gate(),
    map: gate(),
    release: gate(),
    adversary: gate(),
    more: gate(),
    terms: gate(),
    curves: gate(),
    facts: gate(),
    removals: gate(),
    known: gate(),
    meaning: gate(),
  };

  const disabled = (): boolean => screen.disabled;
  const hand = createHand<Edit>(session, { edit: () => screen.wish, same: sameEdit, disabled });
  const { propose } = hand;
  const top = createTop({
    model,
    about: HEAD,
    session,
    desk,
    hand,
    title,
    disabled,
    choose: (said) => chooseLine(session, said, screen.busy, desk.resume, screen.view),
  });
  const { onRefused } = top;
  const lead = createLead(leadProps(), { onK, onKnown, onNeighbours, onEpsilon });
  const table = createClassTable(tableProps(), { onChoose });
  const map = createClassMap(mapProps(), onChoose);
  const release = createRelease(releaseProps(), {
    onK,
    onRelease: (key) => propose({ release: key }, { commit: true }),
    onN: (n) => propose({ n: n === null ? null : wired(n) }, { commit: true }),
    onRefused,
  });
  const adversary = createAdversary(adversaryProps(), {
    onLevel: (level) => propose({ level }, { commit: true }),
    onKnown,
    onNeighbours,
    onRefused,
  });
  const more = createMore(moreProps(), {
    onQuasi: (quasi) => propose({ quasi }, { commit: true }),
    onSecret: (secret) => propose({ secret }, { commit: true }),
    onRefused,
  });
  const terms = createTerms(termsProps(), {
    onNeighbour: (neighbour) => propose({ neighbour }, { commit: true }),
    onEvents: (events) => propose({ events }, { commit: true }),
    onGroupChange: (value) => propose({ group_change: wired(value) }, { commit: true }),
    onShift: (value) => propose({ shift: value === null ? null : wired(value) }, { commit: true }),
    onDelta1: (value) => propose({ delta1: value === null ? null : wired(value) }, { commit: true }),
    onRefused,
  });
  const curves = createCurvePanel(curveProps(), {
    onEpsilon,
    onPrinted: (printed) => propose({ printed }, { commit: true }),
    onReading: (reading) => propose({ reading, printed: true }, { commit: true }),
  });
  const facts = createFacts(factsProps(), { onEpsilon: (value) => onEpsilon(value, { commit: true }), onRefused });
  const removals = createRemovals(removalsProps());
  const known = createKnownCurve(knownProps(), onKnown);
  const meaning = createMeaning(meaningProps());
  const audit = createAudit(auditProps());
  root.root.append(arrange({ ...top, lead, table, map, release, adversary, more, curves, terms, facts, removals, known, meaning, audit }));

  function onK(k: number, how: Change): void {
    propose({ k }, how);
  }

  function onKnown(share: number, how: Change): void {
    propose({ known: wired(share) }, how);
  }

  function onNeighbours(neighbours: number, how: Change): void {
    propose({ neighbours }, how);
  }

  function onEpsilon(epsilon: number, how: Change): void {
    propose({ epsilon: wired(epsilon) }, how);
  }

  function onChoose(letter: string | null): void {
    chosen = letter;
    draw();
  }

  /** Stays the same object while nothing that table and map show of single records changes. */
  function recordsNow(): Records {
    const { view, columns } = screen;
    const on = [columns, view.quasi.join(), view.drawn.join(), view.secret, view.sampled?.length ?? -1, view.records, view.noun, view.release];
    if (!records || on.some((part, k) => part !== records?.on[k])) records = { on, value: recordsOf(view, columns) };
    return records.value;
  }

  function secretName(): string | null {
    const { view } = screen;
    return view.secret === null ? null : (view.columns[view.secret]?.name ?? "");
  }

  function noun(): string {
    return screen.view.noun || "record";
  }

  /** Classes whose members are shown. */
  function open(): string[] {
    const classes = screen.shown?.classes ?? [];
    if (chosen !== null && !classes.some(({ letter }) => letter === chosen)) chosen = null;
    return kept.value("open", chosen === null ? featured(classes) : [chosen]);
  }

  function title(): string {
    const { view } = screen;
    const names = view.quasi.map((column) => told(view.columns[column]?.name ?? "", 30));
    const parts = [
      view.title,
      saysCount(view.title, view.records) ? "" : count(view.records, noun(), plural(noun())),
      `hidden by ${names.length > 3 ? `${fixed(names.length, 0)} columns` : list(names)}`,
    ];
    return parts.filter(Boolean).join(", ");
  }

  /** Records with all quasi-identifiers: a class can have no more. */
  function published(): number {
    return screen.view.records - (screen.shown?.suppressed ?? 0);
  }

  /** The largest class: of all that are published, and of no more than the release has. */
  function largest(): number {
    return Math.min(published(), given() ?? Infinity);
  }

  /** The number of records that was set for the release, the last one that made sense; null where it is left to the table. */
  function given(): number | null {
    const { n, fault } = screen.view;
    if (fault?.where?.name !== "n") sound = n == null ? null : number(n);
    return sound;
  }

  /** Records that the release is of: those that were set, else who adds to it. */
  function released(): number {
    return given() ?? adding();
  }

  /** Who adds to what is published: to a sum only who has a value. */
  function adding(): number {
    const { view, columns } = screen;
    const summed = view.release.startsWith("sum:") ? columns.find(({ name }) => name === view.release.slice(4)) : undefined;
    if (!summed || view.sampled !== null) return published();
    const needed = [summed, ...view.quasi.map((j) => columns[j]!)];
    return summed.values.reduce((sum, _, row) => sum + (needed.some(({ values }) => Number.isNaN(values[row])) ? 0 : 1), 0);
  }

  function leadCase(): LeadCase | null {
    const { view, shown, epsilon, known: share } = screen;
    if (!shown) return null;
    const best = bestBound(shown, epsilon);
    return {
      noun: noun(),
      k: shown.k,
      achieved: shown.achieved,
      suppressed: shown.suppressed,
      classes: shown.classes_in_all,
      single: shown.single,
      only: onlyValue(shown),
      secret: secretName(),
      release: view.release,
      neighbour: view.neighbour,
      level: view.level,
      known: share,
      neighbours: screen.neighbours,
      unknown: shown.unknown,
      epsilon,
      delta: shown.exact ? valueAt(shown, shown.exact, epsilon) : null,
      bound: best?.value ?? null,
      events: best?.curve.events ?? view.events,
    };
  }

  function leadProps() {
    const { epsilon, known: share, busy, disabled } = screen;
    return {
      lead: leadCase(),
      k: screen.k,
      known: share,
      neighbours: screen.neighbours,
      epsilon,
      records: largest(),
      together: given() ?? published(),
      kept: screen.view.fixed !== undefined,
      busy,
      disabled,
    };
  }

  function tableProps() {
    const { shown, busy } = screen;
    return {
      records: recordsNow(),
      classes: shown?.classes ?? NO_CLASSES,
      all: shown?.classes_in_all ?? 0,
      k: shown?.k ?? screen.k,
      suppressed: shown?.suppressed ?? 0,
      open: open(),
      chosen,
      busy,
      width: widthsAt(width).map,
    };
  }

  function mapProps() {
    const { shown, busy } = screen;
    return {
      records: recordsNow(),
      classes: shown?.classes ?? NO_CLASSES,
      all: shown?.classes_in_all ?? 0,
      open: open(),
      chosen,
      busy,
      width: widthsAt(width).map,
    };
  }

  function releaseProps() {
    const { view, wish, shown, busy, disabled } = screen;
    return {
      k: screen.k,
      records: largest(),
      noun: noun(),
      release: view.release,
      releases: view.releases,
      n: wish.n == null ? null : number(wish.n),
      adding: adding(),
      hasSecret: view.secret !== null,
      kept: view.fixed ?? null,
      shown,
      busy,
      disabled,
    };
  }

  function adversaryProps() {
    const { view, wish, known: share, shown, busy, disabled } = screen;
    const [kind, label] = parted(view.release);
    return {
      level: wish.level,
      known: share,
      neighbours: screen.neighbours,
      records: given() ?? published(),
      counted: kind === "sum" ? null : valued(label, secretName() ?? ""),
      shown,
      busy,
      disabled,
    };
  }

  function moreProps() {
    const { view, wish, disabled } = screen;
    return { names: kept.value("names", view.columns.map(({ name }) => name)), quasi: wish.quasi, secret: wish.secret, kept: view.fixed ?? null, disabled };
  }

  function termsProps() {
    const { view, wish, shown, disabled } = screen;
    const root = shown && shown.unknown > 0 ? 1 / Math.sqrt(shown.unknown) : null;
    return {
      neighbour: wish.neighbour,
      events: wish.events,
      groupChange: number(wish.group_change),
      shift: wish.shift === null ? null : number(wish.shift),
      range: view.shift === null ? (shown?.shift ?? null) : null,
      delta1: wish.delta1 == null ? null : number(wish.delta1),
      root,
      recipe: shown?.recipe ?? null,
      kind: releaseNoun(view.release),
      level: view.level,
      printed: wish.printed,
      disabled,
    };
  }

  function curveProps() {
    const { view, wish, shown, epsilon, known: share, busy, disabled } = screen;
    const unknown = unknownOf(
      released(),
      adversaryOf({ level: view.level, known: share, neighbours: screen.neighbours }).share,
      1,
    ).all;
    return {
      kind: releaseNoun(view.release),
      noun: noun(),
      shown,
      unknown,
      epsilon,
      printed: wish.printed,
      reading: view.reading,
      readings: view.readings,
      busy,
      disabled,
      width: widthsAt(width).curve,
    };
  }

  function factsProps() {
    const { view, wish, shown, epsilon, known: share, busy, stale, disabled } = screen;
    return {
      shown,
      epsilon,
      level: view.level,
      known: share,
      neighbours: screen.neighbours,
      records: released(),
      printed: wish.printed,
      busy,
      stale,
      disabled,
    };
  }

  function removalsProps() {
    const { view, shown, busy } = screen;
    const none = !shown
      ? "No class is formed."
      : view.running !== null
        ? "Being computed."
        : view.stopped !== null
          ? "Not computed."
          : "Not computed here: it needs a kernel.";
    return { removals: shown?.removals ?? null, noun: noun(), none, busy, width: widthsAt(width).removals };
  }

  function knownProps() {
    const { view, shown, epsilon, known: share, busy, disabled } = screen;
    return { shown, epsilon, known: share, effective: view.level === "III" || view.level === "IV", busy, disabled, width: widthsAt(width).known };
  }

  function meaningProps(): MeaningProps {
    const { view, shown, busy, disabled } = screen;
    const there = view.neighbour === "presence";
    const labels: [string, string] = there ? ["there", "not there"] : ["changed", "as it is"];
    const between = `Of the two states of a ${noun()}, ${labels.join(" and ")}`;
    // Views that were saved before have no laws.
    const saved = shown && shown.laws === undefined ? "it was not saved" : null;
    const why =
      shown?.exact?.why ?? saved ?? (parted(view.release)[0] === "records" ? "records are published, and no number" : "the number has too many values");
    const found = shown?.laws && ([floats(shown.laws.changed), floats(shown.laws.same)] as const);
    const laws = shown ? ofStates(found ?? null, labels, between, `Not shown: ${why}.`) : noLaws(NO_RESULTS);
    return { ...laws, promise: plainly(shown?.epsilon ?? 1), caution: "", width, busy, disabled };
  }

  function auditProps() {
    const { wish, shown, epsilon, busy, stale } = screen;
    const stacked = width <= 860;
    return { k: shown?.k ?? screen.k, shown, epsilon, printed: wish.printed, busy, stale, stacked, lineWidth: stacked ? width - 24 : null };
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session, kept, echo, working);
    root.root.toggleAttribute("data-old", screen.stale !== "");
    const another = hand.moved(screen.view.since);
    if (another) chosen = null;
    hand.follow(another);
    const { view, wish, shown, epsilon, busy, disabled } = screen;
    top.update(working);
    lead.update(leadProps());
    gates.release([shown, wish.k, wish.n, view.release, view.releases, view.secret, view.records, busy, disabled], () =>
      release.update(releaseProps()),
    );
    gates.adversary(
      [shown, wish.level, wish.known, wish.neighbours, wish.n, view.release, view.secret, busy, disabled],
      () => adversary.update(adversaryProps()),
    );
    gates.curves(
      [
        shown,
        epsilon,
        view.n,
        wish.printed,
        view.reading,
        view.readings,
        view.release,
        busy,
        disabled,
        width,
        root.dark(),
      ],
      () => curves.update(curveProps()),
    );
    gates.terms([shown, wish, view.release, view.level, disabled], () => terms.update(termsProps()));
    const classes = shown?.classes ?? NO_CLASSES;
    const many = view.records > MANY;
    if (!many) drawTable();
    gates.map([recordsNow(), classes, open(), chosen, busy, width], () => map.update(mapProps()));
    // What the hand moves is drawn before what is read beside it.
    if (many && session.pending()) rest.ask(drawRest);
    else drawRest();
  }

  function drawTable(): void {
    const { shown, busy } = screen;
    gates.table([recordsNow(), shown?.classes ?? NO_CLASSES, open(), chosen, shown?.k, shown?.suppressed, busy, width], () => table.update(tableProps()));
  }

  function drawRest(): void {
    rest.cancel();
    const { view, wish, shown, epsilon, busy, stale, disabled } = screen;
    drawTable();
    gates.more([view.columns, wish.quasi.join(), wish.secret, disabled], () => more.update(moreProps()));
    gates.facts([shown, epsilon, view.level, view.n, wish.printed, wish.known, wish.neighbours, busy, stale, disabled], () => facts.update(factsProps()));
    gates.removals([shown?.removals?.changes ?? null, shown === null, view.running, view.stopped, busy, width], () => removals.update(removalsProps()));
    gates.meaning([shown, view.neighbour, view.release, noun(), busy, disabled, width], () => meaning.update(meaningProps()));
    gates.known([shown, epsilon, wish.known, view.level, busy, disabled, width], () => known.update(knownProps()));
    audit.update(auditProps());
  }

  return runShell({
    root,
    session,
    travel: hand.travel,
    draw,
    resized(now) {
      width = now;
      root.root.style.setProperty("--px-table", `${widthsAt(now).map}px`);
    },
    parts: () => [
      { destroy: rest.cancel },
      top,
      lead,
      table,
      map,
      release,
      adversary,
      more,
      curves,
      terms,
      facts,
      removals,
      known,
      meaning,
      audit,
      desk,
      session,
    ],
  });
}

const NO_CLASSES = [] as const;
