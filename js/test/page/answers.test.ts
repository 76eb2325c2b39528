import { describe, expect, it } from "vitest";
import covarianceEditor from "../../src/page/covariance-editor";
import jointTable from "../../src/page/joint-table";
import whgGraph from "../../src/page/whg-graph";
import { floats, toBytes } from "../../src/ui/wire";

const stamps = { revision: 1, since: 1, ack: null };
const bytes = (...values: number[]): DataView => toBytes(Float64Array.from(values));

function table() {
  const loaded = bytes(0.4, 0.1, 0.1, 0.4);
  const spec = { title: "", names: ["Ann", "Bob"], labels: [["0", "1"], ["0", "1"]], records: 50 };
  const state = { spec, entries: loaded, locks: toBytes(new Uint8Array(4)), loaded, keep_sum: true, rows: [0], columns: [1], disabled: false };
  return { ...stamps, table: state, fault: null, current: true, fit: null, disabled: false };
}

describe("the joint table", () => {
  it("takes a distribution; its records are gone until the loaded one is back", () => {
    const first = table();
    const edited = jointTable.answer(first, { entries: bytes(0.3, 0.2, 0.1, 0.4) }, {});
    expect(edited).toMatchObject({ fault: null, current: true, table: { spec: { records: null } } });
    const back = jointTable.answer(edited, { entries: bytes(0.4, 0.1, 0.1, 0.4) }, {});
    expect(back.table?.spec.records).toBe(50);
  });

  it("keeps what is no distribution in the cells and names the cell", () => {
    const { fault, current, table: shown } = jointTable.answer(table(), { entries: bytes(0.6, -0.1, 0.1, 0.4) }, {});
    expect(fault).toEqual({ text: "The probability of (Ann = 0, Bob = 1) is -0.1; it must not be negative.", where: { kind: "cell", index: [0, 1] } });
    expect(current).toBe(false);
    expect(Array.from(floats(shown?.entries as DataView))).toEqual([0.6, -0.1, 0.1, 0.4]);
  });

  it("pivots by rows and columns that hold every tuple once", () => {
    expect(jointTable.answer(table(), { rows: [1], columns: [0] }, {}).table).toMatchObject({ rows: [1], columns: [0] });
    expect(jointTable.answer(table(), { rows: [0], columns: [0] }, {}).table).toMatchObject({ rows: [0], columns: [1] });
  });
});

function matrix(weights: DataView | null = null) {
  const loaded = bytes(1.44, 0.6, 0.6, 1);
  const mean = bytes(5, 4);
  const state = { title: "", unit: "", names: ["A", "B"], cov: loaded, mean, weights, loaded_cov: loaded, loaded_mean: mean, sound: loaded, records: 9, valid: true, smallest: 0.5 };
  return { ...stamps, matrix: state, correlation: false, fault: null, disabled: false };
}

describe("the covariance editor", () => {
  it("takes a matrix, mirrors it and tells its smallest eigenvalue", () => {
    const { matrix: shown, fault } = covarianceEditor.answer(matrix(), { cov: bytes(1, 0.5, 9, 1) }, {});
    expect(fault).toBeNull();
    expect(Array.from(floats(shown?.cov as DataView))).toEqual([1, 0.5, 0.5, 1]);
    expect(shown?.smallest).toBeCloseTo(0.5, 12);
    expect(shown).toMatchObject({ valid: true, records: null });
  });

  it("keeps the last valid matrix while the cells hold none, and finds the nearest one", () => {
    const wrong = covarianceEditor.answer(matrix(), { cov: bytes(1.44, 1.4, 1.4, 1) }, {});
    expect(wrong.fault).toMatchObject({ where: { kind: "cell", index: [0, 1] } });
    expect(wrong.fault?.text).toMatch(/A and B is too large\. It is 1\.4; .* from -1\.2 to 1\.2\..*last valid matrix/);
    expect(wrong.matrix).toMatchObject({ valid: false });
    expect(Array.from(floats(wrong.matrix?.sound as DataView))).toEqual([1.44, 0.6, 0.6, 1]);
    const near = covarianceEditor.answer(wrong, { command: "nearest" }, {});
    expect(near.fault).toBeNull();
    expect(floats(near.matrix?.cov as DataView)[1]).toBeCloseTo(1.2, 8);
  });

  it("names a weight that is no number", () => {
    const { fault } = covarianceEditor.answer(matrix(bytes(1, 1)), { weights: bytes(1, NaN) }, {});
    expect(fault).toMatchObject({ where: { kind: "axis", axis: 1 } });
  });

  it("brings no other matrix in without a kernel, and loses nothing", () => {
    const first = matrix();
    const { fault, matrix: shown } = covarianceEditor.answer(first, { command: "import" }, {});
    expect(fault?.text).toContain("needs a kernel");
    expect(shown).toBe(first.matrix);
  });
});

describe("the graph", () => {
  const values = { names: ["a", "b"], promise: 1, exact: bytes(1.5, 1, 1.2, 1), paper: null, determined: null, increments: null, largest: { target: 0, known: [], value: 1.5 }, group_bound: 2 };
  const view = { ...stamps, graph: values, digest: null, edges: null, target: 0, known: [], show_paper: false, threshold: null, fault: null };

  it("chooses among the embedded adversaries", () => {
    expect(whgGraph.answer(view, { target: 1, known: [0] }, {})).toMatchObject({ target: 1, known: [0], fault: null });
    expect(whgGraph.answer(view, { target: 7 }, {})).toMatchObject({ target: 0, known: [] });
  });

  it("shows the paper's estimate only where it was published", () => {
    expect(whgGraph.answer(view, { show_paper: true }, {})).toMatchObject({ show_paper: false, fault: { text: expect.stringContaining("no kernel") as string } });
    const with_paper = { ...view, graph: { ...values, paper: values.exact } };
    expect(whgGraph.answer(with_paper, { show_paper: true }, {})).toMatchObject({ show_paper: true, fault: null });
  });
});
