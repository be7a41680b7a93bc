// Files of the site, and bytes that are written as text.

/** The bytes of a file; of one that is only there compressed, uncompressed. */
export async function readFile(name) {
  const squeezed = name === "python/snapshot.bin";
  const address = new URL(squeezed ? `${name}.gz` : name, import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  const plain = squeezed
    ? new Response(response.body.pipeThrough(new DecompressionStream("gzip")))
    : response;
  return new Uint8Array(await plain.arrayBuffer());
}

/** The bytes that a text in base64 stands for. */
export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
