// Plays games at a table of the site -> what it shows, as JSON.
//   node table.mjs SITE GAMES.json
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [folder, games] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${folder}/${name}`));
const read = async (name) => {
  if (name !== "python/snapshot.bin") return new Uint8Array(readFileSync(`${folder}/${name}`));
  return new Uint8Array(gunzipSync(readFileSync(`${folder}/${name}.gz`)));
};
const { Table } = await load("table.mjs");
const { Thinker } = await load("thinker.mjs");

const table = new Table(read, {
  indexURL: `${folder}/python/`,
  module: (name) => load(`python/${name}`),
});
await table.start();
const thinker = new Thinker(read);

async function shown({ setting, decisions, every }) {
  const views = [];
  let view = table.open(setting);
  const { env } = setting;
  await thinker.load({ env, content: table.content(), control: table.about.control });
  for (let k = 0; k < decisions && !view.over; k++) {
    const action = table.greedy();
    if (k % every === 0) {
      const state = table.state();
      const [network, plan] = [
        thinker.hasNetwork({ env }) ? await thinker.network({ state }) : null,
        await thinker.plan({ state, simulations: 60 }),
      ];
      const about = { refused: table.refused(), goal: table.goal(), network, plan };
      views.push({ ...view, ...about, described: table.describe(action), action });
    }
    view = table.act(action);
  }
  const last = table.save();
  table.undo();
  const undone = table.save();
  const again = table.load(last);
  const same = JSON.stringify(again) === JSON.stringify(view);
  return { views, pages: table.pages(), actions: last.actions, undone: undone.actions, same };
}

const played = [];
for (const game of JSON.parse(readFileSync(games))) played.push(await shown(game));
console.log(JSON.stringify(played));
