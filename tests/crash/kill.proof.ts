/**
 * Kills the real process with SIGKILL at every fault point and around every outside call of book,
 * confirm, cancel and refund.
 */
import { test } from 'vitest';
import { dieAtEach, scenarios } from './deaths.ts';

for (const [name, scenario] of Object.entries(scenarios))
  test(`killed while ${name}: at each of ${scenario.points.length} points the process dies once, comes back, and nothing is lost or doubled`, () =>
    dieAtEach(scenario));
