// Plays games in node -> their digests, as JSON.
//   node play.mjs RULES.json RULES.wasm GAMES.json
import { readFileSync } from "node:fs";
import { play } from "./games.mjs";

const [about, module, games] = process.argv.slice(2).map((path) => readFileSync(path));
console.log(JSON.stringify(await play(JSON.parse(about), module, JSON.parse(games))));
