/**
 * The JupyterLab extension: a launcher card and a palette entry that open the first notebook.
 *
 * Launcher, palette and file browser are looked up when they are needed, not imported at the top: hosts
 * that load prebuilt extensions without having these parts (Voila) then still load this one without error.
 */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import type { Token } from "@lumino/coreutils";
import { ensureFirstNotebook } from "./first-notebook";
import iconSvg from "./icon.svg";

export const OPEN_FIRST = "pdp-widgets:open-first-notebook";
const LABEL = "Privacy under correlation";

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

async function openFirst(app: JupyterFrontEnd, cwd: unknown): Promise<unknown> {
  const folder = typeof cwd === "string" ? cwd : ((await fileBrowser(app))?.model.path ?? "");
  try {
    const path = await ensureFirstNotebook(app.serviceManager.contents, folder);
    return await app.commands.execute("docmanager:open", { path, factory: "Notebook" });
  } catch (reason) {
    const { showErrorMessage } = await import("@jupyterlab/apputils");
    const place = folder === "" ? "the top folder" : `the folder "${folder}"`;
    await showErrorMessage(`The first notebook could not be opened in ${place}`, reason as Error);
    return null;
  }
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: "pdp-widgets:launcher",
  description: "A launcher card and a command that open the first notebook of pdp_widgets.",
  autoStart: true,
  activate: async (app) => {
    const cards = await launcher(app);
    const commands = await palette(app);
    if (cards === null && commands === null) return;
    const { LabIcon } = await import("@jupyterlab/ui-components");
    app.commands.addCommand(OPEN_FIRST, {
      label: LABEL,
      caption: "Opens the first notebook: edit a joint distribution and see what every adversary learns",
      icon: new LabIcon({ name: "pdp-widgets:graph", svgstr: iconSvg }),
      describedBy: {
        args: {
          type: "object",
          properties: { cwd: { type: "string", description: "The folder the notebook is opened in" } },
        },
      },
      execute: (args) => openFirst(app, args["cwd"]),
    });
    // "Notebook" would show a kernel's logo in place of the icon.
    cards?.add({ command: OPEN_FIRST, category: "Other", rank: 0 });
    commands?.addItem({ command: OPEN_FIRST, category: LABEL });
  },
};

export default plugin;
