/** What a hand does to an explorer in tests, by the keys and the fields. */

export interface Hand {
  q<E extends Element = HTMLElement>(selector: string): E;
  press(el: Element, name: string, more?: KeyboardEventInit): void;
  /** Over what stands in a field, then Enter. */
  type(label: string, text: string): void;
  /** The line above the panels; empty while it says nothing. */
  line(): string;
}

/** `host` is asked for every time: each test has one of its own. */
export function handOn(host: () => HTMLElement): Hand {
  const q = <E extends Element = HTMLElement>(selector: string): E => host().querySelector<E>(selector)!;

  function press(el: Element, name: string, more: KeyboardEventInit = {}): void {
    el.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
  }

  return {
    q,
    press,
    type(label, text) {
      const input = q<HTMLInputElement>(`input[aria-label="${label}"]`);
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      press(input, "Enter");
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    line() {
      const line = q(".px-slot > .line");
      return line.hidden ? "" : line.textContent!.trim();
    },
  };
}
