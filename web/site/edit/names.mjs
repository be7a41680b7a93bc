// What a field may name: cards of a folder, or areas of the map.

/** [value, text] of each; what: a folder of the pack, or "areas" of a scenario; null if unknown. */
export function namesOf(what, edits, card) {
  if (what === "areas") {
    const areas = edits.value(card).map?.areas;
    return areas
      ? Object.entries(areas).map(([letter, { name }]) => [letter, `${letter} ${name}`])
      : null;
  }
  const found = edits.list().filter(({ folder }) => folder === what);
  return found.length ? found.map(({ key, title }) => [key, title]) : null;
}
