// What pages keep in this browser, as JSON; where there is no storage, nothing is kept.

/** The value with a name, or null. */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null; // no storage here, or another page's words
  }
}

export function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // no storage here, or it is full: the page goes on without
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // no storage, nothing to forget
  }
}
