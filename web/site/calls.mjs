// Calls between a page and its workers: an object's methods, by name, answered as promises.

/** In a worker: answer calls of a page with the methods of an object, one after the other. */
export function answer(object) {
  let last = Promise.resolve();
  self.onmessage = ({ data }) => {
    last = last.then(() => reply(object, data));
  };
}

async function reply(object, { id, name, given }) {
  try {
    self.postMessage({ id, value: await object[name](...given) });
  } catch (error) {
    self.postMessage({ id, error: String(error.message ?? error) });
  }
}

/** In a worker: tell the page something that it did not ask for. */
export const tell = (news) => self.postMessage({ news });

/**
 * In a page: an object whose methods are those of a worker, each returning a promise.
 *   heard(news): what the worker tells without being asked
 */
export function workerAt(url, heard = () => {}) {
  const worker = new Worker(url, { type: "module" });
  const waiting = new Map();
  let last = 0;
  let broken = null;
  worker.onmessage = ({ data: { id, value, error, news } }) => {
    if (news !== undefined) return heard(news);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  };
  worker.onerror = ({ message }) => {
    broken = new Error(message ?? "a worker does not start");
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  const call = (name, given) =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      waiting.set(++last, { resolve, reject });
      worker.postMessage({ id: last, name, given });
    });
  const method = (name) => (name === "then" ? undefined : (...given) => call(name, given));
  return new Proxy({}, { get: (_, name) => method(name) });
}
