/** Which explorer opens on which columns of a table: types, labels and size are seen before anything is computed. */
import { Dialog, showDialog } from "@jupyterlab/apputils";
import { Widget } from "@lumino/widgets";
import { h } from "../ui/dom";
import "./style";
import { message, say, type Sentence } from "./words";
import "./words-later";

/** What a kernel says of a table (pdp_widgets/widgets/in_jupyterlab.py). */
export interface Described {
  rows: number;
  columns: Column[];
  remarks: string[];
}

interface Column {
  name: string;
  type: "numbers" | "texts" | "other";
  labels: number;
  first: string[];
  missing: number;
}

export interface Choice {
  table: string;
  explorer: string;
  columns: string[];
}

export interface Tables {
  names: string[];
  /** Said above the columns. */
  note: string;
  describe(name: string): Promise<Described>;
}

/** The explorers that open on a table; those of a joint distribution need all combinations of labels. */
const OPENS: readonly Sentence[] = ["PriorExplorer", "GaussianExplorer", "LocalExplorer", "DependenceExplorer", "AnonymityExplorer", "StreamSimulator"];
const JOINT = ["PriorExplorer"];
/** So many columns are chosen at first, of at most so many labels. */
const [COLUMNS, LABELS] = [5, 12];
let made = 0;

/** Columns that an explorer can show at once. */
export function suited(explorer: string, columns: readonly Column[]): string[] {
  const numbers = explorer === "GaussianExplorer";
  const fit = columns.filter(({ type, labels, missing }) =>
    numbers ? type === "numbers" && labels > 1 : type !== "other" && labels > 1 && labels <= LABELS && missing === 0,
  );
  return fit.slice(0, explorer === "StreamSimulator" ? 1 : COLUMNS).map(({ name }) => name);
}

export function wordsOf({ type, labels, first, missing }: Column): string {
  const [low = "", high = low] = first;
  const known =
    labels === 0
      ? message.noValues
      : type === "texts"
        ? say("labelsOf", labels, first.join(", ") + (labels > first.length ? " …" : ""))
        : labels === 1
          ? say("oneNumber", low)
          : say("numbersOf", labels, low, high);
  return [type === "other" ? message.unreadable : known, ...(missing > 0 ? [say("emptyCells", missing)] : [])].join("; ");
}

/** The size of what is chosen. */
export function sizeOf(explorer: string, rows: number, chosen: readonly Column[]): string {
  if (chosen.length === 0) return message.noneChosen;
  if (!JOINT.includes(explorer)) return say("records", rows, chosen.length);
  const cells = chosen.reduce((all, { labels }) => all * labels, 1);
  return say("cells", chosen.map(({ labels }) => labels).join(" × "), cells);
}

class TableChoice extends Widget implements Dialog.IBodyWidget<Choice> {
  private readonly table = h("select", { class: "jp-mod-styled" });
  private readonly explorer = h("select", { class: "jp-mod-styled" });
  private readonly about = h("p", { role: "status" });
  private readonly columns = h("div", { class: "pdp-Columns-list" });
  private readonly size = h("p", { role: "status" });
  private described: Described = { rows: 0, columns: [], remarks: [] };

  constructor(
    private readonly tables: Tables,
    explorer: string,
  ) {
    super();
    this.addClass("pdp-Columns");
    this.table.append(...tables.names.map((name) => h("option", { value: name }, name)));
    this.explorer.append(...OPENS.map((name) => h("option", { value: name }, message[name])));
    this.explorer.value = OPENS.includes(explorer as Sentence) ? explorer : "PriorExplorer";
    const labelled = (label: string, control: HTMLElement): HTMLElement => h("label", {}, h("span", {}, label), control);
    this.node.append(
      ...(tables.names.length > 1 ? [labelled(message.frame, this.table)] : []),
      labelled(message.explorer, this.explorer),
      this.about,
      h("fieldset", {}, h("legend", {}, message.columnsChosen), this.columns),
      this.size,
    );
    this.table.addEventListener("change", () => void this.look());
    this.explorer.addEventListener("change", () => this.list());
    this.columns.addEventListener("change", () => this.measure());
  }

  /** Reads the table that is chosen. */
  async look(): Promise<void> {
    const name = this.table.value;
    try {
      const described = await this.tables.describe(name);
      if (name !== this.table.value) return;
      this.described = described;
      this.about.textContent = [say("tableSize", described.rows, described.columns.length), this.tables.note, ...described.remarks].filter(Boolean).join(" ");
    } catch (error) {
      this.described = { rows: 0, columns: [], remarks: [] };
      this.about.textContent = (error as Error).message;
    }
    this.list();
  }

  getValue(): Choice {
    return { table: this.table.value, explorer: this.explorer.value, columns: this.chosen().map(({ name }) => name) };
  }

  private boxes(): HTMLInputElement[] {
    return [...this.columns.querySelectorAll("input")];
  }

  private chosen(): Column[] {
    const boxes = this.boxes();
    return this.described.columns.filter((_, k) => boxes[k]?.checked);
  }

  private list(): void {
    const { columns } = this.described;
    const first = new Set(suited(this.explorer.value, columns));
    this.columns.replaceChildren(
      ...columns.map((column) => {
        const id = `pdp-column-${++made}`;
        const box = h("input", { type: "checkbox", "aria-describedby": id });
        box.checked = first.has(column.name);
        box.disabled = column.type === "other";
        return h("div", {}, h("label", {}, box, " ", column.name), " ", h("span", { id }, wordsOf(column)));
      }),
    );
    this.measure();
  }

  private measure(): void {
    this.size.textContent = sizeOf(this.explorer.value, this.described.rows, this.chosen());
  }
}

/** Asks what opens on a table; null where it is called off. */
export async function chooseTable(tables: Tables, explorer = ""): Promise<Choice | null> {
  const body = new TableChoice(tables, explorer);
  await body.look();
  const { button, value } = await showDialog<Choice>({
    title: message.openTable,
    body,
    buttons: [Dialog.cancelButton(), Dialog.okButton({ label: message.open })],
  });
  return button.accept ? value : null;
}
