/**
 * The JupyterLab extension: leakage documents, a section of the launcher with a card for each explorer, and the first
 * notebook.
 *
 * Parts of JupyterLab are looked up when they are needed, not imported at the top: hosts that load prebuilt extensions
 * without having these parts (Voila) then still load this one without error. What shows a document is loaded when one
 * is opened.
 */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import type { Token } from "@lumino/coreutils";
import { FIRST, ICONS } from "./icons";
import { message, say, speak, type Sentence } from "./words";

export const OPEN_FIRST = "pdp-widgets:open-first-notebook";
export const NEW_DOCUMENT = "pdp-widgets:new-document";

/** The service behind a token of a shared package, or null where the host has no such package. */
async function service<T>(app: JupyterFrontEnd, token: () => Promise<Token<T>>): Promise<T | null> {
  let found: Token<T>;
  try {
    found = await token();
  } catch {
    return null;
  }
  return app.resolveOptionalService(found);
}

const launcher = (app: JupyterFrontEnd) =>
  service(app, async () => (await import("@jupyterlab/launcher")).ILauncher);
const palette = (app: JupyterFrontEnd) =>
  service(app, async () => (await import("@jupyterlab/apputils")).ICommandPalette);
const fileBrowser = (app: JupyterFrontEnd) =>
  service(app, async () => (await import("@jupyterlab/filebrowser")).IDefaultFileBrowser);
const translator = (app: JupyterFrontEnd) =>
  service(app, async () => (await import("@jupyterlab/translation")).ITranslator);

/** Listens to the language of the user before anything is said. */
async function spoken(app: JupyterFrontEnd): Promise<void> {
  const bundle = (await translator(app))?.load("pdp_widgets");
  // A place in a sentence stays one: what belongs there is not known yet.
  if (bundle) speak((text) => bundle.__(text, "%1", "%2", "%3"));
}

async function folderOf(app: JupyterFrontEnd, cwd: unknown): Promise<string> {
  return typeof cwd === "string" ? cwd : ((await fileBrowser(app))?.model.path ?? "");
}

async function failed(title: Sentence, folder: string, reason: unknown): Promise<null> {
  const [{ showErrorMessage }] = await Promise.all([import("@jupyterlab/apputils"), import("./words-later")]);
  await showErrorMessage(say(title, folder === "" ? message.topFolder : say("folder", folder)), reason as Error);
  return null;
}

async function openFirst(app: JupyterFrontEnd, cwd: unknown): Promise<unknown> {
  const folder = await folderOf(app, cwd);
  try {
    const { ensureFirstNotebook } = await import("./first-notebook");
    const path = await ensureFirstNotebook(app.serviceManager.contents, folder);
    return await app.commands.execute("docmanager:open", { path, factory: "Notebook" });
  } catch (reason) {
    return failed("firstFailed", folder, reason);
  }
}

async function openNew(app: JupyterFrontEnd, explorer: string, cwd: unknown): Promise<unknown> {
  const folder = await folderOf(app, cwd);
  const { contents } = app.serviceManager;
  try {
    const { newDocument } = await import("./new-documents");
    const content = await newDocument(explorer);
    const { path } = await contents.newUntitled({ path: folder, type: "file", ext: ".leakage.json" });
    await contents.save(path, { type: "file", format: "text", content });
    return await app.commands.execute("docmanager:open", { path });
  } catch (reason) {
    return failed("newFailed", folder, reason);
  }
}

const CWD = { cwd: { type: "string", description: "The folder the file is in" } } as const;

const cards: JupyterFrontEndPlugin<void> = {
  id: "pdp-widgets:launcher",
  description: "A section of the launcher and commands: the first notebook, and a new document for each explorer.",
  autoStart: true,
  activate: async (app) => {
    const [cards, commands] = await Promise.all([launcher(app), palette(app), spoken(app)]);
    if (cards === null && commands === null) return;
    const { LabIcon } = await import("@jupyterlab/ui-components");
    app.commands.addCommand(OPEN_FIRST, {
      label: message.first,
      caption: message.firstCaption,
      icon: new LabIcon({ name: "pdp-widgets:graph", svgstr: FIRST }),
      describedBy: { args: { type: "object", properties: CWD } },
      execute: (args) => openFirst(app, args["cwd"]),
    });
    const icons = Object.fromEntries(Object.entries(ICONS).map(([name, svgstr]) => [name, new LabIcon({ name: `pdp-widgets:${name}`, svgstr })]));
    app.commands.addCommand(NEW_DOCUMENT, {
      label: ({ explorer, isPalette }) => {
        const name = message[explorer as Sentence] ?? String(explorer);
        return isPalette ? say("newDocument", name) : name;
      },
      caption: ({ explorer }) => say("newDocument", message[explorer as Sentence] ?? ""),
      icon: ({ explorer }) => icons[String(explorer)],
      describedBy: {
        args: {
          type: "object",
          properties: { ...CWD, explorer: { type: "string", enum: Object.keys(ICONS), description: "The class of the explorer" } },
          required: ["explorer"],
        },
      },
      execute: ({ explorer, cwd }) => openNew(app, String(explorer), cwd),
    });
    // A category called "Notebook" would show a kernel's logo in place of the icon.
    cards?.add({ command: OPEN_FIRST, category: message.section, rank: 0 });
    commands?.addItem({ command: OPEN_FIRST, category: message.section });
    Object.keys(ICONS).forEach((explorer, rank) => {
      cards?.add({ command: NEW_DOCUMENT, args: { explorer }, category: message.section, rank: rank + 1 });
      commands?.addItem({ command: NEW_DOCUMENT, args: { explorer, isPalette: true }, category: message.section });
    });
  },
};

const documents: JupyterFrontEndPlugin<void> = {
  id: "pdp-widgets:documents",
  description: "Opens leakage documents (NAME.leakage.json) as the explorers that they hold.",
  autoStart: true,
  activate: async (app) => {
    try {
      await spoken(app);
      const { registerDocuments } = await import("./document-factory");
      await registerDocuments(app, service);
    } catch (reason) {
      // A host without documents.
      console.debug("pdp_widgets: no leakage documents here.", reason);
    }
  },
};

const settings: JupyterFrontEndPlugin<void> = {
  id: "pdp-widgets:preferences",
  description: "How explorers show their numbers, in documents and in notebooks.",
  autoStart: true,
  activate: async (app) => {
    const registry = await service(app, async () => (await import("@jupyterlab/settingregistry")).ISettingRegistry);
    try {
      const loaded = await registry?.load(settings.id);
      if (!loaded) return;
      const take = async (): Promise<void> => (await import("../ui/preferences")).prefer(loaded.composite);
      loaded.changed.connect(() => void take());
      // Nobody waits for defaults.
      if (Object.keys(loaded.user).length > 0) await take();
    } catch (reason) {
      // A host without settings of extensions: the defaults hold.
      console.debug("pdp_widgets: no settings here.", reason);
    }
  },
};

export default [cards, documents, settings];
