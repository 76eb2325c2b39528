/** The adversary: who is looked for, how much friends count, how many others are known, and which noise there was. */
import { button, h, listen, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import type { Change } from "../ui/slider";
import { createShare, createWeight } from "./amounts";
import { createVictimChooser, type VictimProps } from "./victim-chooser";
import { amountText } from "./words";

export interface AdversaryProps extends VictimProps {
  /** Added to how many known users are in each cell. */
  smoothing: number;
  weight: number;
  known: number;
  draw: number;
}

export interface AdversaryEvents {
  onVictim(victim: number): void;
  onWeight(value: number, how: Change): void;
  onKnown(value: number, how: Change): void;
  onNoise(): void;
  onRefused(reason: string | null): void;
}

export function createAdversary(initial: AdversaryProps, events: AdversaryEvents): Component<AdversaryProps> {
  const { onRefused } = events;
  const victim = createVictimChooser(initial, events);
  const weight = createWeight({ value: initial.weight, disabled: initial.disabled }, { onChange: events.onWeight, onRefused });
  const known = createShare({ value: initial.known, disabled: initial.disabled }, { onChange: events.onKnown, onRefused });
  const noise = button("New noise", { title: "Draw the noise of the release anew" });
  const which = h("span", { class: "small muted" });
  const smooth = h("p", { class: "small muted" });
  listen(noise, "click", () => events.onNoise());
  const el = h(
    "section",
    { class: "panel", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    victim.el,
    weight.el,
    known.el,
    h("div", { class: "ax-noise" }, noise, which),
    smooth,
  );

  function draw(props: AdversaryProps): void {
    const { disabled } = props;
    victim.update(props);
    weight.update({ value: props.weight, disabled });
    known.update({ value: props.known, disabled });
    noise.disabled = disabled;
    setText(which, `draw ${fixed(props.draw, 0)}`);
    smooth.hidden = !(props.smoothing > 0);
    setText(smooth, `Smoothing: ${amountText(props.smoothing)} is added to how many known users are in each cell.`);
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      for (const part of [victim, weight, known]) part.destroy();
      el.remove();
    },
  };
}
