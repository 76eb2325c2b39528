/** The network under the hand: a click attacks, a click with Shift knows, the wheel zooms; keys do the same. */
import { isOver, labelOf, nameOf, type Naming } from "../explorer/words";
import { button, component, h, layered, listen, renew, setAttrs, setText, type Component } from "../ui/dom";
import { leakage } from "../ui/format";
import { isModified, placeIn } from "../ui/gestures";
import { createMenu } from "../ui/choosing";
import { colourBand, magnitudeDomain } from "../ui/colours";
import { drawEdges, drawEnds, KEY, nodeGroup, place, type DrawingProps, type NodeLook, type Placed, type Role } from "./drawing";
import type { NetworkView, QuiltState } from "./protocol";
import type { Subject } from "./screen";
import { beyondWords, nodeWords } from "./words";

export interface GraphProps {
  view: NetworkView;
  naming: Naming;
  fill: readonly number[];
  promise: number;
  choices: readonly (readonly boolean[])[];
  subject: Subject | null;
  /** The quilt that is looked at, in place of an adversary. */
  quilt: QuiltState | null;
  dark: boolean;
  disabled: boolean;
  width: number;
}

export interface GraphEvents {
  onTarget(j: number): void;
  /** null forgets it. */
  onKnow(j: number, label: number | null): void;
}

const [LEAST, MOST, STEP] = [1, 12, 1.3];
const CAPTION = "Click: attack. Shift and click, or K: know. Arrows: move. + and −: zoom.";

export function createGraphPanel(initial: GraphProps, home: HTMLElement, events: GraphEvents): Component<GraphProps> {
  let props = initial;
  let placed: Placed = place(initial.view.layout, initial.width);
  let zoom = 1;
  let centre: [number, number] = [0.5, 0.5];
  /** The tuple that keys are about. */
  let at = initial.view.target;
  const [picture, lines, discs] = layered({ class: "nw-picture", role: "group" }, {}, {});
  const [key, band, ends] = layered({ class: "nw-key", width: KEY, height: 26, "aria-hidden": "true" }, {}, {});
  const drawBand = colourBand(band, 0);
  const menu = createMenu(home, "Labels");
  const closer = button("+", { "aria-label": "Zoom in" });
  const farther = button("−", { "aria-label": "Zoom out" });
  const whole = button("All", { "aria-label": "Show all" });
  const note = h("p", { class: "small nw-note", "aria-live": "polite" });
  const legend = h("p", { class: "small muted" }, CAPTION);
  const head = h("span", {});
  const el = h(
    "section",
    { class: "panel px-result nw-graph", "aria-label": "Network" },
    h("h3", { class: "panel-head" }, head, h("span", { class: "nw-tools" }, key, closer, farther, whole)),
    picture,
    note,
    legend,
  );

  function zoomBy(factor: number, [x, y]: readonly [number, number] = centre): void {
    const next = Math.min(MOST, Math.max(LEAST, zoom * factor));
    // The place under the pointer stays where it is.
    centre = [x + ((centre[0] - x) * zoom) / next, y + ((centre[1] - y) * zoom) / next];
    zoom = next;
    draw();
  }

  /** The part of the drawing that is seen. */
  function box(): [number, number, number, number] {
    const [w, t] = [placed.width / zoom, placed.height / zoom];
    const within = (share: number, size: number, part: number): number => Math.min(size - part, Math.max(0, share * size - part / 2));
    return [within(centre[0], placed.width, w), within(centre[1], placed.height, t), w, t];
  }

  listen(closer, "click", () => zoomBy(STEP));
  listen(farther, "click", () => zoomBy(1 / STEP));
  listen(whole, "click", () => zoomBy(0));
  picture.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const [x, y] = shareOf(event);
      zoomBy(event.deltaY < 0 ? STEP : 1 / STEP, [x, y]);
    },
    { passive: false },
  );

  function shareOf(event: MouseEvent): [number, number] {
    const [x, y] = placeIn(picture, event);
    const seen = box();
    const size = picture.getBoundingClientRect();
    return [(seen[0] + (x / size.width) * seen[2]) / placed.width, (seen[1] + (y / size.height) * seen[3]) / placed.height];
  }

  let grip: { x: number; y: number; from: [number, number]; moved: boolean } | null = null;
  listen(picture as unknown as Element, "pointerdown", (event) => {
    if (event.button === 0) grip = { x: event.clientX, y: event.clientY, from: [...centre], moved: false };
  });
  listen(picture as unknown as Element, "pointermove", (event) => {
    if (!grip || zoom === 1) return;
    const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.moved && Math.hypot(dx, dy) < 4) return;
    grip.moved = true;
    picture.setPointerCapture(event.pointerId);
    centre = [grip.from[0] - dx / (placed.width * zoom), grip.from[1] - dy / (placed.height * zoom)];
    draw();
  });

  listen(picture as unknown as Element, "click", (event) => {
    const moved = grip?.moved ?? false;
    grip = null;
    const node = (event.target as Element).closest("[data-tuple]");
    if (moved || !node) return;
    const j = Number(node.getAttribute("data-tuple"));
    if (event.shiftKey) know(j, node);
    else attack(j);
  });

  function attack(j: number): void {
    at = j;
    if (!props.disabled) events.onTarget(j);
  }

  /** The labels of a tuple in place: those that cannot occur with what is known are off. */
  function know(j: number, node: Element): void {
    const { view, naming, choices, disabled } = props;
    if (disabled || j === view.target) return;
    at = j;
    const held = view.known.indexOf(j);
    const items = (naming.labels[j] ?? []).map((_, v) => ({
      label: labelOf(naming, j, v),
      checked: held >= 0 && view.values[held] === v,
      disabled: choices[j]?.[v] === false,
      ...(choices[j]?.[v] === false ? { title: "It cannot occur with what is known." } : {}),
      run: () => events.onKnow(j, v),
    }));
    const forget = { label: "Not known", separated: true, disabled: held < 0, run: () => events.onKnow(j, null) };
    const where = node.getBoundingClientRect();
    menu.open(node as HTMLElement, [...items, forget], { x: where.left + where.width / 2, y: where.top + where.height / 2 });
  }

  listen(picture as unknown as Element, "keydown", (event) => {
    if (isModified(event)) return;
    const held = (event.target as Element).closest("[data-tuple]");
    if (held) at = Number(held.getAttribute("data-tuple"));
    const turn = { "+": STEP, "=": STEP, "-": 1 / STEP, "0": 0 }[event.key];
    const node = discs.children[at];
    if (turn !== undefined) zoomBy(turn);
    else if (event.key === "Enter" || event.key === " ") attack(at);
    else if (event.key.toLowerCase() === "k" && node) know(at, node);
    else if (event.key === "Home") walk(0);
    else if (event.key === "End") walk(placed.places.length - 1);
    else if (event.key.startsWith("Arrow")) walk(nearest(event.key));
    else return;
    event.preventDefault();
  });

  /** The nearest tuple in a direction: the way aside counts twice. */
  function nearest(arrow: string): number {
    const [x, y] = placed.places[at] ?? [0, 0];
    const [dx, dy] = ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[arrow] ?? [0, 0];
    let [best, least] = [at, Infinity];
    placed.places.forEach(([px, py], j) => {
      const ahead = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (ahead > 1 && ahead + 2 * aside < least) [best, least] = [j, ahead + 2 * aside];
    });
    return best;
  }

  function walk(j: number): void {
    at = j;
    const [x, y] = placed.places[j] ?? [0, 0];
    const [bx, by, w, t] = box();
    // Who is walked to is seen.
    if (x < bx || x > bx + w || y < by || y > by + t) centre = [x / placed.width, y / placed.height];
    draw();
    (discs.children[j] as SVGElement | undefined)?.focus({ preventScroll: true });
  }

  function roles(): Role[] {
    const { view, subject, quilt } = props;
    const near = new Set(quilt ? quilt.near : (subject?.unknown ?? []));
    const beside = new Set(quilt ? quilt.quilt : (subject?.known.map(([j]) => j) ?? []));
    const beyond = new Set(subject?.beyond ?? []);
    const split = quilt !== null || beside.size > 0;
    return view.nodes.map((_, j) => {
      if (j === view.target) return "target";
      if (beside.has(j)) return beyond.has(j) ? "known" : "boundary";
      if (split && near.has(j)) return "inside";
      return split ? "beyond" : "";
    });
  }

  function drawing(): DrawingProps {
    const { view, naming, fill, promise, subject, quilt, dark } = props;
    const labels = new Map(quilt ? [] : (subject?.known ?? []));
    const role = roles();
    const nodes = view.nodes.map((_, j): NodeLook => {
      const value = fill[j] ?? NaN;
      const label = labels.get(j);
      const known = label === undefined ? "" : labelOf(naming, j, label, 12);
      return { name: nameOf(naming, j), value, over: isOver(value, promise), role: role[j] as Role, label: known };
    });
    const domain = magnitudeDomain(fill.filter((one) => Number.isFinite(one)), promise);
    return { placed, edges: view.edges, directed: view.directed, nodes, domain, zoom, dark };
  }

  function draw(): void {
    const { view, naming, fill, promise, subject, quilt, dark, disabled } = props;
    placed = place(view.layout, props.width);
    if (at >= view.nodes.length) at = view.target;
    const made = drawing();
    const seen = box();
    setAttrs(picture, {
      viewBox: seen.map((one) => one.toFixed(1)).join(" "),
      width: placed.width,
      height: placed.height,
      "aria-label": "Network: arrows move among the tuples, Enter attacks, K chooses what is known",
      "data-zoomed": zoom > 1,
    });
    renew(lines, ...drawEdges(made));
    renew(
      discs,
      ...view.nodes.map((_, j) =>
        nodeGroup(made, j, {
          tabindex: j === at ? 0 : -1,
          "aria-label": nodeWords(naming, view, j, fill[j] ?? NaN, promise),
          "aria-pressed": j === view.target ? "true" : "false",
          "aria-disabled": disabled ? "true" : null,
        }),
      ),
    );
    drawBand(KEY, dark);
    const [low, high] = made.domain;
    renew(ends, ...drawEnds(leakage(low), `${leakage(high)} nats`));
    setText(head, quilt ? "Network, a quilt" : "Network");
    setText(note, quilt ? quiltWords(naming, quilt) : subject ? beyondWords(naming, subject) : "");
    farther.disabled = whole.disabled = zoom <= LEAST;
    closer.disabled = zoom >= MOST;
  }

  return component(el, props, (next) => {
    if (next.view.since !== props.view.since) [zoom, centre, at] = [1, [0.5, 0.5], next.view.target];
    props = next;
    draw();
  }, menu);
}

function quiltWords(naming: Naming, { target, quilt, near }: QuiltState): string {
  if (quilt.length === 0) return `No quilt: all ${near.length} joined to ${nameOf(naming, target)} count as near.`;
  return `Shaded: near, ${near.length} whose labels the noise hides. Outlined: the quilt, ${quilt.length}. What is beyond says no more than the quilt does.`;
}
