/** The adversary: whose report is seen, and which attribute is wanted. */
import { nameOf, type Naming } from "../explorer/words";
import { DOWN, h, icon, listen, SWAP, type Component } from "../ui/dom";

export interface AdversaryProps {
  naming: Naming;
  names: readonly number[];
  pair: { source: number; secret: number } | null;
  disabled: boolean;
}

export function createAdversary(initial: AdversaryProps, onChoose: (source: number, secret: number) => void): Component<AdversaryProps> {
  let props = initial;
  const sees = menu("The adversary sees the report of", (attribute) => props.pair && choose(attribute, props.pair.secret));
  const wants = menu("The adversary wants", (attribute) => props.pair && choose(props.pair.source, attribute));
  const swap = h("button", { type: "button", class: "button lx-swap" }, icon(SWAP, 13), "swap");
  listen(swap, "click", () => props.pair && onChoose(props.pair.secret, props.pair.source));
  const el = h(
    "section",
    { class: "panel lx-adversary", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    h("dl", { class: "lx-sees" }, h("dt", {}, "sees"), h("dd", {}, sees.el), h("dt", {}, "wants"), h("dd", {}, wants.el)),
    swap,
  );

  /** Who takes the attribute at the other end turns the pair around. */
  function choose(source: number, secret: number): void {
    if (source !== secret) onChoose(source, secret);
    else if (props.pair) onChoose(props.pair.secret, props.pair.source);
  }

  function menu(label: string, run: (attribute: number) => void) {
    const select = h("select", { class: "px-query-choice lx-choice", "aria-label": label });
    let drawn = "";
    listen(select, "change", () => {
      const attribute = props.names[select.selectedIndex];
      if (attribute !== undefined) run(attribute);
    });
    return {
      el: h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN, 13))),
      update(chosen: number | undefined) {
        const key = JSON.stringify([props.names, props.naming.names]);
        if (key !== drawn) {
          drawn = key;
          select.replaceChildren(...props.names.map((name) => h("option", {}, nameOf(props.naming, name, 60))));
        }
        select.selectedIndex = chosen === undefined ? -1 : props.names.indexOf(chosen);
        select.disabled = props.disabled || chosen === undefined;
      },
    };
  }

  function draw(): void {
    sees.update(props.pair?.source);
    wants.update(props.pair?.secret);
    swap.disabled = props.disabled || !props.pair;
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
