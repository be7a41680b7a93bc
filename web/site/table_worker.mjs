// The worker that holds the game, and Python for its words.

import { answer, tell } from "./calls.mjs";
import { counted, readFile } from "./files.mjs";
import { Table } from "./table.mjs";

globalThis.fetch = counted(fetch, tell); // Python's own files come by it, too
const at = (name) => new URL(`python/${name}`, import.meta.url).href;
answer(new Table(readFile, { indexURL: at(""), module: (name) => import(at(name)) }));
