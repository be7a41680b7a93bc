// The edited pack, kept in this browser.

const EDIT = "agemonia_env.edit";

export function keep(edit) {
  try {
    localStorage.setItem(EDIT, JSON.stringify(edit));
  } catch {
    // no storage here, or it is full: the edit lives as long as the page
  }
}

/** {pack, cards, card} as it was left, or null. */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(EDIT));
  } catch {
    return null;
  }
}
