// What pages keep in this browser, as JSON; where there is no storage, nothing is kept.

/** The value with a name, or null; kind: localStorage, or sessionStorage, which is this tab's. */
export function read(name, kind = "localStorage") {
  try {
    return JSON.parse(globalThis[kind].getItem(name));
  } catch {
    return null; // no storage here, or another page's words
  }
}

export function write(name, value, kind = "localStorage") {
  try {
    globalThis[kind].setItem(name, JSON.stringify(value));
  } catch {
    // no storage here, or it is full: the page goes on without
  }
}

export function forget(name, kind = "localStorage") {
  try {
    globalThis[kind].removeItem(name);
  } catch {
    // no storage, nothing to forget
  }
}
