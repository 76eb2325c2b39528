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

/** A page of the documentation as the bundler delivers it (docs-sections.mjs). */
declare module "*.md" {
  const page: { title: string; sections: Record<string, { heading: string; text: string }> };
  export default page;
}

declare module "*/docs-sections.mjs" {
  export function sectionsOf(text: string): { title: string; sections: Record<string, { heading: string; text: string }> };
}

declare module "*.svg" {
  const text: string;
  export default text;
}

/** The parts of JupyterLab's menus and notebooks that are used here; at run time JupyterLab shares its own. */
declare module "@jupyterlab/mainmenu" {
  import type { Token } from "@lumino/coreutils";
  import type { Menu, Widget } from "@lumino/widgets";

  interface SemanticCommand {
    add(command: { id: string; isEnabled?(widget: Widget): boolean; rank?: number }): void;
  }
  export const IMainMenu: Token<{
    editMenu: { undoers: { undo: SemanticCommand; redo: SemanticCommand } };
    addMenu(menu: Menu, update?: boolean, options?: { rank?: number }): void;
  }>;
}

declare module "@jupyterlab/notebook" {
  import type { ISessionContext } from "@jupyterlab/apputils";
  import type { Token } from "@lumino/coreutils";
  import type { Widget } from "@lumino/widgets";

  interface NotebookPanel extends Widget {
    context: { path: string };
    sessionContext: ISessionContext;
    content: { activeCell: { editor: { replaceSelection?(text: string): void; focus(): void } | null } | null; mode: "command" | "edit" };
  }
  export const INotebookTracker: Token<{ currentWidget: NotebookPanel | null }>;
}
