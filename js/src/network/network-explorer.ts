/** The explorer of networks: its parts, the one state they share, and undo over all of it. */
import { createHand, gate, Stable } from "../explorer/hand";
import { chooseLine, createTop, results as colourful } from "../explorer/top";
import { h } from "../ui/dom";
import { createRunningDesk, runShell } from "../ui/explorer-shell";
import { count } from "../ui/format";
import { createRoot } from "../ui/root";
import { createSession, type Model } from "../ui/session";
import type { Change } from "../ui/slider";
import { number } from "../ui/wire";
import { plural } from "../explorer/words";
import { createAudit, createLead, type LeadProps } from "./audit";
import { createGraphPanel, type GraphProps } from "./graph-panel";
import { chosenQuilt, createLaw, createNoise, createQuilts, type PanelProps } from "./panels";
import type { NetworkRequest, NetworkView } from "./protocol";
import { createAdversary, createRelease, type ReleaseProps } from "./release";
import { look, sameEdit, wired, wishOf, type Edit } from "./screen";
import { createSteps, type StepsProps } from "./steps";
import { STYLES } from "./styles";
import { HEAD } from "./words";
import shape from "shape:./protocol#NetworkView";

export interface NetworkExplorer {
  destroy(): void;
}

export function createNetworkExplorer(model: Model, host: HTMLElement): NetworkExplorer {
  const root = createRoot(host, STYLES);
  const session = createSession<NetworkView, NetworkRequest>(model, { request: wishOf, shape, el: host });
  const kept = new Stable();
  const desk = createRunningDesk(model, draw);
  let screen = look(session, kept, desk.shown(session.view()));
  let width = 1000;
  const gates = { graph: gate(), law: gate(), noise: gate(), quilts: gate(), steps: gate(), adversary: gate() };

  const disabled = (): boolean => screen.disabled;
  const hand = createHand<Edit>(session, { edit: () => screen.wish, same: sameEdit, disabled });
  const { propose } = hand;
  const now = { commit: true };
  const top = createTop({
    model,
    about: HEAD,
    session,
    desk,
    hand,
    title: () => count(screen.view.nodes.length, screen.naming.noun, plural(screen.naming.noun)),
    disabled,
    choose: (said) => chooseLine(session, said, screen.busy, desk.resume, screen.view),
  });
  const { onRefused } = top;
  const onScale = (scale: number, how: Change): void => propose({ scale: wired(scale) }, how);
  const lead = createLead(leadProps(), onScale);
  const release = createRelease(releaseProps(), {
    onQuery: (query) => propose({ query }, now),
    onScale,
    onEpsilon: (epsilon) => propose({ epsilon: wired(epsilon) }, now),
    onRefused,
  });
  const adversary = createAdversary(releaseProps(), {
    onAdversary: (one) => propose({ adversary: one }, now),
    onShow: (show) => propose({ show }, now),
    onTarget,
    onForget: (j) => onKnow(j, null),
    onForgetAll: () => propose({ known: [], values: [] }, now),
  });
  const graph = createGraphPanel(graphProps(), root.root, { onTarget, onKnow });
  const law = createLaw(panelProps());
  const noise = createNoise(panelProps(), { onScale });
  const quilts = createQuilts(panelProps(), { onRadius: (radius, how) => propose({ radius: Math.round(radius) }, how) });
  const steps = createSteps(stepsProps(), {
    onBudgets: (budgets, how) => propose({ budgets: budgets.map(wired) }, how),
    onGoal: (goal) => propose({ goal: wired(goal) }, now),
    onRefused,
  });
  const audit = createAudit(leadProps());
  const lower = h("div", { class: "px-columns nw-lower" }, ...colourful(law.el, noise.el, quilts.el, steps.el));
  const upper = h("div", { class: "px-columns nw-upper" }, h("div", { class: "px-middle" }, release.el, adversary.el), graph.el);
  const slot = h("div", { class: "px-slot" }, top.line.el, top.running.el);
  const label = { class: "px px-fits nw", role: "group", "aria-label": "Network explorer" };
  const frame = h("div", label, top.header.el, lead.el, slot, upper, lower, audit.el);
  root.root.append(h("div", { class: "px-scroll" }, frame));

  /** A tuple that is attacked is no longer known. */
  function onTarget(target: number): void {
    propose({ target, ...without(target) }, now);
  }

  function without(tuple: number): Pick<Edit, "known" | "values"> {
    const { known, values } = screen.wish;
    return { known: known.filter((j) => j !== tuple), values: values.filter((_, k) => known[k] !== tuple) };
  }

  /** To know is to choose: the colours are then about who knows it. */
  function onKnow(tuple: number, value: number | null): void {
    const rest = without(tuple);
    const pairs = rest.known.map((j, k) => [j, rest.values[k] as number] as const);
    const all = value === null ? pairs : [...pairs, [tuple, value] as const].sort((a, b) => a[0] - b[0]);
    propose({ known: all.map(([j]) => j), values: all.map(([, v]) => v), adversary: value === null ? screen.wish.adversary : "mine" }, now);
  }

  /** GS over lambda: arithmetic on what the hand asks for. */
  function promise(): number {
    const reach = screen.view.contributions.map((one) => Math.max(...one) - Math.min(...one));
    return Math.max(...reach) / screen.scale;
  }

  function leadProps(): LeadProps {
    const { view, naming, scale, results, subject, busy, stale, disabled } = screen;
    // What is awaited stands in no sentence: the numbers of another adversary would.
    const waiting = busy || (view.running !== null && view.adversary === "worst" && !results?.worst);
    return { view, naming, scale, promise: promise(), results, subject, busy: waiting, stale, disabled, stacked: width <= 1000, width };
  }

  function releaseProps(): ReleaseProps {
    const { view, wish, naming, scale, epsilon, disabled } = screen;
    return { view, wish, naming, scale, epsilon, promise: promise(), disabled };
  }

  function graphProps(): GraphProps {
    const { view, wish, naming, fill, results, subject, disabled } = screen;
    const curve = wish.show === "quilts" ? (results?.quilts?.curve ?? []) : [];
    const quilt = curve[chosenQuilt(curve, wish.radius === null ? null : number(wish.radius))] ?? null;
    const room = width > 860 ? width - 264 - 24 : width;
    return {
      view: { ...view, target: wish.target, known: wish.known, values: wish.values },
      naming,
      fill: quilt && results ? kept.value("none", results.none.map(({ value }) => number(value))) : fill,
      promise: promise(),
      choices: results?.choices ?? [],
      subject: wish.show === "quilts" ? null : subject,
      quilt,
      dark: root.dark(),
      disabled,
      width: room,
    };
  }

  function panelProps(): PanelProps {
    const { view, wish, naming, results, scale, epsilon, busy, disabled } = screen;
    const room = width > 860 ? (width - 24) / 2 : width;
    return { view: { ...view, radius: wish.radius }, naming, results, scale, epsilon, busy: busy || view.running !== null, disabled, width: room };
  }

  function stepsProps(): StepsProps {
    const { wish, goal } = screen;
    return { ...panelProps(), goal, budgets: wish.budgets.map(number), width };
  }

  function draw(): void {
    const working = desk.shown(session.view());
    screen = look(session, kept, working);
    root.root.toggleAttribute("data-old", screen.stale !== "");
    hand.follow(hand.moved(screen.view.since));
    const { view, wish, naming, results, fill, subject, disabled, busy } = screen;
    const dark = root.dark();
    top.update(working);
    lead.update(leadProps());
    audit.update(leadProps());
    release.update(releaseProps());
    const chosen = JSON.stringify([wish.target, wish.known, wish.values]);
    gates.adversary([naming, chosen, wish.adversary, wish.show, disabled], () => adversary.update(releaseProps()));
    const layout = kept.value("layout", view.layout);
    const drawn = [layout, naming, chosen, fill, subject, results?.quilts, wish.show, wish.radius, promise(), dark, disabled, width];
    gates.graph(drawn, () => graph.update(graphProps()));
    const { show } = wish;
    law.el.hidden = show !== "network";
    noise.el.hidden = show === "temporal";
    quilts.el.hidden = show !== "quilts";
    steps.el.hidden = show !== "temporal";
    lower.style.gridTemplateColumns = show === "temporal" ? "minmax(0, 1fr)" : "";
    if (show === "network") gates.law([results, naming, width], () => law.update(panelProps()));
    if (show !== "temporal") gates.noise([results, busy, view.running, screen.epsilon, disabled, width], () => noise.update(panelProps()));
    if (show === "quilts") gates.quilts([results, wish.radius, busy, disabled, width], () => quilts.update(panelProps()));
    if (show === "temporal") gates.steps([results, wish.budgets, wish.goal, busy, disabled, width], () => steps.update(stepsProps()));
  }

  return runShell({
    root,
    session,
    travel: (way) => hand.travel(way),
    draw,
    resized: (next) => (width = next),
    parts: () => [top, lead, release, adversary, graph, law, noise, quilts, steps, audit, desk, session],
  });
}
