/** Leakage documents as JupyterLab opens them: file type, tab with its toolbar, undo and redo, and "Copy as Python". */
import { ILayoutRestorer, type JupyterFrontEnd } from "@jupyterlab/application";
import { Clipboard, ICommandPalette, ISessionContextDialogs, Notification, SessionContextDialogs, Toolbar, WidgetTracker } from "@jupyterlab/apputils";
import { ABCWidgetFactory, DocumentWidget, type DocumentRegistry } from "@jupyterlab/docregistry";
import { CommandToolbarButton, copyIcon, LabIcon } from "@jupyterlab/ui-components";
import { Widget } from "@lumino/widgets";
import { registerCommands, type Service } from "./commands";
import type { Context, DocumentView } from "./document-view";
import { FIRST } from "./icons";
import { message } from "./words";

const NAME = "Leakage document";
const COPY = "pdp-widgets:copy-as-python";

type Toolbars = (context: Context) => DocumentRegistry.IToolbarItem[];

class LeakageTab extends DocumentWidget<Widget, DocumentRegistry.ICodeModel> {
  /** Once what shows documents is loaded. */
  view: DocumentView | null = null;

  constructor(app: JupyterFrontEnd, context: Context) {
    const content = new Widget();
    content.addClass("pdp-Document");
    const shown = context.ready.then(async () => {
      const { DocumentView } = await import("./document-view");
      if (this.isDisposed) return;
      const openAsText = (): void => void app.commands.execute("docmanager:open", { path: context.path, factory: "Editor" });
      const lastModified = (): Promise<string | null> =>
        app.serviceManager.contents.get(context.path, { content: false }).then(
          (file) => file.last_modified,
          () => null,
        );
      this.view = new DocumentView(content.node, context, openAsText, lastModified);
      await this.view.read();
    });
    super({ content, context, reveal: shown });
    takeBackWhole(app, context);
  }

  override dispose(): void {
    this.view?.dispose();
    super.dispose();
  }
}

/** What the disk has, taken back. JupyterLab's own leaves the tab dirty, and the text of a file that was emptied. */
function takeBackWhole(app: JupyterFrontEnd, context: Context): void {
  if (Object.hasOwn(context, "revert")) return;
  const revert = context.revert.bind(context);
  context.revert = async () => {
    await revert();
    // What people share is not on the disk alone.
    if (context.model.collaborative) return;
    const { size } = await app.serviceManager.contents.get(context.path, { content: false });
    if (context.isDisposed) return;
    if (size === 0) context.model.sharedModel.setSource("");
    context.model.dirty = false;
  };
}

class LeakageFactory extends ABCWidgetFactory<LeakageTab, DocumentRegistry.ICodeModel> {
  constructor(
    private readonly app: JupyterFrontEnd,
    options: DocumentRegistry.IWidgetFactoryOptions<LeakageTab>,
    private readonly toolbars: Toolbars,
  ) {
    super(options);
  }

  /** Where texts come from, so documents do: from the server's shared ones, where it has them. */
  override get contentProviderId(): string | undefined {
    return this.app.docRegistry.getWidgetFactory("Editor")?.contentProviderId;
  }

  protected createNewWidget(context: Context): LeakageTab {
    return new LeakageTab(this.app, context);
  }

  protected override defaultToolbarFactory(widget: LeakageTab): DocumentRegistry.IToolbarItem[] {
    return this.toolbars(widget.context);
  }
}

export async function registerDocuments(app: JupyterFrontEnd, service: Service): Promise<void> {
  const dialogs = (await service(app, async () => ISessionContextDialogs)) ?? new SessionContextDialogs();
  const icon = new LabIcon({ name: "pdp-widgets:document", svgstr: FIRST });
  const current = (): LeakageTab | null => {
    const widget = app.shell.currentWidget;
    return widget instanceof LeakageTab ? widget : null;
  };

  app.commands.addCommand(COPY, {
    label: message.copyAsPython,
    describedBy: { args: { type: "object", properties: {} } },
    isEnabled: () => current() !== null,
    execute: async () => {
      try {
        const text = await current()?.view?.python();
        if (text === undefined) return;
        Clipboard.copyToSystem(text);
        Notification.success(message.copied, { autoClose: 3000 });
      } catch (reason) {
        Notification.error((reason as Error).message);
      }
    },
  });
  (await service(app, async () => ICommandPalette))?.addItem({ command: COPY, category: message.section });

  app.docRegistry.addFileType({
    name: "pdp-leakage",
    displayName: NAME,
    extensions: [".leakage.json"],
    mimeTypes: ["application/json"],
    fileFormat: "text",
    contentType: "file",
    icon,
  });
  const factory = new LeakageFactory(
    app,
    { name: NAME, fileTypes: ["pdp-leakage"], defaultFor: ["pdp-leakage"], modelName: "text", canStartKernel: true, preferKernel: false },
    ({ sessionContext }) => [
      { name: "copy", widget: new CommandToolbarButton({ commands: app.commands, id: COPY, label: message.copyShort, icon: copyIcon }) },
      { name: "spacer", widget: Toolbar.createSpacerItem() },
      { name: "restart", widget: Toolbar.createRestartButton(sessionContext, dialogs) },
      { name: "kernelName", widget: Toolbar.createKernelNameItem(sessionContext, dialogs) },
      { name: "kernelStatus", widget: Toolbar.createKernelStatusItem(sessionContext) },
    ],
  );
  app.docRegistry.addWidgetFactory(factory);
  const tracker = new WidgetTracker<LeakageTab>({ namespace: "pdp-widgets" });
  factory.widgetCreated.connect((_, widget) => {
    widget.title.icon = icon;
    void tracker.add(widget);
    widget.context.pathChanged.connect(() => void tracker.save(widget));
  });
  const restorer = await service(app, async () => ILayoutRestorer);
  void restorer?.restore(tracker, {
    command: "docmanager:open",
    args: (widget) => ({ path: widget.context.path, factory: NAME }),
    name: (widget) => widget.context.path,
  });

  // JupyterLab's own "Undo" and "Redo", by menu and keys, are those of the document.
  for (const way of ["undo", "redo"] as const) {
    app.commands.addCommand(`pdp-widgets:${way}`, {
      label: message[way],
      describedBy: { args: { type: "object", properties: {} } },
      execute: () => current()?.view?.travel(way),
    });
  }
  // Nothing else waits for the menu: a host without it has the rest.
  const menu = service(app, async () => (await import("@jupyterlab/mainmenu")).IMainMenu);
  void menu.then((found) => {
    for (const way of ["undo", "redo"] as const) {
      found?.editMenu.undoers[way].add({
        id: `pdp-widgets:${way}`,
        isEnabled: (widget) => widget instanceof LeakageTab && (widget.view?.can(way) ?? false),
      });
    }
  });
  await registerCommands(app, service, { menu, copy: COPY, current: () => tracker.currentWidget?.view ?? null });
}
