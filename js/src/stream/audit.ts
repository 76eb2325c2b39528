/** The audit strip: the promise of a step, the worst of each lane, what composition allows, and the errors so far. */
import { h, setAttr, setText, type Component } from "../ui/dom";
import { bound as upwards, fixed, list, nats, tick } from "../ui/format";
import { clip } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { auditCell, type AuditCell } from "../ui/numline";
import type { MechanismChoice } from "./protocol";
import type { LaneTotals } from "./step-record";
import { leakageUnit } from "../ui/preferences";

export interface AuditProps {
  promise: number;
  /** Every step so far had this promise. */
  steady: boolean;
  position: number;
  lanes: readonly MechanismChoice[];
  totals: readonly LaneTotals[];
  linear: number;
  advanced: number;
  /** The chance with which advanced composition may be passed. */
  delta: number;
  errors: readonly number[];
  expected: readonly number[];
  hamming: boolean;
}

/** A lane that has ended has no number of a later step. */
function orDash(value: number, decimals: number): string {
  return Number.isNaN(value) ? "–" : fixed(value, decimals);
}

export function createAudit(initial: AuditProps): Component<AuditProps> {
  const promise = auditCell("promise", "Promise per step");
  const bound = auditCell("bound");
  const wrong = auditCell("estimate");
  wrong.value.classList.add("sx-errors");
  const el = h("section", { class: "px-audit sx-audit", "aria-label": "Audit: promised against exact" });
  let lanes: AuditCell[] = [];

  function draw(props: AuditProps): void {
    const { position, totals, linear, advanced } = props;
    if (lanes.length !== props.lanes.length || el.childElementCount === 0) {
      lanes = props.lanes.map(() => auditCell("exact"));
      el.replaceChildren(promise.el, ...lanes.map((cell) => cell.el), bound.el, wrong.el);
    }
    const none = position === 0;
    setText(promise.value, nats(props.promise));
    setText(promise.note, props.steady ? `${leakageUnit()}, every step` : `${leakageUnit()}, the last step`);
    lanes.forEach((cell, k) => {
      const lane = totals[k] ?? { largest: 0, over: 0, first: null };
      setText(cell.key, ` ${clip(props.lanes[k]?.short ?? "", 30)}`);
      setText(cell.value, none ? "–" : nats(lane.largest, props.promise));
      cell.value.classList.toggle("over", lane.first !== null);
      const over = lane.over > 0;
      if (cell.note.dataset["over"] !== String(over)) {
        cell.note.dataset["over"] = String(over);
        cell.note.replaceChildren(h("span"), ...(over ? [inlineMark("over")] : []), h("span"));
      }
      setText(cell.note.firstChild as Node, none ? "" : "largest step, ");
      setText(cell.note.lastChild as Node, none ? "" : over ? ` over at ${fixed(lane.over, 0)} of ${fixed(position, 0)}` : "never over");
    });
    const broke = props.lanes.filter((_, k) => totals[k]?.first !== null && totals[k] !== undefined);
    setText(bound.key, ` Composition, ${fixed(position, 0)} step${position === 1 ? "" : "s"}`);
    setText(bound.value, none ? "–" : upwards(Math.min(linear, advanced)));
    const since = broke.length === 1 ? ` since step ${fixed(totals[props.lanes.indexOf(broke[0] as MechanismChoice)]?.first ?? 0, 0)}` : "";
    // Below a sum that keeps its promise it would look like a bound that is broken.
    const except = advanced < linear ? ` except with probability ${tick(props.delta)}` : "";
    setText(
      bound.note,
      none
        ? ""
        : `linear ${upwards(linear)}, advanced ${upwards(advanced)}${except}` +
          `${broke.length ? `; void for ${list(broke.map(({ short: name }) => name))}${since}` : ""}`,
    );
    setText(wrong.key, props.hamming ? " Wrong symbols so far" : " Error so far");
    setText(wrong.value, none ? "–" : props.errors.map((value) => orDash(value, 2)).join(" / "));
    setText(wrong.note, none ? "" : `expected ${props.expected.map((value) => orDash(value, 3)).join(" / ")}`);
    setAttr(el, "data-lanes", props.lanes.length);
    el.style.setProperty("--sx-cells", String(props.lanes.length + 3));
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy: () => el.remove(),
  };
}
