/** The audit strip: promise, the largest exact leakage, the paper's estimate for it, and bounds. */
import { createStale } from "../explorer/top";
import { isOver, told, type Naming } from "../explorer/words";
import { niceCeiling } from "../ui/axes";
import { renew, setText, type Component } from "../ui/dom";
import { bound as upwards, leakage } from "../ui/format";
import { inlineBadge } from "../ui/marks";
import { auditCell, createAuditStrip, type AuditStripProps, type LineMark } from "../ui/numline";
import type { Knowing } from "./protocol";
import { countOver, mostLeaking, paperError, paperErrors, type Shown } from "./results";
import { nats } from "./words";
import { leakageUnit, perNat } from "../ui/preferences";

export interface AuditProps {
  naming: Naming;
  shown: Shown | null;
  epsilon: number;
  knowing: Knowing;
  known: readonly number[];
  busy: boolean;
  stale: string;
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

export function createAudit(initial: AuditProps): Component<AuditProps> {
  const promise = auditCell("promise", "Promise ε");
  const exact = auditCell("exact", "Exact worst");
  const paper = auditCell("paper", "Paper’s estimate");
  const bound = auditCell("bound");
  paper.value.classList.add("paper");
  const old = createStale();
  const strip = createAuditStrip("Audit: promised against exact", [promise, exact, paper, bound], old.el, stripProps(initial));

  function draw(props: AuditProps): void {
    const { naming, epsilon, busy, stale } = props;
    const shown = busy ? null : props.shown;
    old.say(stale);
    setText(promise.value, nats(epsilon));
    setText(promise.note, `${leakageUnit()} per ${naming.noun}`);
    const most = shown && mostLeaking(shown);
    const value = shown && most !== null ? (shown.exact[most] as number) : null;
    setText(exact.value, value === null ? "…" : nats(value, epsilon));
    exact.value.classList.toggle("over", value !== null && isOver(value, epsilon));
    const over = shown ? countOver(shown) : 0;
    setText(
      exact.note,
      shown && most !== null
        ? `${told(naming, most, 24)}, ${whom(props, most)}; ${over > 0 ? `${over} of ${shown.n} over` : "none over"}`
        : "",
    );
    setText(paper.value, shown && most !== null ? nats(shown.paper[most] as number, value ?? undefined) : "…");
    renew(paper.note, ...(shown && most !== null ? paperWords(shown, most) : [""]));
    const mean = shown?.bounds.mean ?? null;
    setText(bound.key, shown && mean === null ? " Group bound" : " Mean bound");
    setText(bound.value, !shown ? "…" : upwards(mean ?? shown.bounds.group));
    setText(bound.note, !shown ? "" : mean === null ? "any table, any query" : props.knowing === "nobody" ? "any block, linear query" : "if nobody is known");
    strip.update(stripProps(props));
  }

  draw(initial);
  return { el: strip.el, update: draw, destroy: () => strip.destroy() };
}

function whom({ knowing, known, naming }: AuditProps, most: number): string {
  const others = known.filter((tuple) => tuple !== most);
  if (knowing === "worst") return "worst adversary";
  if (knowing === "nobody" || others.length === 0) return "nobody known";
  return `knowing ${others.length <= 2 ? others.map((tuple) => told(naming, tuple, 16)).join(", ") : `${others.length} others`}`;
}

/** "too low by 0.286; low at 3 of 6". */
function paperWords(shown: Shown, most: number): (Node | string)[] {
  const error = paperError(shown, most);
  const { low, high } = paperErrors(shown);
  const rest = [low > 0 ? `low at ${low}` : "", high > 0 ? `high at ${high}` : ""].filter(Boolean).join(", ");
  if (!error) return [rest === "" ? "exact for all" : `${rest} of ${shown.n}`];
  return [inlineBadge(error.direction), ` too ${error.direction} by ${leakage(error.by)}; ${rest} of ${shown.n}`];
}

function stripProps(props: AuditProps): AuditStripProps {
  const { shown, busy, stale, stacked, lineWidth } = props;
  return { line: lineProps(props), lineShown: shown !== null && !busy, stale: stale !== "", stacked, lineWidth };
}

function lineProps({ shown, epsilon, knowing }: AuditProps): AuditStripProps["line"] {
  const base = { tickCount: 4, unit: leakageUnit(), per: perNat() };
  if (!shown) return { ...base, max: 1, marks: [], over: null };
  const most = mostLeaking(shown);
  const [exact, paper] = [shown.exact[most] as number, shown.paper[most] as number];
  const { mean, group } = shown.bounds;
  const marks: LineMark[] = [{ mark: "promise", value: epsilon, label: `promise ${nats(epsilon)}` }];
  if (mean !== null)
    marks.push({
      mark: "bound",
      value: mean,
      label: `mean bound ${upwards(mean)}${knowing === "nobody" ? "" : " if nobody is known"}`,
      text: "mean",
      colour: "var(--promise)",
    });
  marks.push(
    { mark: "bound", value: group, label: `group bound ${upwards(group)}`, text: "group", colour: "var(--promise)" },
    { mark: "exact", value: exact, label: `exact ${nats(exact, epsilon)}`, text: "exact", bold: true },
    { mark: "paper", value: paper, label: `paper’s estimate ${nats(paper)}`, text: "paper", colour: "var(--paper)", radius: 4 },
  );
  const last = Math.max(...marks.map(({ value }) => value).filter(Number.isFinite), 0);
  return { ...base, max: niceCeiling(last * 1.02, STEPS), marks, over: isOver(exact, epsilon) ? [epsilon, exact] : null };
}
