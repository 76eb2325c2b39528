/** Density and posterior over the published value r, which both share. */
import { createDensities, rDecimals, type DensitiesProps } from "../curves/densities";
import { frameOf, startingR, type Frame } from "../curves/frame";
import { createPosterior } from "../curves/posterior";
import { createStale } from "../explorer/top";
import type { Naming } from "../explorer/words";
import { count, fixed } from "../ui/format";
import type { DrawnChosen } from "./protocol";

export interface CurvesProps {
  chosen: DrawnChosen | null;
  /** The scale that the numbers belong to. */
  scale: number;
  naming: Naming;
  showPaper: boolean;
  busy: boolean;
  /** What the results belong to instead of what stands in the controls, as in "the last valid table"; or empty. */
  stale: string;
  /** Width of the densities, px. */
  width: number;
}

export interface Curves {
  densities: { el: HTMLElement };
  posterior: { el: HTMLElement };
  update(props: CurvesProps): void;
  destroy(): void;
}

/** What stands beside the heading of the densities. */
export function curvesNote({ chosen, busy }: CurvesProps): string {
  if (busy) return "being computed";
  if (chosen?.bins) return "not drawn";
  const grouped = chosen?.grouped ?? null;
  return grouped ? `curves drawn from ${fixed(grouped.drawn, 0)} groups of ${fixed(grouped.of, 0)} centres, not exact` : "drag r";
}

export function createCurves(initial: CurvesProps): Curves {
  let props = initial;
  let frame: Frame | null = null;
  let r = 0;
  let rKey = "";
  let rMoved = false;
  const densities = createDensities(densityProps(), {
    onR(next) {
      r = next;
      rMoved = true;
      draw();
    },
  });
  const posterior = createPosterior(posteriorProps());
  const stale = createStale();
  densities.el.firstElementChild?.after(stale.el);
  stale.say(initial.stale);

  function shared() {
    const { scale, naming, busy } = props;
    // Several numbers have no density over one r.
    const chosen = props.chosen?.bins ? null : props.chosen;
    return { chosen, scale, names: [...naming.names], labels: naming.labels.map((l) => [...l]), r, busy };
  }

  function densityProps(): DensitiesProps {
    followR();
    return { ...shared(), showPaper: props.showPaper, width: props.width, note: curvesNote(props), disabled: false, ...emptyText() };
  }

  function posteriorProps() {
    return { ...shared(), rDecimals: frame ? rDecimals(frame) : 2, ...emptyText() };
  }

  function emptyText(): { emptyText?: string } {
    const bins = props.chosen?.bins;
    return bins ? { emptyText: `${count(bins.length, "number")} released together: no curve over one r can show what they say.` } : {};
  }

  /** r starts where the leakage is attained; once moved by hand it stays, as far as the range allows. */
  function followR(): void {
    const { chosen, scale } = props;
    frame = chosen && frameOf(chosen, scale);
    if (!chosen || !frame) return;
    const key = `${chosen.target}/${chosen.known.join()}/${frame.inner.join()}`;
    if (key !== rKey) rMoved = rMoved && rKey !== "" && r >= frame.low && r <= frame.high;
    rKey = key;
    if (!rMoved) r = Number(startingR(chosen, frame).toFixed(rDecimals(frame)));
    r = Math.min(frame.high, Math.max(frame.low, r));
  }

  function draw(): void {
    stale.say(props.stale);
    densities.update(densityProps());
    posterior.update(posteriorProps());
  }

  return {
    densities,
    posterior,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      densities.destroy();
      posterior.destroy();
    },
  };
}
