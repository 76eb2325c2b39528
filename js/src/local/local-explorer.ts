/** The explorer of local privacy: its parts, the one state they share, and undo over all of it. */
import { hasBudget, mechanismOf, OWN, promiseOf } from "../compute/local-mechanisms";
import { createHand, gate, Stable } from "../explorer/hand";
import { chooseLine, createTop, results } from "../explorer/top";
import { plural, saysCount } from "../explorer/words";
import { createMeaning, type MeaningProps } from "../meaning/panel";
import { plainly } from "../meaning/promise";
import { h, renew } from "../ui/dom";
import { createAfterPaint, createRunningDesk, runShell } from "../ui/explorer-shell";
import { fixed, inWords } from "../ui/format";
import { createRoot } from "../ui/root";
import { budgetText } from "../ui/scale";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { floats, number } from "../ui/wire";
import { createAudit } from "./audit";
import { createCurve } from "./curve";
import { createDumbbells, createFacts } from "./facts";
import { createHeatMap, createKey } from "./heat-map";
import { NUMBERED } from "./heat-map-cells";
import { createLead } from "./lead";
import { createMore, type MoreProps } from "./more";
import { firstChannel } from "./own-channel";
import type { LocalRequest, LocalView } from "./protocol";
import { createAdversary, createRelease } from "./release";
import { createRescaler, lawsOfPair } from "./results";
import { editOf, look, sameEdit, scaleTop, wired, wishOf, type Edit } from "./screen";
import { STYLES } from "./styles";
import { createTablePanel } from "./table-panel";
import { HEAD, leaksHeading } from "./words";
import shape from "shape:./protocol#LocalView";

// Where the parts of the explorer of local privacy stand.

type Part = { el: HTMLElement };
type Name =
  | "header"
  | "lead"
  | "line"
  | "running"
  | "table"
  | "release"
  | "adversary"
  | "map"
  | "key"
  | "facts"
  | "rows"
  | "curve"
  | "meaning"
  | "more"
  | "audit"
  | "leaks";

function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, table, release, adversary, map, key, facts, rows, curve, meaning, more, audit, leaks } = parts;
  const leak = h(
    "section",
    { class: "panel px-leak", "aria-label": "What leaks" },
    h("h3", { class: "panel-head" }, leaks.el),
    map.el,
    key.el,
  );
  const upper = h("div", { class: "px-columns lx-upper" }, table.el, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(leak));
  const lower = h("div", { class: "px-columns px-lower lx-lower" }, ...results(facts.el, rows.el, curve.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, upper, lower, ...results(meaning.el), more.el, audit.el);
  const frame = h("div", { class: "px px-fits lx", role: "group", "aria-label": "Local privacy explorer" }, header.el, lead.el, slot, body);
  return h("div", { class: "px-scroll" }, frame);
}

export interface LocalExplorer {
  destroy(): void;
}

export function createLocalExplorer(model: Model, host: HTMLElement): LocalExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<LocalView, LocalRequest>(model, { request: wishOf, shape, el: host });
  const kept = new Stable();
  const rescale = createRescaler();
  const rest = createAfterPaint();
  const desk = createRunningDesk(model, draw);
  let screen = look(session, kept, rescale, desk.shown(session.view()));
  let width = 1000;
  let example = screen.view.example;
  const gates = { table: gate(), map: gate(), key: gate(), facts: gate(), rows: gate(), curve: gate(), meaning: gate(), more: gate() };

  const disabled = (): boolean => screen.disabled;
  const hand = createHand<Edit>(session, { edit: () => editOf(screen.wish), same: sameEdit, disabled });
  const { propose } = hand;
  const top = createTop({ model, about: HEAD, session, desk, hand, title, disabled, choose: (said) => chooseLine(session, said, screen.busy, desk.resume) });
  const lead = createLead(leadProps(), { onEpsilon });
  const table = createTablePanel(tableProps(), { onAttributes, onMinCount: (min_count, how) => propose({ min_count }, how) });
  const release = createRelease(releaseProps(), {
    onMechanism(mechanism) {
      // What stands beside the budget belongs to one mechanism.
      const can = screen.view.mechanisms.find(({ key }) => key === mechanism)?.inferred ?? true;
      const { naming, names, pair, mechanism: before } = screen;
      const parameters = mechanism === OWN ? { channel: firstChannel(naming, names, pair?.source ?? null, before) } : {};
      propose({ mechanism, parameters, ...(can ? {} : { output: "raw" as const }) }, { commit: true });
    },
    onParameters: (parameters) => propose({ parameters }, { commit: true }),
    onEpsilon,
    onOutput: (output) => propose({ output }, { commit: true }),
    onRefused: top.onRefused,
  });
  const adversary = createAdversary(adversaryProps(), onChoose);
  const map = createHeatMap(mapProps(), onChoose);
  const leaks = h("span", { class: "px-wrap" });
  const key = createKey(keyProps());
  const facts = createFacts(factsProps());
  const rows = createDumbbells(rowsProps());
  const curve = createCurve(curveProps(), { onEpsilon });
  const meaning = createMeaning(meaningProps());
  const more = createMore(moreProps(), {
    onChoose,
    onExample: (next) => propose({ example: next }, { commit: true }),
    onGoal: (goal) => propose({ budget: wired(goal) }, { commit: true }),
    onEpsilon: (epsilon) => onEpsilon(epsilon, { commit: true }),
    onRefused: top.onRefused,
  });
  const audit = createAudit(auditProps());
  root.root.append(arrange({ leaks: { el: leaks }, ...top, lead, table, release, adversary, map, key, facts, rows, curve, meaning, more, audit }));

  function onEpsilon(epsilon: number, how: Change): void {
    propose({ epsilon: wired(epsilon) }, how);
  }

  function onChoose(source: number, secret: number): void {
    session.propose({ source, secret }, { commit: true });
  }

  /** An attribute that goes takes its place in the pair along: another one stands in for it. */
  function onAttributes(attributes: number[]): void {
    const { source, secret } = screen.wish;
    const gone = (attribute: number | null): boolean => attribute === null || !attributes.includes(attribute);
    const free = attributes.filter((attribute) => attribute !== source && attribute !== secret);
    const stands = (attribute: number | null): number | null => (gone(attribute) ? (free.shift() ?? null) : attribute);
    const pair = attributes.length < 2 ? {} : { source: stands(source), secret: stands(secret) };
    hand.record({ attributes });
    session.propose({ attributes, ...pair }, { commit: true });
  }

  function title(): string {
    const { view, naming } = screen;
    const n = naming.names.length;
    const m = view.attributes.filter(({ chosen }) => chosen).length;
    const many = `${m < n ? `${inWords(m)} of ` : ""}${inWords(n)} attribute${n === 1 ? "" : "s"}`;
    // Titles of tables often say how many records there are.
    const said = view.records === null || saysCount(view.title, view.records);
    const parts = [
      view.example ? `Example: ${view.title}` : view.title,
      said ? "" : `${fixed(view.records as number, 0)} ${plural(naming.noun)}`,
      `${many}, ${m === 1 ? "" : "each "}reported on its own`,
    ];
    return parts.filter(Boolean).join(", ");
  }

  function promise(): number {
    return screen.shown?.promise ?? screen.mechanism.epsilon;
  }

  /** From the table of pairs: there before the facts of the pair are. */
  function cell(source: number | undefined, secret: number | undefined): number | null {
    const { shown, busy } = screen;
    if (!shown || busy || source === undefined || secret === undefined) return null;
    const [j, k] = [shown.names.indexOf(source), shown.names.indexOf(secret)];
    return j < 0 || k < 0 ? null : (shown.matrix[j * shown.names.length + k] as number);
  }

  function leadProps() {
    const { naming, names, mechanism, output, pair, shown, late, disabled } = screen;
    return {
      naming,
      names,
      epsilon: mechanism.epsilon,
      budget: hasBudget(mechanism.key),
      promise: promise(),
      output,
      pair,
      leakage: cell(pair?.source, pair?.secret),
      records: screen.view.records,
      totals: shown?.totals ?? null,
      late,
      disabled,
    };
  }

  function tableProps() {
    const { view, naming, counts, names, wish, disabled } = screen;
    return { naming, counts, names, records: view.records, minCount: wish.min_count, missing: view.missing, disabled };
  }

  function releaseProps() {
    const { view, wish, naming, names, mechanism, output, shown, pair, busy, disabled } = screen;
    return {
      naming,
      mechanisms: view.mechanisms,
      mechanism: mechanism.key,
      parameters: wish.parameters,
      epsilon: mechanism.epsilon,
      output,
      promise: promise(),
      own: shown?.own ?? null,
      kept: shown?.kept ?? null,
      names,
      source: pair?.source ?? null,
      busy,
      disabled,
    };
  }

  function adversaryProps() {
    const { naming, names, pair, disabled } = screen;
    return { naming, names, pair, disabled };
  }

  /** Width of the column with the table of pairs. */
  function leakWidth(): number {
    return width > 860 ? width - 232 - 192 - 48 : width;
  }

  function mapProps() {
    const { naming, names, shown, pair, busy, late, mechanism, disabled } = screen;
    const fits = shown && shown.names.join() === names.join() ? shown : null;
    return {
      naming,
      names,
      shown: fits,
      output: screen.output,
      pair,
      top: scaleTop(mechanism, shown),
      busy: busy || !fits,
      late,
      dark: root.dark(),
      disabled,
      width: leakWidth(),
    };
  }

  function keyProps() {
    const { names, shown, pair, busy, mechanism } = screen;
    const top = scaleTop(mechanism, shown);
    const named = hasBudget(mechanism.key) && top === mechanism.epsilon;
    const endText = `${named ? "ε = " : ""}${budgetText(Number(top.toPrecision(4)))} nat${top === 1 ? "" : "s"}`.replace(/\.00 /, " ");
    return { names, shown, pair, top, promise: promise(), endText, busy: busy || shown?.names.join() !== names.join(), dark: root.dark(), width: leakWidth() };
  }

  function factsProps() {
    const { naming, pair, facts, output, wish, busy, stale } = screen;
    return {
      naming,
      pair,
      facts,
      leakage: cell(pair?.source, pair?.secret),
      mirror: cell(pair?.secret, pair?.source),
      output,
      promise: promise(),
      minCount: wish.min_count,
      busy,
      stale,
    };
  }

  function rowsProps() {
    const { naming, pair, facts, mechanism, output, busy } = screen;
    return { naming, pair, facts, mechanism, output, busy, width: width > 860 ? width - 232 - 356 - 48 : width > 520 ? Math.floor((width - 24) / 2) : width };
  }

  function curveProps() {
    const { naming, names, facts, shown, mechanism, output, busy, late, disabled } = screen;
    return {
      naming,
      facts,
      shown,
      mechanism,
      output,
      busy,
      disabled,
      n: names.length,
      late,
      width: width > 860 ? 356 : width > 520 ? Math.floor((width - 24) / 2) : width,
    };
  }

  function meaningProps(): MeaningProps {
    const { naming, counts, facts, mechanism, output, busy, disabled } = screen;
    return { ...lawsOfPair(facts, naming, counts, mechanism, output), promise: plainly(promise()), caution: "", width, busy, disabled };
  }

  function moreProps(): MoreProps {
    const { view, wish, naming, names, shown, pair, mechanism, late, busy, disabled } = screen;
    const association = view.results?.association ?? null;
    const goal = wish.budget === null ? null : number(wish.budget);
    const calibration = view.results?.calibration ?? null;
    const another = screen.outdated || view.mechanism !== wish.mechanism || JSON.stringify(view.budget) !== JSON.stringify(wish.budget);
    return {
      scatter: {
        naming,
        names,
        shown,
        nmi: association && kept.read("nmi", association.nmi, floats),
        pcc: association && kept.read("pcc", association.pcc, floats),
        pair,
        top: scaleTop(mechanism, shown),
        busy: busy || shown?.names.join() !== names.join(),
        disabled,
        width,
      },
      compared: {
        compared: view.results?.compared ?? null,
        mechanisms: view.mechanisms,
        mechanism: mechanism.key,
        busy: late,
      },
      calibration: {
        goal,
        calibration,
        records: view.records,
        complete: view.results?.totals?.records ?? null,
        epsilon: mechanism.epsilon,
        budget: hasBudget(mechanism.key),
        busy: (late && another) || calibration === null || number(calibration.goal) !== goal,
        disabled,
      },
      counterexample: { example: wish.example, disabled },
      disabled,
    };
  }

  function auditProps() {
    const { naming, names, pair, shown, busy, late, stale } = screen;
    const stacked = width <= 860;
    return {
      naming,
      names,
      secret: pair?.secret ?? null,
      output: screen.output,
      promises: names.map((name) => promiseOf(mechanismOf(screen.mechanism, name), naming.labels[name]?.length ?? 0)),
      records: screen.view.records,
      own: shown?.own ?? null,
      totals: shown?.totals ?? null,
      busy,
      late,
      stale,
      stacked,
      lineWidth: stacked ? width - 24 : null,
    };
  }

  function followHistory(): void {
    const { view } = screen;
    // An example comes and goes by the hand: what came before it can be undone.
    hand.follow(hand.moved(view.since) && example === view.example);
    example = view.example;
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session, kept, rescale, working);
    root.root.toggleAttribute("data-old", screen.stale !== "");
    followHistory();
    const { view, wish, naming, counts, names, mechanism, output, shown, pair, busy, late, disabled } = screen;
    const dark = root.dark();
    const missing = kept.value("missing", view.missing);
    gates.map([naming, names, shown, output, pair, mechanism.epsilon, busy, late, dark, disabled, width], () => map.update(mapProps()));
    top.update(working);
    lead.update(leadProps());
    release.update(releaseProps());
    adversary.update(adversaryProps());
    const [what, how] = leaksHeading(output);
    renew(leaks, `${what} `, h("span", { class: "muted" }, how));
    gates.table([naming, ...counts, names, view.records, wish.min_count, missing, disabled], () => table.update(tableProps()));
    // Of many attributes the table of pairs follows the hand, and what is read beside it comes right after.
    if (names.length > NUMBERED && session.pending()) rest.ask(drawRest);
    else drawRest();
  }

  function drawRest(): void {
    rest.cancel();
    const { view, wish, naming, counts, names, mechanism, output, shown, pair, facts: chosen, busy, late, stale, disabled } = screen;
    const dark = root.dark();
    const parameters = JSON.stringify(wish.parameters);
    audit.update(auditProps());
    gates.facts([naming, pair, chosen, shown, output, wish.min_count, busy, stale], () => facts.update(factsProps()));
    gates.key([names, shown, pair, mechanism.epsilon, mechanism.key, busy, dark, width], () => key.update(keyProps()));
    gates.rows([naming, pair, chosen, mechanism.key, output, busy, width], () => rows.update(rowsProps()));
    gates.curve(
      [naming, chosen, shown, mechanism.key, mechanism.epsilon, parameters, output, busy, late, disabled, width],
      () => curve.update(curveProps()),
    );
    const released = [mechanism.key, mechanism.epsilon, parameters, output];
    gates.meaning([naming, counts[pair?.secret ?? 0], chosen, shown, ...released, busy, disabled, width], () => meaning.update(meaningProps()));
    gates.more(
      [
        naming,
        names,
        shown,
        pair,
        view.results,
        mechanism.key,
        mechanism.epsilon,
        wish.budget,
        wish.example,
        late,
        busy,
        disabled,
        width,
      ],
      () => more.update(moreProps()),
    );
  }

  return runShell({
    root,
    session,
    travel: hand.travel,
    draw,
    resized: (now) => (width = now),
    parts: () => [{ destroy: rest.cancel }, top, lead, table, release, adversary, map, key, facts, rows, curve, meaning, more, audit, desk, session],
  });
}
