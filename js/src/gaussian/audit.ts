/** The audit strip: what is promised beside what is true, for all adversaries together. */
import { createStale } from "../explorer/top";
import { briefly, isOver, type Naming } from "../explorer/words";
import { niceCeiling } from "../ui/axes";
import { renew, setText, type Component } from "../ui/dom";
import { leakage, parameter } from "../ui/format";
import { clip } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { auditCell, createAuditStrip, type AuditStripProps, type LineMark } from "../ui/numline";
import { STEPS } from "./densities";
import type { GaussianResults } from "./protocol";
import { promiseName } from "./release";
import { leakageUnit, perNat } from "../ui/preferences";

export interface AuditProps {
  naming: Naming;
  unit: string;
  weights: Float64Array;
  promise: number;
  change: number;
  results: GaussianResults | null;
  busy: boolean;
  /** What the results belong to instead of what stands in the controls, as in "the last valid matrix"; or empty. */
  stale: string;
  /** The number line stands below the numbers. */
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

export function createAudit(initial: AuditProps): Component<AuditProps> {
  const promise = auditCell("promise");
  const exact = auditCell("limit");
  const paper = auditCell("paper", "Paper’s Theorem 6");
  const bound = auditCell("bound", "Bound for any matrix");
  setText(bound.value, "∞");
  bound.value.setAttribute("aria-label", "infinite");
  setText(bound.note, "grows with the others’ spread");
  paper.value.classList.add("paper");
  const stale = createStale();
  const strip = createAuditStrip("Audit: promised against exact", [promise, exact, paper, bound], stale.el, stripProps(initial));

  function draw(props: AuditProps): void {
    const { naming, results, busy } = props;
    stale.say(props.stale);
    const largest = busy ? null : (results?.largest ?? null);
    setText(promise.key, ` ${promiseName(props.weights)}`);
    setText(promise.value, leakage(props.promise));
    setText(promise.note, perChange(props));
    setText(exact.key, largest && !largest.limit ? " Exact worst" : " Exact worst, a limit");
    renew(exact.mark, inlineMark(largest && !largest.limit ? "exact" : "limit"));
    setText(exact.value, largest ? leakage(largest.value, props.promise) : "…");
    exact.value.classList.toggle("over", largest !== null && isOver(largest.value, props.promise));
    setText(exact.note, results ? briefly(naming, results.largest.target, results.largest.known) : "");
    setText(paper.value, largest ? leakage(largest.value, props.promise) : "…");
    // One number: it is computed by Theorem 6, there is nothing to compare it with.
    setText(paper.note, results ? "exact for everyone" : "");
    // Hidden, not emptied: the columns keep their widths while numbers are awaited.
    for (const part of [exact.note, paper.note]) part.style.visibility = busy ? "hidden" : "";
    strip.update(stripProps(props));
  }

  draw(initial);
  return {
    el: strip.el,
    update: draw,
    destroy: () => strip.destroy(),
  };
}

/** What the promise is for: "nats per kWh moved". */
function perChange({ change, unit }: AuditProps): string {
  const amount = parameter(change).replace(/\.00$/, "");
  if (!unit) return `${leakageUnit()} for a change of ${amount}`;
  return change === 1 ? `${leakageUnit()} per ${clip(unit, 24)} moved` : `${leakageUnit()} for ${amount} ${clip(unit, 24)}`;
}

function stripProps(props: AuditProps): AuditStripProps {
  const { results, busy, stale, stacked, lineWidth } = props;
  return { line: lineProps(props), lineShown: !busy && !!results?.largest, stale: stale !== "", stacked, lineWidth };
}

function lineProps({ promise, results }: AuditProps): AuditStripProps["line"] {
  const base = { tickCount: 5, unit: leakageUnit(), per: perNat() };
  if (!results) return { ...base, max: 1, marks: [], over: null };
  const { value, limit } = results.largest;
  const marks: LineMark[] = [
    { mark: "promise", value: promise, label: `promise ${leakage(promise)}`, text: "promise", colour: "var(--promise)" },
    { mark: "paper", value, label: `Theorem 6 ${leakage(value)}`, radius: 6 },
    {
      mark: limit ? "limit" : "exact",
      value,
      label: `exact worst ${leakage(value)}${limit ? ", a limit" : ""}`,
      text: "exact = Theorem 6",
      bold: true,
      radius: 3.5,
    },
  ];
  return { ...base, max: niceCeiling(Math.max(promise, value) * 1.1, STEPS), marks, over: isOver(value, promise) ? [promise, value] : null };
}
