/** When the paper's sum is too low: a table where two reports say nothing alone, and everything together. */
import { button, h, listen, setText, type Component } from "../ui/dom";

export interface CounterexampleProps {
  example: "" | "xor";
  disabled: boolean;
}

export function createCounterexample(initial: CounterexampleProps, onExample: (example: "" | "xor") => void): Component<CounterexampleProps> {
  let props = initial;
  const toggle = button("", { class: "button lx-example" });
  listen(toggle, "click", () => onExample(props.example === "" ? "xor" : ""));
  const el = h(
    "div",
    { class: "lx-words" },
    h(
      "p",
      {},
      "The sum adds up what each report says alone. Of two fair bits neither says anything alone about whether " +
        "they differ; together they say it all. At ε = 1 and randomised response the sum is 1, and all three " +
        "reports leak 1 + ln cosh 1 = 1.434 nats.",
    ),
    h(
      "p",
      {},
      "The sum holds where the other attributes are independent given the secret; in tables of people it is often too low.",
    ),
    toggle,
  );

  function draw(): void {
    setText(toggle, props.example === "" ? "Show it here" : "Back to your data");
    toggle.disabled = props.disabled;
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
