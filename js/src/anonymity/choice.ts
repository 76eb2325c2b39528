/** A choice of one among named things: the browser's own menu in the look of a field. */
import { DOWN, h, icon, listen, setAttr, type Component } from "../ui/dom";
import { clip } from "../ui/lettering";

export interface ChoiceProps {
  label: string;
  options: readonly { key: string; label: string }[];
  value: string;
  disabled: boolean;
}

export function createChoice(initial: ChoiceProps, onChange: (key: string) => void): Component<ChoiceProps> {
  let props = initial;
  let drawn = "";
  const select = h("select", { class: "px-query-choice", "aria-label": initial.label });
  const el = h(
    "div",
    { class: "px-field" },
    h("span", { class: "label", "aria-hidden": "true" }, initial.label),
    h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN))),
  );
  listen(select, "change", () => {
    const key = props.options[select.selectedIndex]?.key;
    if (key !== undefined && key !== props.value) onChange(key);
  });

  function draw(): void {
    const key = JSON.stringify(props.options);
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...props.options.map(({ label }) => h("option", { title: label.length > 60 ? clip(label, 400) : null }, clip(label, 60))));
    }
    select.selectedIndex = props.options.findIndex((one) => one.key === props.value);
    select.disabled = props.disabled;
    setAttr(select, "title", props.options.find((one) => one.key === props.value)?.label ?? null);
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
