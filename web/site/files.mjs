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

const STEP = 200_000; // bytes after which a reader is told again

/** `fetch` that tells how many bytes of all files have come so far. */
export function counted(fetch, told) {
  let [loaded, last] = [0, 0];
  const transform = (chunk, controller) => {
    loaded += chunk.length;
    controller.enqueue(chunk);
    if (loaded < last + STEP) return;
    last = loaded;
    told(loaded);
  };
  return async (...given) => {
    const response = await fetch(...given);
    if (!response.body) return response;
    return new Response(response.body.pipeThrough(new TransformStream({ transform })), response);
  };
}

/** The bytes that a text in base64 stands for. */
export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
