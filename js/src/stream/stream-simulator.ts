/** The stream simulator: its parts, the one state they share, its clock, and undo over all inputs. */
import { createHand } from "../explorer/hand";
import { createTop } from "../explorer/top";
import { createMeaning, type MeaningProps } from "../meaning/panel";
import { h, setText } from "../ui/dom";
import { createRunningDesk, runShell } from "../ui/explorer-shell";
import { fixed } from "../ui/format";
import type { LineProps } from "../ui/lines";
import { createRoot } from "../ui/root";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { toBytes } from "../ui/wire";
import { createAudit, type AuditProps } from "./audit";
import { createLead, type LeadProps } from "./lead";
import { createModelPanel, kept, type ModelProps } from "./model-panel";
import { createPlayer } from "./player";
import { createLastSteps, createPlot, type PlotProps } from "./plot";
import type { StreamRequest, StreamView } from "./protocol";
import { createRelease, type ReleaseProps } from "./release";
import { chooseLine, difference, editOf, look, sameEdit, symmetric, wired, wishOf, type Edit } from "./screen";
import { Totals } from "./step-record";
import { STYLES } from "./styles";
import { createTransport, type TransportProps, type Zoom } from "./transport";
import { createStepMeaning } from "./step-meaning";
import { HEAD, linesOf } from "./words";
import shape from "shape:./protocol#StreamView";

// Where the parts of the stream simulator stand.

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "model" | "release" | "transport" | "plot" | "steps" | "meaning" | "audit" | "heading" | "live";

function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, model, release, transport, plot, steps, meaning, audit, heading, live } = parts;
  const leak = h("section", { class: "panel sx-leak", "aria-label": "What leaks" }, heading.el, transport.el, plot.el, steps.el);
  const columns = h("div", { class: "sx-columns" }, h("div", { class: "sx-controls" }, model.el, release.el), leak);
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, columns, meaning.el, audit.el);
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

// Whether an element can be seen: in a page that is shown, in the part of it that is scrolled to.

export interface Sight {
  seen(): boolean;
  destroy(): void;
}

function watchSight(el: HTMLElement, changed: () => void): Sight {
  const doc = el.ownerDocument;
  let inside = true;
  const look = (): void => changed();
  const observer =
    typeof IntersectionObserver === "undefined"
      ? null
      : new IntersectionObserver((entries) => {
          inside = entries[entries.length - 1]?.isIntersecting ?? true;
          changed();
        });
  observer?.observe(el);
  doc.addEventListener("visibilitychange", look);
  return {
    seen: () => inside && doc.visibilityState !== "hidden",
    destroy() {
      observer?.disconnect();
      doc.removeEventListener("visibilitychange", look);
    },
  };
}

export interface StreamSimulator {
  destroy(): void;
}

/** Narrower than this on a phone the picture would not be read, px. */
const LEAST = 340;
/** While it plays the panel of meanings follows so often, ms. */
const MEANT_EVERY = 300;
/** Columns side by side from here on, px. */
const BESIDE = 860;

export function createStreamSimulator(model: Model, host: HTMLElement): StreamSimulator {
  const root = createRoot(host, STYLES);
  const session = createSession<StreamView, StreamRequest>(model, { request: wishOf, shape, el: host });
  const desk = createRunningDesk(model, draw);
  const calm = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
  let screen = look(session);
  let seenView: StreamView = screen.view;
  const forced = window.matchMedia?.("(forced-colors: active)");
  const player = createPlayer(model, screen.view, { changed: onFrame, ended: () => pause() });
  const totals = new Totals();
  totals.reset(screen.view.lanes, screen.view.position);
  let width = 1000;
  /** An edit of the run has not been answered. */
  let held = false;
  let zoom: Zoom = "60";
  let mark = true;
  let cursor: number | null = null;
  /** Whose release the panel of meanings is about, and when it was drawn. */
  let lane = 0;
  let meant = 0;
  const stepMeaning = createStepMeaning();
  let wasPlaying = screen.wish.playing;
  let modelSays: LineProps | null = null;
  /** The line said so, or not. */
  let waited = false;

  const disabled = (): boolean => screen.disabled;
  const hand = createHand<Edit>({ ...session, propose: send }, { edit: () => editOf(screen.wish), same: sameEdit, disabled, take });
  const { propose } = hand;
  const top = createTop({ model, about: HEAD, session, desk, hand, title, disabled, choose });
  const lead = createLead(leadProps(), {
    onEpsilon,
    onStay: (value, how) => propose({ transitions: toBytes(Float64Array.of(value, 1 - value, 1 - value, value)) }, how),
  });
  const chain = createModelPanel(modelProps(), {
    onChain({ transitions, start }, how) {
      propose({ ...(transitions ? { transitions: toBytes(transitions) } : {}), ...(start ? { start: toBytes(start) } : {}) }, how);
    },
    onMessage(message) {
      modelSays = message;
      top.showLine();
    },
  });
  const release = createRelease(releaseProps(), root.root, {
    onEpsilon,
    onDelta: (delta, how) => propose({ delta }, how),
    onSeed: (seed, how) => propose({ seed }, how),
    onDistance: (distance) => propose({ distance }, { commit: true }),
    onLanes: (lanes) => propose({ lanes }, { commit: true }),
    onRefused,
  });
  const transport = createTransport(transportProps(), {
    onPlay: toggle,
    onStep: () => player.step(),
    onReset: () => session.propose({ position: 0 }, { commit: true }),
    onSpeed: (speed, { commit }) => session.propose({ speed, position: player.position() }, { commit }),
    onMark(next) {
      mark = next;
      draw();
    },
    onZoom(next) {
      zoom = next;
      draw();
    },
  });
  const plot = createPlot(plotProps(), {
    onToggle: toggle,
    onCursor(step) {
      cursor = step;
      showHeading();
    },
  });
  const steps = createLastSteps(stepsProps());
  const meaning = createMeaning(meaningProps());
  const audit = createAudit(auditProps());
  const what = h("span", { class: "px-wrap" }, "What leaks ", h("span", { class: "muted" }));
  const stepNow = h("span", { class: "muted sx-heading-step" });
  const heading = h("h3", { class: "panel-head" }, what, stepNow);
  const live = h("p", { class: "sr-only", role: "status" });
  root.root.append(arrange({ ...top, lead, model: chain, release, transport, plot, steps, meaning, audit, heading: { el: heading }, live: { el: live } }));
  const sight = watchSight(root.root, mind);
  const room = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(keepRoom);
  room?.observe(lead.el);
  forced?.addEventListener?.("change", draw);
  if (calm && screen.wish.playing) pause();

  function send(patch: Partial<Edit>, how: { commit: boolean }): void {
    held = true;
    session.propose({ ...patch, position: player.position() }, how);
  }

  function take(edit: Edit): void {
    send(difference(editOf(screen.wish), edit), { commit: true });
  }

  function onEpsilon(epsilon: number, how: Change): void {
    propose({ epsilon: wired(epsilon) }, how);
  }

  function onRefused(reason: string | null): void {
    if (reason !== null && screen.wish.playing) pause();
    top.onRefused(reason);
  }

  function toggle(): void {
    if (screen.disabled || (ended() && !screen.wish.playing)) return;
    session.propose({ playing: !screen.wish.playing, position: player.position() }, { commit: true });
  }

  function pause(): void {
    session.propose({ playing: false, position: player.position() }, { commit: true });
  }

  function ended(): boolean {
    return player.position() >= screen.view.most && screen.view.source.kind !== "live";
  }

  /** What decides whether the clock runs has changed. */
  function mind(): void {
    const playing = screen.wish.playing && session.connected() && !screen.view.disabled;
    const seen = sight.seen();
    const going = playing && seen && (screen.view.fault === null || session.pending());
    // The view that played it stops it; one that was never seen leaves it to others.
    const left = playing && !seen && player.running();
    player.run(going, screen.wish.speed, hand.dragging() || (held && session.pending()));
    if (left && !player.led()) pause();
  }

  function choose(said: LineProps | null): LineProps {
    waited = player.waiting();
    return chooseLine(session, said ?? modelSays, waited, desk.resume);
  }

  function say(text: string): void {
    setText(live, text);
  }

  function title(): string {
    const { source, title: named } = screen.view;
    return [source.kind === "chain" ? "" : source.text, named].filter(Boolean).join(", ");
  }

  /** Number of the last step that is shown, from an array of the record. */
  function last(array: Float64Array | undefined, otherwise = NaN): number {
    const { record } = player;
    const position = player.position();
    return array && record.has(position) ? (array[record.at(position)] as number) : otherwise;
  }

  function leadProps(): LeadProps {
    const { view, epsilon, transitions, states, lanes, disabled } = screen;
    const made = changes();
    return {
      epsilon,
      promise: last(player.record.promise, epsilon),
      states: states.length,
      stay: view.chain.order === 1 ? symmetric(transitions) : null,
      position: player.position(),
      lanes,
      totals: totals.lanes,
      leaks: player.record.lanes.map(({ leakage }) => last(leakage)),
      change: made[made.length - 1] ?? null,
      editable: view.chain.editable,
      disabled,
    };
  }

  /** What was edited before a step that has been shown, or the next one. */
  function changes() {
    return screen.view.changes.filter(({ step }) => step <= player.position() + 1);
  }

  function modelProps(): ModelProps {
    const { view, states, transitions, start, loaded, disabled } = screen;
    const read = transitions ?? (view.chain.transitions.byteLength > 0 ? kept(view) : null);
    return {
      since: view.since,
      states,
      order: view.chain.order,
      source: view.source,
      transitions: read,
      start,
      loaded,
      editable: view.chain.editable,
      changes: changes(),
      disabled,
    };
  }

  function releaseProps(): ReleaseProps {
    const { view, wish, epsilon, disabled } = screen;
    return {
      epsilon,
      delta: Number(wish.delta),
      seed: wish.seed,
      distance: wish.distance,
      distances: view.distances,
      menu: view.menu,
      lanes: wish.lanes,
      lines: linesOf(view.lanes),
      disabled,
    };
  }

  function transportProps(): TransportProps {
    return {
      playing: screen.wish.playing && session.connected(),
      ended: ended(),
      position: player.position(),
      speed: screen.wish.speed,
      mark,
      zoom,
      disabled: screen.disabled,
    };
  }

  function plotWidth(): number {
    return width > BESIDE ? width - 232 - 24 : width;
  }

  function plotProps(): PlotProps {
    const { view, epsilon, states, lanes, disabled } = screen;
    return {
      record: player.record,
      position: player.position(),
      states,
      lanes,
      totals: totals.lanes,
      ended: view.lanes.map((lane) => lane.ended),
      hamming: view.distance === "hamming",
      epsilon,
      delta: view.delta,
      zoom: Number(zoom),
      mark,
      changes: changes(),
      playing: screen.wish.playing,
      dark: root.dark(),
      forced: forced?.matches ?? false,
      width: plotWidth(),
      empty: disabled ? "Nothing was released." : "Nothing has been released yet. Press play, or one step.",
    };
  }

  function stepsProps() {
    const { states, lanes } = screen;
    return { record: player.record, position: player.position(), states, lanes };
  }

  function meaningProps(): MeaningProps {
    const { view, states, lanes, epsilon, disabled } = screen;
    lane = Math.min(lane, Math.max(0, lanes.length - 1));
    const found = stepMeaning({ record: player.record, position: player.position(), key: lanes[lane]?.key ?? "", lane, states, chain: view.chain, epsilon });
    const onChoose = (chosen: number): void => {
      lane = chosen;
      drawMeaning();
    };
    return { ...found, width, busy: false, disabled, subjects: { names: lanes.map(({ short }) => short), chosen: lane, onChoose } };
  }

  function drawMeaning(): void {
    meant = performance.now();
    meaning.update(meaningProps());
  }

  function auditProps(): AuditProps {
    const { view, epsilon, lanes } = screen;
    const { record } = player;
    const position = player.position();
    return {
      promise: last(record.promise, epsilon),
      steady: !changes().some(({ after }) => after.includes("ε")),
      position,
      lanes,
      totals: totals.lanes,
      linear: last(record.linear),
      advanced: last(record.advanced),
      delta: view.delta,
      errors: record.lanes.map(({ error }) => last(error)),
      expected: record.lanes.map(({ expected }) => last(expected)),
      hamming: view.distance === "hamming",
    };
  }

  function showHeading(): void {
    const many = screen.lanes.length;
    const beside =
      many === 1
        ? ""
        : many === 2
          ? "; both lanes see the same symbols and random numbers"
          : "; all lanes see the same symbols and random numbers";
    setText(what.lastChild as Node, `achieved, exact${beside}`);
    const position = player.position();
    setText(stepNow, cursor === null ? `step ${fixed(position, 0)}` : `step ${fixed(cursor, 0)} of ${fixed(position, 0)}`);
  }

  /** Counts on to the step that is shown, and says who broke a promise on the way. */
  function count(): void {
    const broke = totals.reach(player.record, player.position());
    if (broke.length > 0) say(broke.map((k) => `Step ${totals.lanes[k]?.first}: ${screen.lanes[k]?.short ?? "a lane"} breaks its promise.`).join(" "));
  }

  function drawWords(): void {
    lead.update(leadProps());
    audit.update(auditProps());
    transport.update(transportProps());
    showHeading();
  }

  /** Another step is shown: all parts with the same frame, or a number would belong to another step than its picture. */
  function onFrame(): void {
    count();
    plot.frame(plotProps());
    drawWords();
    steps.update(stepsProps());
    // Frames that follow each other soon are not read one by one.
    if (!screen.wish.playing || performance.now() - meant > MEANT_EVERY) drawMeaning();
    if (player.waiting() !== waited) top.showLine();
  }

  /** The sentence keeps its room while it plays: nothing below it moves. */
  function keepRoom(): void {
    const tallest = parseFloat(lead.el.style.minHeight) || 0;
    if (screen.wish.playing && lead.el.offsetHeight > tallest) lead.el.style.minHeight = `${lead.el.offsetHeight}px`;
  }

  function followView(): void {
    const { view } = screen;
    if (view === seenView) return;
    seenView = view;
    player.follow(view);
    totals.reset(view.lanes, view.position);
    count();
  }

  function tellPlaying(): void {
    const { playing } = screen.wish;
    if (playing !== wasPlaying) say(playing ? "" : `Paused at step ${player.position()}.`);
    if (!playing) lead.el.style.minHeight = "";
    else if (!wasPlaying) keepRoom();
    wasPlaying = playing;
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session);
    if (!session.pending()) held = false;
    followView();
    hand.follow(hand.moved(screen.view.since));
    tellPlaying();
    mind();
    if (session.connected()) player.wish(Number(zoom), Math.max(0, Number(zoom) > 200 ? 0 : Number(zoom) - player.position()));
    chain.update(modelProps());
    release.update(releaseProps());
    drawWords();
    plot.update(plotProps());
    steps.update(stepsProps());
    drawMeaning();
    top.update(working);
  }

  const shell = runShell({
    root,
    least: LEAST,
    session,
    travel: hand.travel,
    draw,
    resized(now) {
      width = now;
      lead.el.style.minHeight = "";
    },
  });
  return {
    destroy() {
      // A run that nobody sees any more stops where it is; another view goes on.
      if (screen.wish.playing && session.connected() && !player.led()) pause();
      sight.destroy();
      room?.disconnect();
      forced?.removeEventListener?.("change", draw);
      shell.destroy([top, lead, chain, release, transport, plot, steps, meaning, audit, desk, player, session]);
    },
  };
}
