/** The lead and the audit strip: what is promised beside what those who know nothing, the chosen one and the worst learn. */
import { createSaid } from "../explorer/lead";
import { createStale } from "../explorer/top";
import { isOver, subject as subjectOf, type Naming } from "../explorer/words";
import { niceCeiling } from "../ui/axes";
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber } from "../ui/drag-number";
import { leakage, nats, parameter } from "../ui/format";
import { auditCell, createAuditStrip, type AuditStripProps, type LineMark } from "../ui/numline";
import { acceptScale, entryText } from "../ui/scale";
import type { Change } from "../ui/slider";
import { number } from "../ui/wire";
import type { NetworkResults, NetworkView } from "./protocol";
import type { Subject } from "./screen";
import { truth } from "./words";

export interface LeadProps {
  view: NetworkView;
  naming: Naming;
  scale: number;
  promise: number;
  results: NetworkResults | null;
  subject: Subject | null;
  busy: boolean;
  stale: string;
  disabled: boolean;
  stacked: boolean;
  width: number;
}

export function createLead(initial: LeadProps, onScale: (scale: number, how: Change) => void): Component<LeadProps> {
  const scale = createDragNumber(scaleProps(initial), { onChange: onScale });
  const [start, middle] = [h("span"), h("span")];
  const promised = h("b", { class: "promise nowrap" });
  const most = createSaid();
  const el = h("p", { class: "px-lead" }, start, scale.el, middle, promised, ". ", ...most.parts);

  function scaleProps({ scale: now, disabled }: LeadProps) {
    const text = parameter(now);
    return { value: now, text, entryText: entryText(now), label: "Laplace noise, scale", valueText: `scale ${text}`, disabled, accept: acceptScale };
  }

  function draw(props: LeadProps): void {
    const { view, naming, promise, subject, busy } = props;
    const chosen = view.queries.find(({ key }) => key === view.query)?.label ?? "";
    scale.update(scaleProps(props));
    setText(start, `${subjectOf(chosen)} with Laplace noise of scale `);
    setText(middle, ` promises that no ${naming.noun} leaks more than `);
    setText(promised, `${leakage(promise)} nats`);
    if (subject) most.say(truth(naming, view.adversary, view.target, subject, promise, busy));
  }

  draw(initial);
  return { el, update: draw, destroy: () => (scale.destroy(), el.remove()) };
}

export function createAudit(initial: LeadProps): Component<LeadProps> {
  const promise = auditCell("promise", "Promise");
  const none = auditCell("exact", "Knowing none");
  const mine = auditCell("exact", "Chosen");
  const worst = auditCell("exact", "Worst");
  const strongest = auditCell("exact", "Knowing all others");
  const stale = createStale();
  const strip = createAuditStrip("Audit: promised against exact", [promise, none, mine, worst, strongest], stale.el, stripProps(initial));

  /** What stands in the cells about the target; null where nobody computed it. */
  function found({ results, view }: LeadProps) {
    if (!results) return { none: null, mine: null, worst: null, lower: null, strongest: null };
    const one = results.worst?.[view.target];
    return {
      none: number(results.none[view.target]?.value),
      mine: number(results.mine.value),
      worst: one ? number(one.upper) : null,
      lower: one ? number(one.lower) : null,
      strongest: results.strongest === null ? null : number(results.strongest),
    };
  }

  function draw(props: LeadProps): void {
    const now = found(props);
    const { view, naming, results, busy } = props;
    stale.say(props.stale);
    setText(promise.value, leakage(props.promise));
    setText(promise.note, "nats, GS/λ");
    for (const [cell, value] of [[none, now.none], [mine, now.mine], [worst, now.worst], [strongest, now.strongest]] as const) {
      setText(cell.value, value === null ? (busy ? "…" : "–") : nats(value, props.promise));
      cell.value.classList.toggle("over", value !== null && isOver(value, props.promise));
    }
    const about = naming.names[view.target] ?? "";
    setText(none.note, `about ${about}`);
    setText(mine.note, view.known.length ? `knowing ${view.known.length}` : "knowing none");
    const bound = now.worst !== null && now.lower !== now.worst;
    setText(worst.note, now.worst === null ? "switch to Worst" : bound ? `at least ${leakage(now.lower as number)}: a bound` : "exact");
    setText(strongest.note, results?.strongest === null ? "too many values" : "at most");
    strip.update(stripProps(props));
  }

  function stripProps(props: LeadProps): AuditStripProps {
    const now = found(props);
    const values: [string, number | null][] = [["none", now.none], ["chosen", now.mine], ["worst", now.worst], ["all others", now.strongest]];
    const there = values.filter((one): one is [string, number] => one[1] !== null && Number.isFinite(one[1]));
    const top = Math.max(props.promise, ...there.map(([, value]) => value));
    const marks: LineMark[] = [
      { mark: "promise", value: props.promise, label: `promise ${leakage(props.promise)}`, text: "promise", colour: "var(--promise)" },
      ...there.map(([name, value]): LineMark => ({ mark: "exact", value, label: `${name} ${leakage(value)}`, text: name, radius: 3.5 })),
    ];
    const most = Math.max(props.promise, ...there.map(([, value]) => value));
    const over: [number, number] | null = isOver(most, props.promise) ? [props.promise, most] : null;
    const line = { max: niceCeiling(top * 1.1), marks, over, tickCount: 5, unit: "nats" };
    return { line, lineShown: there.length > 0, stale: props.stale !== "", stacked: props.stacked, lineWidth: props.stacked ? props.width - 24 : null };
  }

  draw(initial);
  return { el: strip.el, update: draw, destroy: () => strip.destroy() };
}

