/** One adversary in words: the same sentence for its label, its tooltip and the hidden table. */
import { h, setText } from "../ui/dom";
import { fixed, leakage, list } from "../ui/format";
import { isAbove, isDetermined, paperError, type Scene } from "./data";
import { wordsOf } from "./measure";
import { adversaryOf } from "./nodes";

export interface Words {
  /** "about item 5, knows item 1" */
  who: string;
  /** "1.398 nats, 0.398 over the promise" */
  value: string;
  /** "paper's estimate 1.364, too low by 0.034"; empty when not asked for. */
  paper: string;
  over: boolean;
}

export function who(scene: Scene, flat: number): string {
  const { target, known } = adversaryOf(scene.data.n, flat);
  const spoken = scene.names.spoken;
  if (scene.data.n === 1) return `about ${spoken[target]}, the only tuple`;
  const knows = known.length ? `knows ${list(known.map((tuple) => spoken[tuple] as string))}` : "knows none of the others";
  return `about ${spoken[target]}, ${knows}`;
}

/** The exact value as it stands on a card. */
export function shown(scene: Scene, flat: number): string {
  if (scene.busy) return "…";
  if (isDetermined(scene.data, flat)) return wordsOf(scene.data.measure).determined;
  return wordsOf(scene.data.measure).write(scene.data.exact[flat] as number, scene.data.promise);
}

/** The paper's estimate when it differs, else empty. Enough digits that it never reads like the exact value. */
export function shownPaper(scene: Scene, flat: number): string {
  if (paperError(scene, flat) === null) return "";
  return scene.busy ? "…" : leakage(scene.paper?.[flat] as number, scene.data.exact[flat], scene.data.promise);
}

export function describe(scene: Scene, flat: number): Words {
  const { data } = scene;
  const words: Words = { who: who(scene, flat), value: "undefined", paper: "", over: false };
  if (scene.busy) return { ...words, value: "being computed" };
  const { unit, beside, determined, per, write } = wordsOf(data.measure);
  if (isDetermined(data, flat)) return { ...words, value: `${determined}${unit}, determined: the known values leave nothing to learn` };
  const value = data.exact[flat] as number;
  if (Number.isNaN(value)) return words;
  if (value === Infinity) return { ...words, value: "infinite, over the promise", over: true };
  const over = isAbove(value, data.promise);
  const apart = over
    ? `${gap((value - data.promise) * per)} over ${beside}`
    : isAbove(data.promise, value)
      ? `${gap((data.promise - value) * per)} under ${beside}`
      : `at ${beside}`;
  return { ...words, value: `${write(value, data.promise)}${unit}, ${apart}`, paper: paperWords(scene, flat), over };
}

function paperWords(scene: Scene, flat: number): string {
  if (!scene.paper) return "";
  const error = paperError(scene, flat);
  if (error === null) return "paper's estimate the same";
  const estimate = leakage(scene.paper[flat] as number, scene.data.exact[flat], scene.data.promise);
  return `paper's estimate ${estimate}, too ${error < 0 ? "low" : "high"} by ${gap(Math.abs(error) * wordsOf(undefined).per)}`;
}

/** A difference to three decimals, more where that would read 0. */
function gap(value: number): string {
  let decimals = 3;
  while (decimals < 9 && Number(value.toFixed(decimals)) === 0) decimals += 1;
  return fixed(value, decimals);
}

export function sentence(words: Words): string {
  return `${words.who}: ${words.value}${words.paper ? `; ${words.paper}` : ""}`;
}

// What stands beside the pointer: one adversary in words. Labels say the same to screen readers.

export interface Readout {
  readonly el: HTMLElement;
  /** Beside the anchor, inside the frame (both live elements); null hides it. */
  show(words: Words | null, anchor: Element | null, frame: HTMLElement): void;
}

export function createReadout(): Readout {
  const who = h("div");
  const value = h("div");
  const paper = h("div", { class: "muted" });
  const el = h("div", { class: "lg-readout", "aria-hidden": "true" }, who, value, paper);
  el.hidden = true;
  return {
    el,
    show(words, anchor, frame) {
      if (!words || !anchor) {
        el.hidden = true;
        return;
      }
      setText(who, words.who);
      setText(value, words.value);
      value.classList.toggle("over", words.over);
      setText(paper, words.paper);
      el.hidden = false;
      const outer = frame.getBoundingClientRect();
      const box = anchor.getBoundingClientRect();
      const width = el.offsetWidth;
      const height = el.offsetHeight;
      // Beside the anchor: above and below it stand the increments of its edges.
      const right = box.right - outer.left + 12;
      const before = box.left - outer.left - width - 12;
      const left = right + width <= outer.width ? right : Math.max(0, before);
      const top = Math.max(0, box.top + box.height / 2 - outer.top - height / 2);
      el.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    },
  };
}
