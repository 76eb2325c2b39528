/** The colours of a magnitude as a band across, from the least to the largest. */
import { s } from "./dom";
import { css, viridis } from "./palette";

const STEPS = 72;

/** Draws into a group, anew only where width or scheme are others; says whether it did. */
export function colourBand(group: SVGElement, top: number): (width: number, dark: boolean) => boolean {
  let drawn = "";
  return (width, dark) => {
    const now = `${width}/${dark}`;
    if (now === drawn) return false;
    drawn = now;
    const steps = Array.from({ length: STEPS }, (_, k) =>
      s("rect", {
        x: ((width * k) / STEPS).toFixed(1),
        y: top,
        width: (width / STEPS + 0.5).toFixed(1),
        height: 8,
        fill: css(viridis((k + 0.5) / STEPS, dark)),
      }),
    );
    group.replaceChildren(
      ...steps,
      s("rect", {
        x: 0.5,
        y: top,
        width: width - 1,
        height: 8,
        fill: "none",
        stroke: "var(--line2)",
        "stroke-width": 0.5,
      }),
    );
    return true;
  };
}
