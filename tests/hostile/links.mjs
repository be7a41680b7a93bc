// Opens links at the site's table as the play page does: a link a line -> an answer a line, as JSON.
//   node links.mjs SITE
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${folder}/${name}`));
const read = async (name) => {
  if (name !== "python/snapshot.bin") return new Uint8Array(readFileSync(`${folder}/${name}`));
  return new Uint8Array(gunzipSync(readFileSync(`${folder}/${name}.gz`)));
};
const [{ Table }, { linkedGame }, { OPENING }] = await Promise.all(
  ["table.mjs", "play/memory.mjs", "opening.mjs"].map(load),
);
const table = new Table(read, {
  indexURL: `${folder}/python/`,
  module: (name) => load(`python/${name}`),
});
await table.start();

const position = () => createHash("sha256").update(table.state()).digest("hex").slice(0, 16);

/** Every file of Python's file system outside of the folder where packs of links lie. */
function files(place = "/") {
  const { FS } = table.python;
  return FS.readdir(place).flatMap((name) => {
    const path = place + name;
    if ([".", ".."].includes(name) || ["/packs", "/proc", "/dev"].includes(path)) return [];
    return FS.isDir(FS.lstat(path).mode) ? files(`${path}/`) : [path];
  });
}

table.load({ ...OPENING, actions: [] });
const [start, before] = [position(), files().length];

for await (const line of createInterface({ input: process.stdin })) {
  const answer = {};
  try {
    const saved = linkedGame(JSON.parse(line));
    const view = table.load(saved);
    Object.assign(answer, { position: position(), board: view.board, steps: table.past.length });
  } catch (error) {
    Object.assign(answer, { refused: error.message, kind: (error.cause ?? error).constructor.name });
  }
  table.load({ ...OPENING, actions: [] });
  answer.sound = position() === start && files().length === before;
  console.log(JSON.stringify(answer));
}
