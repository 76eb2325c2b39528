/** The audit strip: the printed score of attack 2 over all users, taken apart, beside what the budget allows. */
import { createStale } from "../explorer/top";
import { niceCeiling } from "../ui/axes";
import { setText, type Component } from "../ui/dom";
import { capital, fixed } from "../ui/format";
import { auditCell, createAuditStrip, type AuditStripProps, type LineMark } from "../ui/numline";
import type { Mean } from "./results";
import { COMPUTED } from "./screen";
import { bits, limitName } from "./words";

export interface AuditProps {
  mean: Mean | null;
  bound: number;
  /** It is a guarantee. */
  holds: boolean;
  /** All there is to learn, bits; null while there are no results. */
  entropy: number | null;
  /** What stands in place of numbers. */
  none: string;
  stale: string;
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

export function createAudit(initial: AuditProps): Component<AuditProps> {
  const printed = auditCell("paper", "As printed, attack 2");
  const gap = auditCell("exact", "Known before: prior gap");
  const adds = auditCell("estimate", "The release adds");
  const bound = auditCell("promise");
  printed.value.classList.add("paper");
  const old = createStale();
  const strip = createAuditStrip("Audit: the printed score taken apart, bits", [printed, gap, adds, bound], old.el, stripProps(initial));

  function draw(props: AuditProps): void {
    const { mean, entropy, none, stale } = props;
    old.say(stale);
    const waiting = none === COMPUTED ? "…" : "–";
    // Read from the curves, until the numbers at the budget are there.
    const sign = mean && mean.half === null ? "≈ " : "";
    setText(printed.value, mean ? sign + bits(mean.printed) : waiting);
    setText(printed.note, mean ? `bits, mean of ${fixed(mean.users, 0)} users` : none);
    setText(gap.value, mean ? bits(mean.gap) : waiting);
    setText(gap.note, mean ? shareInWords(mean) : "");
    setText(adds.value, mean ? sign + bits(mean.adds) : waiting);
    setText(adds.note, mean ? addsInWords(mean) : "");
    setText(bound.value, bits(props.bound));
    setText(bound.key, ` ${capital(limitName(props.holds))} ε/ln 2`);
    setText(bound.note, props.holds ? limitInWords(props.bound, entropy) : "bits, no guarantee");
    strip.update(stripProps(props));
  }

  draw(initial);
  return { el: strip.el, update: draw, destroy: () => strip.destroy() };
}

function limitInWords(bound: number, entropy: number | null): string {
  if (entropy === null) return "bits";
  return `${bound > entropy ? "above all" : "of"} ${fixed(entropy, 2)} bits there are`;
}

/** How sure the mean is: the users are these, and another draw of the noise is another mean. */
export function addsInWords({ half, adds_1 }: Pick<Mean, "half" | "adds_1">): string {
  if (half === null) return `read from the curves; attack 1: ≈ ${bits(adds_1)}`;
  return `${Number.isNaN(half) ? "" : `± ${bits(half)} (95 % over draws); `}attack 1: ${bits(adds_1)}`;
}

/** How much of the printed score needed no release. */
export function shareInWords({ gap, printed }: Pick<Mean, "gap" | "printed">): string {
  if (!(gap > 0) || !(printed > 0)) return "bits, no release needed";
  const share = gap / printed;
  return share > 1 ? "more than all of it" : `${Math.round(100 * share)} % of it, no release needed`;
}

function stripProps(props: AuditProps): AuditStripProps {
  const { mean, stale, stacked, lineWidth } = props;
  return { line: lineProps(props), lineShown: mean !== null, stale: stale !== "", stacked, lineWidth };
}

function lineProps({ mean, bound, holds }: AuditProps): AuditStripProps["line"] {
  const base = { tickCount: 3, unit: "bits" };
  if (!mean) return { ...base, max: 1, marks: [], over: null };
  const marks: LineMark[] = [
    { mark: "estimate", value: Math.max(0, mean.adds), label: `the release adds ${bits(mean.adds)}`, text: "release", colour: "var(--est)", radius: 4.5 },
    { mark: "exact", value: Math.max(0, mean.gap), label: `prior gap ${bits(mean.gap)}`, text: "gap" },
    { mark: "paper", value: Math.max(0, mean.printed), label: `as printed ${bits(mean.printed)}`, text: "as printed", colour: "var(--paper)", radius: 3.5 },
  ];
  const max = niceCeiling(Math.max(1e-3, ...marks.map(({ value }) => value)), [1, 2, 3, 4, 6, 8, 10]);
  // A bound far beyond the scores would crush them: it stands in its field.
  if (bound <= 1.5 * max) marks.push({ mark: "promise", value: bound, label: `${limitName(holds)} ${bits(bound)}` });
  const end = bound > max && bound <= 1.5 * max ? niceCeiling(bound, [1, 2, 3, 4, 6, 8, 10]) : max;
  const whisker =
    mean.half === null || Number.isNaN(mean.half)
      ? null
      : {
          label: `interval of 95 % over draws of the noise ± ${bits(mean.half)}`,
          range: [Math.max(0, mean.adds - mean.half), Math.max(0, mean.adds + mean.half)] as [number, number],
        };
  return { ...base, max: end, marks, over: null, whisker };
}
