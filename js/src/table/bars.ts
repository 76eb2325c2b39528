/** Rows of a name, a bar and a number. */
import { h, s, setAttr, setAttrs, setText } from "../ui/dom";
import { textWidth } from "../ui/lettering";

/** What a bar and its number take beside a name, px. */
export const BAR = 84;

export interface Line {
  /** Parts are isolated from one another: scripts of both directions may meet. */
  name: string[];
  /** Between the parts. */
  joint: string;
  title: string;
  value: number;
  text: string;
}

/** One row of a bar list; kept and refilled, because numbers change far more often than rows. */
export function createBars(signedBars: boolean): { el: HTMLElement; update(lines: Line[], limit: number): void } {
  const body = h("tbody");
  const el = h("table", { class: "jt-bars" }, body);
  let rows: { name: HTMLElement; bar: SVGRectElement; value: HTMLElement }[] = [];
  const width = 30;
  const build = (): { name: HTMLElement; bar: SVGRectElement; value: HTMLElement } => {
    const bar = s("rect", { y: 2, height: 4, class: signedBars ? "jt-bar-signed" : "jt-bar-plain" });
    const picture = s("svg", { width, height: 8, viewBox: `0 0 ${width} 8`, "aria-hidden": "true" });
    if (signedBars) {
      picture.append(
        s("rect", { x: 0, y: 3.5, width, height: 1, class: "jt-bar-axis" }),
        s("path", { d: `M${width / 2} 0V8`, class: "jt-bar-zero" }),
      );
    } else picture.append(s("rect", { x: 0, y: 2, width, height: 4, class: "jt-bar-track" }));
    picture.append(bar);
    const name = h("th", { scope: "row" });
    const value = h("td", { class: "jt-bars-value" });
    body.append(h("tr", {}, name, h("td", { class: "jt-bars-picture" }, picture), value));
    return { name, bar, value };
  };
  return {
    el,
    update(lines, limit) {
      if (rows.length !== lines.length) {
        body.replaceChildren();
        rows = lines.map(build);
      }
      lines.forEach((line, k) => {
        const row = rows[k] as (typeof rows)[number];
        if (row.name.textContent !== line.name.join(line.joint)) {
          const parts = line.name.flatMap((part, i) => [i > 0 ? h("span", {}, line.joint) : "", h("bdi", {}, part)]);
          row.name.replaceChildren(h("span", { class: "jt-name" }, ...parts));
          // Of two names that do not fit each keeps half; a short one needs less.
          const first = row.name.querySelector("bdi") as HTMLElement;
          if (line.name.length > 1) first.style.minWidth = `min(${Math.ceil(textWidth(line.name[0] as string, 12))}px, ${line.joint === " " ? 40 : 48}%)`;
        }
        setAttr(row.name, "title", line.title.slice(0, 1000));
        setText(row.value, line.text);
        const share = Number.isFinite(line.value) ? line.value / limit : 0;
        const length = Math.abs(share) * (signedBars ? width / 2 : width);
        setAttrs(row.bar, {
          x: signedBars ? (share < 0 ? width / 2 - length : width / 2) : 0,
          width: Number(length.toFixed(2)),
          "data-below": signedBars && share < 0,
        });
      });
    },
  };
}
