/** Which pair of tuples stands in the table: one on the rows, one on the columns. */
import { nameOf, type Naming } from "../explorer/words";
import { DOWN, h, icon, listen, setText, SWAP, type Component } from "../ui/dom";

export interface PairLineProps {
  naming: Naming;
  tuple: number;
  other: number | null;
  disabled: boolean;
}

export interface PairLineEvents {
  onPair(tuple: number, other: number | null): void;
}

export function createPairLine(initial: PairLineProps, events: PairLineEvents): Component<PairLineProps> {
  let props = initial;
  const first = menu("Chosen tuple, on rows", (next) => {
    if (next === props.other) events.onPair(next, props.tuple);
    else events.onPair(next, null);
  });
  const second = menu("Shown beside it, on columns", (next) => {
    if (next === props.tuple) swap();
    else events.onPair(props.tuple, next);
  });
  const swapButton = h("button", { type: "button", class: "dx-swap", title: "Swap rows and columns", "aria-label": "Swap rows and columns" }, icon(SWAP, 14));
  const word = h("span", { class: "muted" }, "columns");
  listen(swapButton, "click", swap);
  const el = h(
    "div",
    { class: "dx-pair", role: "group", "aria-label": "Chosen pair" },
    h("span", { class: "muted" }, "rows"),
    first.el,
    swapButton,
    word,
    second.el,
  );

  function swap(): void {
    if (props.other !== null) events.onPair(props.other, props.tuple);
  }

  function menu(label: string, run: (tuple: number) => void) {
    const select = h("select", { class: "dx-pick-choice", "aria-label": label });
    const shown = h("span", { class: "dx-pick-name", "aria-hidden": "true" });
    let drawn: readonly string[] | null = null;
    listen(select, "change", () => run(select.selectedIndex));
    return {
      el: h("span", { class: "dx-pick" }, shown, icon(DOWN, 11), select),
      update(chosen: number | null) {
        const { naming, disabled } = props;
        if (drawn !== naming.names) {
          drawn = naming.names;
          select.replaceChildren(...naming.names.map((_, tuple) => h("option", {}, nameOf(naming, tuple))));
        }
        select.selectedIndex = chosen ?? -1;
        select.disabled = disabled || chosen === null;
        setText(shown, chosen === null ? "" : nameOf(naming, chosen));
        shown.title = chosen === null ? "" : nameOf(naming, chosen, 300);
      },
    };
  }

  function draw(): void {
    const { tuple, other, disabled } = props;
    first.update(tuple);
    second.update(other);
    for (const part of [second.el, word, swapButton]) part.hidden = other === null;
    swapButton.disabled = disabled;
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
