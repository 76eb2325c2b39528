/** Question: asked in a notebook, answered by hand, judged at once. */
import type { Answer, Sealed, Verdict } from "../compute/seal";
import { button, CHECK, h, icon, INFO, listen, setAttr, setText, WARN } from "../ui/dom";
import { count } from "../ui/format";
import { createLine, lossLine, silenceLine } from "../ui/lines";
import linesCss from "../ui/lines.css";
import { createNumberEntry } from "../ui/number-entry";
import numberCss from "../ui/number-entry.css";
import type { Ack, Fault } from "../ui/protocol";
import { createRoot, sameVersion, type Host } from "../ui/root";
import { createSession, type Model, type Session } from "../ui/session";
import widgetCss from "./question.css";
import shape from "shape:./question#QuestionView";

export interface QuestionView {
  revision: number;
  since: number;
  ack: Ack | null;
  question: Sealed;
  /** An answer; unknown to the check of a state, for which a text is no number. */
  answer: unknown;
  /** How often it was checked. */
  attempts: number;
  /** Those that are open. */
  hints: string[];
  /** What is said to the answer that stands; null while it is not checked. */
  verdict: Verdict | null;
  fault: Fault | null;
  disabled: boolean;
}

export interface QuestionRequest {
  origin: string;
  seq: number;
  base: number;
  answer: unknown;
  /** How often the hand has asked for a check: one more than the attempts asks for the next. */
  checks: number;
  /** How many hints it has opened. */
  hints: number;
}

/** A text is kept this long after the last key, ms. */
const QUIET = 600;
const LONGEST = 20_000;

/** What the button is called, and what is said beside an answer that is not checked yet. */
const CHECKS: Record<Sealed["kind"], string> = {
  number: "Check",
  choice: "Check",
  text: "Compare with a model answer",
  explorer: "Check the explorer",
};
const ABOUT_EXPLORER = "Set the explorer above, then check. It is judged as it stands.";

/** A field for an answer: it shows what stands, and says what the hand makes of it. */
interface Field {
  el: HTMLElement;
  draw(answer: unknown, disabled: boolean): void;
  /** Takes in what is typed and not kept yet; false where it is no answer. */
  settle(): boolean;
  destroy(): void;
}

let fields = 0;

function numberField({ unit }: Sealed, answered: (answer: Answer) => void, check: () => void): Field {
  const reason = h("span", { class: "qw-reason", role: "alert" });
  let refused = false;
  const props = (answer: unknown, disabled: boolean): Parameters<typeof createNumberEntry>[0] => ({
    label: unit ? `Your answer, ${unit}` : "Your answer",
    value: typeof answer === "number" ? answer : Number.NaN,
    format: (value) => (Number.isNaN(value) ? "" : String(value).replace("-", "−")),
    width: 120,
    disabled,
  });
  const entry = createNumberEntry(props(null, false), {
    onCommit: answered,
    onRefused(why) {
      refused = why !== null;
      setText(reason, why ?? "");
    },
  });
  const input = entry.el.querySelector("input") as HTMLInputElement;
  // The entry has taken in what was typed when this hears of the key.
  listen(entry.el, "keydown", (event) => {
    if (event.key === "Enter" && !refused) check();
  });
  return {
    el: h("div", { class: "qw-field" }, entry.el, unit ? h("span", { class: "muted" }, unit) : null, reason),
    draw: (answer, disabled) => entry.update(props(answer, disabled)),
    settle() {
      input.blur();
      return !refused;
    },
    destroy: entry.destroy,
  };
}

function choiceField({ options }: Sealed, answered: (answer: Answer) => void): Field {
  fields += 1;
  const inputs = options.map((option) => {
    const input = h("input", { type: "radio", name: `question-${fields}` });
    listen(input, "change", () => answered(option));
    return input;
  });
  const rows = inputs.map((input, k) => h("label", { class: "qw-option" }, input, h("span", {}, options[k])));
  return {
    el: h("div", { class: "qw-options", role: "radiogroup", "aria-label": "Your answer" }, ...rows),
    draw(answer, disabled) {
      inputs.forEach((input, k) => {
        input.checked = options[k] === answer;
        input.disabled = disabled;
      });
    },
    settle: () => true,
    destroy() {},
  };
}

function textField(_: Sealed, answered: (answer: Answer) => void): Field {
  const area = h("textarea", { class: "qw-text", rows: 4, maxlength: LONGEST, "aria-label": "Your answer" });
  let later: ReturnType<typeof setTimeout> | undefined;
  let typed = false;
  function settle(): boolean {
    clearTimeout(later);
    if (typed) answered(area.value === "" ? null : area.value);
    typed = false;
    return true;
  }
  listen(area, "input", () => {
    typed = true;
    clearTimeout(later);
    later = setTimeout(settle, QUIET);
  });
  listen(area, "change", settle);
  return {
    el: area,
    draw(answer, disabled) {
      const text = typeof answer === "string" ? answer : "";
      // Never under the hands.
      if (!typed && area.value !== text) area.value = text;
      area.disabled = disabled;
    },
    settle,
    destroy: () => void settle(),
  };
}

const explorerField = (): Field => ({ el: h("p", { class: "muted" }, ABOUT_EXPLORER), draw() {}, settle: () => true, destroy() {} });

const FIELDS: Record<Sealed["kind"], (question: Sealed, answered: (answer: Answer) => void, check: () => void) => Field> = {
  number: numberField,
  choice: choiceField,
  text: textField,
  explorer: explorerField,
};

/** In a word or two, how the answer stands. */
function standing({ question, answer, verdict }: QuestionView): string {
  if (answer === null) return question.kind === "explorer" ? "Not checked" : "Not answered";
  if (verdict === null) return "Not checked";
  return verdict.right === null ? "Compare" : verdict.right ? "Right" : "Not right";
}

function render({ model, el }: Host<Model>): () => void {
  const session: Session<QuestionView, QuestionRequest> = createSession<QuestionView, QuestionRequest>(model, {
    request: ({ answer, attempts, hints }) => ({ answer, checks: attempts, hints: hints.length }),
    shape,
    el,
  });
  const theme = createRoot(el, [linesCss, numberCss, widgetCss]);
  const [name, state, prompt] = [h("span", { class: "muted" }), h("span", { class: "qw-state muted" }), h("p", { class: "px-lead qw-prompt" })];
  const line = createLine({ kind: "info", text: "" });
  const place = h("div", { class: "qw-answer" });
  const check = button("", { class: "button qw-check" });
  const hint = button("");
  const [sign, right, said] = [h("span", { class: "qw-sign" }), h("b"), h("span")];
  const feedback = h("p", { class: "qw-feedback px-caution", role: "status" }, sign, h("span", { class: "qw-said" }, right, said));
  const hints = h("ol", { class: "qw-hints" });
  const frame = h(
    "section",
    { class: "qw", "aria-label": "Question" },
    h("header", { class: "qw-head cw-head" }, h("h2", {}, "Question"), name, state),
    prompt,
    place,
    h("div", { class: "qw-buttons" }, check, hint),
    feedback,
    hints,
    line.el,
  );
  theme.root.append(frame);

  let field: Field | null = null;
  let shown = -1;

  function judge(): void {
    if (field?.settle() === false) return;
    session.propose({ checks: session.view().attempts + 1 }, { commit: true });
  }
  listen(check, "click", judge);
  listen(hint, "click", () => session.propose({ hints: session.view().hints.length + 1 }, { commit: true }));

  function draw(): void {
    const view = session.view();
    const { question, verdict } = view;
    const { answer } = session.desired();
    const off = view.disabled || !session.connected();
    if (view.since !== shown) {
      shown = view.since;
      field?.destroy();
      field = FIELDS[question.kind](question, (given) => session.propose({ answer: given }, { commit: true }), judge);
      place.replaceChildren(field.el);
      setText(name, question.name);
      setText(prompt, question.prompt);
      setText(check, CHECKS[question.kind]);
    }
    field?.draw(answer, off);
    // What is said belongs to the answer that was judged, not to one that is being typed.
    const judged = session.pending() && answer !== view.answer ? null : verdict;
    const word = standing({ ...view, answer, verdict: judged });
    setText(state, [word, view.attempts > 0 ? count(view.attempts, "attempt") : ""].filter(Boolean).join(", "));
    setAttr(frame, "data-right", judged === null ? null : String(judged.right));
    feedback.hidden = judged === null;
    setAttr(feedback, "data-right", judged === null ? null : String(judged.right));
    sign.replaceChildren(...(judged === null ? [] : [icon(judged.right === null ? INFO : judged.right ? CHECK : WARN)]));
    setText(right, judged?.right ? "Right. " : judged?.right === null ? "A model answer: " : "");
    setText(said, judged?.text ?? "");
    check.disabled = off || (answer === null && question.kind === "choice");
    const [open, all] = [view.hints.length, question.hints.length];
    hint.hidden = open >= all;
    hint.disabled = off;
    setText(hint, all > 1 ? `Hint ${open + 1} of ${all}` : "Hint");
    hints.hidden = open === 0;
    while (hints.children.length > open) hints.lastElementChild?.remove();
    view.hints.forEach((text, k) => setText(hints.children[k] ?? hints.appendChild(h("li")), text));
    line.update(lossLine(session) ?? silenceLine(session) ?? { kind: view.fault ? "error" : "info", text: view.fault?.text ?? "" });
  }

  const release = [session.subscribe(draw), theme.onChange(draw)];
  draw();

  return () => {
    field?.destroy();
    for (const stop of release) stop();
    session.destroy();
    theme.destroy();
  };
}

export default { render: sameVersion(render) };
