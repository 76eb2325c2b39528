/** The explorer of inferred locations: its parts, the one state they share, and undo over all of it. */
import { createHand, gate, Stable } from "../explorer/hand";
import { chooseLine, createTop, results } from "../explorer/top";
import { h } from "../ui/dom";
import { createRunningDesk, runShell } from "../ui/explorer-shell";
import { fixed } from "../ui/format";
import { createRoot } from "../ui/root";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { createAdversary } from "./adversary";
import { createAudit } from "./audit";
import { createByEpsilon } from "./by-epsilon";
import type { CurveProps } from "./curve-panel";
import { createErrorCurve, createLeakedCurve } from "./curves";
import { createLead } from "./lead";
import { createMaps } from "./maps";
import type { AttackRequest, AttackView } from "./protocol";
import { createRelease } from "./release";
import { createMass, createScore } from "./score";
import { COMPUTED, look, sameEdit, wired, wishOf, type Edit, type LastCurves } from "./screen";
import { STYLES } from "./styles";
import { centresInWords, HEAD, km } from "./words";
import shape from "shape:./protocol#AttackView";

// Where the parts of the explorer of inferred locations stand.

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "release" | "adversary" | "maps" | "score" | "mass" | "by" | "leaked" | "error" | "audit";

function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, release, adversary, maps, score, mass, by, leaked, error, audit } = parts;
  const left = h("div", { class: "px-middle ax-left" }, release.el, adversary.el);
  const right = h("div", { class: "ax-right" }, score.el, mass.el);
  const upper = h("div", { class: "ax-upper" }, left, ...results(maps.el, right));
  const lower = h("div", { class: "ax-lower" }, ...results(by.el, leaked.el, error.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, upper, lower, audit.el);
  const frame = h("div", { class: "px px-fits ax", role: "group", "aria-label": "Location inference explorer" }, header.el, lead.el, slot, body);
  return h("div", { class: "px-scroll" }, frame);
}

const GAP = 24;
/** The first column, and the least of the last one, px. */
const LEFT = 192;
const LAST = 216;
/** Both columns of maps at most, px: as large as the numbers beside them leave room for. */
const MAPS = 680;

export interface Widths {
  maps: number;
  right: number;
  curve: number;
  /** One attack at a time. */
  narrow: boolean;
}

/** Room of the parts at a width of the whole; as attack.css lays them out. */
export function widthsAt(width: number): Widths {
  if (width > 860) {
    const maps = Math.min(MAPS, width - LEFT - LAST - 2 * GAP);
    return { maps, right: width - LEFT - maps - 2 * GAP, curve: Math.floor((width - LEFT - 2 * GAP) / 2), narrow: false };
  }
  const curve = Math.floor((width - GAP) / 2);
  if (width >= 700) {
    const maps = Math.min(MAPS, width - LAST - GAP);
    return { maps, right: width - maps - GAP, curve, narrow: false };
  }
  if (width > 520) return { maps: width, right: curve, curve, narrow: false };
  return { maps: width, right: width, curve: width, narrow: true };
}

export interface AttackExplorer {
  destroy(): void;
}

export function createAttackExplorer(model: Model, host: HTMLElement): AttackExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<AttackView, AttackRequest>(model, { request: wishOf, shape, el: host });
  const kept = new Stable();
  const desk = createRunningDesk(model, draw);
  const last: LastCurves = { since: -1, curves: null };
  let screen = look(session, kept, last, desk.shown(session.view()));
  let width = 1000;
  const gates = { maps: gate(), score: gate(), mass: gate(), by: gate(), curves: gate() };

  const disabled = (): boolean => screen.disabled;
  const hand = createHand<Edit>(session, { edit: () => screen.wish, same: sameEdit, disabled });
  const { propose } = hand;
  const top = createTop({ model, about: HEAD, session, desk, hand, title, disabled, choose: (said) => chooseLine(session, said, screen.busy, desk.resume) });
  const lead = createLead(leadProps(), { onEpsilon, onWeight });
  const release = createRelease(releaseProps(), {
    onMechanism: (mechanism) => propose({ mechanism }, { commit: true }),
    onEpsilon,
    onSensitivity: (sensitivity) => propose({ sensitivity }, { commit: true }),
    onRefused: top.onRefused,
  });
  const adversary = createAdversary(adversaryProps(), {
    onVictim: (victim) => propose({ victim }, { commit: true }),
    onWeight,
    onKnown: (known, how) => propose({ known: wired(known) }, how),
    onNoise: () => propose({ draw: screen.wish.draw + 1 }, { commit: true }),
    onRefused: top.onRefused,
  });
  const maps = createMaps(mapsProps());
  const score = createScore(scoreProps());
  const mass = createMass(massProps());
  const by = createByEpsilon(byProps());
  const leaked = createLeakedCurve(curveProps(), onEpsilon);
  const error = createErrorCurve(curveProps(), onEpsilon);
  const audit = createAudit(auditProps());
  root.root.append(arrange({ ...top, lead, release, adversary, maps, score, mass, by, leaked, error, audit }));

  function onEpsilon(epsilon: number, how: Change): void {
    propose({ epsilon: wired(epsilon) }, how);
  }

  function onWeight(weight: number, how: Change): void {
    propose({ weight: wired(weight) }, how);
  }

  function title(): string {
    const { view, city } = screen;
    const [east, north] = city.size;
    const size = (side: number): string => (side >= 10 ? fixed(side, 0) : km(side));
    const parts = [city.text || view.title, `${size(east)} × ${size(north)} km`, centresInWords(city.clusters)];
    return parts.filter(Boolean).join(", ");
  }

  function leadProps() {
    const { epsilon, weight, shown, busy, disabled } = screen;
    return { epsilon, weight, attacks: shown?.attacks ?? null, busy, disabled };
  }

  function releaseProps() {
    const { view, wish, epsilon, shown, scale, bound, everyone, holds, disabled } = screen;
    return {
      mechanisms: view.mechanisms,
      mechanism: wish.mechanism,
      epsilon,
      sensitivities: view.sensitivities,
      sensitivity: wish.sensitivity,
      everyone,
      delta: scale === null ? null : (shown?.sensitivity ?? null),
      factor: scale === null ? null : (shown?.factor ?? null),
      scale,
      bound,
      holds,
      disabled,
    };
  }

  function adversaryProps() {
    const { city, wish, weight, known, disabled } = screen;
    return { victims: city.victims, users: city.users, smoothing: city.smoothing, victim: wish.victim, weight, known, draw: wish.draw, disabled };
  }

  function mapsProps() {
    const { city, shown, busy } = screen;
    const { maps: room, narrow } = widthsAt(width);
    return { city, shown, busy, gesture: hand.dragging(), dark: root.dark(), width: room, narrow };
  }

  function scoreProps() {
    const { city, wish, shown, busy, noCurves, stale } = screen;
    return {
      attacks: shown?.attacks ?? null,
      entropy: shown?.entropy ?? NaN,
      friends: city.victims[wish.victim]?.friends ?? 1,
      busy,
      none: noCurves,
      stale,
      width: widthsAt(width).right,
    };
  }

  function massProps() {
    const { shown, busy } = screen;
    return { attacks: shown?.attacks ?? null, busy, width: widthsAt(width).right };
  }

  function byProps() {
    const { curves, mean, epsilon, holds, curvesBusy, noCurves } = screen;
    return { curves, mean, epsilon, holds, busy: curvesBusy, none: noCurves };
  }

  function curveProps(): CurveProps {
    const { curves, mean, epsilon, holds, curvesBusy, noCurves, disabled } = screen;
    return { curves, mean, epsilon, holds, busy: curvesBusy, none: noCurves, disabled, width: widthsAt(width).curve };
  }

  function auditProps() {
    const { shown, mean, bound, holds, noCurves, curvesBusy, stale } = screen;
    const stacked = width <= 860;
    return {
      mean,
      bound,
      holds,
      entropy: shown?.entropy ?? null,
      none: curvesBusy ? COMPUTED : noCurves,
      stale,
      stacked,
      lineWidth: stacked ? width - 24 : null,
    };
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session, kept, last, working);
    root.root.toggleAttribute("data-old", screen.stale !== "");
    hand.follow(hand.moved(screen.view.since));
    const { city, wish, shown, curves, mean, epsilon, holds, busy, curvesBusy, noCurves, stale, disabled } = screen;
    const dark = root.dark();
    top.update(working);
    lead.update(leadProps());
    release.update(releaseProps());
    adversary.update(adversaryProps());
    gates.maps([city, shown, busy, hand.dragging(), dark, width], () => maps.update(mapsProps()));
    gates.score([shown, busy, noCurves, stale, city, wish.victim, width], () => score.update(scoreProps()));
    gates.mass([shown, busy, width], () => mass.update(massProps()));
    gates.by([curves, mean, epsilon, holds, curvesBusy, noCurves], () => by.update(byProps()));
    gates.curves([curves, mean, epsilon, holds, curvesBusy, noCurves, disabled, width], () => {
      leaked.update(curveProps());
      error.update(curveProps());
    });
    audit.update(auditProps());
  }

  return runShell({
    root,
    session,
    travel: hand.travel,
    draw,
    resized: (now) => (width = now),
    parts: () => [top, lead, release, adversary, maps, score, mass, by, leaked, error, audit, desk, session],
  });
}
