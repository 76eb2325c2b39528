/** One line: the matrix is valid, or what is wrong with it and the button that helps. */
import { button, CHECK, h, icon, listen, setAttr, setText, WARN, type Component } from "../ui/dom";
import { fixed, scientific } from "../ui/format";
import { clip, textWidth } from "../ui/lettering";
import type { Check, Culprit } from "./validity";

export interface StatusProps {
  check: Check;
  culprit: Culprit | null;
  /** Short names. */
  names: readonly string[];
  disabled: boolean;
  /** Room in px. */
  width: number;
}

const SHORT = 12;
/** Sign, button and the gaps between, px. */
const BESIDE = 134;

/** An eigenvalue: three decimals, more where it would read as 0. Of a valid matrix none is below 0 but by rounding. */
export function eigenvalue(value: number, valid = false): string {
  if (Number.isNaN(value)) return "undefined";
  if (valid && value < 0) return "0";
  const size = Math.abs(value);
  if (size !== 0 && (size < 5e-4 || size >= 1e6)) return scientific(value, 1);
  return fixed(value, 3);
}

/** A sentence begins with a capital; a name stays as it is written. */
export function capital(text: string): string {
  return /^(variance|covariance|correlation|mean|weight) /.test(text) ? (text[0] as string).toUpperCase() + text.slice(1) : text;
}

/** What is wrong, in few words: "A, B too large". */
export function verdict({ check, culprit, names }: Pick<StatusProps, "check" | "culprit" | "names">): string {
  if (check.valid) return "Valid";
  if (!culprit) return "Not valid";
  const { i, j, what } = culprit;
  const [a, b] = [clip(names[i] ?? "", SHORT), clip(names[j] ?? "", SHORT)];
  const cell = i === j ? `variance of ${a}` : `${a}, ${b}`;
  if (what === "unread") return `${cell}: no number`;
  if (what === "negative") return `${cell} below 0`;
  return `${cell} too ${what}`;
}

export function createStatus(first: StatusProps, onNearest: () => void): Component<StatusProps> {
  const sign = h("span", { class: "mx-sign" });
  const title = h("b");
  const note = h("span", { class: "small muted nowrap" });
  const words = h("span", { class: "mx-words", role: "status", tabindex: -1 }, title, note);
  const nearest = button("Nearest valid", { title: "The closest matrix without negative eigenvalues (Higham)" });
  const el = h("div", { class: "mx-status" }, sign, words, nearest);
  let drawn: boolean | null = null;
  listen(nearest, "click", onNearest);

  function draw(props: StatusProps): void {
    const { valid, smallest } = props.check;
    if (valid !== drawn) {
      drawn = valid;
      sign.replaceChildren(icon(valid ? CHECK : WARN));
      setAttr(el, "data-valid", valid);
    }
    setText(title, capital(verdict(props)));
    const measured = `eigenvalue ${eigenvalue(smallest, valid)}`;
    setText(note, textWidth(`smallest ${measured}`) <= props.width - BESIDE ? `smallest ${measured}` : measured);
    setAttr(note, "title", `smallest ${measured}`);
    const off = props.disabled || valid || Number.isNaN(smallest);
    // A button that is switched off lets go of the focus, and with it of the keys for undo.
    const root = nearest.getRootNode() as Document | ShadowRoot;
    if (off && root.activeElement === nearest) words.focus();
    nearest.disabled = off;
  }
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}
