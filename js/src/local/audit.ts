/** The audit strip: what a report promises beside what all reports together say about the secret. */
import type { Output } from "../compute/local-mechanisms";
import { createStale } from "../explorer/top";
import { isOver, told, type Naming } from "../explorer/words";
import { niceCeiling } from "../ui/axes";
import { renew, setText, type Component } from "../ui/dom";
import { bound as upwards, leakage, nats } from "../ui/format";
import { inlineBadge } from "../ui/marks";
import { auditCell, createAuditStrip, type AuditStripProps, type LineMark } from "../ui/numline";
import { sumError } from "./heat-map";
import type { Totals } from "./results";
import { completeOnly, everything } from "./words";
import { leakageUnit, perNat } from "../ui/preferences";

export interface AuditProps {
  naming: Naming;
  names: readonly number[];
  secret: number | null;
  output: Output;
  /** How many records there are; null for probabilities. */
  records: number | null;
  /** What each raw report promises for its own attribute, by chosen attribute. */
  promises: ArrayLike<number>;
  /** What each report, or the guess from it, says about its own attribute. */
  own: ArrayLike<number> | null;
  totals: Totals | null;
  busy: boolean;
  /** Exact numbers and bounds are awaited. */
  late: boolean;
  stale: string;
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

/** Round ends of the number line. */
const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

interface Numbers {
  /** What the report of the secret promises for it, and what is read from it leaks of it. */
  promise: number;
  own: number;
  exact: number;
  sum: number;
  bound: number;
  composition: number;
}

function numbersOf(props: AuditProps): Numbers | null {
  const { names, secret, own, totals } = props;
  const k = secret === null ? 0 : names.indexOf(secret);
  if (!own || !totals || k < 0) return null;
  return {
    promise: props.promises[k] ?? NaN,
    own: own[k] as number,
    exact: totals.exact?.[k] ?? NaN,
    sum: totals.sum[k] as number,
    bound: totals.bound?.[k] ?? NaN,
    composition: totals.composition,
  };
}

export function createAudit(initial: AuditProps): Component<AuditProps> {
  const promise = auditCell("promise", "Promise, own report");
  const exact = auditCell("exact");
  const paper = auditCell("paper", "Paper’s pairwise sum");
  const bound = auditCell("bound", "Joint bound");
  paper.value.classList.add("paper");
  const old = createStale();
  const strip = createAuditStrip("Audit: promised against exact", [promise, exact, paper, bound], old.el, stripProps(initial));

  function draw(props: AuditProps): void {
    const { naming, names, secret, totals, busy, late, stale } = props;
    const numbers = busy ? null : numbersOf(props);
    const among = completeOnly(props.records, totals);
    const about = [secret === null ? "" : `about ${told(naming, secret, 24)}`, among && `among ${among}`].filter(Boolean).join(", ");
    // Why a number is not there.
    const lacks = totals?.kernel ? "needs a kernel" : "not computed";
    old.say(stale);
    setText(promise.value, numbers ? nats(numbers.promise) : "…");
    const guessed = numbers && props.output === "inferred";
    const less = numbers && nats(numbers.own) !== nats(numbers.promise);
    setText(
      promise.note,
      guessed ? `the guess of it leaks ${nats(numbers.own)}` : less ? `the report leaks ${nats(numbers.own)}` : `${leakageUnit()}, the report itself`,
    );
    setText(exact.key, ` Exact, ${everything(props.output, names.length)}`);
    const none = numbers !== null && !late && Number.isNaN(numbers.exact);
    const constant = totals?.constant.includes(secret === null ? 0 : names.indexOf(secret));
    setText(exact.value, !numbers || late ? "…" : none ? "–" : nats(numbers.exact, numbers.promise));
    exact.value.classList.toggle("over", numbers !== null && !late && isOver(numbers.exact, numbers.promise));
    setText(exact.note, none ? (constant ? "only one value" : totals?.why && !totals.kernel ? "too many outputs" : lacks) : about);
    exact.note.title = none && !constant ? (totals?.why ?? "") : "";
    setText(paper.value, numbers && !Number.isNaN(numbers.sum) ? nats(numbers.sum, none || late ? undefined : numbers.exact) : late ? "…" : "–");
    const noSum = numbers !== null && !late && Number.isNaN(numbers.sum);
    const noBound = numbers !== null && !late && Number.isNaN(numbers.bound);
    renew(paper.note, ...(noSum ? [lacks] : sumWords(props)));
    // No mark for a number that is not there.
    for (const [one, gone] of [
      [exact, none],
      [paper, noSum],
      [bound, noBound],
    ] as const)
      one.mark.style.visibility = gone ? "hidden" : "";
    setText(
      bound.value,
      !numbers || late
        ? "…"
        : Number.isNaN(numbers.bound)
          ? "–"
          : Number.isFinite(numbers.bound)
            ? upwards(numbers.bound)
            : nats(numbers.bound),
    );
    setText(bound.note, noBound ? lacks : "never too low");
    strip.update(stripProps(props));
  }

  draw(initial);
  return {
    el: strip.el,
    update: draw,
    destroy: () => strip.destroy(),
  };
}

/** "too low by 0.026; too high for 3 of 4", beside the word that it is no bound. */
function sumWords({ names, secret, totals, late }: AuditProps): (Node | string)[] {
  const words = "not a bound";
  if (!totals || late || secret === null) return [words];
  const k = names.indexOf(secret);
  const error = sumError(totals, k);
  const out: (Node | string)[] = [];
  if (error) out.push(inlineBadge(error.direction), ` too ${error.direction} by ${leakage(error.by)}, `);
  const low = names.filter((_, j) => sumError(totals, j)?.direction === "low").length;
  const others = error?.direction === "low" ? low - 1 : low;
  const many = others > 0 ? `; too low for ${error?.direction === "low" ? `${others} more` : `${others} of ${names.length}`}` : "";
  return [...out, `${words}${many}`];
}

function stripProps(props: AuditProps): AuditStripProps {
  const { busy, late, stale, stacked, lineWidth } = props;
  const numbers = busy || late ? null : numbersOf(props);
  return { line: lineProps(props), lineShown: numbers !== null && Number.isFinite(numbers.promise), stale: stale !== "", stacked, lineWidth };
}

function lineProps(props: AuditProps): AuditStripProps["line"] {
  const base = { tickCount: 5, unit: leakageUnit(), per: perNat() };
  const numbers = numbersOf(props);
  if (!numbers) return { ...base, max: 1, marks: [], over: null };
  const { promise, own, exact, sum, bound, composition } = numbers;
  const marks: LineMark[] = [
    { mark: "promise", value: promise, label: `promise ${nats(promise)}`, text: "promise", colour: "var(--promise)" },
    { mark: "bound", value: composition, label: `composition ${nats(composition)}` },
  ];
  if (!Number.isNaN(bound)) marks.push({ mark: "bound", value: bound, label: `joint bound ${nats(bound)}` });
  if (props.output === "inferred") marks.push({ mark: "exact", value: own, label: `its own guess ${nats(own)}`, radius: 3 });
  if (!Number.isNaN(exact)) marks.push({ mark: "exact", value: exact, label: `exact ${nats(exact)}`, text: "exact", bold: true });
  if (!Number.isNaN(sum)) marks.push({ mark: "paper", value: sum, label: `pairwise sum ${nats(sum)}`, text: "paper", colour: "var(--paper)", radius: 3.5 });
  const most = Math.max(...marks.map(({ value }) => value).filter(Number.isFinite), 0);
  return { ...base, max: niceCeiling(most, STEPS), marks, over: exact > promise ? [promise, exact] : null };
}
