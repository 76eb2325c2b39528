import { describe, expect, it } from "vitest";
import { h, renew, s } from "../../src/ui/dom";

const tree = (...children: (Node | string)[]): HTMLElement => h("div", {}, ...children);

describe("renew", () => {
  it("makes any children equal to the new ones", () => {
    const drawings = [
      [h("p", { class: "a" }, "one"), "text"],
      ["text", h("p", { title: "t" }, "one", h("b", {}, "two"))],
      [h("p", {}, "two"), h("p", {}), "end"],
      [],
      [s("g", { fill: "none" }, s("text", { x: 1 }, "1"))],
      [s("g", {}, s("text", { x: 2, y: 3 }, "2"), s("path", { d: "M0 0" }))],
    ];
    for (const from of drawings) {
      for (const to of drawings) {
        const copy = (nodes: (Node | string)[]): (Node | string)[] => nodes.map((n) => (typeof n === "string" ? n : n.cloneNode(true)));
        const parent = tree(...copy(from));
        renew(parent, ...copy(to));
        expect(parent.innerHTML).toBe(tree(...copy(to)).innerHTML);
      }
    }
  });

  it("keeps the nodes that stay the same kind", () => {
    const parent = tree(h("p", {}, "one"), "text");
    const [first, second] = [...parent.childNodes];
    renew(parent, h("p", { class: "b" }, "two"), "more");
    expect([...parent.childNodes]).toEqual([first, second]);
    expect(parent.childNodes[0]).toBe(first);
    expect(parent.textContent).toBe("twomore");
  });

  it("changes nothing where nothing differs", async () => {
    const make = (): HTMLElement => h("p", { class: "a" }, h("b", {}, "one"), " two");
    const parent = tree(make());
    let changes = 0;
    const watcher = new MutationObserver((records) => (changes += records.length));
    watcher.observe(parent, { subtree: true, childList: true, attributes: true, characterData: true });
    renew(parent, make());
    await Promise.resolve();
    changes += watcher.takeRecords().length;
    watcher.disconnect();
    expect(changes).toBe(0);
  });
});
