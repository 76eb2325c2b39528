/** The audit strip: what is published beside what is true, for all adversaries together. */
import { createStale } from "../explorer/top";
import { briefly, isOver, type Naming } from "../explorer/words";
import { h, listen, setAttr, setText, type Component } from "../ui/dom";
import { capital, fixed, leakage } from "../ui/format";
import { wordsOf } from "../graph/measure";
import { triangle } from "../ui/marks";
import type { GraphMeasure } from "../ui/protocol";
import { auditCell, createAuditStrip, type AuditStripProps, type LineMark } from "../ui/numline";

export interface AuditProps {
  naming: Naming;
  promise: number | null;
  largest: { target: number; known: number[]; value: number } | null;
  /** Known values are the worst of all. */
  worst: boolean;
  groupBound: number | null;
  /** What these three are; left out where they are leakages. */
  measure?: GraphMeasure | undefined;
  adversaries: number;
  showPaper: boolean;
  /** null until the estimate has been computed. */
  paper: { largest: number; tooLow: number; tooHigh: number } | null;
  /** Which adversaries the graph brings out: those where the estimate is too low, or too high. */
  filter: Filter | null;
  busy: boolean;
  /** What the results belong to instead of what stands in the controls, as in "the last valid table"; or empty. */
  stale: string;
  disabled: boolean;
  /** The number line stands below the numbers. */
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

export type Filter = "low" | "high";

export interface AuditEvents {
  onShowPaper(show: boolean): void;
  onFilter(filter: Filter | null): void;
}

export function createAudit(initial: AuditProps, events: AuditEvents): Component<AuditProps> {
  const promise = auditCell("promise", "Promise GS/λ");
  const exact = auditCell("exact", "Exact worst");
  const paper = auditCell("paper", "Paper’s estimate");
  const bound = auditCell("bound", "Group bound");
  let props = initial;
  const show = h("button", { type: "button", class: "px-quiet" }, "show");
  listen(show, "click", () => events.onShowPaper(true));
  const low = filterButton("low");
  const high = filterButton("high");
  const comma = h("span", {}, ", ");
  const rest = h("span");
  const counts = h("span", {}, low.el, comma, high.el, rest);
  const stale = createStale();
  const strip = createAuditStrip("Audit: published against exact", [promise, exact, paper, bound], stale.el, stripProps(initial));

  function filterButton(filter: Filter) {
    const words = h("span");
    const sign = triangle(filter);
    setAttr(sign, "class", `px-triangle ${filter === "low" ? "over" : "promise"}`);
    const el = h("button", { type: "button", class: "px-filter", title: `Show only where the estimate is too ${filter}` }, sign, words);
    listen(el, "click", () => events.onFilter(props.filter === filter ? null : filter));
    return {
      el,
      draw(number: number): void {
        el.hidden = number === 0;
        setAttr(el, "aria-pressed", String(props.filter === filter));
        setText(words, `too ${filter} at ${fixed(number, 0)}`);
      },
    };
  }

  function draw(next: AuditProps): void {
    props = next;
    stale.say(props.stale);
    const { largest } = props;
    const over = !props.busy && largest !== null && props.promise !== null && isOver(largest.value, props.promise);
    const { short, unit, line, write } = wordsOf(props.measure);
    setText(promise.value, props.promise === null ? "…" : write(props.promise));
    setText(promise.key, props.measure ? ` ${capital(line)}` : " Promise GS/λ");
    setText(promise.note, unit ? `${short} per ${props.naming.noun}` : short);
    setText(exact.value, props.busy || !largest ? "…" : write(largest.value, props.promise ?? undefined));
    exact.value.className = over ? "px-audit-value over" : "px-audit-value";
    setText(exact.note, largest ? briefly(props.naming, largest.target, largest.known, props.worst) : "");
    // Hidden, not emptied: the columns keep their widths while numbers are awaited.
    for (const part of [exact.note, paper.note]) part.style.visibility = props.busy ? "hidden" : "";
    drawPaper(props);
    setText(bound.value, props.groupBound === null ? "…" : write(props.groupBound));
    setText(bound.note, "safe for any table");
    strip.update(stripProps(props));
  }

  function drawPaper(props: AuditProps): void {
    const shown = props.showPaper && props.paper !== null;
    show.disabled = props.disabled;
    if (props.measure) {
      paper.value.replaceChildren("–");
      return setText(paper.note, "of leakages alone");
    }
    if (!props.showPaper) {
      if (!paper.value.contains(show)) paper.value.replaceChildren(show);
      setText(paper.note, "as printed, not exact");
      return;
    }
    setText(paper.value, props.busy || !shown ? "…" : leakage(props.paper?.largest ?? 0, props.largest?.value, props.promise ?? undefined));
    paper.value.className = "px-audit-value paper";
    if (!props.paper) return setText(paper.note, "");
    const { tooLow, tooHigh } = props.paper;
    low.draw(tooLow);
    high.draw(tooHigh);
    comma.hidden = tooLow === 0 || tooHigh === 0;
    setText(rest, tooLow + tooHigh > 0 ? ` of ${fixed(props.adversaries, 0)}` : "exact for every adversary");
    if (!paper.note.contains(counts)) paper.note.replaceChildren(counts);
  }

  draw(initial);
  return {
    el: strip.el,
    update: draw,
    destroy: () => strip.destroy(),
  };
}

function stripProps(props: AuditProps): AuditStripProps {
  const { largest, busy, stale, stacked, lineWidth } = props;
  return { line: lineProps(props), lineShown: largest !== null && !busy, stale: stale !== "", stacked, lineWidth };
}

function lineProps(props: AuditProps): AuditStripProps["line"] {
  const { line, unit, per, write } = wordsOf(props.measure);
  const base = { tickCount: 5, unit: unit.trim(), per };
  const { promise, largest, groupBound } = props;
  if (promise === null || !largest || groupBound === null) return { ...base, max: 1, marks: [], over: null };
  const marks: LineMark[] = [
    { mark: "promise", value: promise, label: `${line} ${write(promise)}`, text: line, colour: "var(--promise)" },
    { mark: "bound", value: groupBound, label: `group bound ${write(groupBound)}` },
    { mark: "exact", value: largest.value, label: `exact worst ${write(largest.value, undefined, promise)}`, text: "exact", bold: true },
  ];
  const paper = props.showPaper && !props.measure ? props.paper : null;
  if (paper) {
    marks.push({
      mark: "paper",
      value: paper.largest,
      label: `paper’s estimate ${leakage(paper.largest, undefined, promise)}`,
      radius: 4,
      text: "paper",
      colour: "var(--paper)",
    });
  }
  const max = Math.max(promise, groupBound, largest.value, paper?.largest ?? 0);
  return { ...base, max, marks, over: isOver(largest.value, promise) ? [promise, largest.value] : null };
}
