/** The release, and who receives it: the query, the noise, the promise that noise is asked for, and whose leakage is shown. */
import { createQuery, type QueryProps } from "../explorer/release";
import { labelOf, nameOf, plural, type Naming } from "../explorer/words";
import { createSegments } from "../ui/choosing";
import { button, component, h, listen, setText, type Component } from "../ui/dom";
import { leakage, parameter } from "../ui/format";
import { inlineMark } from "../ui/marks";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { entryText, refuseGoal, refuseScale, TRACK, trackTicks, widen } from "../ui/scale";
import { createSliderField, type Change, type SliderFieldProps } from "../ui/slider";
import type { AdversaryKind, NetworkView, Shown } from "./protocol";
import type { Edit } from "./screen";
import { ADVERSARIES, SHOWN } from "./words";

export interface ReleaseProps {
  view: NetworkView;
  wish: Edit;
  naming: Naming;
  scale: number;
  epsilon: number;
  promise: number;
  disabled: boolean;
}

export interface ReleaseEvents {
  onQuery(query: string): void;
  onScale(scale: number, how: Change): void;
  onEpsilon(epsilon: number): void;
  onRefused(reason: string | null): void;
}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let props = initial;
  let track = widen(TRACK, initial.scale);
  const query = createQuery(queryProps(), { onQuery: (key) => events.onQuery(key), onRefused: events.onRefused });
  const field = createSliderField(fieldProps(), { onChange: events.onScale, onRefused: events.onRefused });
  const epsilon = createNumberEntry(epsilonProps(), {
    onCommit: events.onEpsilon,
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The promise stays ${parameter(props.epsilon)}.`),
  });
  const promise = h("b");
  const el = h(
    "section",
    { class: "panel", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    query.el,
    field.el,
    h("dl", { class: "px-promise" }, h("div", {}, h("dt", {}, inlineMark("promise"), " Promise GS/λ"), h("dd", {}, promise, " nats"))),
    h("p", { class: "px-goal" }, "Noise is compared for ", epsilon.el, " nats"),
  );

  function queryProps(): QueryProps {
    const { view, wish, naming, disabled } = props;
    const text = `${naming.names.length} ${plural(naming.noun)} add to it`;
    return { naming: { ...naming, names: [] }, choices: view.queries, chosen: wish.query, weights: [], text, disabled };
  }

  function fieldProps(): SliderFieldProps {
    const { scale, disabled } = props;
    track = widen(track, scale);
    const label = "Laplace noise, scale λ";
    return {
      label,
      slider: { value: scale, ...track, log: true, label, valueText: `scale ${parameter(scale)}`, ticks: trackTicks(track), disabled },
      entry: { label: "Scale λ as a number", value: scale, format: entryText, refuse: refuseScale, disabled, width: entryText(scale).length > 5 ? 84 : 64 },
      stays: `The scale stays ${parameter(scale)}`,
    };
  }

  function epsilonProps(): NumberEntryProps {
    const { epsilon: now, disabled } = props;
    return { label: "Promise that noise is compared for, nats", value: now, format: entryText, refuse: refuseGoal, disabled, width: 56 };
  }

  return component(el, props, (next) => {
    props = next;
    query.update(queryProps());
    field.update(fieldProps());
    epsilon.update(epsilonProps());
    setText(promise, leakage(props.promise));
  }, query, field, epsilon);
}

export interface AdversaryEvents {
  onAdversary(adversary: AdversaryKind): void;
  onShow(show: Shown): void;
  onTarget(target: number): void;
  onForget(tuple: number): void;
  onForgetAll(): void;
}

/** Whose leakage the colours show, what stands beside the network, the target, and what is known of the others. */
export function createAdversary(initial: ReleaseProps, events: AdversaryEvents): Component<ReleaseProps> {
  let props = initial;
  const whose = createSegments({ label: "Whose leakage is shown", options: ADVERSARIES, value: initial.wish.adversary, disabled: false }, events.onAdversary);
  const shown = createSegments({ label: "What stands beside the network", options: SHOWN, value: initial.wish.show, disabled: false }, events.onShow);
  const target = h("select", { class: "px-query-choice", "aria-label": "Attacked" });
  const known = h("ul", { class: "nw-known", "aria-label": "Known" });
  const none = h("p", { class: "small muted" });
  const clear = button("Forget all");
  let drawn = "";
  listen(target, "change", () => events.onTarget(target.selectedIndex));
  listen(clear, "click", () => events.onForgetAll());
  listen(known, "click", (event) => {
    const tuple = (event.target as Element).closest("[data-known]")?.getAttribute("data-known");
    if (tuple !== null && tuple !== undefined && !props.disabled) events.onForget(Number(tuple));
  });
  const el = h(
    "section",
    { class: "panel nw-adversary", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    whose.el,
    h("span", { class: "label", "aria-hidden": "true" }, "Attacked"),
    target,
    none,
    known,
    clear,
    h("span", { class: "label", "aria-hidden": "true" }, "Beside the network"),
    shown.el,
  );

  return component(el, props, (next) => {
    props = next;
    const { naming, wish, disabled } = props;
    whose.update({ label: "", options: ADVERSARIES, value: wish.adversary, disabled });
    shown.update({ label: "", options: SHOWN, value: wish.show, disabled });
    const names = JSON.stringify(naming.names);
    if (names !== drawn) {
      drawn = names;
      target.replaceChildren(...naming.names.map((_, j) => h("option", {}, nameOf(naming, j))));
    }
    target.selectedIndex = wish.target;
    target.disabled = disabled;
    const many = wish.known.length;
    setText(none, many ? `Known to the chosen adversary: ${many}` : `Click a ${naming.noun} with Shift, or press K on it, to know it.`);
    known.replaceChildren(
      ...wish.known.map((j, k) => {
        const text = `${nameOf(naming, j, 24)} = ${labelOf(naming, j, wish.values[k] as number, 16)}`;
        return h("li", {}, button(`${text} ×`, { "data-known": j, "aria-label": `Forget ${text}`, disabled }));
      }),
    );
    clear.hidden = many < 2;
    clear.disabled = disabled;
  }, whose, shown);
}
