/**
 * An explorer that lives in a kernel, as its module sees it: a small host for one model of ipywidgets, on the
 * connection of the tab. The explorer is made there from the text of the document.
 */
import type { Kernel } from "@jupyterlab/services";
import type { Model } from "../ui/session";
import { DocumentFault } from "./document";
import { evaluated } from "./kernel";
import { message as words } from "./words";

type Callback = (...values: unknown[]) => void;
type Traits = Record<string, unknown>;

const TARGET = "jupyter.widget";
/** What a module says of itself when a kernel sends it. */
interface Widget {
  render(host: { model: Model; el: HTMLElement }): () => void;
}

interface Sent {
  method?: string;
  state?: Traits;
  buffer_paths?: (string | number)[][];
  content?: unknown;
}

/** Puts what travelled beside a message back to where it belongs. */
function withBuffers(data: Sent, buffers: readonly (ArrayBuffer | ArrayBufferView)[]): Traits {
  const state = data.state ?? {};
  (data.buffer_paths ?? []).forEach((path, k) => {
    const buffer = buffers[k];
    if (buffer === undefined) return;
    const bytes = ArrayBuffer.isView(buffer) ? new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength) : new DataView(buffer);
    let part: Record<string | number, unknown> = state;
    for (const name of path.slice(0, -1)) part = part[name] as Record<string | number, unknown>;
    part[path[path.length - 1] as string] = bytes;
  });
  return state;
}

export class KernelModel implements Model {
  /** The modules listen to its end. */
  readonly widget_manager: { kernel: Kernel.IKernelConnection };
  private readonly listeners = new Map<string, Set<Callback>>();
  private unsent: unknown;

  private constructor(
    kernel: Kernel.IKernelConnection,
    private readonly id: string,
    private readonly comm: Kernel.IComm,
    private traits: Traits,
  ) {
    this.widget_manager = { kernel };
    comm.onMsg = (message) => this.hear(message.content.data as Sent, message.buffers ?? []);
    comm.onClose = () => this.tell("comm:close");
  }

  /** Makes the explorer of a document in a kernel. */
  static async open(kernel: Kernel.IKernelConnection, text: string): Promise<KernelModel> {
    const opened = new Map<string, { comm: Kernel.IComm; traits: Traits }>();
    kernel.registerCommTarget(TARGET, (comm, { content, buffers }) => {
      opened.set(comm.commId, { comm, traits: withBuffers(content.data as Sent, buffers ?? []) });
    });
    const id = String((await evaluated(kernel, "open_tab", JSON.stringify(text)))["text/plain"]).replace(/^'|'$/g, "");
    const found = opened.get(id);
    if (found === undefined) throw new DocumentFault(words.kernelSentNothing);
    return new KernelModel(kernel, id, found.comm, found.traits);
  }

  /** The widget's module, as the kernel has it. */
  async render(el: HTMLElement): Promise<() => void> {
    // A blob, as notebooks import it.
    const url = URL.createObjectURL(new Blob([String(this.traits["_esm"])], { type: "text/javascript" }));
    try {
      const { default: widget } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ url)) as { default: Widget };
      return widget.render({ model: this, el });
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  get(name: string): unknown {
    return this.traits[name];
  }

  set(name: string, value: unknown): void {
    this.traits[name] = value;
    if (name === "_request") this.unsent = value;
    this.tell(`change:${name}`);
  }

  save_changes(): void {
    if (this.unsent === undefined) return;
    const buffers: ArrayBufferView[] = [];
    const paths: string[][] = [];
    const request: Traits = {};
    for (const [name, part] of Object.entries(this.unsent as Traits)) {
      if (!ArrayBuffer.isView(part)) request[name] = part;
      else {
        buffers.push(part);
        paths.push(["_request", name]);
      }
    }
    this.unsent = undefined;
    this.post({ method: "update", state: { _request: request }, buffer_paths: paths }, buffers);
  }

  send(content: unknown): void {
    this.post({ method: "custom", content }, []);
  }

  on(event: string, callback: Callback): void {
    const heard = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, heard.add(callback));
  }

  off(event: string, callback: Callback): void {
    this.listeners.get(event)?.delete(callback);
  }

  destroy(): void {
    this.listeners.clear();
    const { kernel } = this.widget_manager;
    if (kernel.isDisposed || this.comm.isDisposed) return;
    void evaluated(kernel, "close_tab", JSON.stringify(this.id)).catch(() => undefined);
  }

  private post(data: object, buffers: ArrayBufferView[]): void {
    if (!this.comm.isDisposed) this.comm.send(data as never, undefined, buffers);
  }

  private hear(data: Sent, buffers: readonly (ArrayBuffer | ArrayBufferView)[]): void {
    if (data.method === "custom") return this.tell("msg:custom", data.content, buffers);
    if (data.method !== "update") return;
    for (const [name, value] of Object.entries(withBuffers(data, buffers))) {
      this.traits[name] = value;
      this.tell(`change:${name}`);
    }
  }

  /** One listener that fails keeps it from no other. */
  private tell(event: string, ...values: unknown[]): void {
    for (const callback of [...(this.listeners.get(event) ?? [])]) {
      try {
        callback(...values);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
