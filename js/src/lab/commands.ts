/**
 * The commands of leakage documents in palette and menu, and tables that are dropped on cards and explorers or opened
 * from the file browser. What they do is loaded when they are used.
 */
import type { JupyterFrontEnd } from "@jupyterlab/application";
import { ICommandPalette } from "@jupyterlab/apputils";
import { ABCWidgetFactory, DocumentWidget, TextModelFactory, type DocumentRegistry } from "@jupyterlab/docregistry";
import type { IMainMenu } from "@jupyterlab/mainmenu";
import type { INotebookTracker } from "@jupyterlab/notebook";
import type { Token } from "@lumino/coreutils";
import type { Drag } from "@lumino/dragdrop";
import { Menu, Widget } from "@lumino/widgets";
import type { Ending } from "./actions";
import type { DocumentView } from "./document-view";
import { ICONS } from "./icons";
import { message, say, type Sentence } from "./words";

type Of<T> = T extends Token<infer One> ? One : never;
export type Notebook = NonNullable<Of<typeof INotebookTracker>["currentWidget"]>;
export type Service = <T>(app: JupyterFrontEnd, token: () => Promise<Token<T>>) => Promise<T | null>;

/** What a kernel reads as a table. */
const TABLE = /\.(csv|tsv|tab|parquet|feather|arrow|xlsx)$/i;
/** Files of the file browser on their way. */
const CONTENTS = "application/x-jupyter-icontents";
const EXPORTS: readonly (readonly [Ending, Sentence])[] = [["html", "exportPage"], ["svg", "exportPicture"], ["tex", "exportLatex"]];
const actions = (): Promise<typeof import("./actions")> => import("./actions");

export interface Registered {
  menu: Promise<Of<typeof IMainMenu> | null>;
  copy: string;
  current(): DocumentView | null;
}

export async function registerCommands(app: JupyterFrontEnd, service: Service, { menu, copy, current }: Registered): Promise<void> {
  // Looked up when they are needed: no start waits for them, and a host without one has the rest.
  const notebook = async (): Promise<Notebook | null> =>
    (await service(app, async () => (await import("@jupyterlab/notebook")).INotebookTracker))?.currentWidget ?? null;
  const browser = () => service(app, async () => (await import("@jupyterlab/filebrowser")).IDefaultFileBrowser);
  const none = { type: "object", properties: {} } as const;
  const named: [string, Sentence, () => Promise<void> | void][] = [
    ["explore-frame", "exploreFrame", async () => (await actions()).exploreFrame(app, await notebook())],
    ["insert-code", "insertCode", async () => (await actions()).insertCode(app, await notebook(), current())],
    ...EXPORTS.map(([ending, label]): (typeof named)[number] => [`export-${ending}`, label, async () => (await actions()).exportAs(app, current(), ending)]),
  ];
  for (const [name, label, execute] of named) app.commands.addCommand(`pdp-widgets:${name}`, { label: message[label], describedBy: { args: none }, execute });
  const selected = async (): Promise<string | undefined> => [...((await browser())?.selectedItems() ?? [])].find(({ path }) => TABLE.test(path))?.path;
  app.commands.addCommand("pdp-widgets:explore-file", {
    label: message.exploreFile,
    describedBy: {
      args: {
        type: "object",
        properties: { path: { type: "string", description: "The file" }, explorer: { type: "string", description: "The class of the explorer" } },
      },
    },
    execute: async ({ path: given, explorer }) => {
      const { exploreFile, inform } = await actions();
      const path = given ?? (await selected());
      if (typeof path !== "string") return inform(message.noFile);
      await exploreFile(app, path, typeof explorer === "string" ? explorer : "");
    },
  });
  addExplain(app, service);
  const groups = [["explain"], ["explore-frame", "explore-file"], ["copy-as-python", "insert-code"], EXPORTS.map(([ending]) => `export-${ending}`)].map(
    (group) => group.map((name) => `pdp-widgets:${name}`),
  );
  const palette = await service(app, async () => ICommandPalette);
  for (const command of groups.flat()) if (command !== copy) palette?.addItem({ command, category: message.section });
  void menu.then((found) => {
    if (found === null) return;
    const privacy = new Menu({ commands: app.commands });
    privacy.id = "pdp-widgets-menu";
    privacy.title.label = message.section;
    groups.forEach((group, k) => {
      if (k > 0) privacy.addItem({ type: "separator" });
      for (const command of group) privacy.addItem({ command });
    });
    found.addMenu(privacy, true, { rank: 900 });
  });
  openWith(app);
  takeDrops(app, async (file) => (await (await browser())?.model.upload(file))?.path);
}

// The documentation of a number.

function addExplain(app: JupyterFrontEnd, service: Service): void {
  const command = "pdp-widgets:explain";
  app.commands.addCommand(command, {
    label: message.explain,
    describedBy: { args: { type: "object", properties: { menu: { type: "boolean" } } } },
    execute: async ({ menu }) => (await import("./explain")).explain(app, service, menu === true),
  });
  app.contextMenu.addItem({ command, args: { menu: true }, selector: ".pdp", rank: 0 });
  // Explorers keep keys to themselves: this one is heard before them.
  app.commands.addKeyBinding({ command, keys: ["F1"], selector: ".pdp-Document" });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "F1" || !(event.target instanceof Element) || !event.target.closest(".pdp")) return;
      event.preventDefault();
      event.stopPropagation();
      void app.commands.execute(command);
    },
    true,
  );
}

// "Open With" in the file browser.

/** Of tables the content is not sent to the browser: a kernel reads them. */
class UnreadFactory extends TextModelFactory {
  override get name(): string {
    return "pdp-unread";
  }

  override get fileFormat(): null {
    return null;
  }
}

type Tab = DocumentWidget<Widget, DocumentRegistry.ICodeModel>;

/** A tab that stands there while the columns are chosen. */
class TableFactory extends ABCWidgetFactory<Tab, DocumentRegistry.ICodeModel> {
  constructor(
    private readonly explore: (path: string) => Promise<unknown>,
    options: DocumentRegistry.IWidgetFactoryOptions<Tab>,
  ) {
    super(options);
  }

  protected createNewWidget(context: DocumentRegistry.IContext<DocumentRegistry.ICodeModel>): Tab {
    const content = new Widget();
    content.addClass("pdp-Document");
    content.node.append(Object.assign(document.createElement("p"), { className: "pdp-Document-line", textContent: message.choosing }));
    const tab = new DocumentWidget({ content, context });
    void context.ready.then(() => this.explore(context.path)).finally(() => tab.dispose());
    return tab;
  }
}

function openWith(app: JupyterFrontEnd): void {
  const { docRegistry } = app;
  docRegistry.addFileType({
    name: "pdp-table",
    displayName: "Table",
    extensions: [".parquet", ".feather", ".arrow", ".xlsx"],
    fileFormat: "base64",
    contentType: "file",
  });
  docRegistry.addModelFactory(new UnreadFactory());
  const explore = (path: string): Promise<unknown> => app.commands.execute("pdp-widgets:explore-file", { path });
  docRegistry.addWidgetFactory(
    new TableFactory(explore, {
      name: "Leakage explorer",
      label: message.openWith,
      fileTypes: ["csv", "tsv", "pdp-table"],
      modelName: "pdp-unread",
      readOnly: true,
    }),
  );
}

// Drops.

/** Which explorer a table opens in that is dropped at a place: null where nothing takes it. */
export function explorerAt(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null;
  const card = target.closest<HTMLElement>(".jp-LauncherCard");
  if (card?.dataset["category"] === message.section)
    return Object.keys(ICONS).find((name) => card.title === say("newDocument", message[name as Sentence])) ?? "";
  const shown = target.closest<HTMLElement>(".pdp-Document, .pdp");
  return shown === null ? null : (shown.closest<HTMLElement>(".pdp-Document")?.dataset["explorer"] ?? "");
}

function takeDrops(app: JupyterFrontEnd, uploaded: (file: File) => Promise<string | undefined>): void {
  const open = (path: string, explorer: string): void => void app.commands.execute("pdp-widgets:explore-file", { path, explorer });
  // From the file browser.
  for (const type of ["lm-dragenter", "lm-dragover", "lm-drop"]) {
    document.body.addEventListener(
      type,
      (event) => {
        const drag = event as Drag.Event;
        const explorer = explorerAt(drag.target);
        const path = (drag.mimeData.getData(CONTENTS) as string[] | undefined)?.find((one) => TABLE.test(one));
        if (explorer === null || path === undefined) return;
        drag.preventDefault();
        drag.stopPropagation();
        drag.dropAction = drag.proposedAction;
        if (type === "lm-drop") open(path, explorer);
      },
      true,
    );
  }
  // From the desktop: the file is put into the folder on show.
  for (const type of ["dragover", "drop"] as const) {
    document.body.addEventListener(
      type,
      (event) => {
        const explorer = explorerAt(event.target);
        if (explorer === null || !event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        event.stopPropagation();
        const file = [...event.dataTransfer.files].find(({ name }) => TABLE.test(name));
        if (type === "dragover" || file === undefined) return;
        void uploaded(file).then((path) => path !== undefined && open(path, explorer), (reason: Error) => console.error(reason));
      },
      true,
    );
  }
}
