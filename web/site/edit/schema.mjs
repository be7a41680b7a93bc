// JSON schemas of cards, as far as forms need them.

/** A part of a schema with its reference followed; `optional`: it may be null. */
export function resolved(part, root) {
  const found = part.$ref ? { ...root.$defs[part.$ref.split("/").at(-1)], ...part } : part;
  const { $ref, ...own } = found;
  const kinds = own.anyOf?.filter(({ type }) => type !== "null");
  if (kinds?.length === 1) {
    return { ...resolved(kinds[0], root), ...described(own), optional: true };
  }
  return own;
}

/** What a field says that the model in it does not. */
function described(own) {
  const kept = ["description", "names", "default", "title"];
  return Object.fromEntries(Object.entries(own).filter(([key]) => kept.includes(key)));
}

/** The kind of control that a part needs. */
export function kindOf(part) {
  if (part.oneKey) return "oneKey";
  if (part.anyOf) return "variants";
  if (part.enum) return "choice";
  if ("const" in part) return "constant";
  if (part.type === "object") return part.properties ? "object" : "mapping";
  if (part.type === "array") return part.items.enum ? "set" : "list";
  return part.type; // integer, number, boolean, string
}

/** The schema of the entries of a list or mapping. */
export const entryOf = ({ items, additionalProperties, patternProperties }) =>
  items ?? (additionalProperties || Object.values(patternProperties)[0]);

export const isPlain = (part) =>
  ["integer", "number", "boolean", "string", "choice", "variants", "constant"].includes(
    kindOf(part),
  );

/** A value to begin with. */
export function firstValue(part, root) {
  const own = resolved(part, root);
  if (own.default !== undefined && own.default !== null && kindOf(own) !== "object")
    return own.default;
  switch (kindOf(own)) {
    case "oneKey": {
      const [key, inner] = Object.entries(own.properties)[0];
      return { [key]: firstValue(inner, root) };
    }
    case "object":
      return Object.fromEntries(
        (own.required ?? []).map((key) => [key, firstValue(own.properties[key], root)]),
      );
    case "mapping":
      return {};
    case "set":
    case "list":
      return Array.from({ length: own.minItems ?? 0 }, () => firstValue(own.items, root));
    case "choice":
      return own.enum[0];
    case "constant":
      return own.const;
    case "variants":
      return firstValue(own.anyOf[0], root);
    case "boolean":
      return true;
    case "string":
      return "";
    default:
      return own.minimum ?? 0;
  }
}

/** A key as people read it: `per_hero` -> `per hero`. */
export const inWords = (key) => String(key).replaceAll("_", " ");
