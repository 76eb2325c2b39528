declare module "*.css" {
  const text: string;
  export default text;
}

/** The type of a view as a value to check by: "shape:./protocol#AttackView" (shapes.mjs). */
declare module "shape:*" {
  const shape: import("./wire").Shape;
  export default shape;
}
