// The worker in which planner and network think, so that the page never waits.

import { answer } from "./calls.mjs";
import { readFile } from "./files.mjs";
import { Thinker } from "./thinker.mjs";

answer(new Thinker(readFile));
