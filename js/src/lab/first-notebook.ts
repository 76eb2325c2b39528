/** Opens the first notebook: the one that is in the folder, else a fresh copy of it. */
import type { JupyterFrontEnd } from "@jupyterlab/application";
import notebook from "../../../notebooks/01-prior-knowledge.ipynb";

export const FILE_NAME = "01-prior-knowledge.ipynb";

type Contents = JupyterFrontEnd["serviceManager"]["contents"];

async function exists(contents: Contents, path: string): Promise<boolean> {
  try {
    await contents.get(path, { content: false });
    return true;
  } catch (reason) {
    // Only "there is no such file" leads to a new one: any other fault must not overwrite what is there.
    if ((reason as { response?: Response }).response?.status === 404) return false;
    throw reason;
  }
}

/** The path of the first notebook in `folder`; writes it when no file of that name is there. */
export async function ensureFirstNotebook(contents: Contents, folder: string): Promise<string> {
  // Drives write "drive:folder"; the root of a drive ends in a colon and takes no slash.
  const path = folder === "" || folder.endsWith(":") ? folder + FILE_NAME : `${folder}/${FILE_NAME}`;
  if (!(await exists(contents, path))) {
    await contents.save(path, { type: "notebook", format: "json", content: structuredClone(notebook) });
  }
  return path;
}
