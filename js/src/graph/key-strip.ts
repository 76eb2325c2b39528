/** Colour key, distribution of all adversaries, promise and threshold on one axis below the graph. */
import { keyAnchor, keyTicks } from "../ui/axes";
import { css, magnitude } from "../ui/colours";
import { become, layer, layered, listen, renew, s, text, type Attrs } from "../ui/dom";
import { fixed, tick } from "../ui/format";
import { isModified, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import type { GraphMeasure } from "../ui/protocol";
import { fromShare, listenShare } from "../ui/slider";
import { countAbove, fillOf, isDetermined, share, standsBack, type Scene } from "./data";
import { attachHand, type Hand } from "./hand";
import { wordsOf } from "./measure";
import { dotPath, rect, round, set, stackDots } from "./svg";

const BAND_TOP = 40;
const BAND_HEIGHT = 8;
const HEIGHT = 108;
/** The labels have a place of their own above the dots, so that no word lies over one. */
const LIFT = 28;
const STEPS = 64;
/** Up to here every adversary is a dot of its own colour that can be pointed at. */
const FEW = 32;
/** Dots keep this far from the ends of the axis, so that the edge of a cell cuts none. */
const INSET = 5;
/** Tallest bar, px. */
const BARS = 28;

export interface KeyStripEvents {
  /** null = back to the promise. */
  onThreshold(threshold: number | null, how: { commit: boolean }): void;
}

/** What the strip shows: of a graph with all its values one dot each, of a larger one bars. */
export interface KeyScene {
  domain: readonly [number, number];
  promise: number;
  measure: GraphMeasure | undefined;
  total: number;
  /** Flat number and value of the largest leakage. */
  largest: number;
  top: number;
  /** How many are above a line, in digits or words. */
  above(line: number): string;
  /** null draws bars. */
  dots: Scene | null;
  /** How many fall into each of equally wide bins of the domain. */
  bars: readonly number[];
  threshold: number | null;
  dark: boolean;
  busy: boolean;
  disabled: boolean;
  /** Where the axis ends, px. */
  width: number;
}

export interface KeyStrip {
  readonly el: SVGSVGElement;
  /** `left` is where the axis begins, px. */
  update(scene: KeyScene, left: number): void;
  destroy(): void;
}

/** The strip of a graph with all its values. */
export function keyOf(scene: Scene): KeyScene {
  const { data, domain, threshold, dark, busy, disabled, width } = scene;
  return {
    domain,
    promise: data.promise,
    measure: data.measure,
    total: data.exact.length,
    largest: data.largest,
    top: data.exact[data.largest] as number,
    above: (line) => fixed(countAbove(data, line), 0),
    dots: scene,
    bars: [],
    threshold,
    dark,
    busy,
    disabled,
    width,
  };
}

/** From here on a number is written by its digits, not by its decimals: toFixed has no more than a hundred. */
const MOST_DECIMALS = 15;

/** Digits after the point that a hand can set on this axis: about a hundredth of it. */
export function thresholdDecimals(domain: readonly [number, number]): number {
  return Math.max(0, Math.ceil(-Math.log10((domain[1] - domain[0]) / 100) - 1e-9));
}

/** A threshold rounded to what a hand can set on this axis. */
export function settable(value: number, domain: readonly [number, number]): number {
  const decimals = thresholdDecimals(domain);
  return Number(decimals > MOST_DECIMALS ? value.toPrecision(3) : value.toFixed(decimals));
}

/** A threshold as it is told on this axis. */
export function thresholdSaid(value: number, domain: readonly [number, number], measure?: GraphMeasure): string {
  const { per, write } = wordsOf(measure);
  const decimals = Math.max(2, thresholdDecimals(domain));
  return decimals > MOST_DECIMALS ? write(value) : fixed(value * per, decimals);
}

/** Where the threshold stands: at the promise while it is not set. */
interface Line {
  value: number;
  unset: boolean;
}

/** Ends of the axis, px. */
type Ends = readonly [number, number];

export function createKeyStrip(hand: Hand, events: KeyStripEvents): KeyStrip {
  const strip = { role: "group", class: "lg-strip", "aria-label": "Colour key and threshold" };
  const [el] = layered(strip);
  const [below, handle] = [layer({ "aria-hidden": "true" }), layer()];
  const lower = layer({ transform: `translate(0 ${LIFT})` }, below, handle);
  const bandHit = drawBandHit();
  let scale: SVGElement[] = [];
  let scene: KeyScene | null = null;
  let axis: Ends = [0, 1];
  let held: number | null = null;
  const detach = attachHand(el, hand);

  const at = (): number => held ?? scene?.threshold ?? scene?.promise ?? 0;

  function drawThreshold(now: KeyScene): void {
    const line = { value: at(), unset: held === null && now.threshold === null };
    become(handle, drawHandle(now, axis, line));
    const fresh = drawScale(now, axis, line);
    if (scale.length === 0) scale = fresh;
    scale.forEach((old, k) => become(old, fresh[k] as SVGElement));
  }

  function propose(toShare: number, commit: boolean): void {
    if (!scene || scene.disabled) return;
    const [low, high] = scene.domain;
    const value = fromShare(toShare, low, high, false);
    held = toShare <= 0 || toShare >= 1 ? value : settable(value, scene.domain);
    drawThreshold(scene);
    events.onThreshold(held, { commit });
    if (commit) held = null;
  }

  function shareAt(event: PointerEvent): number {
    return (placeIn(el, event)[0] - axis[0]) / (axis[1] - axis[0]);
  }

  function grab(event: PointerEvent): void {
    if (event.button !== 0 || !scene || scene.disabled) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    const owner = event.currentTarget as Element;
    owner.setPointerCapture(event.pointerId);
    const move = (e: Event): void => propose(shareAt(e as PointerEvent), false);
    const end = (e: Event): void => {
      for (const [type, listener] of steps) owner.removeEventListener(type, listener);
      propose(shareAt(e as PointerEvent), true);
    };
    const steps: [string, (e: Event) => void][] = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
    for (const [type, listener] of steps) owner.addEventListener(type, listener);
    if (owner === bandHit) move(event);
  }
  listen(handle, "pointerdown", grab);
  listen(bandHit, "pointerdown", grab);
  listen(handle, "dblclick", () => reset());
  listen(handle, "keydown", (event) => {
    if (!scene || isModified(event) || (event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    reset();
  });
  listenShare(handle, () => scene && share(at(), scene.domain), (next) => propose(next, true));

  function reset(): void {
    held = null;
    if (scene && !scene.disabled) events.onThreshold(null, { commit: true });
  }

  return {
    el,
    update(next, left) {
      scene = next;
      axis = [left, Math.max(left + 120, next.width)];
      set(el, { width: axis[1], height: HEIGHT, viewBox: `0 0 ${round(axis[1])} ${HEIGHT}` });
      set(bandHit, { x: axis[0], width: axis[1] - axis[0] });
      drawThreshold(next);
      renew(below, ...drawBand(axis, next.dark), bandHit, ...(next.dots ? drawDots(next.dots, axis) : drawBars(next, axis)), ...scale);
      renew(el, lower, ...drawLabels(next, axis));
      el.classList.toggle("lg-waiting", next.busy);
    },
    destroy: detach,
  };
}

function xOf(domain: KeyScene["domain"], axis: Ends, value: number): number {
  return axis[0] + share(value, domain) * (axis[1] - axis[0]);
}

function drawBandHit(): SVGRectElement {
  return s("rect", { class: "lg-hit", y: BAND_TOP - 2, height: 26 });
}

/** The colours and their frame. */
function drawBand(axis: Ends, dark: boolean): SVGElement[] {
  const step = (axis[1] - axis[0]) / STEPS;
  const cells = Array.from({ length: STEPS }, (_, k) => {
    const cell = s("rect", { fill: css(magnitude((k + 0.5) / STEPS, dark)) });
    rect(cell, axis[0] + k * step, BAND_TOP, step + (k === STEPS - 1 ? 0 : 0.5), BAND_HEIGHT);
    return cell;
  });
  const frame = s("rect", { class: "lg-frame" });
  rect(frame, axis[0], BAND_TOP, axis[1] - axis[0], BAND_HEIGHT);
  return [s("g", { class: "lg-band" }, ...cells), frame];
}

/** What stands on the band: many dots as one path, or bars, or few dots of their own, and the ring of the chosen one. */
function drawMarks(line: Attrs, bars: Attrs, circles: SVGElement[], chosen: Attrs): SVGElement[] {
  return [
    s("path", { class: "lg-dots", stroke: "var(--ink)", ...line }),
    s("path", { class: "lg-key-bars", ...bars }),
    s("g", {}, ...circles),
    s("circle", { class: "lg-circle", ...chosen }),
  ];
}

function drawDots(now: Scene, axis: Ends): SVGElement[] {
  const { data } = now;
  const flats: number[] = [];
  for (let k = 0; k < data.exact.length; k++) {
    if (!isDetermined(data, k) && !Number.isNaN(data.exact[k]) && !standsBack(now, k)) flats.push(k);
  }
  const few = flats.length <= FEW;
  // Stacks keep their order while values change only if equal bins keep theirs: by flat number.
  const place = (flat: number): number => Math.min(axis[1] - INSET, Math.max(axis[0] + INSET, xOf(now.domain, axis, data.exact[flat] as number)));
  const dots = stackDots(flats, place, {
    base: BAND_TOP - 5,
    room: few ? 24 : 27,
    bin: few ? 8 : flats.length <= 500 ? 8 : 3,
    pitch: few ? 8 : 3.2,
    snap: !few,
  });
  const spot = (k: number): Attrs => ({ cx: round(dots.x[k] as number), cy: round(dots.y[k] as number) });
  const circles = [...dots.flats.subarray(0, few ? dots.count : 0)].map((flat, k) =>
    s("circle", { r: 3.5, class: "lg-dot", ...spot(k), "data-node": flat, fill: fillOf(now, data.exact[flat] as number) }),
  );
  const k = dots.flats.indexOf(now.chosen);
  const chosen = k < 0 ? { display: "none" } : { ...spot(k), r: few ? 3.5 : 3 };
  return drawMarks({ d: few ? "" : dotPath(dots), "stroke-width": flats.length <= 500 ? 3 : 2 }, {}, circles, chosen);
}

/** Bars on the square root of the count, so that a thin tail is seen beside the bulk. */
function drawBars(now: KeyScene, axis: Ends): SVGElement[] {
  const tallest = Math.sqrt(Math.max(1, ...now.bars));
  const step = (axis[1] - axis[0]) / now.bars.length;
  const bars = now.bars.map((count, bin) => {
    const height = count ? Math.max(1.5, (BARS * Math.sqrt(count)) / tallest) : 0;
    return height ? `M${round(axis[0] + bin * step)} ${BAND_TOP - 4}v${round(-height)}h${round(Math.max(1, step - 1))}v${round(height)}z` : "";
  });
  return drawMarks({}, { d: bars.join("") }, [], { display: "none" });
}

/** The promise and the largest, above everything else. */
function drawLabels(now: KeyScene, axis: Ends): SVGElement[] {
  const { promise, top, domain, busy } = now;
  const seen = promise >= domain[0] && promise <= domain[1];
  const px = xOf(domain, axis, promise);
  const words = wordsOf(now.measure);
  const first = `${words.line} ${busy ? "…" : words.write(promise)}`;
  const second = busy ? "… above" : `${now.above(promise)} of ${fixed(now.total, 0)} above`;
  const width = Math.max(textWidth(first), textWidth(second)) + 4;
  const largest = `largest ${busy ? "…" : words.write(top, promise)}`;
  const largestWidth = textWidth(largest, 11, true) + 1;
  const lx = xOf(domain, axis, top);
  const right = px - axis[0] < width + 6 || (lx < px && axis[1] - px > width + 6);
  // Centred on its dot where that is free, else beside it; beside the shorter of the two lines where there is no room.
  const froms = [lx - largestWidth / 2, lx + 6, lx - largestWidth - 6].map((from) => Math.max(axis[0], Math.min(axis[1] - largestWidth, from)));
  // In a narrow picture at either end.
  froms.push(axis[1] - largestWidth, 0);
  const freeOf = (wide: number): number | undefined => {
    const taken = right ? [px - 2, px + 6 + wide] : [px - 6 - wide, px + 2];
    return froms.find((from) => from > (taken[1] as number) || from + largestWidth < (taken[0] as number));
  };
  const low = freeOf(width);
  const x = round(low ?? freeOf(textWidth(first) + 4) ?? (froms[0] as number));
  const beside = { "text-anchor": right ? "start" : "end" };
  const said = seen ? first : `${first}, ${px <= axis[0] ? "below" : "above"} this axis`;
  const choose = {
    "data-node": now.largest,
    "aria-label": `${largest}${busy ? "" : words.unit}: choose the adversary that learns most`,
    "aria-disabled": now.disabled ? "true" : null,
  };
  return [
    s(
      "g",
      { "aria-hidden": "true" },
      s("line", { class: "lg-rule lg-promise", y1: 6, y2: LIFT + BAND_TOP + BAND_HEIGHT, x1: round(px), x2: round(px), display: seen ? null : "none" }),
      text(round(right ? px + 6 : px - 6), 15, said, { class: "lg-promised lg-halo", ...beside }),
      text(round(right ? px + 6 : px - 6), 28, second, { class: "lg-muted lg-halo", ...beside }),
    ),
    s(
      "g",
      { class: "lg-largest", role: "button", tabindex: 0, ...choose },
      text(x, low === undefined ? 15 : 28, largest, { class: "lg-halo", "font-weight": 600 }),
    ),
  ];
}

/** Numbers of the axis, without those that the threshold covers, and what it says of itself. */
function drawScale(now: KeyScene, axis: Ends, line: Line): SVGElement[] {
  const words = wordsOf(now.measure);
  const values = keyTicks(...now.domain, words.per);
  const at = xOf(now.domain, axis, line.value);
  const labels = Array.from({ length: 6 }, (_, k) => {
    const value = values[k];
    const written = value === undefined ? "" : (value === 0 ? "0" : tickText(value, now.domain, words.per)) + (k === values.length - 1 ? words.unit : "");
    const x = value !== undefined ? xOf(now.domain, axis, value) : 0;
    const anchor = value === undefined ? null : keyAnchor(x, axis[0], axis[1]);
    const wide = textWidth(written);
    const from = round(x) - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
    const free = at < from - 3 || at > from + wide + 3;
    return text(round(x), BAND_TOP + 21, written, { class: "lg-muted", "text-anchor": anchor, display: free ? null : "none" });
  });
  const said = line.unset
    ? `threshold at ${now.measure ? "that line" : words.beside}`
    : `threshold ${thresholdSaid(line.value, now.domain, now.measure)}, ${above(now, line)} above`;
  const left = at - axis[0] > textWidth(said) + 12;
  const beside = { "text-anchor": left ? "end" : "start" };
  labels.push(text(round(left ? at - 10 : at + 10), BAND_TOP + 36, said, { class: "lg-halo", "aria-hidden": "true", ...beside }));
  return labels;
}

function above(now: KeyScene, { value }: Line): string {
  return now.busy ? "…" : now.above(value);
}

/** The handle of the threshold. */
function drawHandle(now: KeyScene, axis: Ends, line: Line): SVGGElement {
  const x = xOf(now.domain, axis, line.value);
  const said = {
    tabindex: now.disabled ? null : 0,
    "aria-disabled": now.disabled ? "true" : null,
    "aria-valuemin": String(now.domain[0]),
    "aria-valuemax": String(now.domain[1]),
    "aria-valuenow": String(Math.min(now.domain[1], Math.max(now.domain[0], line.value))),
    "aria-valuetext":
      `${thresholdSaid(line.value, now.domain, now.measure)}${wordsOf(now.measure).unit}, ` +
      `${above(now, line)} of ${now.total} adversaries above`,
  };
  return s(
    "g",
    { class: `lg-handle${line.unset ? " lg-unset" : ""}`, role: "slider", "aria-label": "Threshold", ...said },
    s("line", { y1: BAND_TOP - 2, y2: BAND_TOP + 28, x1: round(x), x2: round(x) }),
    s("path", { d: `M${round(x)} ${BAND_TOP + 24}l5 5v8h-10v-8z` }),
    s("rect", { class: "lg-hit", width: 28, height: 42, y: BAND_TOP - 2, x: round(x - 14) }),
  );
}

/** Numbers of the axis: at least one decimal, at most three. */
function tickText(value: number, domain: readonly [number, number], per: number): string {
  const shown = value * per;
  return domain[1] < 0.01 ? tick(Number(shown.toPrecision(6))) : fixed(shown, 3).replace(/0{1,2}$/, "");
}
