/** What stands beside the network: the law of the query, the noise that suffices, and quilts by their distance. */
import { isOver, labelOf, toldLabel, type Naming } from "../explorer/words";
import { chart } from "../scene/chart";
import type { Chart, Colour, Series } from "../scene/declared";
import { button, component, h, listen, renew, setAttr, setText, type Component } from "../ui/dom";
import { count, leakage, nats, number as written, parameter } from "../ui/format";
import { inlineMark } from "../ui/marks";
import { enoughScale } from "../ui/scale";
import { createSlider, type Change, type SliderProps } from "../ui/slider";
import { number } from "../ui/wire";
import type { Between, NetworkResults, NetworkView, QuiltState } from "./protocol";
import { MECHANISMS } from "./words";

export interface PanelProps {
  view: NetworkView;
  naming: Naming;
  results: NetworkResults | null;
  scale: number;
  epsilon: number;
  busy: boolean;
  disabled: boolean;
  width: number;
}

// The law of the query given each label of the target, with the longest way that mass must go.

const COLOURS: readonly Colour[] = ["a", "b", "c", "d"];

/** Laws as lines, the arrow above them. */
export function drawLaw({ view, naming, results, width }: PanelProps): SVGElement | null {
  if (!results) return null;
  const { law, arrow } = results;
  const shown = law.labels.slice(0, COLOURS.length);
  const declared: Chart = {
    kind: "chart",
    title: "Law of the query given each label",
    series: shown.map((label, k) => ({
      name: `given ${labelOf(naming, view.target, label, 24)}`,
      x: law.values,
      y: law.probabilities[k] ?? [],
      mark: law.values.length > 60 ? "line" : "dots",
      colour: COLOURS[k] as Colour,
    })),
    x: { label: "query without noise" },
    y: { label: "probability", low: 0 },
  };
  return chart({ ...declared, series: [...declared.series, ...arrowOf(arrow, law.probabilities)] }, width);
}

/** The longest horizontal arrow of the Wasserstein distance, above the laws. */
function arrowOf(arrow: NetworkResults["arrow"], laws: readonly (readonly number[])[]): Series[] {
  if (!arrow || !(arrow.distance > 0)) return [];
  const above = 1.08 * Math.max(...laws.map((law) => Math.max(...law)));
  const { from, to, distance } = arrow;
  return [
    { name: `longest way of mass, W∞ = ${written(distance, 4)}`, x: [from, to], y: [above, above], mark: "line", colour: "over" },
    { name: "", x: [to], y: [above], mark: "dots", colour: "over", shape: "triangle" },
  ];
}

export function createLaw(initial: PanelProps): Component<PanelProps> {
  const picture = h("div", { class: "nw-chart" });
  const note = h("p", { class: "small muted" });
  const head = h("h3", { class: "panel-head" }, h("span", {}, "Law of the query"));
  const el = h("section", { class: "panel px-result nw-law", "aria-label": "Law of the query" }, head, picture, note);
  return component(el, initial, (props) => {
    const { view, naming, results } = props;
    const made = drawLaw(props);
    if (made) renew(picture, made);
    const arrow = results?.arrow;
    const ends = arrow ? arrow.pair.map((label) => toldLabel(naming, view.target, label, 24)) : [];
    const given = view.known.length ? ` Given what the chosen adversary knows, ${count(view.known.length, naming.noun)}.` : "";
    const longest = `Above: the longest way that mass must go between ${ends[0]} and ${ends[1]}; the Wasserstein mechanism hides it.${given}`;
    setText(note, arrow ? longest : "One label is left: there is nothing to tell apart.");
  });
}

// The noise that suffices for a promise, mechanism by mechanism; a mark where it is broken for someone.

export interface NoiseEvents {
  onScale(scale: number, how: Change): void;
}

export function createNoise(initial: PanelProps, events: NoiseEvents): Component<PanelProps> {
  let props = initial;
  const body = h("tbody", {});
  const head = h("span", {});
  const note = h("p", { class: "small muted" });
  const anyone = h("th", { scope: "col" }, "anyone");
  const row = h("tr", {}, h("th", { scope: "col" }, "mechanism"), h("th", { scope: "col" }, "scale"), h("th", { scope: "col" }, "knows none"), anyone);
  const table = h("table", { class: "px-edges-table nw-noise" }, h("thead", {}, row), body);
  const el = h("section", { class: "panel px-result", "aria-label": "Noise" }, h("h3", { class: "panel-head" }, head), table, note);

  listen(body, "click", (event) => {
    const scale = Number((event.target as Element).closest("[data-scale]")?.getAttribute("data-scale"));
    if (scale > 0 && !props.disabled) events.onScale(enoughScale(scale), { commit: true });
  });

  function told(value: number, below = false): HTMLElement {
    const over = isOver(value, props.epsilon);
    return h("td", { class: over ? "over" : "" }, over ? inlineMark("over") : null, `${over ? " " : ""}${below ? "≤ " : ""}${nats(value, props.epsilon)}`);
  }

  const between = (one: Between | null): HTMLElement => (one ? told(number(one.upper), one.status !== "exact") : h("td", { class: "muted" }, "–"));

  function draw(): void {
    const { results, epsilon, busy } = props;
    const noise = results?.noise ?? null;
    setText(head, `Noise for ${parameter(epsilon)} nats`);
    const rows = (noise?.rows ?? []).map(({ name, scale, keeps, none, anyone: most }) => {
      const sigma = number(scale);
      const set = button(parameter(sigma), { class: "px-filter nw-set", "data-scale": sigma, title: "Take this scale" });
      const mechanism = h("th", { scope: "row", title: `Keeps the promise for ${keeps}` }, MECHANISMS[name] ?? name);
      return h("tr", {}, mechanism, h("td", {}, set), told(number(none)), between(most));
    });
    body.replaceChildren(...rows);
    anyone.hidden = false;
    const waiting = busy ? "Being computed." : "Not computed.";
    const partly = noise && noise.rows.every(({ anyone: most }) => most === null) ? "What anyone learns is computed for the worst adversary. " : "";
    setText(note, noise ? `${partly}${noise.leftOut.join(" ")}` : waiting);
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}

// Quilts of the target: the scale by distance, which has a minimum, and the one that is looked at.

/** The quilt at the distance that is looked at: without one the best of the curve. */
export function chosenQuilt(curve: readonly QuiltState[], radius: number | null): number {
  if (radius !== null) return Math.min(curve.length, Math.max(1, radius)) - 1;
  return curve.reduce((best, one, k) => (number(one.scale) < number((curve[best] as QuiltState).scale) ? k : best), 0);
}

export interface QuiltEvents {
  onRadius(radius: number, how: Change): void;
}

export function createQuilts(initial: PanelProps, events: QuiltEvents): Component<PanelProps> {
  let props = initial;
  const picture = h("div", { class: "nw-chart" });
  const facts = h("dl", { class: "px-facts" });
  const slider = createSlider(sliderProps(), { onChange: events.onRadius });
  const note = h("p", { class: "small muted" });
  const el = h(
    "section",
    { class: "panel px-result", "aria-label": "Quilts" },
    h("h3", { class: "panel-head" }, h("span", {}, "Quilts of the target, by distance")),
    slider.el,
    picture,
    facts,
    note,
  );

  function curve(): QuiltState[] {
    return props.results?.quilts?.curve ?? [];
  }

  function at(): number {
    const { radius } = props.view;
    return chosenQuilt(curve(), radius === null ? null : number(radius));
  }

  function sliderProps(): SliderProps {
    const last = Math.max(2, curve().length);
    const chosen = curve().length ? at() + 1 : 1;
    const ticks = [1, last].map((value) => ({ value, text: value === last ? "none" : String(value) }));
    const valueText = chosen === last ? "no quilt" : `distance ${chosen}`;
    return { value: chosen, min: 1, max: last, log: false, label: "Distance of the quilt", valueText, ticks, disabled: props.disabled || curve().length < 2 };
  }

  function draw(): void {
    const { results, width, epsilon } = props;
    const all = curve();
    slider.update(sliderProps());
    el.classList.toggle("nw-none", all.length === 0);
    if (!results?.quilts || all.length === 0) return setText(note, props.busy ? "Being computed." : "Not computed.");
    const scales = all.map(({ scale }) => number(scale));
    const x = all.map((_, k) => k + 1);
    const declared: Chart = {
      kind: "chart",
      title: "Scale by distance of the quilt",
      series: [
        { name: "", x, y: scales.map((one) => (Number.isFinite(one) ? one : null)), mark: "line", colour: "ink2" },
        { name: "looked at", x: [at() + 1], y: [Number.isFinite(scales[at()]) ? (scales[at()] as number) : null], mark: "dots", colour: "a" },
      ],
      x: { label: "distance", whole: true },
      y: { label: "scale σ", low: 0 },
    };
    renew(picture, chart(declared, width));
    const one = all[at()] as QuiltState;
    const largest = Math.max(...results.quilts.best.map(({ scale }) => number(scale)));
    const rows: [string, string][] = [
      ["near", count(one.near.length, props.naming.noun)],
      ["influence", `${leakage(number(one.influence))} of ${parameter(epsilon)} nats`],
      ["reach", written(number(one.reach), 4)],
      ["scale", Number.isFinite(number(one.scale)) ? parameter(number(one.scale)) : "none: the influence is not below the promise"],
      ["mechanism", `${parameter(largest)}: the largest of the best of all`],
    ];
    renew(facts, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    setText(note, results.quilts.leftOut.join(" "));
    setAttr(note, "hidden", results.quilts.leftOut.length === 0);
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, slider);
}

