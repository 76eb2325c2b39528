/** Colour key, distribution of all adversaries, promise and threshold on one axis below the graph. */
import { keyAnchor, keyTicks } from "../ui/axes";
import { fixed, leakage, tick } from "../ui/format";
import { listen, s, setText, text } from "../ui/dom";
import { textWidth } from "../ui/lettering";
import { css, viridis } from "../ui/palette";
import { fromShare, keyShare } from "../ui/slider";
import { countAbove, fillOf, isDetermined, share, standsBack, type Scene } from "./data";
import { dotPath, stackDots, type Dots } from "./dots";
import { attachHand, type Hand } from "./hand";
import { rect, round, set, show } from "./svg";

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
export function thresholdSaid(value: number, domain: readonly [number, number]): string {
  const decimals = Math.max(2, thresholdDecimals(domain));
  return decimals > MOST_DECIMALS ? leakage(value) : fixed(value, decimals);
}

export function createKeyStrip(hand: Hand, events: KeyStripEvents): KeyStrip {
  const band = s("g", { class: "lg-band" });
  const bandFrame = s("rect", { class: "lg-frame" });
  const dotLine = s("path", { class: "lg-dots", stroke: "var(--ink)" });
  const barPath = s("path", { class: "lg-key-bars" });
  const circles = s("g");
  const chosenDot = s("circle", { class: "lg-circle" });
  const ticks = Array.from({ length: 6 }, () => text(0, BAND_TOP + 21, "", { class: "lg-muted" }));
  const promiseLine = s("line", { class: "lg-rule lg-promise", y1: 6, y2: LIFT + BAND_TOP + BAND_HEIGHT });
  const promiseText = text(0, 15, "", { class: "lg-promised lg-halo" });
  const aboveText = text(0, 28, "", { class: "lg-muted lg-halo" });
  const largestText = text(0, 15, "", { class: "lg-halo", "font-weight": 600 });
  const largestButton = s("g", { class: "lg-largest", role: "button", tabindex: 0 }, largestText);
  const thresholdLine = s("line", { y1: BAND_TOP - 2, y2: BAND_TOP + 28 });
  const thresholdGrip = s("path");
  const thresholdHit = s("rect", { class: "lg-hit", width: 28, height: 42, y: BAND_TOP - 2 });
  const thresholdText = text(0, BAND_TOP + 36, "", { class: "lg-halo", "aria-hidden": "true" });
  const handle = s("g", { class: "lg-handle", role: "slider", "aria-label": "Threshold" }, thresholdLine, thresholdGrip, thresholdHit);
  const bandHit = s("rect", { class: "lg-hit", y: BAND_TOP - 2, height: 26 });
  const el = s("svg", { role: "group", class: "lg-strip", "aria-label": "Colour key and threshold" });
  const hidden = { "aria-hidden": "true" };
  const below = s("g", hidden, band, bandFrame, bandHit, dotLine, barPath, circles, chosenDot, ...ticks, thresholdText);
  const lower = s("g", { transform: `translate(0 ${LIFT})` }, below, handle);
  el.append(lower, s("g", hidden, promiseLine, promiseText, aboveText), largestButton);

  let scene: KeyScene | null = null;
  let axis: [number, number] = [0, 1];
  let painted = "";
  let held: number | null = null;
  /** Which of the two lines of labels the largest stands on, px. */
  let largestRow = 28;
  const detach = attachHand(el, hand);

  const xOf = (value: number): number => axis[0] + share(value, (scene as KeyScene).domain) * (axis[1] - axis[0]);
  const at = (): number => held ?? scene?.threshold ?? scene?.promise ?? 0;

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
    return (event.clientX - el.getBoundingClientRect().left - axis[0]) / (axis[1] - axis[0]);
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
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      reset();
      return;
    }
    const next = keyShare(event.key, event.shiftKey, share(at(), scene.domain));
    if (next === null) return;
    event.preventDefault();
    propose(next, true);
  });

  function reset(): void {
    held = null;
    if (scene && !scene.disabled) events.onThreshold(null, { commit: true });
  }

  function paintBand(now: KeyScene): void {
    const key = `${axis[0]}|${axis[1]}|${now.dark}`;
    if (key === painted) return;
    painted = key;
    const step = (axis[1] - axis[0]) / STEPS;
    band.replaceChildren(
      ...Array.from({ length: STEPS }, (_, k) => {
        const cell = s("rect", { fill: css(viridis((k + 0.5) / STEPS, now.dark)) });
        rect(cell, axis[0] + k * step, BAND_TOP, step + (k === STEPS - 1 ? 0 : 0.5), BAND_HEIGHT);
        return cell;
      }),
    );
    rect(bandFrame, axis[0], BAND_TOP, axis[1] - axis[0], BAND_HEIGHT);
    set(bandHit, { x: axis[0], width: axis[1] - axis[0] });
  }

  function drawDots(now: Scene): void {
    const { data } = now;
    const flats: number[] = [];
    for (let k = 0; k < data.exact.length; k++) {
      if (!isDetermined(data, k) && !Number.isNaN(data.exact[k]) && !standsBack(now, k)) flats.push(k);
    }
    const few = flats.length <= FEW;
    // Stacks keep their order while values change only if equal bins keep theirs: by flat number.
    const place = (flat: number): number => Math.min(axis[1] - INSET, Math.max(axis[0] + INSET, xOf(data.exact[flat] as number)));
    const dots = stackDots(flats, place, {
      base: BAND_TOP - 5,
      room: few ? 24 : 27,
      bin: few ? 8 : flats.length <= 500 ? 8 : 3,
      pitch: few ? 8 : 3.2,
      snap: !few,
    });
    set(dotLine, { d: few ? "" : dotPath(dots), "stroke-width": flats.length <= 500 ? 3 : 2 });
    while (circles.childElementCount < (few ? dots.count : 0)) circles.append(s("circle", { r: 3.5, class: "lg-dot" }));
    Array.from(circles.children).forEach((circle, k) => {
      const shown = few && k < dots.count;
      show(circle, shown);
      if (!shown) return;
      const flat = dots.flats[k] as number;
      set(circle, {
        cx: dots.x[k] as number,
        cy: dots.y[k] as number,
        "data-node": flat,
        fill: fillOf(now, data.exact[flat] as number),
      });
    });
    ringChosen(now, dots, few);
  }

  /** Bars on the square root of the count, so that a thin tail is seen beside the bulk. */
  function drawBars(now: KeyScene): void {
    const tallest = Math.sqrt(Math.max(1, ...now.bars));
    const step = (axis[1] - axis[0]) / now.bars.length;
    const bars = now.bars.map((count, bin) => {
      const height = count ? Math.max(1.5, (BARS * Math.sqrt(count)) / tallest) : 0;
      return height ? `M${round(axis[0] + bin * step)} ${BAND_TOP - 4}v${round(-height)}h${round(Math.max(1, step - 1))}v${round(height)}z` : "";
    });
    set(barPath, { d: bars.join("") });
    show(chosenDot, false);
  }

  function ringChosen(now: Scene, dots: Dots, few: boolean): void {
    const k = dots.flats.indexOf(now.chosen);
    show(chosenDot, !(k < 0));
    if (k < 0) return;
    set(chosenDot, { cx: dots.x[k] as number, cy: dots.y[k] as number, r: few ? 3.5 : 3 });
  }

  function drawLabels(now: KeyScene): void {
    const { promise, top, domain, busy } = now;
    const values = keyTicks(...domain);
    ticks.forEach((label, k) => {
      const value = values[k];
      if (value === undefined) return setText(label, "");
      const x = axis[0] + share(value, domain) * (axis[1] - axis[0]);
      setText(label, (value === 0 ? "0" : tickText(value, domain)) + (k === values.length - 1 ? " nats" : ""));
      set(label, { x, "text-anchor": keyAnchor(x, axis[0], axis[1]) });
    });
    const seen = promise >= domain[0] && promise <= domain[1];
    const px = xOf(promise);
    const first = `promise ${busy ? "…" : leakage(promise)}`;
    const second = busy ? "… above" : `${now.above(promise)} of ${fixed(now.total, 0)} above`;
    const width = Math.max(textWidth(first), textWidth(second)) + 4;
    const largest = `largest ${busy ? "…" : leakage(top, promise)}`;
    const largestWidth = textWidth(largest, 11, true) + 1;
    const lx = xOf(top);
    const right = px - axis[0] < width + 6 || (lx < px && axis[1] - px > width + 6);
    show(promiseLine, seen);
    for (const el of [promiseText, aboveText]) {
      set(el, { x: right ? px + 6 : px - 6, "text-anchor": right ? "start" : "end" });
    }
    set(promiseLine, { x1: px, x2: px });
    setText(promiseText, seen ? first : `${first}, ${px <= axis[0] ? "below" : "above"} this axis`);
    setText(aboveText, second);
    // Centred on its dot where that is free, else beside it; beside the shorter of the two lines where there is no room.
    const froms = [lx - largestWidth / 2, lx + 6, lx - largestWidth - 6].map((from) => Math.max(axis[0], Math.min(axis[1] - largestWidth, from)));
    // In a narrow picture at either end.
    froms.push(axis[1] - largestWidth, 0);
    const freeOf = (wide: number): number | undefined => {
      const taken = right ? [px - 2, px + 6 + wide] : [px - 6 - wide, px + 2];
      return froms.find((from) => from > (taken[1] as number) || from + largestWidth < (taken[0] as number));
    };
    const low = freeOf(width);
    largestRow = low === undefined ? 15 : 28;
    set(largestText, { x: low ?? freeOf(textWidth(first) + 4) ?? (froms[0] as number) });
    setText(largestText, largest);
    set(largestButton, {
      "data-node": now.largest,
      "aria-label": `${largest}${busy ? "" : " nats"}: choose the adversary that learns most`,
      "aria-disabled": now.disabled ? "true" : null,
    });
  }

  function drawThreshold(now: KeyScene): void {
    const value = at();
    const unset = held === null && now.threshold === null;
    const x = xOf(value);
    const above = now.busy ? "…" : now.above(value);
    const words = unset ? "threshold at the promise" : `threshold ${thresholdSaid(value, now.domain)}, ${above} above`;
    set(handle, { class: `lg-handle${unset ? " lg-unset" : ""}` });
    set(thresholdLine, { x1: x, x2: x });
    set(thresholdHit, { x: x - 14 });
    set(thresholdGrip, { d: `M${round(x)} ${BAND_TOP + 24}l5 5v8h-10v-8z` });
    const left = x - axis[0] > textWidth(words) + 12;
    set(thresholdText, { x: left ? x - 10 : x + 10, "text-anchor": left ? "end" : "start" });
    setText(thresholdText, words);
    ticks.forEach((label) => {
      const wide = textWidth(label.textContent ?? "");
      const anchor = label.getAttribute("text-anchor");
      const from = Number(label.getAttribute("x")) - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
      show(label, x < from - 3 || x > from + wide + 3);
    });
    set(handle, {
      tabindex: now.disabled ? null : 0,
      "aria-disabled": now.disabled ? "true" : null,
      "aria-valuemin": String(now.domain[0]),
      "aria-valuemax": String(now.domain[1]),
      "aria-valuenow": String(Math.min(now.domain[1], Math.max(now.domain[0], value))),
      "aria-valuetext": `${thresholdSaid(value, now.domain)} nats, ${above} of ${now.total} adversaries above`,
    });
  }

  return {
    el,
    update(next, left) {
      scene = next;
      axis = [left, Math.max(left + 120, next.width)];
      set(el, { width: axis[1] });
      set(el, { height: HEIGHT, viewBox: `0 0 ${round(axis[1])} ${HEIGHT}` });
      paintBand(next);
      if (next.dots) drawDots(next.dots);
      else drawBars(next);
      el.classList.toggle("lg-waiting", next.busy);
      drawLabels(next);
      set(largestText, { y: largestRow });
      drawThreshold(next);
    },
    destroy: detach,
  };
}

/** Numbers of the axis: at least one decimal, at most three. */
function tickText(value: number, domain: readonly [number, number]): string {
  return domain[1] < 0.01 ? tick(value) : fixed(value, 3).replace(/0{1,2}$/, "");
}
