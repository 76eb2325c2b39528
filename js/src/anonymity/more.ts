/** Which columns are known to others, and which one is secret: rarely changed. */
import { fold, h, listen, setAttr, type Component } from "../ui/dom";
import { clip, isolate } from "../ui/lettering";
import { createChoice } from "./choice";

export interface MoreProps {
  names: readonly string[];
  quasi: readonly number[];
  secret: number | null;
  /** Why they stay as they are; null where they can be changed. */
  kept: string | null;
  disabled: boolean;
}

export interface MoreEvents {
  onQuasi(quasi: number[]): void;
  onSecret(secret: number | null): void;
  onRefused(reason: string | null): void;
}

export function createMore(initial: MoreProps, events: MoreEvents): Component<MoreProps> {
  let props = initial;
  const columns = h("div", { class: "kx-columns", role: "group", "aria-label": "Quasi-identifiers" });
  const secret = createChoice(secretProps(), (key) => events.onSecret(key === "" ? null : Number(key)));
  const el = fold("Columns", h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "Quasi-identifiers"), columns), secret.el);
  listen(columns, "change", (event) => {
    const box = event.target as HTMLInputElement;
    const column = Number(box.value);
    const next = box.checked ? [...props.quasi, column].sort((a, b) => a - b) : props.quasi.filter((one) => one !== column);
    if (next.length > 0) return events.onQuasi(next);
    // Without any nobody would be told apart.
    box.checked = true;
    events.onRefused("The last quasi-identifier stays. Choose another one first.");
  });

  function secretProps() {
    const { names, quasi, kept } = props;
    const disabled = props.disabled || kept !== null;
    const options = [
      { key: "", label: "none" },
      ...names.flatMap((name, column) =>
        quasi.includes(column) ? [] : [{ key: String(column), label: name || "(no name)" }],
      ),
    ];
    return { label: "Secret", options, value: props.secret === null ? "" : String(props.secret), disabled };
  }

  let drawn = "";
  function draw(): void {
    const { names, quasi, secret: hidden, kept } = props;
    const disabled = props.disabled || kept !== null;
    setAttr(el, "title", kept);
    const key = JSON.stringify([names, hidden]);
    if (key !== drawn) {
      drawn = key;
      columns.replaceChildren(
        ...names.map((name, column) =>
          h(
            "label",
            { class: "kx-column", title: name },
            h("input", { type: "checkbox", value: column }),
            h("span", {}, isolate(clip(name, 40)) || "(no name)"),
          ),
        ),
      );
    }
    columns.querySelectorAll("input").forEach((box, column) => {
      box.checked = quasi.includes(column);
      box.disabled = disabled || column === hidden;
      setAttr(box, "aria-label", names[column] || "(no name)");
    });
    secret.update(secretProps());
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      secret.destroy();
      el.remove();
    },
  };
}
