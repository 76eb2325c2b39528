/** Play and pause, one step, back to the start, how fast, and how much of the past is on screen. */
import { createSegments } from "../ui/choosing";
import { component, h, icon, listen, setAttrs, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { createSlider, type Change, type SliderProps } from "../ui/slider";

export type Zoom = "60" | "200" | "2000";

export interface TransportProps {
  playing: boolean;
  /** No steps are left. */
  ended: boolean;
  position: number;
  speed: number;
  mark: boolean;
  zoom: Zoom;
  /** Without a kernel nothing moves, but what is there can be looked at. */
  disabled: boolean;
}

export interface TransportEvents {
  onPlay(): void;
  onStep(): void;
  onReset(): void;
  onSpeed(speed: number, how: Change): void;
  onMark(mark: boolean): void;
  onZoom(zoom: Zoom): void;
}

const PLAY = "M5 3.5v9l7.5-4.5z";
const PAUSE = "M5.5 3.5v9M10.5 3.5v9";
const STEP = "M4 3.5v9l6-4.5zM12 3.5v9";
const RESET = "M4.5 5A5 5 0 118 13a5 5 0 01-4.6-3M4.5 2v3h3";
const SLOWEST = 1;
const FASTEST = 200;

export function speedText(speed: number): string {
  return `${fixed(speed, speed < 10 && !Number.isInteger(speed) ? 1 : 0)} step${speed === 1 ? "" : "s"}/s`;
}

export function createTransport(initial: TransportProps, on: TransportEvents): Component<TransportProps> {
  let props = initial;
  const press = (path: string, run: () => void): HTMLButtonElement => {
    const made = h("button", { type: "button", class: "icon-button sx-press" }, icon(path));
    listen(made, "click", () => made.getAttribute("aria-disabled") === null && run());
    return made;
  };
  const play = press(PLAY, on.onPlay);
  const step = press(STEP, on.onStep);
  const reset = press(RESET, on.onReset);
  const speed = createSlider(speedProps(), {
    onChange: (value, how) =>
      on.onSpeed(Math.min(FASTEST, Math.max(SLOWEST, value >= 10 ? Math.round(value) : value)), how),
  });
  const pace = h("span", { class: "sx-pace" });
  const mark = h("input", { type: "checkbox" });
  listen(mark, "change", () => on.onMark(mark.checked));
  const zoom = createSegments<Zoom>(
    {
      label: "Steps on screen",
      options: [
        { value: "60", text: "60" },
        { value: "200", text: "200" },
        { value: "2000", text: "2,000" },
      ],
      value: initial.zoom,
      disabled: false,
    },
    on.onZoom,
  );
  const el = h(
    "div",
    { class: "sx-transport", role: "group", "aria-label": "Playing" },
    h("span", { class: "sx-presses" }, play, step, reset),
    h("span", { class: "sx-speed" }, h("span", { class: "muted", "aria-hidden": "true" }, "speed"), speed.el, pace),
    h("span", { class: "sx-zoom" }, h("span", { class: "muted", "aria-hidden": "true" }, "last"), zoom.el),
    h("label", { class: "sx-check muted" }, mark, "mark the first break"),
  );

  function speedProps(): SliderProps {
    const value = Math.min(FASTEST, Math.max(SLOWEST, props.speed));
    return { value, min: SLOWEST, max: FASTEST, log: true, label: "Speed", valueText: speedText(props.speed), ticks: [], disabled: props.disabled };
  }

  let drawn: boolean | null = null;
  function draw(): void {
    const { playing, ended, position, disabled } = props;
    if (drawn !== playing) {
      drawn = playing;
      play.replaceChildren(icon(playing ? PAUSE : PLAY));
    }
    play.classList.toggle("sx-on", playing);
    const off = disabled || (ended && !playing);
    const why = disabled ? "" : ended ? ": no steps are left" : "";
    setAttrs(play, {
      "aria-label": playing ? "Pause" : "Play",
      title: `${playing ? "Pause" : "Play"} (Space in the lanes)${why}`,
      "aria-disabled": off ? "true" : null,
    });
    setAttrs(step, {
      "aria-label": "One step",
      title: `One step${why}`,
      "aria-disabled": off || playing ? "true" : null,
    });
    setAttrs(reset, {
      "aria-label": "Back to the start",
      title: "Back to the start",
      "aria-disabled": disabled || position === 0 ? "true" : null,
    });
    speed.update(speedProps());
    setText(pace, speedText(props.speed));
    mark.checked = props.mark;
    zoom.update({ label: "Steps on screen", options: [], value: props.zoom, disabled: false });
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, speed, zoom);
}
