/**
 * A leakage document in a tab: the explorer on what the document says, and the document as it is edited. Its text is
 * the model that JupyterLab shares, saves and takes back; here it is read whenever it changes, and written when a
 * hand has changed what is shown.
 */
import type { ISessionContext } from "@jupyterlab/apputils";
import type { DocumentRegistry } from "@jupyterlab/docregistry";
import { checkLimits } from "../page/limits";
import { inOurWords, PageModel, readState } from "../page/page-model";
import { h } from "../ui/dom";
import type { AnyRequest, AnyView, Model } from "../ui/session";
import {
  DocumentFault,
  EXPLORERS,
  givenIn,
  literal,
  pageOf,
  parsed,
  pythonOf,
  requestFor,
  settingsOf,
  textOf,
  type Known,
  type LeakageDocument,
  type Parts,
} from "./document";
import { KernelModel } from "./kernel-model";
import { PAGES } from "./pages";
import { changesOf, Notes, spans, standing, Trail, withChanges, type Changes, type Given } from "./sharing";
import "./style";
import { message } from "./words";

export type Context = DocumentRegistry.IContext<DocumentRegistry.ICodeModel>;

/** An explorer that is shown: in this page, or in a kernel. */
interface Hosted {
  model: Model & { destroy(): void };
  /** Why it cannot be edited here, or null. */
  reason: string | null;
  /** All that a document says of what a hand has set. */
  settings(): Parts;
  /** It was made with these settings: with others it is made anew. */
  whole: boolean;
  render(el: HTMLElement): Promise<() => void> | (() => void);
}

/** What a hand does within it becomes one step of the document, ms. */
const REST = 150;
/** A file is looked at again after so long, ms. */
const LOOK = 5_000;
/** Python answers within it, or its kernel is busy with something else, ms. */
const PATIENCE = 20_000;
/** A kernel that has restarted is asked after so long, ms. */
const SETTLED = 300;
const ROUNDS = 3;
/** Whose requests these are: no hand's. */
const ORIGIN = "document-";
const NONE: Changes = new Map();
let asked = 0;

/** Makes the model show what a document says. */
async function settle(model: Model, wanted: Parts, known: Known): Promise<void> {
  const origin = `${ORIGIN}${Math.random().toString(36).slice(2)}`;
  for (let seq = 1; seq <= ROUNDS; seq++) {
    const view = model.get("_view") as AnyView;
    const request = requestFor(view, wanted, known);
    if (Object.keys(request).length === 0) return;
    await new Promise<void>((done) => {
      const hear = (): void => {
        const { ack } = model.get("_view") as AnyView;
        if (ack?.origin !== origin || ack.seq < seq) return;
        clearTimeout(late);
        model.off("change:_view", hear);
        done();
      };
      const late = setTimeout(() => {
        model.off("change:_view", hear);
        done();
      }, PATIENCE);
      model.on("change:_view", hear);
      model.set("_request", { ...request, origin, seq, base: view.revision } as unknown as AnyRequest);
      model.save_changes();
    });
  }
}

/** What Python writes of an explorer. */
function writtenBy(model: Model, what: "document" | "python"): Promise<string> {
  const mine = ++asked;
  return new Promise((done, refuse) => {
    const hear = (content?: unknown): void => {
      const { written } = (content ?? {}) as { written?: { asked?: unknown; text?: string; fault?: string } };
      if (written?.asked !== mine) return;
      stop();
      if (written.text === undefined) refuse(new DocumentFault(written.fault ?? message.wroteNothing));
      else done(written.text);
    };
    const late = setTimeout(() => {
      stop();
      refuse(new DocumentFault(message.kernelBusy));
    }, PATIENCE);
    const stop = (): void => {
      clearTimeout(late);
      model.off("msg:custom", hear);
    };
    model.on("msg:custom", hear as () => void);
    model.send?.({ write: { asked: mine, [what]: true } });
  });
}

export class DocumentView {
  private readonly line = h("p", { class: "pdp-Document-line", role: "status" });
  private readonly fault = h("div", { class: "pdp-Document-fault", role: "alert", hidden: true });
  private readonly place = h("div", { class: "pdp-Document-place" });
  /** The text that the view shows, or has written. */
  private text = "";
  private document: LeakageDocument | null = null;
  private hosted: Hosted | null = null;
  private release: (() => void) | null = null;
  /** Settings when the text was last read or written: what is no edit is not written. */
  private settled: Parts = {};
  /** Something was edited while the text was read. */
  private touched = false;
  /** The text is not valid, and what it said last is shown. */
  private invalid = false;
  /** Python is asked what to write. */
  private writing = false;
  /** With others who edit it from pages of their own. */
  private readonly notes: Notes | null;
  private readonly trail = new Trail();
  private rest: ReturnType<typeof setTimeout> | null = null;
  private readonly looking: ReturnType<typeof setInterval>;
  /** Texts are read one after the other, of those that wait the newest. */
  private reading: Promise<void> | null = null;
  private again: { anew: boolean } | null = null;
  private lost = false;
  private gone = false;

  constructor(
    private readonly node: HTMLElement,
    readonly context: Context,
    private readonly openAsText: () => void,
    private readonly lastModified: () => Promise<string | null>,
  ) {
    node.append(this.line, this.fault, this.place);
    const { model, sessionContext } = context;
    this.notes = model.collaborative ? new Notes(model.sharedModel) : null;
    model.contentChanged.connect(this.changed, this);
    context.saveState.connect(this.saving, this);
    sessionContext.kernelChanged.connect(this.kernelChanged, this);
    sessionContext.statusChanged.connect(this.kernelStatus, this);
    // A kernel that was ready before its connection came back changes no status.
    sessionContext.connectionStatusChanged.connect(this.kernelStatus, this);
    this.looking = setInterval(() => void this.lookAtFile(), LOOK);
    window.addEventListener("focus", this.lookAtFile);
  }

  /** Shows the document as it is now; with `anew`, in another kernel or none. */
  read(anew = false): Promise<void> {
    this.again = { anew: anew || (this.again?.anew ?? false) };
    this.reading ??= (async () => {
      while (this.again !== null && !this.gone) {
        const next: { anew: boolean } = this.again;
        this.again = null;
        try {
          await this.take(this.context.model.sharedModel.getSource(), next.anew);
        } catch (error) {
          this.refuse(error);
        }
      }
      this.reading = null;
      this.flush();
    })();
    return this.reading;
  }

  can(way: "undo" | "redo"): boolean {
    return this.notes === null ? this.context.model.sharedModel[way === "undo" ? "canUndo" : "canRedo"]() : this.trail.can(way);
  }

  /** Takes back the last edit, or does it again; of a document that others edit too, one's own. */
  travel(way: "undo" | "redo"): void {
    this.flush();
    if (this.notes === null) return void this.context.model.sharedModel[way]();
    if (this.document === null || this.reading !== null) return;
    const { settings } = this.document;
    this.put(this.trail.step(way, (changes) => standing(settings, changes, this.given)));
    // The text is this page's own, and is not shown yet.
    void this.read();
  }

  /** A cell of Python that reproduces what is shown. */
  async python(): Promise<string> {
    const { hosted } = this;
    if (hosted?.model instanceof KernelModel) return writtenBy(hosted.model, "python");
    this.flush();
    if (this.document === null) throw new DocumentFault(message.noDocument);
    return pythonOf(this.document);
  }

  /** The text of the document as it is shown. */
  written(): string {
    this.flush();
    if (this.document === null) throw new DocumentFault(message.noDocument);
    return this.context.model.sharedModel.getSource();
  }

  dispose(): void {
    this.flush();
    this.gone = true;
    this.notes?.dispose();
    clearInterval(this.looking);
    window.removeEventListener("focus", this.lookAtFile);
    this.leave();
  }

  // From the text to the screen

  private async take(text: string, anew: boolean): Promise<void> {
    const before = this.document;
    const [theirs, mine] = [this.notes?.taken() ?? NONE, this.unwritten()];
    this.text = text;
    const { next, torn, fault } = this.understood(text, theirs);
    const known = EXPLORERS[next.explorer] as Known;
    const from = standing(next.settings, mine, this.given);
    next.settings = this.merged(next.settings, mine);
    const alike = !anew && this.hosted !== null && before?.explorer === next.explorer && literal(before.model) === literal(next.model);
    const same = alike && !this.hosted?.whole;
    this.document = next;
    // What is dropped here opens in such an explorer.
    this.node.dataset["explorer"] = next.explorer;
    if (!same) await this.host(next, known, torn || fault !== null || mine.size > 0 ? textOf(next) : text);
    const { hosted } = this;
    if (hosted === null || this.gone) return;
    this.touched = false;
    // A kernel has made it as the document says.
    if (hosted.reason === null && !hosted.whole && (same || !(hosted.model instanceof KernelModel))) await settle(hosted.model, next.settings, known);
    // What a hand did meanwhile is still to be written.
    this.settled = this.touched ? next.settings : hosted.settings();
    this.fault.hidden = true;
    this.place.hidden = false;
    if (mine.size > 0) this.put(mine, from);
    else if (torn && this.notes?.leads(theirs)) this.put(theirs);
    if (!same) {
      this.release = await hosted.render(this.place.appendChild(h("div")));
      hosted.model.on("change:_view", this.viewChanged);
    }
    if (fault !== null) this.say(`${message.keptLast} ${fault}`);
    else if (!same || this.invalid) this.say();
    this.invalid = fault !== null;
  }

  /** What a text says; where the edits of two people ran together in it, what they meant. */
  private understood(text: string, theirs: Changes): { next: LeakageDocument; torn: boolean; fault: string | null } {
    const before = this.hosted === null ? null : this.document;
    let next: LeakageDocument | null = null;
    let fault: string | null = null;
    try {
      next = parsed(text);
    } catch (error) {
      if (this.notes === null || before === null || !(error instanceof DocumentFault)) throw error;
      fault = error.message;
    }
    const asNoted = (settings: Parts): boolean => {
      const there = standing(settings, theirs, this.given);
      return [...theirs].every(([place, value]) => JSON.stringify(there.get(place)) === JSON.stringify(value));
    };
    if (before !== null && theirs.size > 0 && !(next !== null && textOf(next) === text && asNoted(next.settings)))
      return { next: { ...before, settings: this.merged(before.settings, theirs) }, torn: true, fault: null };
    return { next: next ?? { ...(before as LeakageDocument) }, torn: false, fault };
  }

  /** Makes the model that shows a document; the old one goes. */
  private async host(document: LeakageDocument, known: Known, text: string): Promise<void> {
    const kernel = this.context.sessionContext.session?.kernel ?? null;
    this.leave();
    if (kernel !== null) {
      const model = await KernelModel.open(kernel, text).catch((error: unknown) => {
        // Once it has restarted it is asked again.
        this.lost = !this.isThere();
        throw error;
      });
      this.lost = false;
      // Steps of a run are edited one after the other: in a kernel too such a document is opened anew.
      const whole = "segments" in known.settings;
      this.hosted = { model, reason: null, whole, settings: () => settingsOf(model.get("_view"), known), render: (el) => model.render(el) };
      return;
    }
    const page = await pageOf(document);
    if (page === null) throw new DocumentFault(message.needsKernel);
    const state = readState(page);
    if (state.module !== known.module) throw new DocumentFault(message.pageOfOther);
    checkLimits(state);
    const joined = await (PAGES[known.module] as (typeof PAGES)[string])();
    const { resumed, kept } = joined;
    const model = new PageModel(joined, resumed ? resumed(state, document.settings) : state);
    const settings = (): Parts => ({ ...settingsOf(model.view, known), ...(kept?.(model.view, model.embedded) as Parts | undefined) });
    this.hosted = { model, reason: model.reason, whole: resumed !== undefined, settings, render: (el) => joined.render({ model, el }) };
  }

  private leave(): void {
    const { hosted, release } = this;
    this.hosted = this.release = null;
    hosted?.model.off("change:_view", this.viewChanged);
    release?.();
    hosted?.model.destroy();
    this.place.replaceChildren();
  }

  private refuse(error: unknown): void {
    if (this.gone) return;
    if (!(error instanceof DocumentFault)) console.error(error);
    this.document = null;
    this.leave();
    const said = error instanceof DocumentFault ? error.message : inOurWords(error, message.damaged);
    const button = h("button", { class: "jp-mod-styled jp-mod-accept", type: "button" }, message.openAsText);
    button.addEventListener("click", this.openAsText);
    this.fault.replaceChildren(h("p", {}, h("strong", {}, message.cannotShow)), h("p", {}, said), h("p", {}, message.untouched), button);
    this.fault.hidden = false;
    this.place.hidden = true;
    this.line.textContent = "";
  }

  private say(
    words = this.hosted?.model instanceof KernelModel ? "" : this.hosted?.reason ? `${this.hosted.reason} ${message.chooseKernel}` : message.noKernel,
  ): void {
    this.line.textContent = words;
  }

  // From the screen to the text

  private readonly viewChanged = (): void => {
    if (this.reading !== null) {
      this.touched ||= !(this.hosted?.model.get("_view") as AnyView).ack?.origin.startsWith(ORIGIN);
      return;
    }
    this.rest ??= setTimeout(() => {
      this.rest = null;
      this.flush();
    }, REST);
  };

  private readonly given: Given = (name) => {
    const known = this.document === null ? undefined : EXPLORERS[this.document.explorer];
    return known && this.hosted ? givenIn(this.hosted.model.get("_view"), known, name) : undefined;
  };

  private merged(settings: Parts, changes: Changes): Parts {
    const known = this.document === null || changes.size === 0 ? undefined : EXPLORERS[this.document.explorer];
    return known === undefined ? settings : withChanges(settings, changes, this.given, Object.keys(known.settings));
  }

  /** What a hand has changed since the text was read or written. */
  private unwritten(): Changes {
    return this.hosted === null || this.document === null ? NONE : changesOf(this.settled, this.hosted.settings(), this.given);
  }

  /** Writes what a hand has changed into the document. */
  private flush(): void {
    if (this.rest !== null) clearTimeout(this.rest);
    this.rest = null;
    const { hosted, document } = this;
    if (hosted === null || document === null || this.reading !== null || this.writing || this.context.model.readOnly) return;
    // Others' changes are about to be read, and this one is written with them.
    if (this.context.model.sharedModel.getSource() !== this.text) return;
    const mine = this.unwritten();
    if (mine.size === 0) return;
    if (hosted.model instanceof KernelModel) void this.writeOf(hosted.model);
    else this.write(mine);
  }

  private write(mine: Changes): void {
    const { hosted, document } = this;
    if (hosted === null || document === null) return;
    this.settled = hosted.settings();
    this.put(mine, standing(document.settings, mine, this.given));
  }

  /** A kernel can change what the explorer is made with too: it says all that there is to write. */
  private async writeOf(model: KernelModel): Promise<void> {
    this.writing = true;
    try {
      const next = parsed(await writtenBy(model, "document"));
      await this.reading;
      const { document } = this;
      if (this.hosted?.model !== model || document === null) return;
      const { page, settings } = document;
      // The page of the same model stays: it would be another line for nothing.
      const kept = page !== undefined && literal(next.model) === literal(document.model);
      this.document = { ...next, settings, ...(kept ? { page } : {}) };
      const { segments } = next.settings;
      const ran = segments !== undefined && literal(segments) !== literal(settings["segments"] ?? null);
      this.write(new Map([...this.unwritten(), ...(ran ? [["segments", segments] as const] : [])]));
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      // It is written with the next edit.
      return this.say(`${message.notWritten} ${error.message}`);
    } finally {
      this.writing = false;
    }
    if (this.hosted?.model === model) this.flush();
  }

  /** Writes the document with changes; what stays the same stays itself, for undo and for who else edits it. */
  private put(changes: Changes, from: Changes | null = null): void {
    const before = this.document as LeakageDocument;
    if (from !== null) this.trail.record(from, changes);
    const document = { ...before, settings: this.merged(before.settings, changes) };
    this.document = document;
    this.text = textOf(document);
    // The text is valid again.
    if (this.invalid) this.say();
    this.invalid = false;
    const { sharedModel } = this.context.model;
    const found = spans(sharedModel.getSource(), this.text);
    if (found.length === 0) return;
    sharedModel.transact(() => {
      this.notes?.note(changes);
      for (const [begin, end, text] of found) sharedModel.updateSource(begin, end, text);
    });
  }

  // What else happens

  private changed(): void {
    if (this.context.model.sharedModel.getSource() === this.text) return;
    if (this.notes === null) void this.read();
    // What others meant comes in the same step as the text, and maybe after it.
    else queueMicrotask(() => void this.read());
  }

  private saving(_: unknown, state: DocumentRegistry.SaveState): void {
    if (state === "started") this.flush();
  }

  private kernelChanged(): void {
    if (!this.context.isReady) return;
    this.flush();
    void this.read(true);
  }

  private kernelStatus(_: ISessionContext, status: string): void {
    // One that starts has nothing of ours, whatever was made while its predecessor ended.
    if (status === "restarting" || status === "autorestarting" || status === "starting") this.lost = true;
    if (!this.lost || !this.isThere()) return;
    // A kernel that restarts is called idle once before its connection ends.
    setTimeout(() => {
      if (!this.lost || !this.isThere()) return;
      this.lost = false;
      void this.read(true);
    }, SETTLED);
  }

  private isThere(): boolean {
    const kernel = this.context.sessionContext.session?.kernel;
    // A kernel that said how it is while it was not connected is unknown until it is asked something.
    return kernel?.connectionStatus === "connected" && (kernel.status === "idle" || kernel.status === "starting" || kernel.status === "unknown");
  }

  private async reload(): Promise<void> {
    await this.context.revert();
    this.say();
  }

  /** Loads a file that changed on disk; what was typed here stays until somebody decides. */
  readonly lookAtFile = async (): Promise<void> => {
    const { context } = this;
    if (this.gone || !this.node.isConnected || this.node.offsetParent === null || document.hidden || context.model.collaborative || !context.contentsModel)
      return;
    const there = await this.lastModified();
    const known = context.contentsModel?.last_modified;
    if (this.gone || there === null || known === undefined || Date.parse(there) - Date.parse(known) <= context.lastModifiedCheckMargin) return;
    if (!context.model.dirty) return this.reload();
    if (this.line.dataset["disk"] === there) return;
    this.line.dataset["disk"] = there;
    const button = h("button", { class: "jp-mod-styled", type: "button" }, message.load);
    button.addEventListener("click", () => void this.reload());
    this.line.replaceChildren(message.otherFile, " ", button);
  };
}
