// The worker that holds the game, and Python for its words.

import { answer } from "./calls.mjs";
import { readFile } from "./files.mjs";
import { Table } from "./table.mjs";

const at = (name) => new URL(`python/${name}`, import.meta.url).href;
answer(new Table(readFile, { indexURL: at(""), module: (name) => import(at(name)) }));
