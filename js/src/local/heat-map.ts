/** The table of pairs: a row for each report, a column for each secret, colour for what the one says about the other. */
import { nameOf } from "../explorer/words";
import { component, h, layered, listen, s, setAttrs, setText, type Component } from "../ui/dom";
import { isModified } from "../ui/gestures";
import { clip, distinctNames, textWidth } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import { drawCells, pairAt, type HeatMapProps } from "./heat-map-cells";
import { frameOf, gutter, type Frame } from "./heat-map-frame";
import { drawTotals, sumError, TOTALS_HEIGHT } from "./totals";

export type { HeatMapProps };

let maps = 0;

export function createHeatMap(initial: HeatMapProps, onChoose: (source: number, secret: number) => void): Component<HeatMapProps> {
  maps += 1;
  const hatch = `lx-hatch-${maps}-${Math.random().toString(36).slice(2, 8)}`;
  let props = initial;
  let frame = frameOf([], initial.width);
  let built = "";
  /** The cell that the arrows stand at, by row and column. */
  let at: [number, number] = [0, 1];
  /** The cells that are ringed, in which drawing. */
  let ringed = "";
  const cells = drawCells(hatch, initial, frame);
  const over = { "aria-hidden": "true" };
  const [svg, rings, pointed, totals] = layered({ class: "lx-map" }, { ...over, class: "lx-rings" }, { ...over, class: "lx-rings lx-pointed" }, {});
  svg.prepend(drawPattern(hatch), cells.el);
  const readout = h("p", { class: "small muted lx-readout", "aria-hidden": "true" });
  const legend = h(
    "p",
    { class: "small muted lx-legend" },
    inlineBadge("low"),
    " the paper’s pairwise sum is too low, ",
    inlineBadge("high"),
    " too high. It is not a bound.",
  );
  const el = h("div", {}, h("div", { class: "lx-map-frame" }, cells.fills, svg), legend, readout);

  const placeAt = ([j, k]: readonly [number, number]): number => (j < 0 || k < 0 ? -1 : j * frame.n + k);

  function drawValues(): void {
    cells.draw(props, placeAt(at));
  }

  function say(place: number | null): void {
    pointed.replaceChildren(...drawMirror(frame, place));
    const words = cells.said(place ?? placeAt(pairAt(props)));
    setText(readout, frame.numbered || words === null ? "" : clip(words, 200));
  }

  function choose(j: number, k: number): void {
    const [source, secret] = [props.names[j], props.names[k]];
    if (props.disabled || j === k || source === undefined || secret === undefined) return;
    onChoose(source, secret);
  }

  function placeOf(event: Event): number | null {
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    return cell ? Number(cell.getAttribute("data-cell")) : null;
  }

  listen(svg, "click", (event) => {
    const place = placeOf(event);
    if (place === null) return;
    at = [Math.floor(place / frame.n), place % frame.n];
    choose(...at);
    drawValues();
  });
  for (const type of ["pointerover", "focusin"] as const) listen(svg, type, (event) => say(placeOf(event)));
  for (const type of ["pointerleave", "focusout"] as const) listen(svg, type, () => say(null));
  listen(svg, "keydown", (event) => {
    const place = placeOf(event);
    if (place === null || isModified(event)) return;
    const { n } = frame;
    const [j, k] = [Math.floor(place / n), place % n];
    const to: Record<string, [number, number]> = {
      ArrowLeft: [j, k - 1],
      ArrowRight: [j, k + 1],
      ArrowUp: [j - 1, k],
      ArrowDown: [j + 1, k],
      Home: [j, 0],
      End: [j, n - 1],
      PageUp: [0, k],
      PageDown: [n - 1, k],
    };
    if (event.key === "Enter" || event.key === " ") choose(j, k);
    else {
      const next = to[event.key];
      if (!next) return;
      at = [Math.min(n - 1, Math.max(0, next[0])), Math.min(n - 1, Math.max(0, next[1]))];
      drawValues();
      cells.focus(placeAt(at));
    }
    event.preventDefault();
  });

  function draw(): void {
    const whole = props.names.map((name) => nameOf(props.naming, name, 200));
    // Names that would be cut give up what all of them share.
    const names = whole.some((name) => textWidth(name, 12, true) > gutter(props.width)) ? distinctNames(whole) : whole;
    const key = JSON.stringify([names, props.width, props.output]);
    const focused = (el.getRootNode() as Document | ShadowRoot).activeElement?.closest?.("[data-cell]");
    if (key !== built) {
      built = key;
      frame = frameOf(names, props.width);
      at = [Math.min(at[0], Math.max(0, frame.n - 1)), Math.min(at[1], Math.max(0, frame.n - 1))];
      ringed = "";
      cells.build(props, frame, names);
      if (focused && el.contains(focused) === false) cells.focus(placeAt(at));
    }
    // Who comes by the keyboard lands on the chosen cell.
    const [j, k] = pairAt(props);
    if (!focused && j >= 0 && k >= 0) at = [j, k];
    drawValues();
    if (ringed !== `${j}/${k}`) {
      ringed = `${j}/${k}`;
      rings.replaceChildren(...(j < 0 || k < 0 ? [] : [...drawRing(frame, k, j, true), ...drawRing(frame, j, k, false)]));
    }
    const bottom = frame.top + frame.n * frame.ch;
    const withTotals = frame.numbered && frame.n > 1;
    totals.replaceChildren(
      ...(withTotals
        ? drawTotals({
            ...frame,
            output: props.output,
            totals: props.shown?.totals ?? null,
            late: props.late,
            width: props.width,
            bottom,
          })
        : []),
    );
    const height = bottom + (withTotals ? TOTALS_HEIGHT : 4);
    setAttrs(svg, { width: props.width, height, viewBox: `0 0 ${props.width} ${height}` });
    readout.hidden = frame.numbered;
    const shownTotals = props.shown?.totals;
    legend.hidden = !withTotals || (!!shownTotals && !props.late && props.names.every((_, k) => sumError(shownTotals, k) === null));
    say(null);
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  }, cells);
}

/** What fills the diagonal. */
function drawPattern(hatch: string): SVGElement {
  const look = { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return s("defs", {}, s("pattern", look, s("rect", { width: 1, height: 6, fill: "var(--line2)" })));
}

function drawRing({ left, top, cw, ch, numbered }: Frame, j: number, k: number, dashed: boolean): SVGElement[] {
  const wide = numbered ? 3 : 2;
  const box = { x: (left + k * cw).toFixed(1), y: top + j * ch, width: cw.toFixed(1), height: ch, fill: "none" };
  const inner = {
    x: (left + k * cw + 1.5).toFixed(1),
    y: top + j * ch + 1.5,
    width: Math.max(1, cw - 3).toFixed(1),
    height: Math.max(1, ch - 3),
    fill: "none",
  };
  return [
    s("rect", { ...inner, stroke: "var(--bg)", "stroke-width": wide * 1.7 }),
    s("rect", { ...box, rx: 2, stroke: "var(--brand)", "stroke-width": wide, "stroke-dasharray": dashed ? (numbered ? "5 3" : "3 2") : null }),
  ];
}

/** Thin, around the cell that is pointed at and its mirror: the two are read together. */
function drawMirror({ left, top, cw, ch, n }: Frame, place: number | null): SVGElement[] {
  const [j, k] = place === null ? [0, 0] : [Math.floor(place / n), place % n];
  const thin = (row: number, column: number, dash: string | null): SVGElement =>
    s("rect", {
      x: (left + column * cw + 1).toFixed(1),
      y: top + row * ch + 1,
      width: Math.max(1, cw - 2).toFixed(1),
      height: Math.max(1, ch - 2),
      fill: "none",
      stroke: "var(--ink)",
      "stroke-width": 1.5,
      "stroke-dasharray": dash,
    });
  return j === k ? [] : [thin(k, j, "3 2"), thin(j, k, null)];
}
