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
