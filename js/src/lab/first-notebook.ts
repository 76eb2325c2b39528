/** Opens the first notebook: the one that is in the folder, else a fresh copy of it. */
import type { JupyterFrontEnd } from "@jupyterlab/application";
import notebook from "../../../notebooks/01-prior-knowledge.ipynb";

export const FILE_NAME = "01-prior-knowledge.ipynb";

type Contents = JupyterFrontEnd["serviceManager"]["contents"];

/** The path of the first notebook in `folder`; writes it when no file of that name is there. */
export async function ensureFirstNotebook(contents: Contents, folder: string): Promise<string> {
  // The folder is listed, not the file asked for: a file that is not there would log an error in the browser.
  const listing = await contents.get(folder);
  const files = listing.content as readonly { readonly name: string; readonly path: string }[];
  const there = files.find((file) => file.name === FILE_NAME);
  if (there !== undefined) return there.path;
  // Drives write "drive:folder"; the root of a drive ends in a colon and takes no slash.
  const path = folder === "" || folder.endsWith(":") ? folder + FILE_NAME : `${folder}/${FILE_NAME}`;
  await contents.save(path, { type: "notebook", format: "json", content: structuredClone(notebook) });
  return path;
}
