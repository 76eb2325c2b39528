// Packs a minified module into one that unpacks itself. A saved notebook stores a widget's module once for every
// instance, so an explorer's module, which holds those of its parts, travels deflated. The unpacked module is
// imported from a blob, as the host already imports the packed one: no further permission is asked of a page.
import { deflateRawSync } from "node:zlib";

const loader = (payload) => `const packed="${payload}";
async function unpack(){
const bytes=Uint8Array.from(atob(packed),(c)=>c.charCodeAt(0));
const text=await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).blob();
const url=URL.createObjectURL(new Blob([text],{type:"text/javascript"}));
try{return(await import(url)).default}finally{URL.revokeObjectURL(url)}
}
let widget;
export default async()=>widget??=await unpack();
`;

/** The source of a module whose default export is a function that resolves to the widget of `source`. */
export function pack(source) {
  return loader(deflateRawSync(Buffer.from(source), { level: 9 }).toString("base64"));
}
