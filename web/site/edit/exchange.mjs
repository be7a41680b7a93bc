// Patches and packs as files: opened and saved.

import { byId, element } from "../play/elements.mjs";

/** The edit {env, pack, files, cards} in a file: a patch of the open pack, or a whole pack. */
export async function openFile(file, table, pack) {
  if (file.name.endsWith(".zip"))
    return table.edit("read_archive", new Uint8Array(await file.arrayBuffer()));
  return table.edit("read_patch", { ...pack, cards: {} }, await file.text());
}

/** Offer a file for download. */
export function download(name, data) {
  const link = element("a", { href: URL.createObjectURL(new Blob([data])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The panel to save in; exported: of editing.export; download(name, data) */
export function openSave({ name, patch, zip }, download) {
  const dialog = byId("dialog");
  const file = `my-${name}.yaml`;
  const bytes = () => Uint8Array.from(atob(zip), (letter) => letter.charCodeAt(0));
  const close = element(
    "button",
    { type: "button", class: "close", "aria-label": "Close", click: () => dialog.close() },
    "×",
  );
  dialog.replaceChildren(
    element("header", {}, element("h2", { id: "dialog-title" }, "Save"), close),
    element("h3", {}, "The changes, as a patch"),
    ...(patch
      ? [
          element("pre", { tabindex: 0 }, patch),
          element(
            "button",
            {
              type: "button",
              id: "save-patch",
              class: "primary",
              click: () => download(file, patch),
            },
            `Save ${file}`,
          ),
          element("p", { class: "faint" }, `Check it: agemonia content check "${name}; ${file}"`),
        ]
      : [
          element(
            "p",
            {},
            "There is no change yet, or one that only a whole pack can hold, such as a new card.",
          ),
        ]),
    element("h3", {}, "The whole pack"),
    element(
      "button",
      { type: "button", id: "save-pack", click: () => download(`my-${name}.zip`, bytes()) },
      `Save my-${name}.zip`,
    ),
    element("p", { class: "faint" }, `Unpack it, and check it: agemonia content check ./${name}`),
  );
  dialog.onclick = ({ target }) => target === dialog && dialog.close();
  if (!dialog.open) dialog.showModal();
}
