// A page that hosts anywidget modules as JupyterLab does, with Python at the other end of one function.
// It offers what ipywidgets' models offer: change events, one update in flight at a time with the rest
// merged behind it, binary buffers, several views of one model, and the mark of a dead comm.
"use strict";

const DEAD = "jupyter-widgets-disconnected";

const fromBase64 = (text) => {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return new DataView(bytes.buffer);
};

const toBase64 = (view) => {
  const bytes = ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view);
  let raw = "";
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw);
};

const isBinary = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

/** Takes bytes out of a state; returns JSON, the paths of the bytes and the bytes. */
function takeBuffers(state) {
  const paths = [];
  const buffers = [];
  const walk = (value, path) => {
    if (isBinary(value)) {
      paths.push(path);
      buffers.push(toBase64(value));
      return null;
    }
    if (Array.isArray(value)) return value.map((item, k) => walk(item, [...path, k]));
    if (value !== null && typeof value === "object") {
      const made = {};
      for (const [name, item] of Object.entries(value)) {
        const inner = walk(item, [...path, name]);
        if (!isBinary(item)) made[name] = inner;
      }
      return made;
    }
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new Error(`${value} at ${path.join(".")} is no JSON`);
    }
    return value;
  };
  return { state: walk(state, []), paths, buffers };
}

function putBuffers(state, paths, buffers) {
  paths.forEach((path, k) => {
    let at = state;
    for (const step of path.slice(0, -1)) at = at[step];
    at[path[path.length - 1]] = fromBase64(buffers[k]);
  });
  return state;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Model {
  constructor(id, state) {
    this.id = id;
    this.attributes = state;
    this.listeners = [];
    this.views = new Set();
    this.live = true;
    this.inFlight = 0;
    this.changed = new Set();
    this.waiting = null;
  }

  get(name) {
    return this.attributes[name];
  }

  set(name, value) {
    if (this.attributes[name] === value) return;
    this.attributes[name] = value;
    this.changed.add(name);
    this.trigger(`change:${name}`);
    this.trigger("change");
  }

  on(event, callback, owner) {
    this.listeners.push({ event, callback, owner });
  }

  off(event, callback, owner) {
    this.listeners = this.listeners.filter(
      (l) =>
        (event && l.event !== event) || (callback && l.callback !== callback) || (owner && l.owner !== owner),
    );
  }

  trigger(event, ...args) {
    for (const l of [...this.listeners]) {
      if (l.event !== event) continue;
      // A listener that throws is an error of the page, and must not keep others from hearing.
      try {
        l.callback(...args);
      } catch (error) {
        reportError(error);
      }
    }
  }

  save_changes() {
    const state = {};
    for (const name of this.changed) state[name] = this.attributes[name];
    this.changed.clear();
    if (Object.keys(state).length === 0 || !this.live) return;
    if (this.inFlight > 0) {
      this.waiting = { ...this.waiting, ...state };
      return;
    }
    this.update(state);
  }

  update(state) {
    const taken = takeBuffers(state);
    void this.post({ method: "update", state: taken.state, buffer_paths: taken.paths }, taken.buffers);
  }

  send(content, _callbacks, buffers = []) {
    void this.post({ method: "custom", content }, buffers.map(toBase64));
  }

  async post(data, buffers) {
    if (!this.live) return;
    this.inFlight += 1;
    host.sent.push({ model: this.id, method: data.method, at: performance.now() });
    try {
      await host.gate;
      if (host.latency > 0) await wait(host.latency);
      const answers = JSON.parse(await window.__pdp_message(JSON.stringify({ model: this.id, data, buffers })));
      if (host.latency > 0) await wait(host.latency);
      for (const answer of answers) host.receive(answer);
    } finally {
      this.inFlight -= 1;
      if (this.inFlight === 0 && this.waiting) {
        const next = this.waiting;
        this.waiting = null;
        if (this.live) this.update(next);
      }
    }
  }

  setLive(live) {
    this.live = live;
    for (const view of this.views) view.el.classList.toggle(DEAD, !live);
    this.trigger("comm_live_update");
  }
}

/** What anywidget hands to a module: listeners belong to a view and go with it. */
const proxy = (model, owner) => ({
  get: (name) => model.get(name),
  set: (name, value) => model.set(name, value),
  save_changes: () => model.save_changes(),
  send: (content, callbacks, buffers) => model.send(content, callbacks, buffers),
  on: (event, callback) => model.on(event, callback, owner),
  off: (event, callback) => model.off(event, callback, owner),
  widget_manager: null,
});

const modules = new Map();

async function load(esm) {
  if (!modules.has(esm)) {
    const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
    modules.set(
      esm,
      import(url).then(async (module) => {
        const widget = module.default;
        return typeof widget === "function" ? await widget() : widget;
      }),
    );
  }
  return modules.get(esm);
}

const host = {
  models: new Map(),
  views: new Map(),
  /** How many listeners a closed model was left with, by id. */
  left: new Map(),
  latency: 0,
  gate: Promise.resolve(),
  open_gate: null,
  sent: [],

  receive({ model: id, kind, data, buffers, metadata }) {
    if (kind === "comm_open") {
      this.models.set(id, new Model(id, putBuffers(data.state, data.buffer_paths ?? [], buffers)));
      return;
    }
    const model = this.models.get(id);
    if (!model) return;
    if (kind === "comm_close") {
      model.trigger("comm:close");
      model.live = false;
      for (const view of [...model.views]) this.remove(view.id);
      this.models.delete(id);
      this.left.set(id, model.listeners.length);
      return;
    }
    if (data.method === "update") {
      const state = putBuffers(data.state, data.buffer_paths ?? [], buffers);
      for (const [name, value] of Object.entries(state)) {
        model.set(name, value);
        model.changed.delete(name);
      }
    } else if (data.method === "custom") {
      model.trigger("msg:custom", data.content, buffers.map(fromBase64));
    }
    void metadata;
  },

  async show(id, viewId, { parent = null } = {}) {
    const model = this.models.get(id);
    const child = document.createElement("div");
    child.className = "jp-OutputArea-child";
    const output = document.createElement("div");
    output.className = "jp-OutputArea-output lm-Widget lm-Panel";
    const el = document.createElement("div");
    el.className = ["lm-Widget", "jupyter-widgets", ...(model.get("_dom_classes") ?? [])].join(" ");
    el.dataset.view = viewId;
    output.append(el);
    child.append(output);
    (parent ? document.querySelector(parent) : document.querySelector("#page")).append(child);
    const controller = new AbortController();
    const view = { id: viewId, model, el, child, controller, cleanup: null };
    model.views.add(view);
    this.views.set(viewId, view);
    const widget = await load(model.get("_esm"));
    if (!model.initialized) {
      model.initialized = true;
      await widget.initialize?.({ model: proxy(model, model), signal: controller.signal, experimental: {} });
    }
    view.cleanup = await widget.render({
      model: proxy(model, view),
      el,
      signal: controller.signal,
      experimental: {},
    });
    // A module is loaded after that: the view stands when it is drawn, or says why not.
    while (el.querySelector(".pdp-loading > [hidden]")) await new Promise(requestAnimationFrame);
  },

  remove(viewId) {
    const view = this.views.get(viewId);
    if (!view) return;
    this.views.delete(viewId);
    view.model.views.delete(view);
    view.controller.abort();
    view.model.off(null, null, view);
    view.cleanup?.();
    view.child.remove();
  },

  hold() {
    this.gate = new Promise((resolve) => {
      this.open_gate = resolve;
    });
  },

  release() {
    this.open_gate?.();
    this.gate = Promise.resolve();
  },

  idle() {
    return [...this.models.values()].every((m) => m.inFlight === 0 && m.waiting === null && m.changed.size === 0);
  },
};

window.host = host;
