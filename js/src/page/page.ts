/**
 * A published page: every widget stands in it as a picture with its state beside it. Where scripts run, the widget
 * itself takes the place of its picture, on a model of the page's own; where they do not, the picture stays.
 */
import { h } from "../ui/dom";
import type { AnyView } from "../ui/session";
import { checkLimits } from "./limits";
import { inOurWords, joinedAs, PageModel, readState } from "./page-model";

/** The element that Python writes around picture and state. */
export const SLOT = ".pdp-slot";
/** With this event the page asks for what a hand could: the parts of a request are its detail. */
const ASK = "pdp:ask";
const LIVE = "What you change is computed in this page. It has no kernel, and nothing leaves it.";
/** A slot says with this event, which bubbles, that its widget shows something else: the view is its detail. */
export const CHANGE = "pdp:change";
const DAMAGED = "The saved state is damaged. Run the notebook again, and publish it again.";
const PICTURE = "data:image/svg+xml;base64,";

/** The drawings that stand in a slot below each other, as one SVG. */
function pictureOf(slot: HTMLElement): string | null {
  const sources = [...slot.querySelectorAll("figure img")].map((image) => image.getAttribute("src") ?? "").filter((source) => source.startsWith(PICTURE));
  let [wide, high] = [0, 0];
  const images = sources.map((source) => {
    const [, width = "0", height = "0"] = / width="([\d.]+)" height="([\d.]+)"/.exec(atob(source.slice(PICTURE.length))) ?? [];
    const image = `<image y="${high}" width="${width}" height="${height}" href="${source}"/>`;
    [wide, high] = [Math.max(wide, Number(width)), high + Number(height)];
    return image;
  });
  return images.length > 0 ? `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}">${images.join("")}</svg>` : null;
}

/** Puts the widget into its slot, and returns how to take it out again. */
export function mount(slot: HTMLElement): () => void {
  const block = slot.querySelector('script[type="application/json"]');
  const state = readState(block?.textContent ?? "");
  const joined = joinedAs(state.module);
  if (!joined) throw new Error(`This page does not know the widget "${state.module}".`);
  checkLimits(state);
  const changed = (view: AnyView): void => {
    slot.toggleAttribute("data-changed", true);
    slot.dispatchEvent(new CustomEvent(CHANGE, { bubbles: true, detail: view }));
  };
  const model = new PageModel(joined, state, { picture: () => pictureOf(slot), changed });
  const host = h("div", { class: "pdp-live" });
  // The rules of the page around it end here; the widget brings its own.
  const el = h("div");
  host.attachShadow({ mode: "open" }).append(el);
  const note = (text: string): HTMLElement => h("p", { class: "pdp-note" }, text);
  const off = model.reason && note(`This page has no kernel, and editing is off. ${model.reason} You see what was published.`);
  // What explains the controls stands before them.
  const place = h("div", { class: "pdp-place" }, off, host, !off && note(LIVE));
  slot.append(place);
  try {
    const release = joined.render({ model, el });
    // From now on the picture is for paper.
    slot.toggleAttribute("data-live", true);
    const asked = (event: Event): void => model.ask((event as CustomEvent<Record<string, unknown>>).detail);
    slot.addEventListener(ASK, asked);
    return () => {
      slot.removeEventListener(ASK, asked);
      release();
      model.destroy();
      place.remove();
      slot.removeAttribute("data-live");
    };
  } catch (error) {
    place.remove();
    throw error;
  }
}

/** Puts the widget into its slot; what fails keeps its picture and says so. */
function tryMount(slot: HTMLElement): void {
  try {
    mount(slot);
  } catch (error) {
    console.error(error);
    slot.append(h("p", { class: "pdp-note" }, `It cannot be used here; the picture shows what was published. ${inOurWords(error, DAMAGED)}`));
  }
}

/** Every slot of a document: those on screen at once, the others one by one, so that the page answers between them. */
export function mountAll(doc: Document): void {
  const height = doc.defaultView?.innerHeight ?? 0;
  const seen = (slot: HTMLElement): boolean => {
    const { top, bottom } = slot.getBoundingClientRect();
    return bottom > 0 && top < height;
  };
  const slots = [...doc.querySelectorAll<HTMLElement>(SLOT)];
  const first = new Set(slots.filter(seen));
  const later = slots.filter((slot) => !first.has(slot));
  first.forEach(tryMount);
  const next = (): void => {
    const slot = later.shift();
    if (slot === undefined) return;
    tryMount(slot);
    setTimeout(next, 0);
  };
  setTimeout(next, 0);
}
