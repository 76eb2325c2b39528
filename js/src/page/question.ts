/** The question in a page: its replies are sealed with the answers, so that the page can judge and does not tell. */
import { judge, told, type Answer, type Sealed } from "../compute/seal";
import { InputFault } from "../compute/faults";
import widget, { type QuestionRequest, type QuestionView } from "../widgets/question";
import { CHANGE, SLOT } from "./page";
import { join, readState, type Embedded, type Joined, type PageModel } from "./page-model";

type View = Record<string, unknown>;

const NO_EXPLORER = "There is no explorer above this question that it could judge.";
const NO_ANSWER = "There is no answer yet.";

/** The view of the explorer that a question is about, as it stands. */
const explorers = new WeakMap<Embedded, () => View | null>();

/** The nearest explorer of its kind above in the page; returns how to stop listening to it. */
function watch(el: HTMLElement, { module }: Sealed, embedded: Embedded): () => void {
  const root = el.getRootNode();
  const slot = root instanceof ShadowRoot ? root.host.closest(SLOT) : null;
  // A picture that is drawn without a page has no slot.
  if (slot === null) return () => {};
  const all = [...el.ownerDocument.querySelectorAll(SLOT)];
  const states = all.slice(0, all.indexOf(slot)).map((one) => {
    const block = one.querySelector('script[type="application/json"]');
    return { slot: one, state: block === null ? null : readState(block.textContent ?? "") };
  });
  const found = states.reverse().find(({ state }) => state?.module === module);
  let view = (found?.state?.traits["_view"] ?? null) as View | null;
  const follow = (event: Event): void => void (view = (event as CustomEvent<View>).detail);
  explorers.set(embedded, () => view);
  found?.slot.addEventListener(CHANGE, follow);
  return () => found?.slot.removeEventListener(CHANGE, follow);
}

/** What stands under some names in a view: "results.largest.value". */
export function viewParts(view: View, names: readonly string[]): Record<string, unknown> {
  const under = (held: unknown, key: string): unknown =>
    typeof held === "object" && held !== null && !Array.isArray(held) && Object.hasOwn(held, key) ? (held as View)[key] : null;
  const plain = (held: unknown): unknown => (typeof held === "object" && !Array.isArray(held) ? null : held);
  return Object.fromEntries(names.map((name) => [name, plain(name.split(".").reduce(under, view))]));
}

function checked(view: QuestionView, answer: unknown): QuestionView {
  const { question } = view;
  const fault = (text: string): InputFault => new InputFault(text, { kind: "parameter", name: "answer" });
  if (answer === null) throw fault(NO_ANSWER);
  if (question.kind === "text" && (answer as string).split(/\s+/).filter(Boolean).length < question.least) {
    throw fault(`Write at least ${question.least} words of your own before you compare.`);
  }
  return { ...view, answer, attempts: view.attempts + 1, verdict: judge(question, answer as Exclude<Answer, null>) };
}

/** What may stand as an answer; null for anything else. */
function taken({ kind, options }: Sealed, answer: unknown): Answer {
  if (kind === "number") return typeof answer === "number" && Number.isFinite(answer) ? answer : null;
  if (typeof answer !== "string" || kind === "explorer") return null;
  return (kind === "text" || options.includes(answer)) && answer !== "" ? answer : null;
}

const joined: Joined<QuestionView, QuestionRequest> = {
  render(host) {
    const { embedded, view } = host.model as unknown as PageModel<QuestionView, QuestionRequest>;
    const stop = view.question.kind === "explorer" ? watch(host.el, view.question, embedded) : () => {};
    const end = widget.render(host);
    return () => {
      stop();
      end();
    };
  },
  needsKernel: () => null,
  answer(view, request, embedded) {
    const { question } = view;
    let answer = request.answer !== undefined && question.kind !== "explorer" ? taken(question, request.answer) : view.answer;
    const moved = answer !== view.answer && question.kind !== "text";
    const verdict = moved || answer === null ? null : view.verdict;
    const next: QuestionView = { ...view, answer, verdict, hints: told(question, request.hints ?? view.hints.length), fault: null };
    if ((request.checks ?? 0) <= view.attempts) return next;
    if (question.kind === "explorer") {
      const seen = explorers.get(embedded)?.() ?? null;
      answer = seen && viewParts(seen, question.parts);
      if (answer === null) return { ...next, fault: { text: NO_EXPLORER, where: null } };
    }
    try {
      return checked(next, answer);
    } catch (error) {
      // What was typed stays.
      if (error instanceof InputFault) return { ...next, fault: error.fault };
      throw error;
    }
  },
};

export default join("question", joined);
