// Packs to try the editor with: #example=NAME.

export const EXAMPLES = {
  hard: {
    env: "Agemonia-v0",
    pack: "core",
    patch: ["scenarios.ford.difficulty.normal.health = 3"],
    card: "scenarios/ford",
    scenario: "ford",
    games: { heroes: 2, difficulty: "normal", target: 60, within: 3 },
    text: "This ford is too hard: somebody gave its enemies more health. Repair it: find what was changed, or make something else easier, until the win rate is 60 ± 3 %.",
  },
};
