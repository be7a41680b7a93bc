// The game that a page begins with when there is none to remember.

export const OPENING = { env: "Agemonia-v0", arguments: { scenario: "ford" }, seed: "1", actions: [] };
