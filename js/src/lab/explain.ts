/** "Explain This Number": which section of the documentation has the equation of a number on the screen, and shows it. */
import type { JupyterFrontEnd } from "@jupyterlab/application";
import { MainAreaWidget } from "@jupyterlab/apputils";
import { Panel } from "@lumino/widgets";
import concepts from "../../../docs/concepts.md";
import anonymity from "../../../docs/papers/anonymity.md";
import dependent from "../../../docs/papers/dependent.md";
import local from "../../../docs/papers/local.md";
import prior from "../../../docs/papers/prior.md";
import sequence from "../../../docs/papers/sequence.md";
import type { Mark } from "../ui/marks";
import type { Service } from "./commands";
import "./style";
import { message } from "./words";
import "./words-later";

/** A page of the documentation and a section in it. */
type Section = `${string}#${string}`;

interface Page {
  title: string;
  sections: Record<string, { heading: string; text: string }>;
}

const PAGES: Record<string, Page> = {
  concepts,
  "papers/prior": prior,
  "papers/local": local,
  "papers/dependent": dependent,
  "papers/anonymity": anonymity,
  "papers/sequence": sequence,
};

const TRUST: Section = "concepts#how-far-a-number-can-be-trusted";
const ABOUT = "what-it-is-about";
/** What a number is by its mark, beside the equation of its explorer. */
const BY_MARK: Partial<Record<Mark, readonly (Section | "equation" | "about" | "promise")[]>> = {
  exact: ["equation", TRUST],
  limit: ["equation", TRUST],
  promise: ["promise", "equation"],
  bound: [TRUST, "about"],
  paper: ["about", TRUST],
  estimate: ["equation", TRUST],
};
/** What is promised, where it is no GS/λ. */
const PROMISES: Record<string, Section> = { "papers/anonymity": "concepts#classes-and-slack", "papers/sequence": "concepts#streams" };
/** Numbers without a mark, by the name of their panel. */
const BY_PANEL: Record<string, readonly Section[]> = {
  "Joint distribution": ["concepts#tuple"],
  Matrix: ["concepts#tuple"],
  Model: ["concepts#tuple"],
  Release: ["concepts#release", "concepts#promise"],
  Adversary: ["concepts#adversary", "concepts#which-known-values-the-convention"],
};

export interface Explained {
  /** What stands at the number. */
  words: string;
  /** What the explorer says of its mark. */
  meaning: string;
  sections: readonly Section[];
}

const wordsOf = (element: Element): string => {
  // Parts that stand apart on the screen stand apart here.
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) => (node.parentElement?.closest("style, script") ? 2 : 1));
  const parts: string[] = [];
  while (walker.nextNode()) parts.push(walker.currentNode.textContent?.trim() ?? "");
  return parts.filter(Boolean).join(" ").slice(0, 200);
};

/** The mark of a number: the only one of the smallest part around it that has any, or the last one before it. */
function markOf(from: Element, root: Element): { mark: Element; part: Element } | null {
  for (let part: Element | null = from; part !== null && part !== root; part = part.parentElement) {
    const marks = [...part.querySelectorAll("[data-mark]")].filter((one) => (one.getAttribute("data-mark") as Mark) in BY_MARK && !one.closest(".px-info"));
    const mark = marks.filter((one) => one.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1) ?? marks[0];
    if (mark !== undefined) return { mark, part: marks.length === 1 ? part : from };
    if (part.matches("section, .panel")) return null;
  }
  return null;
}

/** What explains a part of the screen. */
export function explained(from: Element | null): Explained {
  const root = from?.closest(".pdp") ?? null;
  const equation = (root?.querySelector<HTMLElement>("[data-equation]")?.dataset["equation"] ?? "concepts#leakage") as Section;
  const [page = ""] = equation.split("#");
  const about: Section = page === "concepts" ? equation : `${page}#${ABOUT}`;
  if (from === null || root === null) return { words: "", meaning: "", sections: ["concepts#leakage", TRUST] };
  const found = markOf(from, root);
  if (found === null) {
    const panel = from.closest("section, .panel")?.getAttribute("aria-label") ?? "";
    const sections = Object.hasOwn(BY_PANEL, panel) ? (BY_PANEL[panel] as readonly Section[]) : [about, equation];
    return { words: panel, meaning: "", sections: [...new Set(sections)] };
  }
  const mark = found.mark.getAttribute("data-mark") as Mark;
  const named = { equation, about, promise: PROMISES[page] ?? ("concepts#promise" as Section) };
  const sections = (BY_MARK[mark] ?? []).map((one) => (one in named ? named[one as keyof typeof named] : (one as Section)));
  const legend = [...root.querySelectorAll(".px-info li")].find((row) => row.querySelector(`[data-mark="${mark}"]`));
  return { words: wordsOf(found.part), meaning: legend ? wordsOf(legend) : "", sections: [...new Set(sections)] };
}

/** What is meant: where the pointer is, or else what has the focus. */
export function pointedAt(): Element | null {
  const deepest = (root: Document | ShadowRoot): Element | null => {
    const over = [...root.querySelectorAll(":hover")].at(-1) ?? null;
    return over?.shadowRoot ? (deepest(over.shadowRoot) ?? over) : over;
  };
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return [deepest(document), focused].find((one) => one?.closest(".pdp")) ?? document.querySelector(".lm-mod-current .pdp, .jp-mod-current .pdp") ?? null;
}

/** Sections as one text in Markdown. */
export function textOf({ words, meaning, sections }: Explained): string {
  const parts = sections.map((section) => {
    const [name = "", anchor = ""] = section.split("#");
    const page = PAGES[name];
    const found = page?.sections[anchor];
    if (page === undefined || found === undefined) throw new RangeError(`The documentation has no section ${section}.`);
    return `## ${found.heading}\n\n*${page.title}*\n\n${found.text}`;
  });
  const plain = (text: string): string => text.replace(/[\\`*_{}[\]<>#|$]/g, "\\$&");
  return [...(words ? [`# ${plain(words)}`] : []), ...(meaning ? [plain(meaning)] : []), ...parts].join("\n\n");
}

let shown: MainAreaWidget<Panel> | null = null;

/** Shows the sections beside what is in front, in one tab. */
export async function explain(app: JupyterFrontEnd, service: Service, inMenu: boolean): Promise<void> {
  const from = inMenu ? (app.contextMenuHitTest(() => true) ?? null) : pointedAt();
  const text = textOf(explained(from));
  const registry = await service(app, async () => (await import("@jupyterlab/rendermime")).IRenderMimeRegistry);
  if (registry === null) throw new Error(message.noRenderer);
  const renderer = registry.createRenderer("text/markdown");
  await renderer.renderModel(registry.createModel({ data: { "text/markdown": text } }));
  if (shown === null || shown.isDisposed) {
    const content = new Panel();
    content.addClass("pdp-Explained");
    content.node.setAttribute("role", "region");
    content.node.setAttribute("aria-label", message.explanation);
    // Keys scroll it.
    content.node.tabIndex = 0;
    shown = new MainAreaWidget({ content });
    shown.id = "pdp-widgets-explained";
    shown.title.label = message.explanation;
    shown.title.closable = true;
    app.shell.add(shown, "main", { mode: "split-right", activate: false });
    // Notebook 7 has room for one thing there.
    if (!shown.isAttached) {
      app.shell.add(shown, "right");
      app.shell.activateById(shown.id);
    }
  }
  for (const old of [...shown.content.widgets]) old.dispose();
  // Formulae are set once it is attached.
  shown.content.addWidget(renderer);
  shown.content.node.scrollTop = 0;
}
