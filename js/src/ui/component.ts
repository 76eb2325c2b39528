/** A part of the screen: built once, updated with whole new props, destroyed once. */
export interface Component<P> {
  readonly el: HTMLElement;
  update(props: P): void;
  destroy(): void;
}

/** A part that is drawn now, and anew with all new props; other parts that it holds end with it. */
export function component<P>(el: HTMLElement, initial: P, draw: (props: P) => void, ...parts: { destroy(): void }[]): Component<P> {
  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      for (const part of parts) part.destroy();
      el.remove();
    },
  };
}
