/** A switch of a few words side by side, exactly one of them on. */
import type { Component } from "./component";
import { h, listen, setAttr } from "./dom";

export interface SegmentsProps<T extends string> {
  /** What is switched, for screen readers. */
  label: string;
  options: readonly { value: T; text: string }[];
  value: T;
  disabled: boolean;
}

let groups = 0;

/** The options never change; value and disabled do. */
export function createSegments<T extends string>(first: SegmentsProps<T>, onChange: (value: T) => void): Component<SegmentsProps<T>> {
  groups += 1;
  const name = `segments-${groups}`;
  let props = first;
  const inputs = first.options.map(({ value }) => h("input", { type: "radio", name, value }));
  const el = h(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": first.label },
    ...first.options.map(({ text }, k) => h("label", { class: "segment" }, inputs[k], text)),
  );
  inputs.forEach((input, k) =>
    listen(input, "change", () => {
      const value = first.options[k]?.value;
      if (value !== undefined && value !== props.value) onChange(value);
    }),
  );

  function draw(): void {
    inputs.forEach((input, k) => {
      input.checked = first.options[k]?.value === props.value;
      input.disabled = props.disabled;
      setAttr(input.parentElement as Element, "data-on", input.checked);
    });
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy: () => el.remove(),
  };
}
