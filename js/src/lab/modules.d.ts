/** A notebook as the bundler delivers it: the source cells, without outputs (build.mjs). */
declare module "*.ipynb" {
  const notebook: {
    readonly cells: readonly object[];
    readonly metadata: object;
    readonly nbformat: number;
    readonly nbformat_minor: number;
  };
  export default notebook;
}

declare module "*.svg" {
  const text: string;
  export default text;
}

/** The part of JupyterLab's menus that is used here; at run time JupyterLab shares its own. */
declare module "@jupyterlab/mainmenu" {
  import type { Token } from "@lumino/coreutils";
  import type { Widget } from "@lumino/widgets";

  interface SemanticCommand {
    add(command: { id: string; isEnabled?(widget: Widget): boolean; rank?: number }): void;
  }
  export const IMainMenu: Token<{ editMenu: { undoers: { undo: SemanticCommand; redo: SemanticCommand } } }>;
}
