// Calls between a page and its workers: an object's methods, by name, answered as promises.

/** In a worker: answer calls of a page with the methods of an object. */
export function answer(object) {
  self.onmessage = async ({ data: { id, name, given } }) => {
    try {
      self.postMessage({ id, value: await object[name](...given) });
    } catch (error) {
      self.postMessage({ id, error: String(error.message ?? error) });
    }
  };
}

/** In a page: an object whose methods are those of a worker, each returning a promise. */
export function workerAt(url) {
  const worker = new Worker(url, { type: "module" });
  const waiting = new Map();
  let last = 0;
  worker.onmessage = ({ data: { id, value, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message ?? "it does not start"));
    waiting.clear();
  };
  const call = (name, given) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      worker.postMessage({ id: last, name, given });
    });
  const methods = { get: (_, name) => (name === "then" ? undefined : (...given) => call(name, given)) };
  return new Proxy({ stop: () => worker.terminate() }, {
    get: (object, name) => object[name] ?? methods.get(object, name),
  });
}
