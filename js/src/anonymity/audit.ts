/** The audit strip: what k promises, the exact slack, the theorem as printed and the bound, then all on one line. */
import { isAbove } from "../compute/anonymity-curves";
import { createStale } from "../explorer/top";
import { h, renew, setAttr, setText, type Component } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { auditCell, createAuditStrip, type AuditStripProps, type LineMark } from "../ui/numline";
import { boundsOf, drawnAt, printedOf, valueAt, violatedFrom, type Shown, type ShownCurve } from "./results";
import { budgetText, eventsLabel, slackText } from "./words";

export interface AuditProps {
  k: number;
  shown: Shown | null;
  epsilon: number;
  printed: boolean;
  busy: boolean;
  stale: string;
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

interface Numbers {
  exact: number | null;
  printed: number | null;
  bounds: { curve: ShownCurve; value: number }[];
}

function numbersOf(shown: Shown | null, epsilon: number, withPrinted: boolean): Numbers {
  if (!shown) return { exact: null, printed: null, bounds: [] };
  const line = printedOf(shown);
  const known = shown.printed[0];
  const printed = !withPrinted ? null : line ? valueAt(shown, line, epsilon) : epsilon === shown.epsilon ? (known?.delta ?? null) : null;
  const bounds = boundsOf(shown).flatMap((curve) => {
    const value = drawnAt(shown, curve, epsilon);
    return curve.why === null && !Number.isNaN(value) ? [{ curve, value }] : [];
  });
  return { exact: shown.exact ? valueAt(shown, shown.exact, epsilon) : null, printed, bounds };
}

export function createAudit(initial: AuditProps): Component<AuditProps> {
  const promise = auditCell("promise", "k-anonymity");
  const exact = auditCell("exact", "Exact slack");
  const printed = auditCell("paper");
  const bound = auditCell("bound");
  const old = createStale();
  const strip = createAuditStrip("Audit: slack δ", [promise, exact, printed, bound], old.el, stripProps(initial));

  function draw(props: AuditProps): void {
    const { k, shown, epsilon, busy, stale } = props;
    const { exact: value, printed: paper, bounds } = numbersOf(shown, epsilon, props.printed);
    const text = (shownAs: string): string => (busy ? "…" : shownAs);
    old.say(stale);
    setText(promise.value, fixed(k, 0));
    setText(promise.note, "no statement about δ");
    setText(exact.value, text(value === null ? "–" : slackText(value)));
    setText(exact.note, shown?.exact?.why ? "not computed" : `ε = ${budgetText(epsilon)}, ${count(shown?.unknown ?? 0, "unknown other")}`);
    const line = shown && printedOf(shown);
    const theorem = (line?.label ?? shown?.printed[0]?.label)?.split(",")[0];
    // Nothing printed is said to those who have not asked for it.
    const off = !props.printed || theorem === undefined;
    setText(printed.key, ` ${theorem ?? "The paper"} as printed`);
    setText(printed.value, text(theorem === undefined ? "–" : off ? "off" : paper === null ? "–" : slackText(paper)));
    printed.value.classList.toggle("paper", !off);
    setAttr(printed.value, "data-off", off);
    setAttr(printed.mark, "data-off", off);
    const from = line ? violatedFrom(line) : null;
    const vacuous = paper !== null && paper >= 1;
    if (from !== null && !busy && !off)
      renew(
        printed.note,
        h("span", { class: "over", "aria-hidden": "true" }, "▲ "),
        `violated from ε = ${budgetText(from)}`,
      );
    else
      renew(
        printed.note,
        busy || !shown
          ? ""
          : theorem === undefined
            ? "no theorem is about records"
            : off
              ? "tick “as printed” above"
              : paper === null
                ? "undefined here"
                : paper < 0
                  ? "negative"
                  : vacuous
                    ? "vacuous"
                    : value === null
                      ? "not compared"
                      : isAbove(value, paper)
                        ? "violated here"
                        : "not violated here",
      );
    const [best, ...others] = bounds;
    setText(bound.key, ` Bound${best ? `, ${eventsLabel(best.curve.events)}` : ""}`);
    setText(bound.value, text(best ? slackText(best.value, true) : "–"));
    const only = others.map((one) => `${eventsLabel(one.curve.events)} only: ${slackText(one.value, true)}`).join(", ");
    setText(bound.note, busy ? "" : !best ? (shown ? "none for these events" : "") : only || (best.value >= 1 ? "vacuous" : ""));
    strip.update(stripProps(props));
  }

  draw(initial);
  return { el: strip.el, update: draw, destroy: () => strip.destroy() };
}

function stripProps(props: AuditProps): AuditStripProps {
  const { shown, epsilon, busy, stale, stacked, lineWidth } = props;
  const { exact, printed, bounds } = numbersOf(shown, epsilon, props.printed);
  const marks: LineMark[] = bounds.map(({ curve, value }, k) => ({
    mark: "bound",
    value: Math.min(1, value),
    label: `bound for ${eventsLabel(curve.events)} ${slackText(value, true)}`,
    ...(k === 0 ? { text: bounds.length > 1 ? "bounds" : "bound", colour: "var(--promise)" } : {}),
  }));
  if (printed !== null && printed > 0)
    marks.push({
      mark: "paper",
      value: Math.min(1, printed),
      label: `as printed ${slackText(printed)}`,
      text: "printed",
      colour: "var(--paper)",
      radius: 4,
    });
  if (exact !== null && exact > 0)
    marks.push({
      mark: "exact",
      value: Math.min(1, exact),
      label: `exact ${slackText(exact)}`,
      text: "exact",
      bold: true,
    });
  const least = Math.min(1e-3, ...marks.map(({ value }) => value));
  const low = 10 ** Math.max(-60, Math.floor(Math.log10(least) + 1e-9));
  return { line: { max: 1, low, marks, over: null, tickCount: 3, unit: "δ" }, lineShown: marks.length > 0 && !busy, stale: stale !== "", stacked, lineWidth };
}
