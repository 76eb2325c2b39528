/** Where the parts of the stream simulator stand. */
import { h } from "../ui/dom";

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "model" | "release" | "transport" | "plot" | "steps" | "audit" | "heading" | "live";

export function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, model, release, transport, plot, steps, audit, heading, live } = parts;
  const leak = h("section", { class: "panel sx-leak", "aria-label": "What leaks" }, heading.el, transport.el, plot.el, steps.el);
  const columns = h("div", { class: "sx-columns" }, h("div", { class: "sx-controls" }, model.el, release.el), leak);
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, columns, audit.el);
  return h(
    "div",
    { class: "px-scroll" },
    h(
      "div",
      { class: "px px-fits sx", role: "group", "aria-label": "Stream simulator" },
      header.el,
      lead.el,
      slot,
      body,
      live.el,
    ),
  );
}
