// What a view must look like, from the one place where that is written: its type. `import shape from
// "shape:./protocol#AttackView"` gives the type as a value, by which a session checks what comes to it.
//   "n" number, or a word such as "Infinity" | "s" text | "b" true or false | "y" bytes | "0" null | "?" anything
//   [t] list of t | { "()": [t, u] } exactly these | { name: t } parts ("name?" may be missing) | { "|": [t, u] } one of them
//   { "=": [...] } one of these words or numbers | { "*": t } parts of any names
import { dirname, resolve } from "node:path";
import ts from "typescript";

const PREFIX = "shape:";
const BYTES = new Set(["DataView", "ArrayBuffer", "Uint8Array"]);
const OPTIONS = { strict: true, target: ts.ScriptTarget.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext, noEmit: true, types: [] };

/** The type of that name in a file, as a module, and the files it is written in. */
function shapeOf(file, name) {
  const program = ts.createProgram([file], OPTIONS);
  const found = program.getSourceFile(file)?.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  if (!found) throw new Error(`${file} has no interface ${name}`);
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().flatMap(({ fileName, isDeclarationFile }) => (isDeclarationFile ? [] : [fileName]));
  return { code: `export default ${JSON.stringify(of(checker.getTypeAtLocation(found.name)))};`, files };

  function of(type) {
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "?";
    if (flags & ts.TypeFlags.Null) return "0";
    if (flags & ts.TypeFlags.BooleanLike && !type.isUnion()) return "b";
    if (type.isStringLiteral() || type.isNumberLiteral()) return { "=": [type.value] };
    if (flags & ts.TypeFlags.Number) return "n";
    if (flags & ts.TypeFlags.String) return "s";
    if (type.isUnion()) return union(type.types.filter(({ flags: each }) => !(each & ts.TypeFlags.Undefined)).map(of));
    if (BYTES.has(type.symbol?.name)) return "y";
    if (checker.isTupleType(type)) return { "()": checker.getTypeArguments(type).map(of) };
    if (checker.isArrayType(type)) return checker.getTypeArguments(type).map(of);
    const any = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (any) return { "*": of(any) };
    return Object.fromEntries(checker.getPropertiesOfType(type).map((part) => [part.name + (part.flags & ts.SymbolFlags.Optional ? "?" : ""), of(checker.getTypeOfSymbol(part))]));
  }
}

function union(shapes) {
  const words = shapes.flatMap((shape) => shape["="] ?? []);
  const rest = [...new Set(shapes.filter((shape) => !shape["="]).map((shape) => JSON.stringify(shape)))].map((text) => JSON.parse(text));
  // A number or a text is a number on the wire: of words "n" takes those that stand for one, and no others.
  const one = [...rest.filter((shape) => shape !== "s" || !rest.includes("n")), ...(words.length > 0 ? [{ "=": words }] : [])];
  return one.length === 1 ? one[0] : { "|": one };
}

const located = (path, folder) => {
  const [file, name] = path.slice(PREFIX.length).split("#");
  return `${resolve(folder, file)}.ts#${name}`;
};

/** Plugin of esbuild. */
export const shapes = {
  name: "shapes",
  setup(bundler) {
    bundler.onResolve({ filter: /^shape:/ }, ({ path, resolveDir }) => ({ path: located(path, resolveDir), namespace: "shape" }));
    bundler.onLoad({ filter: /.*/, namespace: "shape" }, ({ path }) => {
      const { code, files } = shapeOf(...path.split("#"));
      return { contents: code, loader: "js", watchFiles: files };
    });
  },
};

/** The same for vitest. */
export const shapesInTests = {
  name: "shapes",
  enforce: "pre",
  resolveId: (source, importer) => (source.startsWith(PREFIX) ? `\0${PREFIX}${located(source, dirname(importer))}` : null),
  load: (id) => (id.startsWith(`\0${PREFIX}`) ? shapeOf(...id.slice(1 + PREFIX.length).split("#")).code : null),
};
