/** Take one record out: how many records see their class change, as a histogram of the largest change of each removal. */
import { plural } from "../explorer/words";
import { axisText, linear, rule } from "../ui/axes";
import { h, renew, s, setText, text, type Component } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { textWidth } from "../ui/lettering";
import type { ShownRemovals } from "./results";

export interface RemovalsProps {
  removals: ShownRemovals | null;
  noun: string;
  /** What stands there while there is nothing. */
  none: string;
  busy: boolean;
  width: number;
}

export interface Bar {
  from: number;
  to: number;
  count: number;
}

const HEIGHT = 132;
/** More different changes are put into bins. */
const MOST = 16;

/** How often each change occurs; from 0 to the largest. */
export function barsOf(changes: ArrayLike<number>, largest: number): Bar[] {
  const width = Math.max(1, Math.ceil((largest + 1) / MOST));
  const bars = Array.from({ length: Math.floor(largest / width) + 1 }, (_, k): Bar => ({
    from: k * width,
    to: Math.min(largest, (k + 1) * width - 1),
    count: 0,
  }));
  for (let k = 0; k < changes.length; k++) {
    const bar = bars[Math.floor((changes[k] as number) / width)];
    if (bar) bar.count += 1;
  }
  return bars;
}

export function createRemovals(initial: RemovalsProps): Component<RemovalsProps> {
  const note = h("span", { class: "muted" }, "largest change in a class");
  const title = h("span");
  const place = h("div", { class: "kx-removals" });
  const empty = h("p", { class: "px-empty kx-empty" });
  const words = h("p", { class: "kx-words" });
  const el = h(
    "section",
    { class: "panel kx-sensitivity", "aria-label": "Sensitivity" },
    h("h3", { class: "panel-head" }, h("span", {}, title, " ", note)),
    place,
    empty,
    words,
  );

  function draw(props: RemovalsProps): void {
    const { removals, noun, none, busy, width } = props;
    setText(title, `Take one ${noun} out`);
    place.style.display = removals ? "" : "none";
    empty.hidden = removals !== null;
    setText(empty, none);
    if (!removals) return setText(words, "");
    const { largest, sampled } = removals;
    const bars = barsOf(removals.changes, largest);
    const tail = `worst, s ${sampled === null ? "=" : "≥"} ${fixed(largest, 0)}`;
    const room = textWidth(tail, 11, true) + 10;
    const step = Math.min(36, (width - room - 4) / Math.max(1, bars.length));
    const top = Math.max(1, ...bars.map((bar) => bar.count));
    const y = linear(0, top, HEIGHT - 24, 16);
    const x = (k: number): number => 2 + step * (k + 0.5);
    const every = Math.max(1, Math.ceil(26 / step));
    const parts: SVGElement[] = [rule(0, y(0), width, y(0))];
    bars.forEach((bar, k) => {
      const worst = k === bars.length - 1;
      const wide = Math.min(26, step * 0.75);
      const bin = bar.from !== bar.to;
      // Bins begin at their numbers; the last one has room to say where it ends, which is the worst.
      const label = bin && worst ? `${fixed(bar.from, 0)}–${fixed(bar.to, 0)}` : fixed(bar.from, 0);
      if (bar.count > 0) {
        parts.push(
          s("rect", {
            x: (x(k) - wide / 2).toFixed(1),
            y: Math.min(y(bar.count), y(0) - 1).toFixed(1),
            width: wide.toFixed(1),
            height: Math.max(1, y(0) - y(bar.count)).toFixed(1),
            fill: worst ? "var(--ink)" : "var(--ink2)",
            "fill-opacity": worst ? 1 : 0.45,
          }),
        );
        if (step > 14)
          parts.push(
            text(Number(x(k).toFixed(1)), Number((y(bar.count) - 4).toFixed(1)), fixed(bar.count, 0), {
              "text-anchor": "middle",
              "font-weight": worst ? 600 : 400,
            }),
          );
      }
      if (worst || (k % every === 0 && bars.length - 1 - k >= every))
        parts.push(
          worst
            ? text(bin ? x(k) - wide / 2 : x(k), HEIGHT - 8, label, {
                "text-anchor": bin ? "start" : "middle",
                "font-weight": 700,
              })
            : axisText(x(k), HEIGHT - 8, label, { "text-anchor": "middle" }),
        );
    });
    const last = bars[bars.length - 1] as Bar;
    parts.push(
      text(
        Math.min(width - room + 8, x(bars.length - 1) + step / 2 + 4),
        Math.min(y(0) - 4, y(last.count) + 12),
        tail,
        { "font-weight": 600 },
      ),
    );
    const spoken = bars
      .filter((bar) => bar.count > 0)
      .map((bar) => `${bar.from === bar.to ? bar.from : `${bar.from} to ${bar.to}`}: ${bar.count}`);
    renew(
      place,
      s(
        "svg",
        {
          width,
          height: HEIGHT,
          viewBox: `0 0 ${width} ${HEIGHT}`,
          role: "img",
          "aria-label": `Largest change in a class when one ${noun} is left out: ${spoken.join(", ")}`,
          "data-old": busy,
        },
        ...parts,
      ),
    );
    const many = sampled === null ? "" : ` Of ${count(sampled, noun, plural(noun))} that were tried: a lower bound.`;
    setText(
      words,
      largest === 0
        ? `Leaving one ${noun} out changes no class.${many}`
        : `Leaving one ${noun} out rearranges other ` +
          `${noun === "person" ? "people’s" : plural(noun).endsWith("s") ? `${plural(noun)}’` : `${plural(noun)}’s`} ` +
          `classes, by ${count(largest, noun, plural(noun))} at worst.` +
          `${largest > 1 ? " So s = 1 is an assumption, not a property of k-anonymity." : ""}${many}`,
    );
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
