/**
 * What the commands of the "Privacy" menu do: open an explorer on a data frame or a file, put its code into a notebook,
 * and write it as a page, a picture or a table.
 */
import type { JupyterFrontEnd } from "@jupyterlab/application";
import { Notification } from "@jupyterlab/apputils";
import { DocumentFault, ENDING } from "./document";
import type { DocumentView } from "./document-view";
import type { Notebook } from "./commands";
import { inKernel, told } from "./kernel";
import type { Described, Tables } from "./table-dialog";
import { message, say } from "./words";
import "./words-later";

export type Ending = "html" | "svg" | "tex";

const TYPES: Record<Ending, string> = { html: "text/html", svg: "image/svg+xml", tex: "application/x-tex" };
/** A word about what was done goes after it, ms. */
const READ = 5_000;

/** With the slash that ends it; drives write "drive:folder", and the root of one takes no slash. */
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);
const basename = (path: string): string => path.slice(folderOf(path).length);
const python = (value: unknown): string => JSON.stringify(value);

/** Says meanwhile what is being done. */
async function meanwhile<T>(words: string, work: Promise<T>): Promise<T> {
  const id = Notification.emit(words, "in-progress", { autoClose: false });
  try {
    return await work;
  } finally {
    Notification.dismiss(id);
  }
}

/** Does it, and says why it cannot be done here. */
async function attempted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (reason) {
    if (!(reason instanceof DocumentFault)) console.error(reason);
    Notification.error((reason as Error).message, { autoClose: false });
  }
}

export const inform = (words: string): void => void Notification.info(words, { autoClose: READ });

/** Writes a new document beside a file, by a name that is free, and opens it. */
async function openDocument(app: JupyterFrontEnd, beside: string, name: string, content: string): Promise<void> {
  const { contents } = app.serviceManager;
  const folder = folderOf(beside);
  const taken = new Set(((await contents.get(folder.replace(/\/$/, ""))).content as readonly { name: string }[]).map((file) => file.name));
  let free = `${name}${ENDING}`;
  for (let k = 1; taken.has(free); k++) free = `${name}-${k}${ENDING}`;
  const path = `${folder}${free}`;
  await contents.save(path, { type: "file", format: "text", content });
  await app.commands.execute("docmanager:open", { path });
}

/** Asks what opens on one of the tables, makes it in the kernel that has them, and opens its document. */
async function explore(
  app: JupyterFrontEnd,
  beside: string,
  tables: Tables,
  explorer: string,
  make: (explorer: string, table: string, columns: string) => Promise<{ text: string }>,
): Promise<void> {
  const { chooseTable } = await import("./table-dialog");
  const choice = await chooseTable(tables, explorer);
  if (choice === null) return;
  const { text } = await meanwhile(message.making, make(python(choice.explorer), choice.table, python(choice.columns)));
  await openDocument(app, beside, choice.table.replace(/\.[^.]+$/, ""), text);
}

export function exploreFrame(app: JupyterFrontEnd, notebook: Notebook | null): Promise<void> {
  return attempted(async () => {
    if (notebook === null) return inform(message.noNotebook);
    const kernel = notebook.sessionContext.session?.kernel;
    if (!kernel) return inform(message.noNotebookKernel);
    // It answers nobody before its cells have ended.
    if (kernel.status === "busy") return inform(message.notebookBusy);
    const frames = await told<{ name: string }[]>(kernel, "frames", "globals()");
    if (frames.length === 0) return inform(message.noFrames);
    const tables = { names: frames.map(({ name }) => name), note: "", describe: (name: string) => told<Described>(kernel, "described", name) };
    await explore(app, notebook.context.path, tables, "", (explorer, table, columns) => told(kernel, "made", explorer, table, columns, python(table)));
  });
}

export function exploreFile(app: JupyterFrontEnd, path: string, explorer = ""): Promise<void> {
  return attempted(() =>
    inKernel(app.serviceManager, path, null, async (kernel) => {
      const name = basename(path);
      const described = await meanwhile(say("reading", name), told<Described>(kernel, "file_described", python(name)));
      const tables = { names: [name], note: message.readBy, describe: () => Promise.resolve(described) };
      await explore(app, path, tables, explorer, (made, table, columns) => told(kernel, "made_of_file", made, python(table), columns));
    }),
  );
}

/** Puts the code of an explorer where the cursor of a notebook stands. */
export function insertCode(app: JupyterFrontEnd, notebook: Notebook | null, view: DocumentView | null): Promise<void> {
  return attempted(async () => {
    if (view === null) return inform(message.noTab);
    const editor = notebook?.content.activeCell?.editor;
    if (!notebook || !editor) return inform(message.noCell);
    const text = await view.python();
    app.shell.activateById(notebook.id);
    editor.replaceSelection?.(text);
    notebook.content.mode = "edit";
    editor.focus();
    inform(say("inserted", basename(view.context.path)));
  });
}

/** Hands the document over as another file. */
export function exportAs(app: JupyterFrontEnd, view: DocumentView | null, ending: Ending): Promise<void> {
  return attempted(async () => {
    if (view === null) return inform(message.noTab);
    const { context } = view;
    const text = python(view.written());
    const kernel = context.sessionContext.session?.kernel ?? null;
    const file = await meanwhile(
      message.exporting,
      inKernel(app.serviceManager, context.path, kernel, (one) => told<{ text: string }>(one, "exported", text, python(ending))),
    );
    const url = URL.createObjectURL(new Blob([file.text], { type: TYPES[ending] }));
    const name = `${basename(context.path).slice(0, -ENDING.length)}.${ending}`;
    Object.assign(document.createElement("a"), { href: url, download: name }).click();
    // The browser reads the file after the click has returned.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  });
}
