/** A part of the screen: built once, updated with whole new props, destroyed once. */
export interface Component<P> {
  readonly el: HTMLElement;
  update(props: P): void;
  destroy(): void;
}
