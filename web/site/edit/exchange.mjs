// Patches and packs as files: opened and saved.

import { bytesOf } from "../files.mjs";
import { openDialog } from "../play/dialog.mjs";
import { element } from "../play/elements.mjs";

/** Whether a file holds a whole pack, and not a patch. */
export const isArchive = ({ name }) => name.endsWith(".zip");

/** The edit {env, pack, files, cards} in a file: a patch of the open pack, or a whole pack. */
export async function openFile(file, table, pack) {
  if (isArchive(file)) return table.edit("read_archive", new Uint8Array(await file.arrayBuffer()));
  return table.edit("read_patch", { ...pack, cards: {} }, await file.text());
}

/** Offer a file for download. */
function download(name, data) {
  const link = element("a", { href: URL.createObjectURL(new Blob([data])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The panel to save in; exported: of editing.export */
export function openSave({ name, patch, zip }) {
  const archive = `my-${name}.zip`;
  const savePack = () => download(archive, bytesOf(zip));
  openDialog(
    "Save",
    element("h3", {}, "The changes, as a patch"),
    ...(patch ? savingPatch(`my-${name}.yaml`, patch, name) : [element("p", {}, NO_PATCH)]),
    element("h3", {}, "The whole pack"),
    element("button", { type: "button", id: "save-pack", click: savePack }, `Save ${archive}`),
    element("p", { class: "faint" }, `Check it: agemonia content check ${archive}`),
  );
}

const NO_PATCH =
  "There is no change yet, or one that only a whole pack can hold, such as a new card.";

function savingPatch(file, patch, name) {
  const click = () => download(file, patch);
  return [
    element("pre", { tabindex: 0 }, patch),
    element("button", { type: "button", id: "save-patch", class: "primary", click }, `Save ${file}`),
    element("p", { class: "faint" }, `Check it: agemonia content check "${name}; ${file}"`),
  ];
}
