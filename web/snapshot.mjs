// Makes the copy of Python's memory from which pages start.
//   node snapshot.mjs SITE STAGE OUT    SITE: the site's folder, with Pyodide and the rules in it;
//                                       STAGE: zip archive of all Python sources; OUT: the copy
// It also writes SITE/opening.json: what the play page shows until Python has started.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { OPENING } from "./site/opening.mjs";
import { Table } from "./site/table.mjs";

// Where WebAssembly lacks garbage collection, as on iOS, Python calls C functions by a detour. The
// copy remembers which way was taken, so it is made with the one that works everywhere.
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "iPhone" } });

const [site, stage, out] = process.argv.slice(2);
const bytes = (path) => new Uint8Array(readFileSync(path));
const table = new Table(async (name) => bytes(`${site}/${name}`), {
  indexURL: `${site}/python/`,
  module: (name) => import(pathToFileURL(`${site}/python/${name}`)),
});
await table.prepare(bytes(stage));
writeFileSync(out, table.python.makeMemorySnapshot());
const opening = { choices: table.choices(), view: table.load(OPENING) };
writeFileSync(`${site}/opening.json`, JSON.stringify(opening));
